"""Every expected value by another route: exact moments, enumeration of all outcomes, quadrature, another generator."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
import torch
from flint import fmpq

from proofs.indeterminates import indeterminate_matrices, norm_squared, symmetric_double
from proofs.moments import expectation, gaussian, rademacher
from tests.verify.ensembles.stated import RATIO, SCORE, SHARE, SYMMETRIC, law, value
from verify.ensembles import ENSEMBLES, Frequency, Mean
from verify.ensembles.laws import exact
from verify.errors import HypothesisError

SIZES = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
DENSITY = fmpq(1, 4)


def uniform(k: int) -> fmpq:
    """``E xᵏ`` on [−√3, √3]."""
    return fmpq(3 ** (k // 2), k + 1) if k % 2 == 0 else fmpq(0)


def sparse(k: int) -> fmpq:
    return gaussian(k) * (DENSITY if k else 1)


MOMENTS = {"gaussian": gaussian, "uniform": uniform, "rademacher": rademacher, "sparse": sparse}


@pytest.mark.parametrize(("n", "N"), SIZES)
@pytest.mark.parametrize("name", MOMENTS)
def test_energies_from_the_moments_of_the_entries(name: str, n: int, N: int) -> None:
    m = indeterminate_matrices(K=(n, N), Q=(n, N))
    L = m["K"].transpose() * m["Q"]
    score = exact(expectation(norm_squared(L), MOMENTS[name]))
    symmetric = exact(expectation(norm_squared(symmetric_double(L)), MOMENTS[name])) / 4
    found = law(name, n, N)
    assert (found[SCORE].value, found[SYMMETRIC].value) == (score, symmetric)
    assert found[RATIO].value == symmetric / score == Fraction(N + 1, 2 * N)


@pytest.mark.parametrize(("n", "N"), SIZES)
def test_correlated_entries_from_independent_ones(n: int, N: int) -> None:
    """ρ = 3/5, so that ``5K = 3Q + 4Q'`` has whole coefficients."""
    m = indeterminate_matrices(Q=(n, N), R=(n, N))
    three, four = (m["Q"].domain.convert(x) for x in (3, 4))
    L = (m["Q"] * three + m["R"] * four).transpose() * m["Q"]
    score = exact(expectation(norm_squared(L), gaussian)) / 25
    symmetric = exact(expectation(norm_squared(symmetric_double(L)), gaussian)) / 100
    found = law("correlated", n, N, rho=0.6)
    for statistic, expected in ((SCORE, score), (SYMMETRIC, symmetric), (RATIO, symmetric / score)):
        assert float(found[statistic].value) == pytest.approx(float(expected), rel=1e-14)
    assert float(found[Mean("trace")].value) == pytest.approx(0.6 * n * N, rel=1e-14)


