"""The exact condition: S has rank 2n if and only if M has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from proofs.heads import Head
from proofs.matrices import submatrix
from proofs.statements.instances import heads
from proofs.statements.registry import Statement


def holds(head: Head) -> bool:
    """rank S ≤ rank M; rank S, rank M and some principal 2n × 2n minor of L + Lᵀ reach 2n together."""
    size, rank, stacked = 2 * head.n, head.S.rank(), head.M.rank()
    doubled = head.L + head.L.transpose()
    minor = any(submatrix(head.field, doubled, rows, rows).det() != 0 for rows in combinations(range(head.N), size))
    return rank <= stacked and (rank == size) == (stacked == size) == minor


def _instances() -> Iterator[Head]:
    return heads(repeat=3)


STATEMENT = Statement(
    id="exact-condition",
    source="headforms",
    title="rank S = 2n exactly for nondegenerate heads",
    claim=(
        r"For every head $\operatorname{rank} S \le \operatorname{rank} M$, and $\operatorname{rank} S = 2n$ if and "
        r"only if $\operatorname{rank} M = 2n$, if and only if some principal $2n \times 2n$ minor of $L + L^T$ is "
        r"not zero. (For $2n > N$ all three are impossible.)"
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads with n ≤ 4, N ≤ 9 over ℚ and four finite fields, every degenerate sort",
)
