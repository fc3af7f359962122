"""The law of the share by its density, the lobes by their order statistics."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pytest
import torch

from tests.cases import case
from tests.verify.ensembles.stated import RATIO, SCORE, SHARE, SYMMETRIC, law
from verify.ensembles import ENSEMBLES, Ratio, Variance
from verify.errors import HypothesisError

B, C, D = (Ratio(name, "score") for name in ("hyperbolic", "positive", "negative"))


@pytest.mark.parametrize("N", [2, 3, 5])
def test_the_share_by_its_density(N: int) -> None:
    a, b = mpmath.mpf(N * (N + 1)) / 4, mpmath.mpf(N * (N - 1)) / 4

    def moment(k: int) -> mpmath.mpf:
        return mpmath.quad(lambda x: x**k * x ** (a - 1) * (1 - x) ** (b - 1), [0, 0.5, 1])

    mean = moment(1) / moment(0)
    found = law("square", N, N)
    assert float(found[SHARE].value) == pytest.approx(float(mean), rel=1e-8)
    assert float(found[Variance("share")].value) == pytest.approx(float(moment(2) / moment(0) - mean**2), rel=1e-8)
    assert found[SCORE].value == N * N
    assert found[SYMMETRIC].value == Fraction(N * (N + 1), 2)
    assert found[RATIO].value == found[SHARE].value


def test_the_share_of_one_number_does_not_vary() -> None:
    assert Variance("share") not in law("square", 1, 1)


def _order_statistic(i: int, m: int) -> mpmath.mpf:
    """The mean of the i-th largest of m exponential variables, by its density."""
    ways = m * comb(m - 1, i - 1)
    return mpmath.quad(lambda x: x * ways * mpmath.exp(-x * i) * (1 - mpmath.exp(-x)) ** (m - i), [0, 1, 5, mpmath.inf])


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize("rho", [0.5, 1.0, 2.0])
def test_lobes_by_order_statistics(m: int, rho: float) -> None:
    heights = [_order_statistic(i, m) for i in range(1, m + 1)]
    b = float(2 * rho * sum(h * h for h in heights) / (2 * m * (1 + rho**2)))
    assert float(law("accumulation", 2 * m, 2 * m, ratio=rho)[B].value) == pytest.approx(b, rel=1e-10)


@pytest.mark.parametrize("rho", [0.25, 1.0, 3.0])
def test_the_smaller_lobe_of_two_numbers(rho: float) -> None:
    """m = 1: ``E (ρY − X)₊² = 2ρ³/(1+ρ)`` for ρ ≤ 1, integrated by hand; for ρ ≥ 1 with the lobes exchanged."""
    found = law("accumulation", 2, 2, ratio=rho)
    x = Fraction(min(rho, 1 / rho))
    small = 2 * x**3 / (1 + x) / (2 * (1 + x**2))
    larger, smaller = (C, D) if rho <= 1 else (D, C)
    assert abs(found[smaller].value - small) <= found[smaller].within
    assert abs(found[larger].value - (1 - found[B].value - small)) <= found[larger].within


@pytest.mark.parametrize("rho", [0.5, 0.9, 2.0])
def test_lobes_by_another_generator(rho: float) -> None:
    rng = np.random.default_rng(3)
    alpha, beta = np.sort(rng.exponential(size=(2, 20_000, 10)))
    beta *= rho
    norm = (alpha**2).sum() + (beta**2).sum()
    found = law("accumulation", 20, 20, ratio=rho)
    sums = {B: (2 * alpha * beta).sum(), C: ((alpha - beta).clip(min=0) ** 2).sum()}
    sums[D] = norm - sums[B] - sums[C]
    for statistic, total in sums.items():
        e = found[statistic]
        assert abs(total / norm - float(e.value)) <= float(e.within) + 0.01


@pytest.mark.parametrize(("text", "profile"), case("R12-accumulation-limit")["expected"].items())
def test_the_limit_of_large_n(text: str, profile: list[str]) -> None:
    if text == "formula":
        return
    rho = float(Fraction(text.removeprefix("rho=")))
    limit = [Fraction(x) for x in profile]
    gaps = []
    for N in (200, 2000):
        found = law("accumulation", N, N, ratio=rho)
        gaps.append(max(abs(found[s].value - x) + found[s].within for s, x in zip((B, C, D), limit[1:], strict=True)))
    assert limit[0] == 1 - law("accumulation", 200, 200, ratio=rho)[RATIO].value
    assert gaps[1] < gaps[0] / 5 < Fraction(1, 100)


def test_heads_are_the_forms() -> None:
    batch = ENSEMBLES["square"].sample(3, n=4, N=4)
    assert torch.equal(batch.K.mT @ batch.Q, batch.Q)
    batch = ENSEMBLES["accumulation"].sample(3, n=4, N=4, parameters={"ratio": 0.5})
    L = batch.K.mT @ batch.Q
    assert torch.equal(L, torch.diag_embed(torch.diagonal(L, dim1=1, dim2=2)))
    assert (torch.diagonal(L, dim1=1, dim2=2).sign() == torch.tensor([1, 1, -1, -1])).all()


@pytest.mark.parametrize(
    ("name", "n", "N", "parameters", "words"),
    [
        ("square", 2, 3, {}, "needs n = N"),
        ("accumulation", 3, 3, {}, "n = N even"),
        ("accumulation", 2, 4, {}, "n = N even"),
        ("accumulation", 2, 2, {"ratio": 0}, "a finite ratio > 0, not 0"),
        ("accumulation", 2, 2, {"ratio": float("inf")}, "not inf"),
    ],
)
def test_impossible_requests(name: str, n: int, N: int, parameters: dict[str, float], words: str) -> None:
    with pytest.raises(HypothesisError, match=words):
        ENSEMBLES[name].expectations(n=n, N=N, parameters=parameters)
