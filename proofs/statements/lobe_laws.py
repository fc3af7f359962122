"""Random lobes: the subjects of Lemma 6 and Theorem 5 of the paper.

Both are limits for samples of growing size m. They are looked at through the exact probability, at finite m, that a
bad event happens: for laws with two values the sorted samples are fixed by two binomial counts, so that the
probability is a finite sum of rationals. A law with infinite second moment is met with a lower bound that holds for
every m = 2ᵗ, from events about the largest samples only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import NamedTuple

from flint import fmpq

from proofs.errors import HypothesisError
from proofs.statements.registry import Hypothesis

#: Sample sizes at which probabilities are computed, and what they must fall below at the largest.
SIZES = (16, 64, 128)
HALF = fmpq(1, 2)
SMALL = fmpq(1, 100)


@dataclass(frozen=True)
class TwoValued:
    """The value ``high`` with probability p, else ``low``: rational numbers, low ≤ high."""

    low: fmpq
    high: fmpq
    p: fmpq

    def scaled(self, c: fmpq) -> TwoValued:
        """The law of c·X."""
        return TwoValued(self.low * c, self.high * c, self.p)


@dataclass(frozen=True)
class Mixture:
    """A sample whose law is drawn first, once for all its members: independent members if there is one law only."""

    laws: tuple[tuple[fmpq, TwoValued], ...]

    @classmethod
    def iid(cls, low: int, high: int, p: fmpq = HALF) -> Mixture:
        """Independent members with one two-valued law."""
        return cls(((fmpq(1), TwoValued(fmpq(low), fmpq(high), p)),))


@dataclass(frozen=True)
class LongTail:
    """Independent members ``2^(k²)`` with probability ``2⁻ᵏ``, k = 1, 2, …: no moment is finite."""


@dataclass(frozen=True)
class Lobes:
    """The lobes α and β: sorted samples of size m of ``X`` and of ``ρX'``.

    ``alpha`` and ``beta`` are the laws of X and X'; the lemma wants them equal.
    """

    alpha: Mixture | LongTail
    beta: Mixture | LongTail
    rho: fmpq

    def probability(self, size: int, bad: Callable[[Sums], bool], *, tail: fmpq) -> fmpq:
        """The probability of a bad event at a sample size, exactly; for long tails a lower bound.

        Args:
            size: m; a power of two for long tails.
            bad: the event, a function of ``‖α‖²``, ``⟨α, β⟩`` and ``‖β‖²``.
            tail: a cosine such that the event contains every case where the angle of α and β has a smaller one.
        """
        if isinstance(self.alpha, LongTail) or isinstance(self.beta, LongTail):
            return long_tail_bound(size) if tail >= LONG_TAIL_COSINE else fmpq(0)
        total = fmpq(0)
        for weight_a, a in self.alpha.laws:
            for weight_b, b in self.beta.laws:
                total += weight_a * weight_b * _two_valued(size, a, b.scaled(self.rho), bad)
        return total


class Sums(NamedTuple):
    """``‖α‖²``, ``⟨α, β⟩``, ``‖β‖²``, ``‖(α−β)₊‖²`` and ``‖(α−β)₋‖²``."""

    alpha: fmpq
    product: fmpq
    beta: fmpq
    above: fmpq
    below: fmpq

    @classmethod
    def of(cls, runs: Iterable[tuple[int, fmpq, fmpq]]) -> Sums:
        """From runs of equal pairs (multiplicity, αᵢ, βᵢ)."""
        alpha = product = beta = above = below = fmpq(0)
        for m, x, y in runs:
            alpha, product, beta = alpha + m * x * x, product + m * x * y, beta + m * y * y
            if x > y:
                above += m * (x - y) * (x - y)
            else:
                below += m * (x - y) * (x - y)
        return cls(alpha, product, beta, above, below)

    @property
    def sine_squared(self) -> fmpq | None:
        """``1 − ⟨α, β⟩²/(‖α‖²‖β‖²)``; None where a lobe vanishes."""
        if self.alpha == 0 or self.beta == 0:
            return None
        return 1 - self.product * self.product / (self.alpha * self.beta)


@lru_cache(maxsize=256)
def _two_valued(size: int, a: TwoValued, b: TwoValued, bad: Callable[[Sums], bool]) -> fmpq:
    """The sum over both binomial counts of high values."""
    total = fmpq(0)
    chances = _binomial(size, b.p)
    for i, chance in _binomial(size, a.p).items():
        bad_counts = (j for j in chances if bad(Sums.of(_runs(size, a, i, b, j))))
        total += chance * sum((chances[j] for j in bad_counts), fmpq(0))
    return total


def _runs(size: int, a: TwoValued, i: int, b: TwoValued, j: int) -> Iterator[tuple[int, fmpq, fmpq]]:
    yield min(i, j), a.high, b.high
    yield abs(i - j), (a.high if i > j else a.low), (b.high if j > i else b.low)
    yield size - max(i, j), a.low, b.low


def _binomial(size: int, p: fmpq) -> dict[int, fmpq]:
    if p in (0, 1):
        return {int(p) * size: fmpq(1)}
    return {k: comb(size, k) * p**k * (1 - p) ** (size - k) for k in range(size + 1)}


#: The cosine below which :func:`long_tail_bound` keeps the angle.
LONG_TAIL_COSINE = fmpq(3, 4)


def long_tail_bound(size: int) -> fmpq:
    """A lower bound, for m = 2ᵗ, of the probability that α and β of long tail have a cosine below 3/4.

    The event: one member of the first sample has a level K ≥ t, all others less than t; two members of the second
    have level t, all others less. The members below a top level K ≥ t ≥ 4 have together at most
    ``2ᵗ · 2^{2(K−1)²} ≤ 2^{2−3K} ≤ 2⁻¹⁰`` times the square of one member of level K. So up to scale α is e₁ + r and
    β is e₁ + e₂ + s, r and s of norm at most 1/32 and s orthogonal to e₁, e₂: the cosine is at most
    ``(1 + 1/32 + 1/1024)/√2 < 3/4``.

    >>> long_tail_bound(16) > fmpq(18, 1000), long_tail_bound(2**12) > fmpq(18, 1000)
    (True, True)
    """
    t = size.bit_length() - 1
    if size != 1 << t or t < 4:
        raise HypothesisError(f"the bound is for sizes 2ᵗ with t ≥ 4; found {size}")
    at_least, exactly = fmpq(2, size), fmpq(1, size)
    one_large = size * at_least * (1 - at_least) ** (size - 1)
    two_equal = comb(size, 2) * exactly**2 * (1 - at_least) ** (size - 2)
    return one_large * two_equal


def vanishes(lobes: Lobes, bad: Callable[[Sums], bool], *, tail: fmpq) -> bool:
    """Whether the probability of a bad event decreases along :data:`SIZES` and ends below :data:`SMALL`."""
    chances = [lobes.probability(size, bad, tail=tail) for size in SIZES]
    return all(x >= y for x, y in pairwise(chances)) and chances[-1] < SMALL


def instances() -> Iterator[Lobes]:
    """Two-valued laws of several spreads and ratios; constant ones."""
    for low, high, p in ((1, 1, fmpq(1, 2)), (1, 2, fmpq(1, 2)), (2, 3, fmpq(1, 3))):
        law = Mixture.iid(low, high, p)
        for rho in (fmpq(1), fmpq(1, 2), fmpq(3, 2)):
            yield Lobes(law, law, rho)


def hypotheses() -> tuple[Hypothesis[Lobes], ...]:
    """The four hypotheses, with their counterexamples."""
    one, two = Mixture.iid(1, 1), Mixture.iid(1, 3)
    either = Mixture(((fmpq(1, 2), one.laws[0][1]), (fmpq(1, 2), two.laws[0][1])))
    unit = fmpq(1)
    return (
        Hypothesis(
            name="independent",
            text="the members of a sample are independent",
            satisfied=lambda lobes: all(isinstance(x, LongTail) or len(x.laws) == 1 for x in (lobes.alpha, lobes.beta)),
            counterexample=lambda: Lobes(either, either, unit),
        ),
        Hypothesis(
            name="same-law",
            text="X and X' have one law",
            satisfied=lambda lobes: lobes.alpha == lobes.beta,
            counterexample=lambda: Lobes(one, two, unit),
        ),
        Hypothesis(
            name="positive",
            text="X > 0 and ρ > 0",
            satisfied=lambda lobes: lobes.rho > 0 and all(_is_positive(x) for x in (lobes.alpha, lobes.beta)),
            counterexample=lambda: Lobes(Mixture.iid(0, 0), Mixture.iid(0, 0), unit),
        ),
        Hypothesis(
            name="second-moment",
            text="E X² is finite",
            satisfied=lambda lobes: not (isinstance(lobes.alpha, LongTail) or isinstance(lobes.beta, LongTail)),
            counterexample=lambda: Lobes(LongTail(), LongTail(), unit),
        ),
    )


def _is_positive(sample: Mixture | LongTail) -> bool:
    return isinstance(sample, LongTail) or all(law.low > 0 for _, law in sample.laws)
