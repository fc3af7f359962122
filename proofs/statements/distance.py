"""The distance to the degeneracy locus is the smallest singular value of M."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from proofs.distances import distance_squared, is_within, nearest_degenerate
from proofs.fields import QQ
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.spectra import norm_squared, precise
from proofs.statements.instances import heads, is_real, of_rank, random_matrix, random_orthogonal
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class Approach:
    """A head and another of the same shape, which is to be degenerate."""

    head: Head
    other: Head

    @property
    def distance_squared(self) -> fmpq:
        """``‖M − M'‖²``."""
        return norm_squared(self.head.M - self.other.M)


def holds(approach: Approach) -> bool:
    """Whether ``‖M − M'‖²`` is at least the smallest eigenvalue of G: ``G − ‖M − M'‖²I`` is not positive definite."""
    return is_within(approach.head, approach.distance_squared)


def _instances() -> Iterator[Approach]:
    rng = random.Random("distance")
    for head in heads(fields=[QQ], sizes=[(1, 1), (1, 2), (1, 4), (2, 3), (2, 4), (2, 6), (3, 7)], repeat=2):
        for rank in range(min(2 * head.n, head.N + 1)):
            yield Approach(head, of_rank(rng, QQ, head.n, head.N, rank))
        # One row made a multiple of another: degenerate, and often close.
        rows = head.M.tolist()
        rows[0] = [x * fmpq(rng.randint(-1, 1)) for x in rows[-1]]
        yield Approach(head, Head.of(rows[head.n :], rows[: head.n]))
        if head.M.rank() == 2 * head.n:
            yield Approach(head, _nearly_nearest(head))


def _nearly_nearest(head: Head) -> Head:
    """The head without the component of M along ``u = eG⁻⁴``, nearly an eigenvector of the least eigenvalue."""
    inverse = (head.M * head.M.transpose()).inv()
    u = QQ.matrix([[1] * (2 * head.n)])
    for _ in range(4):
        u = u * inverse
    M = head.M - u.transpose() * (u * head.M) * (1 / norm_squared(u))
    rows = M.tolist()
    return Head.of(rows[head.n :], rows[: head.n])


def _check_attained() -> int:
    """Heads with rational singular values: the nearest degenerate head is degenerate and at that very distance."""
    rng, cases = random.Random("distance attained"), 0
    for n, N in ((1, 2), (1, 3), (2, 4), (2, 6), (3, 7)):
        for _ in range(6):
            values = [fmpq(rng.randint(1, 6), rng.randint(1, 3)) for _ in range(2 * n)]
            middle = QQ.zeros(2 * n, N)
            for i, x in enumerate(values):
                middle[i, i] = x
            M = random_orthogonal(rng, 2 * n) * middle * random_orthogonal(rng, N)
            rows = M.tolist()
            head = Head.of(rows[n:], rows[:n])
            nearest, squared = nearest_degenerate(head)
            smallest = min(values) ** 2
            cases += require(squared == smallest == Approach(head, nearest).distance_squared, "the distance is σ_2n")
            cases += require(nearest.M.rank() < 2 * n, "the nearest head is degenerate")
            cases += require((head.M - nearest.M).rank() == 1, "the change has rank one")
            cases += require(is_within(head, squared) and not is_within(head, squared - fmpq(1, 10**9)), "exactly σ_2n")
    return cases


def _check_enclosures() -> int:
    """The enclosure of the distance against the exact decision on either side of it."""
    rng, cases = random.Random("distance enclosed"), 0
    for n, N in ((1, 2), (2, 4), (2, 5), (3, 8)):
        for _ in range(4):
            head = Head(random_matrix(rng, QQ, n, N), random_matrix(rng, QQ, n, N))
            squared = distance_squared(head)
            degenerate = head.M.rank() < 2 * n
            cases += require((squared == 0) == degenerate, "distance 0 exactly for degenerate heads")
            if not degenerate:
                with precise():
                    below, above = squared.lower().fmpq(), squared.upper().fmpq()
                cases += require(above - below < fmpq(1, 2**100), "the enclosure is narrow")
                cases += require(is_within(head, above) and not is_within(head, below - fmpq(1, 2**200)), "both sides")
    return cases


STATEMENT = Statement(
    id="distance",
    source="headforms, from Eckart and Young (1936)",
    title="distance to degeneracy",
    claim=(
        r"Over $\mathbb R$ every degenerate $M'$ has $\|M - M'\| \ge \sigma_{2n}(M)$, and equality is attained by a "
        r"change of rank one. In exact terms: the distance is at most $\delta$ if and only if $MM^T - \delta^2 I$ is "
        r"not positive definite."
    ),
    subject=Approach,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ with n ≤ 3, N ≤ 7 against degenerate heads of every rank",
    hypotheses=(
        Hypothesis(
            name="degenerate",
            text="rank M' < 2n",
            satisfied=lambda approach: approach.other.M.rank() < 2 * approach.other.n,
            counterexample=lambda: Approach(Head.of([[0, 1]], [[1, 0]]), Head.of([[0, 1]], [[1, 0]])),
        ),
    ),
    checks=(
        Check("exact", "attained: 30 heads with rational singular values", _check_attained),
        Check("exact", "the enclosure of the distance against signatures", _check_enclosures),
    ),
    concerns=lambda approach: is_real(approach.head) and approach.head.n > 0,
)
