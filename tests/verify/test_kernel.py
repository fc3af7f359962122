"""The machine-checked program as a prover: what it is given, and what is made of its answers.

The program itself is tested in ``tests/proofs/test_rocq.py``; here small scripts stand in for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from verify.checking import check_head
from verify.errors import SourceError
from verify.heads import HeadBatch
from verify.kernel import KernelProver
from verify.records import Record, head_record
from verify.verdicts import assess


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def batch() -> HeadBatch:
    """K = (1/2, 0, 0), Q = (0, 1, 0)."""
    return HeadBatch(torch.tensor([[[0.0, 1.0, 0.0]]]), torch.tensor([[[0.5, 0.0, 0.0]]]))


def record(heads: HeadBatch) -> Record:
    return head_record(next(assess(heads)), source="", provenance={}, computation={})


def test_the_program_sees_the_stored_numbers(tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    program = script(tmp_path / "check", f"cat $1 > {seen}; echo 'proved: rank 2, signature (1, 1, 1)'")
    finding = check_head(record(batch()), batch().exact_rows(0), KernelProver(program))
    assert finding.confirmed
    assert finding.detail == "proved: rank 2, signature (1, 1, 1), by the machine-checked program"
    lines = seen.read_text().splitlines()
    assert lines[:3] == ["headforms-certificate 1", "minor", "head 1 3"]
    weights = [[int(x) for x in line.split()] for line in lines[lines.index("matrix") + 1 :]]
    values = [[m * 2.0**e for m, e in zip(row[::2], row[1::2], strict=True)] for row in weights]
    assert values == [[0.5, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("echo refused; exit 1", "the machine-checked program says: refused"),
        ("echo 'not a certificate: x' >&2; exit 2", "the machine-checked program says: not a certificate: x"),
        ("exit 3", "the machine-checked program says: exit status 3"),
        ("echo 'proved: rank 2, signature (1, 1, 1)'; exit 1", "the machine-checked program says: proved: rank 2, s"),
        ("echo 'proved: something'", "the machine-checked program says: proved: something"),
        ("echo 'proved: rank 2, signature (2, 0, 1)'", "signature is {'positive': 2, 'negative': 0, 'zero': 1}, and"),
        ("echo 'proved: rank 1, signature (1, 1, 1)'", "verdict is refuted, and the record says proved"),
    ],
)
def test_what_is_no_confirmation(tmp_path: Path, text: str, detail: str) -> None:
    finding = check_head(record(batch()), batch().exact_rows(0), KernelProver(script(tmp_path / "check", text)))
    assert not finding.confirmed
    assert finding.detail.startswith(detail)


def test_a_proof_that_makes_no_certificate(tmp_path: Path) -> None:
    wrong = record(batch()) | {"proof": {"kind": "minor", "prime": 7, "columns": [0, 2]}}
    finding = check_head(wrong, batch().exact_rows(0), KernelProver(script(tmp_path / "check", "exit 0")))
    assert not finding.confirmed
    assert finding.detail.startswith("the proof of the record makes no certificate: the minor vanishes modulo 7")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be run .*`make rocq` builds"):
        check_head(record(batch()), batch().exact_rows(0), KernelProver(tmp_path / "none"))
