"""The batched numbers of a sample against the audit's, head by head."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.heads import batch_of
from verify.ensembles import COLUMNS, ENSEMBLES
from verify.errors import InconsistencyError
from verify.heads import HeadBatch
from verify.sampling import clouds
from verify.sampling.clouds import Cloud, measure
from verify.strategies import STRATA, float_heads
from verify.verdicts import assess

ORDINARY = [
    name
    for name in STRATA
    if name not in {"empty", "huge", "tiny", "subnormal", "unbalanced", "dead", "graded_rows", "graded_columns"}
]


def against_the_audit(batch: HeadBatch) -> None:
    cloud = measure(batch)
    assert set(cloud.columns) == set(COLUMNS)
    for i, v in enumerate(assess(batch)):
        row = {name: values[i].tolist() for name, values in cloud.columns.items()}
        assert row["rank"] == v.rank_stacked
        assert tuple(row["signature"]) == v.signature
        assert row["majority"] == (v.signature.positive > v.signature.negative) - (
            v.signature.positive < v.signature.negative
        )
        assert row["margin"] == pytest.approx(v.margin, rel=1e-6, abs=0)
        assert row["relative_margin"] == pytest.approx(v.relative_margin, rel=1e-6, abs=0)
        assert math.isinf(row["inverse"]) == (v.rank_stacked < 2 * batch.n)
        if v.profile is None:
            assert all(math.isnan(row[name]) for name in ("a", "b", "c", "d", "share", "parity"))
            continue
        # Both are off by a few roundings, amplified up to 2¹⁰ times where L nearly cancels.
        assert [row[name] for name in "abcd"] == pytest.approx(list(v.profile.values()), rel=0, abs=1e-11)
        assert row["share"] == pytest.approx(v.statistics["symmetric_energy"], rel=0, abs=1e-11)


@settings(max_examples=60)
@given(float_heads(stratum=st.sampled_from(ORDINARY)))
def test_every_ordinary_stratum(batch: HeadBatch) -> None:
    against_the_audit(batch)


@pytest.mark.parametrize("name", sorted(set(ENSEMBLES) - {"finite-field"}))
@pytest.mark.parametrize("N", [2, 4, 6])
def test_every_ensemble(name: str, N: int) -> None:
    n = N if ENSEMBLES[name].is_square else 2
    against_the_audit(ENSEMBLES[name].sample(20, n=n, N=N, seed=N))


@given(float_heads(stratum=st.sampled_from(["generic", "square", "big", "corank_1"])))
def test_the_forms_themselves(batch: HeadBatch) -> None:
    """The energies from the N × N matrices, whose products are formed here."""
    K, Q = batch.K[0].double(), batch.Q[0].double()
    L = K.mT @ Q
    S = (L + L.mT) / 2
    eigenvalues = torch.linalg.eigvalsh(S)
    size = float(L.square().sum())
    row = {name: values[0] for name, values in measure(batch).columns.items()}
    assert float(row["score"]) == pytest.approx(size, abs=1e-12 * size)
    assert float(row["symmetric"]) == pytest.approx(float(S.square().sum()), abs=1e-12 * size)
    assert float(row["trace"]) == pytest.approx(float(L.trace()), abs=1e-12 * size**0.5 * batch.N)
    if size:
        parts = [float(row[name]) for name in ("hyperbolic", "positive", "negative")]
        alpha, beta = eigenvalues.flip(0).clamp(min=0), (-eigenvalues).clamp(min=0)
        gap = alpha - beta
        expected = [2 * (alpha * beta).sum(), gap.clamp(min=0).square().sum(), gap.clamp(max=0).square().sum()]
        assert parts == pytest.approx([float(x) for x in expected], abs=1e-11 * size)
        assert float(row["parity"]) == pytest.approx((parts[1] - parts[2]) / size, abs=1e-11)


def test_the_inverse_gram_matrix() -> None:
    batch = ENSEMBLES["gaussian"].sample(10, n=2, N=7)
    M = batch.stacked()
    expected = torch.linalg.inv(M @ M.mT).diagonal(dim1=1, dim2=2).sum(-1)
    assert torch.allclose(measure(batch).columns["inverse"], expected, rtol=1e-9)


@pytest.mark.parametrize("k", [20, 35, 44])
def test_margins_too_small_for_float64(k: int) -> None:
    """Below σ_2n/σ_1 = 2⁻³⁰ a singular value has lost too many digits; the distance is computed exactly."""
    batch = ENSEMBLES["gaussian"].sample(20, n=2, N=5, seed=k)
    K = batch.K.clone()
    K[:, 0] = batch.Q[:, 1] + 2.0**-k * K[:, 0]
    against_the_audit(replace(batch, K=K))


def test_a_form_that_cancels_to_nothing() -> None:
    """L = 0, but neither K nor Q is."""
    against_the_audit(batch_of([["1", "1/4"], ["1", "1/4"]], [["3", "1"], ["-3", "-1"]]))


def test_ranks_over_a_field() -> None:
    batch = batch_of([["0", "1", "2"]], [["1", "2", "1"]])
    field = ENSEMBLES["finite-field"].field({"q": 3.0})
    doubled = replace(batch, K=batch.Q * 2)
    assert measure(batch, field).columns["rank"].tolist() == [2]
    assert list(measure(doubled, field).columns) == ["rank"]
    assert measure(doubled, field).columns["rank"].tolist() == [1]


def test_joined_clouds_keep_the_order() -> None:
    batch = ENSEMBLES["rademacher"].sample(40, n=1, N=2)
    halves = [batch.select(range(25)), batch.select(range(25, 40))]
    whole, joined = measure(batch), Cloud.joined(map(measure, halves))
    assert joined.heads == 40
    for name in COLUMNS:
        assert torch.equal(joined.columns[name].nan_to_num(-1), whole.columns[name].nan_to_num(-1)), name


def test_counts_and_types() -> None:
    Q, K = torch.tensor([[[1.0, 0.0]]] * 4), torch.tensor([[[1.0, 0.0]], [[-1.0, 0.0]], [[0.0, 1.0]], [[0.0, 0.0]]])
    cloud = measure(HeadBatch(Q, K))
    assert cloud.counts("signature") == {(1, 0, 1): 1, (0, 1, 1): 1, (1, 1, 0): 1, (0, 0, 2): 1}
    assert cloud.counts("rank") == {1: 3, 2: 1}
    assert cloud.types() == {"I+": 1, "I-": 1, "II": 1}
    assert len(cloud.defined("share")) == 3


def test_routes_that_disagree_stop_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = ENSEMBLES["gaussian"].sample(3, n=1, N=4)
    real = clouds.signs_from_rows

    def wrong(*arguments: object) -> object:
        signs, *rest = real(*arguments)
        return replace(signs, positive=signs.positive + 1), *rest

    monkeypatch.setattr(clouds, "signs_from_rows", wrong)
    with pytest.raises(InconsistencyError, match="2 eigenvalues of S have one sign; at most n = 1 can"):
        measure(batch)
