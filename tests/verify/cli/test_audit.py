"""The command as a user meets it: output, exit codes, one-line errors."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from tests.verify.cli.running import headforms


def checkpoint(folder: Path, *, spoil: str = "", layers: int = 2) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "bert", "hidden_size": 12, "num_attention_heads": 3, "num_hidden_layers": layers}
    (folder / "config.json").write_text(json.dumps(config))
    generator = torch.Generator().manual_seed(0)
    weights = {
        f"bert.encoder.layer.{layer}.attention.self.{kind}.weight": torch.randn(12, 12, generator=generator)
        for layer in range(layers)
        for kind in ("query", "key")
    }
    first = weights["bert.encoder.layer.0.attention.self.query.weight"]
    if spoil == "zero":
        first[4:8] = 0
    if spoil == "nan":
        first[4, 4] = torch.nan
    if spoil == "all nan":
        for weight in weights.values():
            weight[:] = torch.nan
    save_file(weights, folder / "model.safetensors")
    return folder


@pytest.mark.parametrize(
    ("spoil", "strict", "code"),
    [
        ("", False, 0),
        ("", True, 0),
        ("zero", False, 1),
        ("zero", True, 1),
        ("nan", False, 0),
        ("nan", True, 4),
        ("all nan", False, 3),
        ("all nan", True, 3),
    ],
)
def test_exit_codes(tmp_path: Path, spoil: str, strict: bool, code: int) -> None:
    done = headforms("audit", checkpoint(tmp_path, spoil=spoil), *(["--strict"] if strict else []))
    assert done.returncode == code, done.stderr


def test_table_and_verdict(tmp_path: Path) -> None:
    done = headforms("audit", checkpoint(tmp_path / "model", spoil="zero"), "--out", tmp_path / "r.jsonl")
    lines = done.stdout.splitlines()
    assert lines[0].split()[:5] == ["stack", "layer", "heads", "proved", "refuted"]
    assert lines[1].split()[:5] == ["encoder", "0", "3", "2", "1"]
    assert lines[2].split()[:5] == ["encoder", "1", "3", "3", "0"]
    assert lines[3].startswith(
        "refuted: encoder layer 0 head 1: degenerate: rank M = 4 < 2n = 8 (rank Q = 0, rank K = 4)"
    )
    assert (
        "5 of 6 heads proved hyperbolic plus zero, signature (4, 4, 4); 1 refuted; smallest relative margin" in lines[4]
    )
    assert len(lines) == 5
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 7


def test_progress_is_for_terminals_only(tmp_path: Path) -> None:
    assert headforms("audit", checkpoint(tmp_path)).stderr == ""


@pytest.mark.parametrize("shape", ["json", "jsonl"])
def test_records_on_stdout_always_parse(tmp_path: Path, shape: str) -> None:
    first, second = checkpoint(tmp_path / "a", spoil="nan"), checkpoint(tmp_path / "b")
    done = headforms("audit", first, second, "--format", shape)
    text = done.stdout
    records = json.loads(text) if shape == "json" else [json.loads(line) for line in text.splitlines()]
    assert [r["kind"] for r in records] == ["run", *["head"] * 6, "run", *["head"] * 6]


def test_several_sources_make_one_verdict(tmp_path: Path) -> None:
    good, bad = checkpoint(tmp_path / "good"), checkpoint(tmp_path / "bad", spoil="zero")
    assert headforms("audit", good, bad).returncode == 1
    done = headforms("audit", good, bad, "--out", tmp_path / "r.jsonl")
    assert done.returncode == 2
    assert "--out takes the records of one SOURCE" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--layers", "5-3"], "'5-3' is no list of layers"),
        (["--layers", "0-"], "'0-' is no list of layers"),
        (["--layers", "²"], "'²' is no list of layers"),
        (["--layers", "0-3000000000"], "'0-3000000000' is no list of layers"),
        (["--distance", "0:2000000"], "holds more than 10000 distances"),
        (["--out", ""], "--out is empty"),
        (["--out", "/dev"], "is a directory"),
        (["--device", "meta"], "device 'meta' cannot be used for float64"),
        (["--layers", "0-x"], "'0-x' is no list of layers; write for example 0,3-5"),
        (["--layers", "7"], "has no layer 7; its layers are 0 to 1"),
        (["--fold", "paper"], "'paper' is not one of 'gain', 'center', 'bias'"),
        (["--distance", "0:x"], "'0:x' is no list of distances; write for example 0,1,8 or 0:128"),
        (["--distance", "5:5"], "'5:5' holds no distance"),
        (["--distance", "0:4"], "no layer has rotary positions"),
        (["--device", "warp"], "device 'warp' cannot be used for float64"),
        (["--format", "xml"], "'xml' is not one of"),
        (["--out", "/dev/null/x"], "cannot write records there (Not a directory)"),
    ],
)
def test_wrong_arguments(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = headforms("audit", checkpoint(tmp_path), *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.startswith("headforms: ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("source", ["", "x" * 5000])
def test_impossible_names(source: str) -> None:
    done = headforms("audit", source)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("victim", ["model.safetensors", "config.json"])
def test_weights_are_never_replaced_by_records(tmp_path: Path, victim: str) -> None:
    folder = checkpoint(tmp_path)
    before = (folder / victim).read_bytes()
    done = headforms("audit", folder, "--out", folder / victim)
    assert done.returncode == 2
    assert "exists and holds no records, so it is not replaced" in done.stderr
    assert (folder / victim).read_bytes() == before


def test_links_are_followed_and_devices_written_to(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "model")
    (tmp_path / "target.jsonl").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "target.jsonl")
    assert headforms("audit", folder, "--out", tmp_path / "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert len((tmp_path / "target.jsonl").read_text().splitlines()) == 7
    assert headforms("audit", folder, "--out", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()


def test_a_failed_run_leaves_nothing_behind(tmp_path: Path) -> None:
    assert headforms("audit", tmp_path / "nowhere", "--out", tmp_path / "r.jsonl").returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("{audit} --format jsonl | head -1 >{folder}/out; exit ${{PIPESTATUS[0]}}", 141),
        ("{audit} >/dev/full 2>{folder}/err", 2),
        ("{audit} >{folder}/out 2>&-", 0),
    ],
)
def test_streams_that_end_or_are_not_there(tmp_path: Path, shell: str, code: int) -> None:
    """Never 1, which says that a head is refuted."""
    folder = checkpoint(tmp_path, layers=20)
    command = shell.format(audit=f"{sys.executable} -m verify audit {folder}", folder=folder)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_layers_option(tmp_path: Path) -> None:
    done = headforms("audit", checkpoint(tmp_path, layers=4), "--layers", "0,2-3", "--format", "jsonl")
    assert {json.loads(line)["layer"] for line in done.stdout.splitlines()[1:]} == {0, 2, 3}


def test_a_missing_source_is_one_line(tmp_path: Path) -> None:
    done = headforms("audit", tmp_path / "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("headforms: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_process_of_its_own(tmp_path: Path) -> None:
    """Once for real: no terminal, so no progress, and the same exit code and text."""
    command = [sys.executable, "-m", "verify", "audit", str(checkpoint(tmp_path, spoil="zero"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout == headforms("audit", tmp_path).stdout


def test_a_weights_file_beside_its_configuration(tmp_path: Path) -> None:
    assert headforms("audit", checkpoint(tmp_path) / "model.safetensors").returncode == 0


def test_no_source_is_a_usage_error() -> None:
    done = headforms("audit")
    assert done.returncode == 2
    assert "Missing argument 'SOURCE...'" in done.stderr


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[31mred", "[bold]", "\udcff"])
@pytest.mark.parametrize("spoil", ["", "zero"])
def test_names_of_folders_are_only_names(tmp_path: Path, name: str, spoil: str) -> None:
    folder = checkpoint(tmp_path / name, spoil=spoil, layers=1)
    done = headforms("audit", folder)
    assert done.returncode == bool(spoil)
    assert all(line.isprintable() for line in done.stdout.splitlines())
    assert len(done.stdout.splitlines()) == 4 if spoil else 3
    records = headforms("audit", folder, "--format", "jsonl").stdout.splitlines()
    assert {json.loads(record)["source"] for record in records} == {str(folder)}
    assert len(records) == 4
    inspected = headforms("inspect", folder, "--heads").stdout.splitlines()
    assert len(inspected) == 5
    assert all(line.isprintable() for line in inspected)
    missing = headforms("audit", folder / "two\nlines")
    assert missing.stderr.count("\n") == 1
    assert missing.stderr[:-1].isprintable()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_progress_bar_takes_no_orders_from_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = checkpoint(tmp_path / "[red]model\n", layers=1)
    monkeypatch.setattr("tests.verify.cli.running.io.StringIO", Terminal)
    assert r"[red]model\n" in headforms("audit", folder).stderr
