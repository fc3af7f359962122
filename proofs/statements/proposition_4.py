"""Proposition 4 of the paper: the profiles of rank-one forms."""

from __future__ import annotations

import random
from collections.abc import Iterator

from flint import arb, fmpq

from proofs.heads import Head
from proofs.indeterminates import indeterminate_matrices, require, symmetric_double, trace
from proofs.indeterminates import norm_squared as norm_of
from proofs.spectra import agree_all, norm_squared, precise, profile
from proofs.statements.instances import is_real, random_orthogonal
from proofs.statements.registry import Check, Hypothesis, Statement


def holds(head: Head) -> bool:
    """Whether the profile is ``((1−t²)/2, (1−t²)/2, t₊², t₋²)`` with t = tr L."""
    if norm_squared(head.L) == 0:
        return False
    t = sum((head.L[i, i] for i in range(head.N)), fmpq(0))
    with precise():
        half, square = arb((1 - t * t) / 2), arb(t * t)
        expected = [half, half, square if t > 0 else arb(0), square if t < 0 else arb(0)]
        return agree_all(list(profile(head.L).components()), expected)


def rank_one(t: fmpq, s: fmpq, N: int, rng: random.Random) -> Head:
    """A head with L of rank one and norm 1, of trace t, where ``t² + s² = 1``; in a rotated basis of dimension N."""
    key, query = [1] + [0] * (N - 1), [t, s, *[0] * (N - 2)][:N]
    return Head.of([query], [key]).change_coordinates(random_orthogonal(rng, N))


def _circle(rng: random.Random) -> tuple[fmpq, fmpq]:
    u = fmpq(rng.randint(-9, 9), rng.randint(1, 9))
    return (1 - u * u) / (1 + u * u), 2 * u / (1 + u * u)


def _instances() -> Iterator[Head]:
    rng = random.Random("proposition-4")
    for N in range(2, 6):
        for t, s in [(fmpq(1), fmpq(0)), (fmpq(-1), fmpq(0)), (fmpq(0), fmpq(1)), *(_circle(rng) for _ in range(12))]:
            head = rank_one(t, s, N, rng)
            yield head
            # The same L with a second, idle row: rank L is what counts, not n.
            rows = [head.Q.tolist()[0], [fmpq(rng.randint(-3, 3)) for _ in range(N)]]
            yield Head.of(rows, [*head.K.tolist(), [0] * N])
    for value in (1, -1):
        yield Head.of([[value]], [[1]])


def _check_locus() -> int:
    """Every point of Θ is met for N ≥ 2, only two vertices for N = 1; and the eigenvalues of S are (t ± 1)/2.

    A point of Θ is ``((1−t²)/2, (1−t²)/2, t², 0)`` or its mirror: fixed by t in [−1, 1], which the cosine of the
    angle between k and q runs through. The characteristic polynomial is an identity in k and q.
    """
    cases = 0
    for N in range(1, 5):
        m = indeterminate_matrices(k=(1, N), q=(1, N))
        L = m["k"].transpose() * m["q"]
        S, t = symmetric_double(L), trace(L)
        # With ‖L‖ = 1: e₁(2S) = 2t and e₂(2S) = t² − 1, so that 2S has eigenvalues t ± 1 and zeros.
        second = trace(S) ** 2 - trace(S * S)
        cases += require(trace(S) == 2 * t, f"tr 2S = 2t for N = {N}")
        cases += require(second == 2 * (t**2 - norm_of(L)), f"e₂(2S) = t² − ‖L‖² for N = {N}")
        coefficients = S.charpoly()
        cases += require(all(c == S.domain.zero for c in coefficients[3:]), f"rank 2S ≤ 2 for N = {N}")
    line = {profile(Head.of([[x]], [[y]]).L).components() for x in (-2, 1) for y in (-1, 3)}
    cases += require({tuple(map(str, p)) for p in line} == {("0", "0", *x) for x in _VERTICES}, "N = 1")
    return cases


_VERTICES = (("1.00000000000000", "0"), ("0", "1.00000000000000"))

STATEMENT = Statement(
    id="proposition-4",
    source="arXiv 2609.22990, Proposition 4",
    title="profiles of rank one",
    claim=(
        r"If $\operatorname{rank} L = 1$, $\|L\| = 1$ and $t = \operatorname{tr} L$, then "
        r"$\pi(L) = (\tfrac{1-t^2}2, \tfrac{1-t^2}2, t_+^2, t_-^2)$. For $N \ge 2$ these profiles are exactly the "
        r"points of the simplex with $a = b$ and $cd = 0$; for $N = 1$ only the vertices $c = 1$ and $d = 1$."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="t = ±1, 0 and rational points of the circle, N ≤ 5, in rotated bases",
    hypotheses=(
        Hypothesis(
            name="rank-one",
            text="rank L = 1",
            satisfied=lambda head: head.L.rank() == 1,
            counterexample=lambda: Head.of([["3/5", 0], [0, "4/5"]], [[1, 0], [0, 1]]),
        ),
        Hypothesis(
            name="unit-norm",
            text="‖L‖ = 1",
            satisfied=lambda head: norm_squared(head.L) == 1,
            counterexample=lambda: Head.of([[2]], [[1]]),
        ),
    ),
    checks=(Check("identity", "eigenvalues of S for N ≤ 4, k and q of indeterminates; N = 1", _check_locus),),
    concerns=is_real,
)
