"""The independent checker confirms true records and refuses every corrupted claim."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from proofs.inertia import signature
from tests.cases import cases
from tests.verify.heads import batch_of, singular_stack
from tests.verify.test_auditing import llama
from verify.auditing import audit
from verify.checking import (
    PRIMES,
    _inertia,
    _signature_by_annihilator,
    _strong_probable_prime,
    check_head,
    check_run,
    has_rank,
)
from verify.checkpoints import open_checkpoint
from verify.errors import RecordError
from verify.heads import HeadBatch
from verify.records import head_record, to_line
from verify.strategies import float_heads
from verify.verdicts import assess


def recorded(batch: HeadBatch) -> dict:
    return head_record(next(assess(batch)), source="", provenance={}, computation={})


@pytest.mark.parametrize("data", cases("attention_head"))
def test_every_case_is_confirmed(data: dict) -> None:
    batch = batch_of(data["input"]["Q"], data["input"]["K"])
    finding = check_head(recorded(batch), batch.exact_rows(0))
    assert finding.confirmed, finding.detail


@given(float_heads())
def test_heads_of_every_stratum_are_confirmed(batch: HeadBatch) -> None:
    finding = check_head(recorded(batch), batch.exact_rows(0))
    assert finding.confirmed, finding.detail


def refuted() -> HeadBatch:
    M = singular_stack(np.random.default_rng(0), 6, 8, depth=2)
    return HeadBatch(torch.tensor(M[3:])[None], torch.tensor(M[:3])[None])


def proved() -> HeadBatch:
    return HeadBatch(*torch.randn(2, 1, 3, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64))


def change(*path: object) -> Callable[[dict], None]:
    def apply(record: dict) -> None:
        *way, last, value = path
        place = record
        for step in way:
            place = place[step]
        place[last] = value(place[last]) if callable(value) else value

    return apply


CORRUPTIONS = {
    "verdict": (refuted, change("verdict", "proved")),
    "rank": (refuted, change("proof", "rank", 5)),
    "signature": (refuted, change("signature", "positive", lambda x: x + 1)),
    "radical": (refuted, change("radical", 0)),
    "Witt index": (refuted, change("witt_index", lambda x: x + 1)),
    "isotropy": (refuted, change("isotropy_dimension", lambda x: x - 1)),
    "conclusion": (refuted, change("hyperbolic_plus_zero", lambda x: not x)),
    "null vector": (refuted, change("proof", "null_vectors", 0, 0, lambda x: str(int(x) + 1))),
    "null vector twice": (refuted, change("proof", "null_vectors", lambda us: [us[0], us[0]])),
    "null vector missing": (refuted, change("proof", "null_vectors", lambda us: us[:1])),
    "zero null vector": (refuted, change("proof", "null_vectors", lambda us: [us[0], ["0"] * 6])),
    "rows": (refuted, change("proof", "rows", lambda rows: [rows[0]] * 4)),
    "columns": (refuted, change("proof", "columns", lambda columns: [columns[0]] * 4)),
    "modulus 1": (refuted, change("proof", "prime", 1)),
    "even modulus": (refuted, change("proof", "prime", 2)),
    "composite modulus": (refuted, change("proof", "prime", (2**31 - 1) * (2**31 - 19))),
    "no number": (refuted, change("proof", "null_vectors", 0, 0, "one")),
    "row out of range": (refuted, change("proof", "rows", 0, 99)),
    "no prime": (refuted, change("proof", "prime", None)),
    "no kind": (refuted, change("proof", {})),
    "proof dropped": (refuted, change("proof", None)),
    "width": (refuted, change("N", 9)),
    "proved as refuted": (proved, change("verdict", "refuted")),
    "minor of equal columns": (proved, change("proof", {"kind": "minor", "prime": 2**31 - 1, "columns": [0] * 6})),
    "minor of few columns": (proved, change("proof", {"kind": "minor", "prime": 2**31 - 1, "columns": [0]})),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corrupted_claims_are_refused(name: str) -> None:
    make, corrupt = CORRUPTIONS[name]
    batch = make()
    record = recorded(batch)
    assert check_head(record, batch.exact_rows(0)).confirmed
    corrupted = copy.deepcopy(record)
    corrupt(corrupted)
    assert not check_head(corrupted, batch.exact_rows(0)).confirmed


def test_a_rank_too_low_is_not_shown_by_one_null_vector_twice() -> None:
    """Everything else in the record follows from the false rank, so that nothing but their dependence tells."""
    K, Q = torch.eye(4, dtype=torch.float64)[None, :2], torch.eye(4, dtype=torch.float64)[None, [2, 0]]
    batch = HeadBatch(Q, K)
    record = recorded(batch)
    assert record["rank_stacked"] == 3
    proof, (u,) = record["proof"], record["proof"]["null_vectors"]
    proof.update(rank=2, rows=proof["rows"][:2], columns=proof["columns"][:2], null_vectors=[u, u])
    positive, negative, zero = _signature_by_annihilator([[int(x) for x in u]] * 2, 2, 4)
    assert (positive, negative, zero) == (0, 0, 4)
    record.update(rank_stacked=2, rank=0, radical=4, witt_index=0, isotropy_dimension=4, anisotropic_dimension=0)
    record.update(signature={"positive": 0, "negative": 0, "zero": 4}, hyperbolic_plus_zero=True)
    finding = check_head(record, batch.exact_rows(0))
    assert not finding.confirmed
    assert "independent" in finding.detail


def test_null_vectors_of_any_length_survive_the_record() -> None:
    """Rows graded over the whole float64 range have relations of thousands of digits, beyond Python's own limit."""
    rng = np.random.default_rng(1)
    M = rng.integers(1, 2**40, size=(16, 20)) * 2.0 ** rng.integers(-900, 900, size=(16, 20))
    M[15] = M[14]
    M[13] = 0
    batch = HeadBatch(torch.tensor(M[8:])[None], torch.tensor(M[:8])[None])
    record = json.loads(to_line(recorded(batch)))
    assert record["rank_stacked"] == 14
    assert check_head(record, batch.exact_rows(0)).confirmed
    hidden = M.copy()
    hidden[12, :11] = M[11, :11]
    hidden[12, 11:] = 0
    hidden[11, 11:] = 0
    for i in range(16):
        hidden[i, 10:] = 0
    batch = HeadBatch(torch.tensor(hidden[8:])[None], torch.tensor(hidden[:8])[None])
    record = json.loads(to_line(recorded(batch)))
    assert max(len(x) for u in record["proof"]["null_vectors"] for x in u) > 4300
    assert check_head(record, batch.exact_rows(0)).confirmed


