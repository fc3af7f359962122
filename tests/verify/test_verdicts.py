"""Every head of cases.json gets its exact answer, and what naive code says about the same heads."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given

from proofs.inertia import Signature
from tests.cases import case, cases
from tests.verify import naive
from tests.verify.heads import batch_of, exact
from verify import verdicts
from verify.errors import InconsistencyError, NonFiniteError, ShapeError, SubnormalError
from verify.heads import HeadBatch
from verify.strategies import float_heads
from verify.verdicts import HeadVerdict, assess, inertia, profile, prove, witt_index


def head_of(data: dict) -> HeadBatch:
    return batch_of(data["input"]["Q"], data["input"]["K"])


@pytest.mark.parametrize("data", cases("attention_head"))
def test_exact_invariants(data: dict) -> None:
    expected = data["expected"]
    (v,) = assess(head_of(data))
    assert v.rank_stacked == expected["rank_M"]
    assert v.rank == expected["rank_S"]
    assert list(v.signature) == expected["signature_S"]
    assert v.radical == expected["N"] - expected["rank_S"]
    assert v.witt_index == expected["witt_index_R"]
    assert v.isotropy_dimension == expected["max_isotropic_dim_R"]
    assert v.anisotropic_dimension == expected["rank_S"] - 2 * expected["witt_index_R"]
    assert v.hyperbolic_plus_zero == expected["hyperbolic_plus_zero_R"]
    big = 2 * expected["n"] > expected["N"]
    assert v.verdict == ("not_applicable" if big else "proved" if expected["nondegenerate_head"] else "refuted")
    assert (v.reason is None) == (v.verdict == "proved")


@pytest.mark.parametrize("data", cases("attention_head"))
def test_profiles(data: dict) -> None:
    expected = data["expected"]["profile"]
    (v,) = assess(head_of(data))
    if expected is None:
        assert v.profile is None
        assert v.profile_reason == "L = 0: the profile is undefined"
    else:
        assert v.profile == pytest.approx({k: float(x) for k, x in expected.items()}, rel=0, abs=1e-12)
        assert v.profile["a"] == pytest.approx(float(Fraction(data["expected"]["profile_a_exact"])), rel=0, abs=1e-12)


@pytest.mark.parametrize("data", cases("attention_head"))
def test_norms(data: dict) -> None:
    (v,) = assess(head_of(data))
    squared = Fraction(data["expected"]["frob2_L"])
    if squared == 0:
        assert v.norms["score"] == 0
    else:  # the square may lie outside the float64 range
        assert float(Fraction(v.norms["score"]) ** 2 / squared) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("data", cases("attention_head"))
def test_the_public_functions_agree(data: dict) -> None:
    batch = head_of(data)
    assert list(inertia(batch)[0]) == data["expected"]["signature_S"]
    assert witt_index(batch) == [data["expected"]["witt_index_R"]]
    assert bool(profile(batch).isnan().any()) == (data["expected"]["profile"] is None)


def test_margins_are_distances_to_degeneracy() -> None:
    """Eckart–Young: the margin is σ_2n(M), and moving by it along the singular vectors makes the head degenerate."""
    M = np.random.default_rng(0).standard_normal((6, 10))
    (v,) = assess(batch_of(M[3:].tolist(), M[:3].tolist()))
    U, sigma, V = np.linalg.svd(M, full_matrices=False)
    assert v.margin == pytest.approx(sigma[-1], rel=1e-12)
    assert v.relative_margin == pytest.approx(sigma[-1] / sigma[0], rel=1e-12)
    assert v.margin_in_roundings == pytest.approx(sigma[-1] / np.linalg.norm(M) * 2.0**53, rel=1e-12)
    nearest = M - sigma[-1] * np.outer(U[:, -1], V[-1])
    assert np.linalg.matrix_rank(nearest) == 5


@pytest.mark.parametrize("closeness", [4, 12, 20, 28, 36, 44, 50])
def test_margins_keep_their_digits_near_degeneracy(closeness: int) -> None:
    """K = Q + 2⁻ᵏE: the margin falls with 2⁻ᵏ to full relative accuracy, through all three routes."""
    rng = np.random.default_rng(closeness)
    Q = rng.integers(-8, 9, size=(2, 6)).astype(float)
    E = rng.integers(1, 4, size=(2, 6)).astype(float)
    M = np.concatenate([Q + 2.0**-closeness * E, Q])
    (v,) = assess(batch_of(M[2:].tolist(), M[:2].tolist()))
    G = exact(M) * exact(M).transpose()
    inverse = np.array([[float(Fraction(int(x.p), int(x.q))) for x in row] for row in G.inv().tolist()])
    assert v.verdict == "proved"
    assert v.margin == pytest.approx(1 / math.sqrt(np.linalg.eigvalsh(inverse)[-1]), rel=1e-6)


@given(float_heads())
def test_routes_agree(batch: HeadBatch) -> None:
    """The exact analysis alone gives what the shorter routes gave."""
    (short,) = prove(batch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "_short_proof", lambda *_: None)
        (long,) = prove(batch)
    assert long.proof is not None and long.proof["kind"] == "exact"
    for name in ("verdict", "signature", "rank_stacked", "rank", "radical", "witt_index", "isotropy_dimension"):
        assert getattr(short, name) == getattr(long, name)


def test_a_disagreement_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """K = Q has signature (3, 0, 5); an analysis that said (0, 3, 5) is contradicted by the certain signs."""
    Q = torch.randn(1, 3, 8, generator=torch.Generator().manual_seed(0))
    right = verdicts.decompose
    monkeypatch.setattr(verdicts, "decompose", lambda head: replace(right(head), signature=Signature(0, 3, 5)))
    with pytest.raises(
        InconsistencyError, match=r"exact proof gives signature \(0, 3, 5\), but 3 .* certainly positive"
    ):
        list(assess(HeadBatch(Q, Q)))


def test_nan_and_infinity_get_a_reason_and_no_signature() -> None:
    data = case("E01-nan")
    Q = torch.tensor([[float(x) for x in row] for row in data["input"]["Q"]])
    K = torch.tensor([[float(x) for x in row] for row in data["input"]["K"]])
    batch = HeadBatch(torch.stack([Q, K]), torch.stack([K, Q.nan_to_num(torch.inf)]))
    first, second = assess(batch)
    for v in (first, second):
        assert v.verdict == "unreadable"
        assert "NaN or infinite" in v.reason
        assert v.signature is None and v.proof is None and v.profile is None
    with pytest.raises(NonFiniteError, match="2 of 2 heads are not finite"):
        inertia(batch)
    with pytest.raises(NonFiniteError):
        profile(batch)


def test_an_unreadable_head_does_not_disturb_the_others() -> None:
    Q, K = torch.randn(2, 3, 2, 5, generator=torch.Generator().manual_seed(1))
    Q[1, 0, 0] = torch.nan
    assert [v.verdict for v in assess(HeadBatch(Q, K))] == ["proved", "unreadable", "proved"]


def test_different_head_dimensions_are_refused() -> None:
    data = case("E03-shape-n")
    Q, K = (torch.tensor([[float(x) for x in row] for row in data["input"][name]])[None] for name in "QK")
    with pytest.raises(ShapeError, match=r"Q has shape \(1, 2, 2\) and K \(1, 1, 2\)"):
        HeadBatch(Q, K)


def test_the_empty_head() -> None:
    expected = case("E05-n0")["expected"]
    (v,) = assess(HeadBatch(torch.zeros(1, 0, 3), torch.zeros(1, 0, 3)))
    assert v.verdict == "proved"
    assert list(v.signature) == expected["signature_S"]
    assert v.rank_stacked == expected["rank_M"]
    assert v.profile is None


def test_negative_zero_is_zero() -> None:
    data = case("E11-negative-zero")
    (v,) = assess(batch_of([[-0.0, 1.0]], [[0.0, -0.0]]))
    assert list(v.signature) == data["expected"]["signature_S"]
    assert v.profile is None
    assert v.verdict == "refuted"


def test_half_precision_products_do_not_underflow() -> None:
    data = case("E13-fp16-storage")
    batch = batch_of(data["input"]["Q"], data["input"]["K"], torch.float16)
    (v,) = assess(batch)
    assert list(v.signature) == data["expected"]["signature_S"]
    t = 2.0**-14 / math.sqrt(2.0**-28 + 1)
    assert v.profile["c"] == pytest.approx(t * t, rel=1e-9)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_every_floating_dtype(dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(2)
    Q, K = torch.randn(2, 4, 8, 40, generator=generator).to(dtype)
    found = list(assess(HeadBatch(Q, K)))
    assert {v.verdict for v in found} == {"proved"}
    again = list(assess(HeadBatch(Q.double(), K.double())))
    assert [v.margin for v in found] == [v.margin for v in again]
    ratio = found[0].margin_in_roundings / again[0].margin_in_roundings
    assert ratio == pytest.approx(torch.finfo(torch.float64).eps / torch.finfo(dtype).eps)


def test_flushed_subnormals_are_refused_not_judged() -> None:
    """A head of subnormal float32 numbers is judged as stored, or not at all."""
    batch = batch_of([[2.0**-140, 0.0, 2.0**-149]], [[0.0, 2.0**-149, 0.0]], torch.float32)
    assert inertia(batch) == [Signature(1, 1, 1)]
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot flush subnormal numbers")
    try:
        with pytest.raises(SubnormalError, match="flushed to zero on cpu"):
            inertia(batch)
    finally:
        torch.set_flush_denormal(False)


def test_threads_give_the_same_as_one() -> None:
    Q, K = torch.randn(2, 12, 8, 40, generator=torch.Generator().manual_seed(3))
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        alone: list[HeadVerdict] = list(assess(HeadBatch(Q, K)))
        torch.set_num_threads(2)
        together = list(assess(HeadBatch(Q, K)))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert [(v.id, v.verdict, v.margin) for v in together] == [(v.id, v.verdict, v.margin) for v in alone]


# What one writes first, and heads on which it is wrong on every machine (rounding adds others): without a tolerance
# zeros become signs, with one true signs become zeros, and a Gram matrix loses them by the square.
NAIVE = {
    "eigvalsh of the N × N matrix, no tolerance": (
        naive.eigvalsh_without_tolerance,
        {"A04-generic-n4N10", "A20-meet2-hidden", "A24-Q-rank-def", "A50-overflow-f64-norm"},
    ),
    "eigvalsh of the N × N matrix, relative 1e-9": (
        naive.eigvalsh_with_tolerance,
        {"A38-near-2^-26", "A40-near-1+2^-40", "A44-f32-absorb", "A46-range-rows", "A50-overflow-f64-norm"},
    ),
    "float64 Gram matrix, relative N·eps": (
        naive.gram_with_tolerance,
        {"A38-near-2^-26", "A40-near-1+2^-40", "A46-range-rows", "A50-overflow-f64-norm"},
    ),
}


@pytest.mark.parametrize("method", NAIVE)
def test_naive_methods_are_wrong_where_ours_is_right(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    signature, surely_wrong = NAIVE[method]
    wrong = []
    for parameter in cases("attention_head"):
        data = parameter.values[0]
        truth = data["expected"]["signature_S"]
        Q, K = (np.array([[float(Fraction(x)) for x in row] for row in data["input"][name]]) for name in "QK")
        if list(signature(Q, K)) != truth:
            wrong.append(data["id"])
        assert list(inertia(head_of(data))[0]) == truth
    with capsys.disabled():
        print(f"\n{method}: wrong on {len(wrong)} of {len(cases('attention_head'))} heads: {', '.join(wrong)}")
    assert surely_wrong <= set(wrong)
