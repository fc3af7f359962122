"""Lemma 6 of the paper: the sorted lobes of two samples become proportional."""

from __future__ import annotations

import random
from collections import Counter
from math import comb

from flint import fmpq

from proofs.indeterminates import require
from proofs.statements.lobe_laws import Lobes, Sums, hypotheses, instances, vanishes
from proofs.statements.registry import Check, Statement

#: Bad is a squared sine of the angle between α and β above this; ``‖β − ρα‖²/‖α‖²`` is between once and twice ρ²
#: times the squared sine, for the empirical ρ = ‖β‖/‖α‖.
THRESHOLD = fmpq(1, 16)


def departs(sums: Sums) -> bool:
    """Whether α and β are far from proportional, or one of them vanishes."""
    sine = sums.sine_squared
    return sine is None or sine > THRESHOLD


def holds(lobes: Lobes) -> bool:
    """Whether the probability of departing falls below 1/100 along growing samples."""
    return vanishes(lobes, departs, tail=fmpq(15, 16))


def _check_expected_gap() -> int:
    """For a fair two-valued law ``E‖α − β‖² = m (high − low)² · C(2m, m)/4ᵐ``: of order √m, while ‖α‖² grows like m.

    The sorted samples differ in exactly |i − j| places, i and j the two binomial counts.
    """
    cases = 0
    for m in range(1, 41):
        mean = sum(fmpq(comb(m, i) * comb(m, j) * abs(i - j), 4**m) for i in range(m + 1) for j in range(m + 1))
        cases += require(mean == fmpq(m * comb(2 * m, m), 4**m), f"E|i − j| for m = {m}")
        cases += require(mean**2 <= fmpq(m, 2), f"E|i − j| ≤ √(m/2) for m = {m}")
    return cases


def _check_simulation() -> int:
    """X uniform on 1 … 4, m = 20000, seeded: the squared sine is at most 6/100, with confidence 1 − 5·10⁻⁷.

    By the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart both empirical distribution functions are within
    1/50 of the true one but with probability 4 exp(−2m/50²) < 5·10⁻⁷. Then the sorted samples differ by at most
    ``m · 3 · 3 · 2/50`` in the sum of squares, of an ``‖α‖²`` that is at least ``m (15/2 − 15/50)``.
    """
    rng, m, cases = random.Random("lemma-6"), 20_000, 0
    for _ in range(4):
        counts = [Counter(rng.randint(1, 4) for _ in range(m)) for _ in range(2)]
        alpha, beta = ([x for x in (4, 3, 2, 1) for _ in range(count[x])] for count in counts)
        sums = Sums.of((1, fmpq(x), fmpq(y)) for x, y in zip(alpha, beta, strict=True))
        sine = sums.sine_squared
        cases += require(sine is not None and sine <= fmpq(6, 100), "sorted samples are nearly proportional")
    return cases


STATEMENT = Statement(
    id="lemma-6",
    source="arXiv 2609.22990, Lemma 6",
    title="lobes of two samples",
    claim=(
        r"Let $\alpha$ be a sorted sample of size $m$ of $X > 0$ and $\beta$ one of $\rho X'$, independent, "
        r"$X' \sim X$, $E X^2 < \infty$. Then $\|\beta - \rho\alpha\| / \|\alpha\| \to 0$ almost surely as "
        r"$m \to \infty$."
    ),
    subject=Lobes,
    holds=holds,
    instances=instances,
    scope="two-valued laws: exact probability of a departure at m = 16, 64, 128",
    kind="limit",
    hypotheses=hypotheses(),
    checks=(
        Check("expectation", "the expected gap of fair two-valued samples, m ≤ 40", _check_expected_gap),
        Check("limit", "seeded samples of size 20000, confidence 1 − 5·10⁻⁷ each", _check_simulation),
    ),
)