def test_a_cholesky_claim_about_a_degenerate_head_is_refused() -> None:
    batch = refuted()
    record = recorded(proved())
    assert record["proof"]["kind"] == "cholesky"
    finding = check_head(record, batch.exact_rows(0))
    assert not finding.confirmed
    assert "every maximal minor vanishes" in finding.detail


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_symmetric_elimination_against_descartes(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.integers(-2, 3, size=(size, size)) * (rng.random((size, size)) < 0.6)
    A = A + A.T
    np.fill_diagonal(A, np.diag(A) * (rng.random(size) < 0.5))
    from flint import fmpz_mat

    assert _inertia(A.tolist()) == tuple(signature(fmpz_mat(A.tolist())))


def test_the_primes_are_primes() -> None:
    assert all(_strong_probable_prime(p) for p in (*PRIMES, 2**61 - 1))
    assert not any(_strong_probable_prime(p) for p in (2**61 - 3, 3215031751, (2**31 - 1) ** 2))


@pytest.mark.parametrize("modulus", [1, 2, 4, 9, 15, 25, 46337 * 46337, 46337 * 46339, (2**31 - 1) ** 2])
def test_a_minor_counts_modulo_odd_primes_only(modulus: int) -> None:
    assert not has_rank([[1]], 1, modulus)


@pytest.mark.parametrize("modulus", [3, 5, 7, 46337, 2**31 - 1, 2**61 - 1])
def test_a_minor_counts_modulo_primes_of_any_size(modulus: int) -> None:
    assert has_rank([[1, 0], [0, modulus - 1]], 2, modulus)
    assert not has_rank([[1, 0], [0, modulus]], 2, modulus)


def test_a_run_is_checked_against_its_weights(tmp_path: Path) -> None:
    weights = llama(tmp_path)
    run = audit(tmp_path)
    records = [run.header, *run.records]
    assert all(f.confirmed for f in check_run(records, open_checkpoint(tmp_path)))
    from safetensors.torch import save_file

    weights["model.layers.1.self_attn.q_proj.weight"][6:12] = 0
    save_file(weights, tmp_path / "model.safetensors")
    wrong = [f.head for f in check_run(records, open_checkpoint(tmp_path)) if not f.confirmed]
    assert wrong == ["decoder layer 1 head 1"]


def test_unreadable_heads_are_checked_too(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    weights = llama(tmp_path)
    clean = {name: w.clone() for name, w in weights.items()}
    weights["model.layers.0.self_attn.q_proj.weight"][0, 0] = torch.nan
    save_file(weights, tmp_path / "model.safetensors")
    run = audit(tmp_path)
    records = [run.header, *run.records]
    assert all(f.confirmed for f in check_run(records, open_checkpoint(tmp_path)))
    save_file(clean, tmp_path / "model.safetensors")
    wrong = [f.detail for f in check_run(records, open_checkpoint(tmp_path)) if not f.confirmed]
    assert wrong == ["its numbers are finite, and the verdict is unreadable"]


def test_incomplete_records_are_an_error(tmp_path: Path) -> None:
    llama(tmp_path)
    run = audit(tmp_path)
    with pytest.raises(RecordError, match="announces 16 heads and 15 follow"):
        list(check_run([run.header, *run.records[:-1]], open_checkpoint(tmp_path)))
    with pytest.raises(RecordError, match="no run header"):
        list(check_run(run.records, open_checkpoint(tmp_path)))
