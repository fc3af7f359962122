from itertools import product
from math import prod

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import ZZ

from proofs.errors import HypothesisError
from proofs.fields import QQ
from proofs.moments import (
    expectation,
    gaussian,
    head_energies,
    rademacher,
    square_energies,
    symmetric_share_moments,
)
from tests.cases import case

RING = ZZ["x", "y", "z"]


@given(st.dictionaries(st.tuples(*[st.integers(0, 4)] * 3), st.integers(-5, 5), max_size=6))
def test_rademacher_against_enumeration(terms):
    polynomial = sum((c * prod(g**e for g, e in zip(RING.gens, es, strict=True)) for es, c in terms.items()), RING.zero)
    values = [
        sum(c * prod(s**e for s, e in zip(signs, es, strict=True)) for es, c in terms.items())
        for signs in product((1, -1), repeat=3)
    ]
    assert expectation(polynomial, rademacher) == fmpq(sum(values), 8)


def test_gaussian_moments_count_pairings():
    def pairings(k):
        return 1 if k == 0 else 0 if k == 1 else (k - 1) * pairings(k - 2)

    assert [gaussian(k) for k in range(13)] == [pairings(k) for k in range(13)]


def test_a_rotation_of_gaussians_changes_nothing():
    x, y, _ = RING.gens
    for k in range(1, 5):
        turned = (3 * x + 4 * y) ** (2 * k)
        assert expectation(turned, gaussian) == 25**k * gaussian(2 * k)


def test_independent_entries():
    expected = case("R02-rademacher-expectations")["expected"]["exact"]
    for sizes, (score, symmetric) in expected.items():
        n, N = (int(part.split("=")[1]) for part in sizes.split(","))
        found = head_energies(n, N)
        assert (found.score, found.symmetric) == (QQ(score), QQ(symmetric))
        assert found.ratio == square_energies(N).ratio == fmpq(N + 1, 2 * N)
        assert found.antisymmetric == found.score - found.symmetric


def test_correlated_entries():
    expected = case("R10-correlated-KQ")["expected"]
    assert head_energies(2, 6, correlation="1/2").ratio == QQ(expected["n=2,N=6,rho=1/2"])
    for n, N in product((1, 2, 5), (1, 3, 7)):
        assert head_energies(n, N, correlation=1).ratio == head_energies(n, N, correlation=-1).ratio == 1
        for rho in (fmpq(1, 3), fmpq(-3, 4)):
            found = head_energies(n, N, correlation=rho)
            assert found.score == n * N * (N + (n + 1) * rho**2)
            assert found.ratio == fmpq(1, 2) + (1 + (n + N) * rho**2) / (N + (n + 1) * rho**2) / 2
    with pytest.raises(HypothesisError, match="the correlation 3/2"):
        head_energies(1, 2, correlation="3/2")


@pytest.mark.parametrize("N", range(1, 8))
def test_the_law_of_the_share(N):
    """The mean and variance that the case gives for Beta(N(N+1)/4, N(N−1)/4)."""
    assert case("R04-iid-square-law")["expected"]["variance"] == "(N^2-1)/(2N^2(N^2+2))"
    mean, variance = symmetric_share_moments(N)
    assert mean == fmpq(N + 1, 2 * N)
    assert variance == fmpq(N * N - 1, 2 * N * N * (N * N + 2))


def test_a_ratio_of_nothing():
    with pytest.raises(HypothesisError, match="E‖L‖² = 0"):
        _ = head_energies(0, 3).ratio
