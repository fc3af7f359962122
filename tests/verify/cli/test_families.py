"""``headforms families``: the table, the witness of a family, JSON."""

from __future__ import annotations

import json

from proofs.families import PARAMETRISATIONS
from tests.verify.cli.running import headforms


def test_the_table() -> None:
    done = headforms("families")
    assert (done.returncode, done.stderr) == (0, "")
    for item in PARAMETRISATIONS:
        assert sum(line.startswith(f"{item.title}  ") for line in done.stdout.splitlines()) == 1
    assert "normalised queries and keys" in done.stdout


def test_one_family_with_its_witness() -> None:
    done = headforms("families", "tied")
    assert done.returncode == 0
    assert done.stdout.count("fails") == 3
    assert "tied, n=1 N=2: witness\n  Q = [[1, -1]]" in done.stdout


def test_json() -> None:
    result = json.loads(headforms("families", "--format", "json").stdout)
    assert {entry["id"] for entry in result["families"]} == {item.id for item in PARAMETRISATIONS}
    assert {entry["conclusion"] for entry in result["families"]} == {"theorem", "fewer planes", "fails"}
    assert all(entry["fails_at"] for entry in result["not_bilinear"])
    assert list(json.loads(headforms("families", "big", "--format", "json").stdout)) == ["families"]


def test_an_unknown_family() -> None:
    done = headforms("families", "unknown")
    assert done.returncode == 2
    assert "no family 'unknown'; the families: single-head" in done.stderr
