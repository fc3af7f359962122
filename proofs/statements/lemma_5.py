"""Lemma 5 of the paper: the energies of the two parts from one trace."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.fields import Scalar
from proofs.heads import Head
from proofs.indeterminates import (
    antisymmetric_double,
    indeterminate_matrices,
    norm_squared,
    require,
    symmetric_double,
    trace,
)
from proofs.matrices import Matrix
from proofs.statements import all_sizes
from proofs.statements.all_sizes import added, letter, scaled
from proofs.statements.instances import heads
from proofs.statements.registry import Check, Statement


def holds(head: Head) -> bool:
    """The three formulas, over any field; ``‖A‖²`` is ``tr AᵀA``."""
    F, L, half = head.field, head.L, head.field(1) / head.field(2)
    whole, square = _trace(head, L.transpose() * L), _trace(head, L * L)
    S2, T2 = (_trace(head, A.transpose() * A) for A in (head.S, head.T))
    return bool(whole == S2 + T2 and S2 == half * (whole + square) and T2 == half * (whole - square) and F(2) != 0)


def _trace(head: Head, A: Matrix) -> Scalar:
    return sum((A[i, i] for i in range(head.N)), head.field(0))


def _instances() -> Iterator[Head]:
    return heads()


def _check_identity() -> int:
    cases = 0
    for N in range(1, 6):
        L = indeterminate_matrices(L=(N, N))["L"]
        S4, T4 = norm_squared(symmetric_double(L)), norm_squared(antisymmetric_double(L))
        whole, square = norm_squared(L), trace(L * L)
        cases += require(S4 + T4 == 4 * whole, f"‖2S‖² + ‖2T‖² = 4‖L‖² for N = {N}")
        cases += require(S4 == 2 * whole + 2 * square, f"‖2S‖² = 2‖L‖² + 2 tr L² for N = {N}")
        cases += require(T4 == 2 * whole - 2 * square, f"‖2T‖² = 2‖L‖² − 2 tr L² for N = {N}")
    return cases


def _check_all_sizes() -> int:
    """The same for every N: words in L and Lᵀ, up to rotation and transposition under the trace."""
    L = letter("L", "N", "N")
    S, T = L + L.transpose(), L + L.transpose().scale(-1)
    S4, T4 = all_sizes.trace(S.transpose() * S), all_sizes.trace(T.transpose() * T)
    whole, square = all_sizes.trace(L.transpose() * L), all_sizes.trace(L * L)
    cases = require(added(S4, T4) == scaled(whole, 4), "‖2S‖² + ‖2T‖² = 4‖L‖² for all N")
    cases += require(S4 == added(scaled(whole, 2), scaled(square, 2)), "‖2S‖² = 2‖L‖² + 2 tr L² for all N")
    return cases + require(T4 == added(scaled(whole, 2), scaled(square, -2)), "‖2T‖² = 2‖L‖² − 2 tr L² for all N")


STATEMENT = Statement(
    id="lemma-5",
    source="arXiv 2609.22990, Lemma 5",
    title="the energies of S and T",
    claim=(
        r"$\|L\|^2 = \|S\|^2 + \|T\|^2$, $\|S\|^2 = \tfrac12\|L\|^2 + \tfrac12\operatorname{tr} L^2$ and "
        r"$\|T\|^2 = \tfrac12\|L\|^2 - \tfrac12\operatorname{tr} L^2$."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads with n ≤ 4, N ≤ 9 over ℚ and four finite fields",
    checks=(
        Check("identity", "all sizes: words in L and Lᵀ under the trace", _check_all_sizes),
        Check("identity", "N ≤ 5, L of indeterminates", _check_identity),
    ),
)
