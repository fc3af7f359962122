"""Every kind is drawn, and each is told from a head that just misses it."""

from dataclasses import replace

import pytest
import torch

from proofs.fields import GF
from proofs.heads import Head
from verify.heads import HeadBatch
from verify.strategies import exact
from verify.strategies.coverage import EXACT, FLOAT, coverage

KINDS = {kind.name: kind for kind in (*EXACT, *FLOAT)}
f16, f32, f64 = torch.float16, torch.float32, torch.float64


@pytest.mark.parametrize(("stored", "examples"), [(False, 500), (True, 1200)])
def test_no_kind_is_empty(stored, examples):
    counts = coverage(stored=stored, examples=examples)
    assert list(counts) == [kind.name for kind in (FLOAT if stored else EXACT)]
    assert all(counts.values()), counts


@pytest.mark.slow
@pytest.mark.parametrize("stored", [False, True])
def test_no_kind_of_two_thousand_is_rare(stored):
    counts = coverage(stored=stored, examples=2000)
    assert min(counts.values()) >= 10, counts


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("over ℚ", Head.of([[1]], [[1]]), Head.of([[1]], [[1]], field=GF(3))),
        ("over F_p, p below 2⁶", Head.of([[1]], [[1]], field=GF(61)), Head.of([[1]], [[1]], field=GF(67))),
        ("over F_p, p above 2⁶", Head.of([[1]], [[1]], field=GF(67)), Head.of([[1]], [[1]])),
        ("n = 0", Head.of([], [], N=1), Head.of([[0]], [[0]])),
        ("generic: rank M = 2n, 0 < 2n < N", Head.of([[1, 0, 0]], [[0, 1, 0]]), Head.of([[1, 0]], [[0, 1]])),
        ("square: 2n = N", Head.of([[1, 0]], [[1, 0]]), Head.of([[1, 0, 0]], [[0, 1, 0]])),
        ("big: 2n > N", Head.of([[1]], [[1]]), Head.of([[1, 0]], [[1, 0]])),
        ("corank 1, 2n ≤ N", Head.of([[1, 0]], [[1, 0]]), Head.of([[1]], [[1]])),
        ("corank 2, 2n ≤ N", Head.of([[0, 0]], [[0, 0]]), Head.of([[1, 0]], [[1, 0]])),
        ("corank 3, 2n ≤ N", Head.of([[1, 0, 0, 0], [0] * 4], [[0] * 4] * 2), Head.of([[0] * 4] * 2, [[0] * 4] * 2)),
        ("corank 4 or more, 2n ≤ N", Head.of([[0] * 4] * 2, [[0] * 4] * 2), Head.of([[0, 0]], [[0, 0]])),
        ("K = Q ≠ 0", Head.of([[1]], [[1]]), Head.of([[0]], [[0]])),
        ("one of K and Q zero", Head.of([[1]], [[0]]), Head.of([[0]], [[0]])),
        ("K = Q = 0, n > 0", Head.of([[0]], [[0]]), Head.of([], [], N=1)),
        ("S = 0 ≠ L", Head.of([[0, 1], [-1, 0]], [[1, 0], [0, 1]]), Head.of([[0]], [[0]])),
    ],
)
def test_kinds_of_exact_heads(name, yes, no):
    assert KINDS[name].holds(yes, None)
    assert not KINDS[name].holds(no, None)


def batch(Q, K, dtype=f64):
    return HeadBatch(torch.tensor([Q], dtype=f64).to(dtype), torch.tensor([K], dtype=f64).to(dtype))


def from_stratum(name):
    return replace(batch([[1]], [[1]]), provenance={"stratum": name})


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("float16", batch([[1]], [[1]], f16), batch([[1]], [[1]], f32)),
        ("from the stratum tied", from_stratum("tied"), from_stratum("zero")),
        (
            "nearly degenerate: σ_2n < 2⁻²⁰ σ_1, rows scaled",
            batch([[1, 2.0**-21]], [[1, 0]]),
            batch([[2.0**-60, 0]], [[0, 1]]),
        ),
        ("K near Q: ‖K − Q‖² < 2⁻²⁰ ‖Q‖²", batch([[1, 0]], [[1, 2.0**-11]]), batch([[1, 0]], [[1, 0]])),
        (
            "cancelling: ‖L‖ < ¼ of the largest term",
            batch([[1], [-0.875]], [[1], [1]]),
            batch([[1], [-0.5]], [[1], [1]]),
        ),
        (
            "nearly antisymmetric: ‖S‖ < ¼ ‖T‖, S ≠ 0",
            batch([[0, 1], [-1, 0.125]], [[1, 0], [0, 1]]),
            batch([[0, 1], [-1, 0]], [[1, 0], [0, 1]]),
        ),
        ("rows that differ by 2²⁰", batch([[1, 0]], [[2.0**-21, 0]]), batch([[1, 0]], [[2.0**-19, 2.0**-40]])),
        ("columns that differ by 2²⁰", batch([[1, 2.0**-21]], [[1, 0]]), batch([[1, 0]], [[2.0**-21, 0]])),
        ("K and Q that differ by 2²⁰", batch([[1]], [[2.0**-21]]), batch([[1]], [[0]])),
        ("entries whose square overflows", batch([[256]], [[1]], f16), batch([[256]], [[1]], f32)),
        ("entries whose square underflows", batch([[2.0**-8]], [[1]], f16), batch([[2.0**-8]], [[0]], f32)),
        ("subnormal entries", batch([[2.0**-15]], [[1]], f16), batch([[2.0**-14]], [[0]], f16)),
        ("entries of full precision", batch([[1 + 2.0**-10]], [[1]], f16), batch([[1 + 2.0**-10]], [[1]], f32)),
        ("zeros of both signs", batch([[0.0]], [[-0.0]]), batch([[0.0]], [[0.0]])),
    ],
)
def test_kinds_of_stored_heads(name, yes, no):
    assert KINDS[name].holds(exact(yes), yes)
    assert not KINDS[name].holds(exact(no), no)
