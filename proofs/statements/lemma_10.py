"""Lemma 10 of the paper: traces and spectrum of S from the 2n × 2n matrix ½JG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from proofs.blocks import BlockMatrix, split_blocks
from proofs.fields import QQ
from proofs.heads import Head, split_form
from proofs.indeterminates import indeterminate_matrices, require, symmetric_double, trace
from proofs.matrices import Matrix
from proofs.spectra import norm_squared
from proofs.statements import all_sizes
from proofs.statements.all_sizes import letter
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Check, Hypothesis, Statement


def small_matrix(head: Head) -> Matrix:
    """``½JG``, 2n × 2n, ``G = MMᵀ``."""
    result: Matrix = split_form(head.field, head.n) * head.M * head.M.transpose() * (head.field(1) / head.field(2))
    return result


def holds(head: Head) -> bool:
    """Traces of powers, the norm, the characteristic polynomials, and O, E in traces of ½JG."""
    S, B = head.S, small_matrix(head)
    power, small_power = QQ.identity(head.N), QQ.identity(2 * head.n)
    for _ in range(5):
        power, small_power = power * S, small_power * B
        if _trace(power) != _trace(small_power):
            return False
    norm = norm_squared(S)
    if norm != _trace(B * B):
        return False
    # χ_S(x) · x^{2n} = x^N · χ_B(x), and 0 is no eigenvalue of B: the spectrum of B is the nonzero spectrum of S.
    if _coefficients(S) + [fmpq(0)] * (2 * head.n) != _coefficients(B) + [fmpq(0)] * head.N or B.det() == 0:
        return False
    return head.n == 0 or _moment_sums(S, norm) == _moment_sums(B, norm)


def _moment_sums(A: Matrix, norm: fmpq) -> tuple[fmpq, fmpq]:
    """``tr A(ν − A²)⁻¹`` and ``tr A²(ν − A²)⁻¹`` with ν = ‖S‖²: O/‖S‖ and E of the spectrum of A/‖S‖."""
    inverse = (QQ.identity(A.nrows()) * norm - A * A).inv()
    return _trace(A * inverse), _trace(A * A * inverse)


def _coefficients(A: Matrix) -> list[fmpq]:
    """Coefficients of the characteristic polynomial, leading one first."""
    coefficients: list[fmpq] = A.charpoly().coeffs()
    return coefficients[::-1]


def _trace(A: Matrix) -> Any:
    return sum((A[i, i] for i in range(A.nrows())), fmpq(0))


def _instances() -> Iterator[Head]:
    return heads(fields=[QQ], repeat=6)


def _check_identity() -> int:
    cases = 0
    for n, N, top in ((1, 1, 4), (1, 2, 4), (1, 3, 3), (2, 2, 3), (2, 3, 2)):
        m = indeterminate_matrices(K=(n, N), Q=(n, N))
        K, Q = m["K"], m["Q"]
        # JG has the blocks QKᵀ, QQᵀ above KKᵀ, KQᵀ.
        JG = (Q * K.transpose()).hstack(Q * Q.transpose()).vstack((K * K.transpose()).hstack(K * Q.transpose()))
        S2 = symmetric_double(K.transpose() * Q)
        power, small_power = S2, JG
        for k in range(1, top + 1):
            cases += require(trace(power) == trace(small_power), f"tr (2S)^{k} = tr (JG)^{k} for n = {n}, N = {N}")
            power, small_power = power * S2, small_power * JG
    return cases


def _check_all_sizes() -> int:
    """``tr S^k = tr (½JG)^k`` for all n and N and k ≤ 6: rotation of words, since S = ½MᵀJM."""
    K, Q = letter("K", "n", "N"), letter("Q", "n", "N")
    S2 = K.transpose() * Q + Q.transpose() * K
    M = BlockMatrix(((K,), (Q,)))
    JG = split_blocks("n") * M * M.transpose()
    power, small_power = S2, JG
    cases = 0
    for k in range(1, 7):
        cases += require(
            all_sizes.trace(power) == all_sizes.trace(small_power), f"tr (2S)^{k} = tr (JG)^{k}, all sizes"
        )
        power, small_power = power * S2, small_power * JG
    return cases


STATEMENT = Statement(
    id="lemma-10",
    source="arXiv 2609.22990, Lemma 10",
    title="spectrum and traces from the Gram matrix",
    claim=(
        r"$\operatorname{tr} S^k = \operatorname{tr}(\tfrac12 JG)^k$ and $\|S\|^2 = \tfrac14\operatorname{tr}(JG)^2$. "
        r"If $M$ is onto, the eigenvalues of $\tfrac12 JG$ are the nonzero eigenvalues of $S$ with multiplicity, and "
        r"$O$, $E$, $R - N$ of $S/\|S\|$ are the same traces in $JG/(2\|S\|)$."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="nondegenerate heads over ℚ with n ≤ 4, N ≤ 9",
    hypotheses=(
        Hypothesis(
            name="onto",
            text="rank M = 2n",
            satisfied=lambda head: head.M.rank() == 2 * head.n,
            counterexample=lambda: Head.of([[0]], [[0]]),
        ),
    ),
    checks=(
        Check("identity", "all sizes: traces of powers up to 6", _check_all_sizes),
        Check("identity", "traces of powers up to 4: n ≤ 2, N ≤ 3", _check_identity),
    ),
    concerns=is_real,
)
