"""Exact expectations over random forms and heads with independent entries.

The expectation of a polynomial in independent random variables is a sum of products of their moments; for Gaussian
entries that is Wick's formula. With it come the closed formulas of the random baselines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import fmpq

from proofs.errors import HypothesisError
from proofs.exact import Number, rational

#: ``k ↦ E xᵏ`` of one entry.
Moments: TypeAlias = Callable[[int], fmpq]


def gaussian(k: int) -> fmpq:
    """``E xᵏ`` of a standard Gaussian: 0 for odd k, else ``(k−1)(k−3)⋯1``.

    >>> [gaussian(k) for k in range(7)]
    [1, 0, 1, 0, 3, 0, 15]
    """
    result = fmpq(1)
    for factor in range(k - 1, 0, -2):
        result *= factor
    return result if k % 2 == 0 else fmpq(0)


def rademacher(k: int) -> fmpq:
    """``E xᵏ`` of a random sign.

    >>> [rademacher(k) for k in range(4)]
    [1, 0, 1, 0]
    """
    return fmpq(1 - k % 2)


def expectation(polynomial: Any, moments: Moments) -> fmpq:
    """The expectation of a polynomial whose indeterminates are independent with the given moments.

    Args:
        polynomial: an element of a SymPy polynomial ring over ℤ or ℚ.
        moments: of every indeterminate.

    >>> from sympy import ZZ
    >>> ring = ZZ["x", "y"]
    >>> x, y = ring.gens
    >>> expectation((x + y) ** 4, gaussian), expectation((x + y) ** 4, rademacher)
    (12, 8)
    """
    total = fmpq(0)
    for exponents, coefficient in polynomial.terms():
        term = fmpq(int(coefficient.numerator), int(coefficient.denominator))
        for e in exponents:
            term *= moments(e)
        total += term
    return total


@dataclass(frozen=True)
class Energies:
    """Expected squared Frobenius norms of L, S and T."""

    score: fmpq
    symmetric: fmpq

    @property
    def antisymmetric(self) -> fmpq:
        """``E‖T‖² = E‖L‖² − E‖S‖²``."""
        return self.score - self.symmetric

    @property
    def ratio(self) -> fmpq:
        """``E‖S‖²/E‖L‖²``.

        Raises:
            HypothesisError: L = 0 almost surely.
        """
        if self.score == 0:
            raise HypothesisError("E‖L‖² = 0: the ratio of energies needs an L that is not almost surely 0")
        return self.symmetric / self.score


def square_energies(N: int) -> Energies:
    """Energies of an N × N form with independent centred entries of variance 1 (paper, Corollary 1).

    >>> square_energies(3).ratio
    2/3
    """
    return Energies(fmpq(N * N), fmpq(N * (N + 1), 2))


def head_energies(n: int, N: int, *, correlation: Number = 0) -> Energies:
    """Energies of ``L = KᵀQ`` with standard Gaussian entries, ``K_ij`` and ``Q_ij`` correlated, else independent.

    ``E‖L‖² = nN(N + (n+1)ρ²)`` and ``E‖S‖² = ½nN(N + 1 + (2n+N+1)ρ²)`` by Wick's formula; at ρ = 0, where any
    independent centred entries of variance 1 will do, this is Corollary 2 of the paper.

    Args:
        n, N: shape of Q and K.
        correlation: ρ in [−1, 1].

    Raises:
        HypothesisError: |ρ| > 1.

    >>> head_energies(2, 6).ratio, head_energies(2, 6, correlation="1/2").ratio
    (7/12, 13/18)
    """
    rho = rational(correlation)
    if abs(rho) > 1:
        raise HypothesisError(f"the correlation {rho} is not in [−1, 1]")
    square = rho * rho
    score = n * N * (N + (n + 1) * square)
    return Energies(score, fmpq(n * N, 2) * (N + 1 + (2 * n + N + 1) * square))


def symmetric_share_moments(N: int) -> tuple[fmpq, fmpq]:
    """Mean and variance of ``‖S‖²/‖L‖²`` for L with N² independent standard Gaussian entries.

    S and T are the projections of an isotropic Gaussian vector on orthogonal spaces of dimension ``N(N+1)/2`` and
    ``N(N−1)/2``: the share has the law Beta(N(N+1)/4, N(N−1)/4).

    >>> symmetric_share_moments(2)
    (3/4, 1/16)
    """
    a, b = fmpq(N * (N + 1), 4), fmpq(N * (N - 1), 4)
    mean = a / (a + b)
    return mean, mean * (1 - mean) / (a + b + 1)
