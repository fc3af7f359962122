"""Theorem 3 of the paper, over every field: a nondegenerate head is hyperbolic plus zero."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.decomposition import decompose, hyperbolic_basis
from proofs.fields import QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.inertia import signature
from proofs.locus import condition
from proofs.statements.all_sizes import generic, uniform
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Check, Hypothesis, Statement
from proofs.witt import witt_index


def holds(head: Head) -> bool:
    """Whether S is nH ⊥ 0^{N−2n}; over an ordered field also its signature, (n, n, N−2n), from S itself."""
    n, N = head.n, head.N
    if 2 * n > N or head.S.rank() != 2 * n:
        return False
    if is_real(head) and signature(head.S) != (n, n, N - 2 * n):
        return False
    if condition(n, N).holds_with_witness(head) is None:
        return False
    decomposition = decompose(head)
    if not decomposition.hyperbolic_plus_zero or decomposition.witt_index != n:
        return False
    hyperbolic_basis(head).check()
    return True


def _instances() -> Iterator[Head]:
    return heads(repeat=4)


def _check_invariants() -> int:
    """The invariants of nH over ℚ at the places 2, 3, 5 and ∞, from a diagonalisation of S; Witt index n everywhere.

    Signed discriminant 1; Hasse invariant ``∏_{i<j} (a_i, a_j)``: at 2 and ∞ ``(−1)^{n(n−1)/2}``, else 1, since
    ``nH = n⟨1⟩ ⊥ n⟨−1⟩`` has ``n(n−1)/2`` pairs (−1, −1), whose symbol is −1 at 2 and ∞ only.
    """
    cases = 0
    for head in heads(fields=[QQ], sizes=[(1, 2), (1, 4), (2, 4), (2, 5), (3, 6), (4, 8), (5, 10)], repeat=2):
        if head.M.rank() < 2 * head.n:
            continue
        S, sign = Form.of_head(head), (-1) ** (head.n * (head.n - 1) // 2)
        cases += require(S.signed_discriminant == 1, f"signed discriminant of {head.n} planes")
        for place, expected in ((Qp(2), sign), (RR, sign), (Qp(3), 1), (Qp(5), 1)):
            cases += require(S.hasse(place) == expected, f"Hasse invariant of {head.n} planes at {place}")
            cases += require(witt_index(S.at(place)) == head.n, f"Witt index of {head.n} planes at {place}")
        cases += require(witt_index(S) == head.n, f"Witt index of {head.n} planes over ℚ")
    return cases


STATEMENT = Statement(
    id="theorem-3",
    source="arXiv 2609.22990, Theorem 3",
    title="hyperbolic plus zero",
    claim=(
        r"Let the characteristic of the field not be 2. If $2n \le N$ and $\operatorname{rank} M = 2n$, then "
        r"$S \cong nH \perp 0^{N-2n}$ over it, and over an ordered field the signature of $S$ is $(n, n, N-2n)$. Such "
        r"heads are those where some maximal minor of $M$ is not zero: a Zariski-open set, and not an empty one."
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
    checks=(
        uniform("hyperbolic plus zero"),
        generic((1, 2), (1, 3), (1, 5), (2, 4), (2, 5)),
        Check("exact", "discriminant, Hasse and Witt index over ℚ, at 2, 3, 5, ∞: n ≤ 5", _check_invariants),
    ),
)