@pytest.mark.parametrize("N", range(2, 7))
def test_the_gaussian_share_by_quadrature(N: int) -> None:
    """For n = 1 the share is ``½(1 + t²)``, t the cosine of two independent directions in N dimensions."""
    # ∫ t² cosᴺ⁻²  with t = sin: the density of an angle.
    weight = mpmath.quad(lambda x: mpmath.cos(x) ** (N - 2), [-mpmath.pi / 2, mpmath.pi / 2])
    square = mpmath.quad(lambda x: mpmath.sin(x) ** 2 * mpmath.cos(x) ** (N - 2), [-mpmath.pi / 2, mpmath.pi / 2])
    expected = float((1 + square / weight) / 2)
    assert float(value("gaussian", SHARE, 1, N)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n", "N"), [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_the_share_of_signs_by_enumeration(n: int, N: int) -> None:
    shares = []
    for entries in product((-1, 1), repeat=2 * n * N):
        shares += _share(np.array(entries).reshape(2, n, N))
    assert value("rademacher", SHARE, n, N) == sum(shares) / len(shares)


def test_the_share_on_a_grid_by_enumeration() -> None:
    """bits = 1, n = 1, N = 2: integers up to ±3, weighed by the normal law, which has little beyond."""
    normal = NormalDist()
    weight = {k: normal.cdf(k + 0.5) - normal.cdf(k - 0.5) for k in range(-3, 4)}
    total = mean = 0.0
    for entries in product(weight, repeat=4):
        chance = math.prod(weight[x] for x in entries)
        for share in _share(np.array(entries).reshape(2, 1, 2)):
            total, mean = total + chance, mean + chance * float(share)
    assert mean / total == pytest.approx(float(value("low-precision", SHARE, 1, 2, bits=1)), rel=1e-12)


def _share(head: np.ndarray) -> list[Fraction]:
    """``[‖S‖²/‖L‖²]`` of an integer head, nothing where L = 0."""
    K, Q = head
    L = K.T @ Q
    norm = int((L * L).sum())
    return [Fraction(int(((L + L.T) ** 2).sum()), 4 * norm)] if norm else []


@pytest.mark.parametrize(("n", "N"), [(1, 10), (2, 12), (4, 16)])
def test_the_inverse_gram_matrix_by_quadrature(n: int, N: int) -> None:
    k = N - 2 * n + 1
    mean = mpmath.quad(lambda x: x ** (k / 2 - 2) * mpmath.exp(-x / 2), [0, 10, 50, mpmath.inf])
    mean /= 2 ** (k / 2) * mpmath.gamma(k / 2)
    assert float(value("gaussian", Mean("inverse"), n, N)) == pytest.approx(float(2 * n * mean), rel=1e-12)
    G = np.random.default_rng(5).standard_normal((4000, 2 * n, N))
    traces = np.trace(np.linalg.inv(G @ G.transpose(0, 2, 1)), axis1=1, axis2=2)
    assert abs(traces.mean() - float(2 * n * mean)) < 4 * traces.std() / 4000**0.5


def test_no_inverse_without_its_moments() -> None:
    assert Mean("inverse") in law("gaussian", 2, 12)
    assert Mean("inverse") not in law("gaussian", 2, 11)


@pytest.mark.parametrize(("n", "N"), [(1, 1), (2, 3), (3, 3), (4, 5), (2, 4), (1, 4)])
@pytest.mark.parametrize("name", ["gaussian", "uniform"])
def test_signatures_by_another_generator(name: str, n: int, N: int) -> None:
    rng = np.random.default_rng(11)
    shape = (2, 20_000, n, N)
    K, Q = rng.standard_normal(shape) if name == "gaussian" else rng.uniform(-1, 1, shape)
    L = K.transpose(0, 2, 1) @ Q
    eigenvalues = np.linalg.eigvalsh(L + L.transpose(0, 2, 1))
    positive, negative = ((sign * eigenvalues > 1e-9).sum(-1) for sign in (1, -1))
    stated = [e for e in law(name, n, N).values() if isinstance(e.statistic, Frequency)]
    assert stated
    for e in stated:
        if e.statistic.column == "majority":
            seen = (positive > negative).mean()
        else:
            seen = ((positive == e.statistic.value[0]) & (negative == e.statistic.value[1])).mean()
        # Rarely an eigenvalue is as small as the cut.
        assert abs(seen - float(e.value)) < (0.015 if e.value == Fraction(1, 2) else 0.001)


def test_big_heads_without_a_stated_signature() -> None:
    """For even N both signs may be as frequent; for correlated entries K → −K is no symmetry, and they are not."""
    assert not any(isinstance(s, Frequency) for s in law("gaussian", 3, 4))
    assert not any(isinstance(s, Frequency) for s in law("correlated", 2, 3))
    batch = ENSEMBLES["correlated"].sample(2000, n=2, N=3)
    L = batch.K.mT @ batch.Q
    positive = (torch.linalg.eigvalsh(L + L.mT) > 0).sum(-1)
    assert int((positive == 2).sum()) > 1200


@pytest.mark.parametrize("rho", [1.0, -1.0])
@pytest.mark.parametrize(("n", "N"), [(2, 5), (3, 2)])
def test_tied_heads(n: int, N: int, rho: float) -> None:
    batch = ENSEMBLES["correlated"].sample(5, n=n, N=N, parameters={"rho": rho})
    assert torch.equal(batch.K, rho * batch.Q)
    (frequency,) = [e for e in law("correlated", n, N, rho=rho).values() if isinstance(e.statistic, Frequency)]
    eigenvalues = torch.linalg.eigvalsh(batch.K.mT @ batch.Q)
    counts = [int((sign * eigenvalues[0] > 1e-9).sum()) for sign in (1, -1)]
    assert frequency.statistic.value == (*counts, N - sum(counts))
    assert law("correlated", n, N, rho=rho)[RATIO].value == 1


def test_entries_have_the_stated_moments() -> None:
    expected = {"gaussian": (1, 3), "uniform": (1, 9 / 5), "rademacher": (1, 1), "sparse": (1 / 4, 3 / 4)}
    for name, (second, fourth) in expected.items():
        batch = ENSEMBLES[name].sample(2000, n=4, N=8, seed=3)
        X = batch.stacked()
        assert float(X.mean()) == pytest.approx(0, abs=0.01), name
        assert float(X.square().mean()) == pytest.approx(second, abs=0.02), name
        assert float((X**4).mean()) == pytest.approx(fourth, rel=0.05), name
        assert float((batch.Q * batch.K).mean()) == pytest.approx(0, abs=0.01), name
    batch = ENSEMBLES["correlated"].sample(2000, n=4, N=8, parameters={"rho": -0.7})
    assert float((batch.Q * batch.K).mean()) == pytest.approx(-0.7, abs=0.02)
    assert float(batch.K.square().mean()) == pytest.approx(1, abs=0.02)


def test_a_grid_of_quarters() -> None:
    batch = ENSEMBLES["low-precision"].sample(50, n=2, N=4, parameters={"bits": 3})
    assert torch.equal(batch.stacked() * 4, (batch.stacked() * 4).round())
    assert bool((batch.stacked() * 2 != (batch.stacked() * 2).round()).any())


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("sparse", {"density": 0.0}, r"a density in \(0, 1\], not 0"),
        ("sparse", {"density": 1.5}, "not 1.5"),
        ("sparse", {"density": math.nan}, "not nan"),
        ("low-precision", {"bits": 2.5}, "a whole number of bits from 1 to 24, not 2.5"),
        ("low-precision", {"bits": 25}, "not 25"),
        ("correlated", {"rho": -1.01}, r"rho in \[−1, 1\], not -1.01"),
    ],
)
def test_impossible_parameters(name: str, parameters: dict[str, float], words: str) -> None:
    for call in (ENSEMBLES[name].expectations, lambda **kw: ENSEMBLES[name].sample(2, **kw)):
        with pytest.raises(HypothesisError, match=words):
            call(n=1, N=2, parameters=parameters)
