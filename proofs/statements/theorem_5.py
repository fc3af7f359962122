"""Theorem 5 of the paper: where the profiles of random spectra accumulate."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from flint import fmpq

from proofs.indeterminates import require
from proofs.statements.lobe_laws import Lobes, Sums, hypotheses, instances, vanishes
from proofs.statements.registry import Check, Statement

#: Bad is a component of the profile that is off by more than this.
RADIUS = fmpq(1, 8)


def limit(rho: fmpq) -> tuple[fmpq, fmpq, fmpq, fmpq]:
    """``(0, 2ρ, (1−ρ)₊², (ρ−1)₊²)/(1+ρ²)``.

    >>> limit(fmpq(1, 2))
    (0, 4/5, 1/5, 0)
    """
    unit, gap = 1 + rho**2, (1 - rho) ** 2
    zero = fmpq(0)
    return zero, 2 * rho / unit, gap / unit if rho < 1 else zero, gap / unit if rho > 1 else zero


@lru_cache(maxsize=64)
def is_off(rho: fmpq) -> Callable[[Sums], bool]:
    """The event that a component of the profile is further than :data:`RADIUS` from its limit, or that S = 0."""
    _, b, c, d = limit(rho)

    def event(sums: Sums) -> bool:
        total = sums.alpha + sums.beta
        if total == 0:
            return True
        found = ((2 * sums.product, b), (sums.above, c), (sums.below, d))
        return any(abs(x / total - y) > RADIUS for x, y in found)

    return event


def holds(lobes: Lobes) -> bool:
    """Whether the probability of an S whose profile is off falls below 1/100 along growing samples.

    The component b is at most the cosine of the angle between the lobes, so that it is off for every cosine below
    its limit less the radius.
    """
    return vanishes(lobes, is_off(lobes.rho), tail=limit(lobes.rho)[1] - RADIUS)


def _check_rank_one() -> int:
    """The limit is the profile of S of a rank-one form with t = (1−ρ)/(1+ρ): a point of the projection of Θ.

    By Proposition 4 and Lemma 4 that profile is ``((1−t²), 2t₊², 2t₋²)/(1+t²)``. Both sides are quotients of
    polynomials of degree at most 4 in ρ on either side of 1, so that 17 points on each side prove the identity.
    """
    cases = 0
    for k in range(1, 18):
        for rho in (fmpq(k, 18), fmpq(18, k)):
            t = (1 - rho) / (1 + rho)
            unit = 1 + t * t
            projected = (1 - t * t, 2 * t * t if t > 0 else fmpq(0), 2 * t * t if t < 0 else fmpq(0))
            cases += require(tuple(x / unit for x in projected) == limit(rho)[1:], f"the limit for ρ = {rho}")
    return cases


def _check_simulation() -> int:
    """X uniform on 1 … 4, m = 20000, seeded: every component within 1/8, with confidence 1 − 5·10⁻⁷.

    The event of confidence is that of Lemma 6: both empirical distribution functions within 1/50 of the true one. It
    puts ``‖α‖²/m`` and ``‖β‖²/(ρ²m)`` within 3/10 of 15/2, and ``‖α − β/ρ‖²/m`` below 36/100.
    """
    rng, m, cases = random.Random("theorem-5"), 20_000, 0
    for rho in (fmpq(1, 2), fmpq(1), fmpq(3, 2)):
        counts = [Counter(rng.randint(1, 4) for _ in range(m)) for _ in range(2)]
        alpha, beta = ([x for x in (4, 3, 2, 1) for _ in range(count[x])] for count in counts)
        sums = Sums.of((1, fmpq(x), rho * y) for x, y in zip(alpha, beta, strict=True))
        cases += require(not is_off(rho)(sums), f"the profile for ρ = {rho} is within 1/8 of its limit")
    return cases


STATEMENT = Statement(
    id="theorem-5",
    source="arXiv 2609.22990, Theorem 5",
    title="accumulation of random profiles",
    claim=(
        r"Let $S$ have the eigenvalues $vX_i$ and $-uX'_i$, $i \le m$, independent copies of $X > 0$ with "
        r"$E X^2 < \infty$, and $\rho = u/v$. Then $\pi(S) \to (0, 2\rho, (1-\rho)_+^2, (\rho-1)_+^2)/(1+\rho^2)$ "
        r"almost surely as $m \to \infty$: the profile of the symmetric part of a rank-one form."
    ),
    subject=Lobes,
    holds=holds,
    instances=instances,
    scope="two-valued laws: exact probability of being off by 1/8 at m = 16, 64, 128",
    kind="limit",
    hypotheses=hypotheses(),
    checks=(
        Check("identity", "the limit as a rank-one profile, all ρ", _check_rank_one),
        Check("limit", "seeded samples of size 20000, confidence 1 − 5·10⁻⁷ each", _check_simulation),
    ),
)
