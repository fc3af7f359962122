"""Theorem 3 of the paper, over every field: a nondegenerate head is hyperbolic plus zero."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.decomposition import decompose, hyperbolic_basis
from proofs.heads import Head
from proofs.inertia import signature
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Hypothesis, Statement


def holds(head: Head) -> bool:
    """Whether S is nH ⊥ 0^{N−2n}; over an ordered field also its signature, (n, n, N−2n), from S itself."""
    n, N = head.n, head.N
    if 2 * n > N or head.S.rank() != 2 * n:
        return False
    if is_real(head) and signature(head.S) != (n, n, N - 2 * n):
        return False
    decomposition = decompose(head)
    if not decomposition.hyperbolic_plus_zero or decomposition.witt_index != n:
        return False
    hyperbolic_basis(head).check()
    return True


def _instances() -> Iterator[Head]:
    return heads(repeat=4)


STATEMENT = Statement(
    id="theorem-3",
    source="arXiv 2609.22990, Theorem 3",
    title="hyperbolic plus zero",
    claim=(
        r"If $2n \le N$ and $\operatorname{rank} M = 2n$, then $S \cong nH \perp 0^{N-2n}$ over the ground field; "
        r"over an ordered field its signature is $(n, n, N-2n)$."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads with n ≤ 4, N ≤ 9 over ℚ and four finite fields; the basis re-multiplied",
    hypotheses=(
        Hypothesis(
            name="fits",
            text="2n ≤ N",
            satisfied=lambda head: not head.is_big,
            counterexample=lambda: Head.of(Q=[[1]], K=[[1]]),
        ),
        Hypothesis(
            name="full-rank",
            text="M has the greatest rank its shape allows, min(2n, N)",
            satisfied=lambda head: head.M.rank() == min(2 * head.n, head.N),
            counterexample=lambda: Head.of(Q=[[1, 0]], K=[[1, 0]]),
        ),
    ),
)
