"""The two identities that carry everything: S and T as forms in M; and what determinants make of them."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.heads import Head, split_form, symplectic_form
from proofs.indeterminates import antisymmetric_double, indeterminate_matrices, require, symmetric_double
from proofs.locus import condition
from proofs.statements.all_sizes import uniform
from proofs.statements.instances import heads
from proofs.statements.registry import Check, Statement


def holds(head: Head) -> bool:
    """``L_ij = ⟨Kᵢ, Qⱼ⟩`` entry by entry, ``S = ½MᵀJM``, ``T = ½MᵀΩM`` and the identities between determinants."""
    F, M, half = head.field, head.M, head.field(1) / head.field(2)
    entries = [
        [sum((head.K[k, i] * head.Q[k, j] for k in range(head.n)), F(0)) for j in range(head.N)] for i in range(head.N)
    ]
    c = condition(head.n, head.N)
    squares = sum((minor * minor for _, minor in c.minors(head)), F(0))
    sign = F((-1) ** head.n)
    return bool(
        head.L == F.matrix(entries)
        and head.S == M.transpose() * split_form(F, head.n) * M * half
        and head.T == M.transpose() * symplectic_form(F, head.n) * M * half
        and c.gram_determinant(head) == squares == c.score_polynomial(head)
        and all(
            one == sign * two * two for (_, one), (_, two) in zip(c.principal_minors(head), c.minors(head), strict=True)
        )
        and (2 * head.n != head.N or (head.S * 2).det() == sign * M.det() ** 2)
    )


def _instances() -> Iterator[Head]:
    return heads()


def _check_identity() -> int:
    cases = 0
    for n, N in ((1, 1), (1, 2), (1, 4), (2, 2), (2, 4), (2, 5), (3, 4)):
        m = indeterminate_matrices(K=(n, N), Q=(n, N))
        K, Q = m["K"], m["Q"]
        M, L = K.vstack(Q), K.transpose() * Q
        swapped, negated = Q.vstack(K), Q.vstack(-K)
        cases += require(symmetric_double(L) == M.transpose() * swapped, f"2S = MᵀJM for n = {n}, N = {N}")
        cases += require(antisymmetric_double(L) == M.transpose() * negated, f"2T = MᵀΩM for n = {n}, N = {N}")
    for n in (1, 2):
        m = indeterminate_matrices(K=(n, 2 * n), Q=(n, 2 * n))
        det = m["K"].vstack(m["Q"]).charpoly()[-1]
        doubled = symmetric_double(m["K"].transpose() * m["Q"]).charpoly()[-1]
        cases += require(doubled == (-1) ** n * det**2, f"det 2S = (−1)ⁿ det M² for N = 2n = {2 * n}")
    return cases


STATEMENT = Statement(
    id="identities",
    source="headforms",
    title="S and T as forms in M",
    claim=(
        r"$L_{ij} = \langle K_i, Q_j\rangle$, $S = \tfrac12 M^TJM$ and $T = \tfrac12 M^T\Omega M$. Hence for every "
        r"set $I$ of $2n$ columns $\det(L + L^T)_I = (-1)^n \det(M_I)^2$, and "
        r"$\det MM^T = \sum_I \det(M_I)^2 = (-1)^n \sum_I \det(L + L^T)_I$; for $2n = N$, "
        r"$\det 2S = (-1)^n \det(M)^2$."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads with n ≤ 4, N ≤ 9 over ℚ and four finite fields, every degenerate sort",
    checks=(
        uniform("symmetric part", "antisymmetric part", "J is an involution"),
        Check("identity", "K, Q of indeterminates: n ≤ 3, N ≤ 5", _check_identity),
    ),
)
