"""Lemma 9 of the paper: odd and even moment sums as rational functions of the spectrum."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from proofs.fields import QQ
from proofs.matrices import Matrix
from proofs.statements.instances import random_orthogonal
from proofs.statements.registry import Hypothesis, Statement


@dataclass(frozen=True)
class Rotated:
    """The symmetric matrix ``S = UᵀΛU`` with rational eigenvalues Λ, U orthogonal."""

    values: tuple[fmpq, ...]
    U: Matrix

    @property
    def S(self) -> Matrix:
        """``UᵀΛU``."""
        result: Matrix = self.U.transpose() * QQ.diagonal(self.values) * self.U
        return result


def holds(subject: Rotated) -> bool:
    """The sums over the spectrum against partial fractions, traces of inverses, and series of traces of powers."""
    values, S, N = subject.values, subject.S, len(subject.values)
    if any(x * x == 1 for x in values):
        return False
    odd = _sum(x / (1 - x * x) for x in values)
    even = _sum(x * x / (1 - x * x) for x in values)
    resolvent = _sum(1 / (1 - x) for x in values)
    mirror = _sum(1 / (1 + x) for x in values)
    identity = QQ.identity(N)
    inverse = (identity - S * S).inv()
    return (
        2 * odd == resolvent - mirror
        and 2 * even == resolvent + mirror - 2 * N
        and resolvent == N + odd + even
        and odd == _trace(S * inverse)
        and even == _trace(S * S * inverse)
        and resolvent == _trace((identity - S).inv())
        and _converges(subject, odd, even)
    )


def _converges(subject: Rotated, odd: fmpq, even: fmpq) -> bool:
    """Whether ``Σ tr S^{2j+1}`` and ``Σ tr S^{2j+2}`` approach the two sums, geometrically with ratio max λ² < 1."""
    S, square = subject.S, subject.S * subject.S
    ratio = max((x * x for x in subject.values), default=fmpq(0))
    absolute = _sum(abs(x) / (1 - x * x) for x in subject.values)
    power, bound = QQ.identity(len(subject.values)), fmpq(1)
    odd_rest, even_rest = odd, even
    for _ in range(12):
        if ratio >= 1 or abs(odd_rest) > bound * absolute or not 0 <= even_rest <= bound * even:
            return False
        odd_rest -= _trace(power * S)
        power = power * square
        even_rest -= _trace(power)
        bound *= ratio
    return True


def _sum(terms: Iterator[fmpq]) -> fmpq:
    return sum(terms, fmpq(0))


def _trace(matrix: Matrix) -> fmpq:
    return _sum(matrix[i, i] for i in range(matrix.nrows()))


def _instances() -> Iterator[Rotated]:
    rng = random.Random("lemma-9")
    for N in range(1, 7):
        for _ in range(6):
            values = tuple(fmpq(rng.randint(-9, 9), rng.randint(10, 12)) for _ in range(N))
            yield Rotated(values, random_orthogonal(rng, N))
    yield Rotated((fmpq(0),), QQ.identity(1))


STATEMENT = Statement(
    id="lemma-9",
    source="arXiv 2609.22990, Lemma 9",
    title="odd and even moment sums",
    claim=(
        r"If all $|\lambda| < 1$: $O = \sum\frac{\lambda}{1-\lambda^2}$, $E = \sum\frac{\lambda^2}{1-\lambda^2}$ and "
        r"$R = \sum\frac{1}{1-\lambda}$ are the sums of $\operatorname{tr} S^k$ over odd $k$, even $k \ge 2$ and all "
        r"$k \ge 0$; $2O = \sum\frac1{1-\lambda} - \sum\frac1{1+\lambda}$, "
        r"$2E = \sum\frac1{1-\lambda} + \sum\frac1{1+\lambda} - 2N$, $R = N + O + E$; and "
        r"$O = \operatorname{tr} S(1-S^2)^{-1}$, $E = \operatorname{tr} S^2(1-S^2)^{-1}$, "
        r"$R = \operatorname{tr}(1-S)^{-1}$."
    ),
    subject=Rotated,
    holds=holds,
    instances=_instances,
    scope="rational spectra in rotated bases, N ≤ 6; twelve partial sums against the geometric bound",
    hypotheses=(
        Hypothesis(
            name="contraction",
            text="|λ| < 1 for every eigenvalue",
            satisfied=lambda subject: all(abs(x) < 1 for x in subject.values),
            counterexample=lambda: Rotated((fmpq(2),), QQ.identity(1)),
        ),
    ),
)
