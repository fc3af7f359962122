"""Big heads: for 2n > N the conclusion fails on a non-empty open set, so that 2n ≤ N is necessary."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from proofs.errors import InconsistencyError
from proofs.fields import QQ
from proofs.inertia import signature
from proofs.statements.instances import heads, is_real, random_invertible
from proofs.statements.lemma_3 import head_of_signature
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class Shape:
    """The shape of a head."""

    n: int
    N: int


def chambers(n: int, N: int) -> list[tuple[int, int]]:
    """The signatures ``(p, q)`` of S that occur on non-empty open sets of real heads, in lexicographic order.

    For ``2n ≤ N`` the only one is (n, n). For big heads S is non-singular on an open dense set, and the signatures
    are those with ``p + q = N`` and ``p, q ≤ n``.

    >>> chambers(2, 3), chambers(3, 4), chambers(1, 5)
    ([(1, 2), (2, 1)], [(1, 3), (2, 2), (3, 1)], [(1, 1)])
    """
    if 2 * n <= N:
        return [(n, n)]
    return [(p, N - p) for p in range(max(0, N - n), min(n, N) + 1)]


def holds(shape: Shape) -> bool:
    """Whether every chamber has its witness, with S of rank N, and some witness is not hyperbolic.

    A signature of a non-singular S does not change nearby: each witness stands for an open set.
    """
    n, N = shape.n, shape.N
    rng = random.Random(f"big-heads {n} {N}")
    unbalanced = False
    for p, q in chambers(n, N):
        small = head_of_signature(p, q, random_invertible(rng, QQ, N))
        if small.n > n or signature(small.S) != (p, q, 0):
            return False
        unbalanced = unbalanced or p != q
    return unbalanced


def _instances() -> Iterator[Shape]:
    for n in range(1, 6):
        for N in range(1, 2 * n):
            yield Shape(n, N)


def _check_no_other() -> int:
    """Non-singular S of big heads have no signature but those of the chambers; smaller ranks obey p, q ≤ n too."""
    cases = 0
    sizes = [(n, N) for n in range(1, 5) for N in range(1, 2 * n)]
    for head in heads(fields=[QQ], sizes=sizes, repeat=20, seed=1):
        p, q, zero = signature(head.S)
        cases += 1
        if max(p, q) > head.n or (zero == 0 and (p, q) not in chambers(head.n, head.N)) or not is_real(head):
            raise InconsistencyError(f"signature {(p, q, zero)} of a head with n = {head.n}, N = {head.N}")
    return cases


STATEMENT = Statement(
    id="big-heads",
    source="headforms",
    title="signatures of big heads",
    claim=(
        r"If $2n > N$, then $S$ has rank $N$ on a dense open set of real heads, every signature $(p, q)$ with "
        r"$p + q = N$ and $p, q \le n$ occurs on a non-empty open set, and no other does. One of them has $p \ne q$, "
        r"so the conclusion of the theorem fails on a non-empty open set: $2n \le N$ is necessary."
    ),
    subject=Shape,
    holds=holds,
    instances=_instances,
    scope="every shape with n ≤ 5: one exact witness a chamber",
    hypotheses=(
        Hypothesis(
            name="big",
            text="2n > N",
            satisfied=lambda shape: 2 * shape.n > shape.N,
            counterexample=lambda: Shape(1, 2),
        ),
    ),
    checks=(Check("exact", "no other signature: big heads with n ≤ 4", _check_no_other),),
)
