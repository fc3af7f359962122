"""``headforms check`` on a run, on other weights, and on what is no run."""

from __future__ import annotations

from pathlib import Path

from tests.verify.cli.running import headforms
from tests.verify.cli.test_audit import checkpoint


def test_a_run_is_confirmed_and_other_weights_are_not(tmp_path: Path) -> None:
    records = tmp_path / "r.jsonl"
    headforms("audit", checkpoint(tmp_path / "a"), "--out", records)
    done = headforms("check", records, tmp_path / "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert "6 of 6 heads confirmed" in done.stdout
    done = headforms("check", records, checkpoint(tmp_path / "b", spoil="zero"))
    assert done.returncode == 1
    assert "not confirmed: encoder layer 0 head 1" in done.stdout
    assert "5 of 6 heads confirmed" in done.stdout


def test_unreadable_input_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("nonsense")
    for arguments in ((tmp_path / "none", tmp_path), (tmp_path / "r.jsonl", checkpoint(tmp_path / "a"))):
        done = headforms("check", *arguments)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
