"""Matrices of independent indeterminates, for checks that are polynomial identities.

All matrices of one call live over one ring ``ℤ[x₁, x₂, …]``; an identity there holds over every commutative ring.
Over ``ℚ[x₁, x₂, …]`` it holds over every field of characteristic 0.
"""

from __future__ import annotations

from typing import Any

from sympy import ZZ
from sympy.polys.matrices import DomainMatrix

from proofs.errors import InconsistencyError


def indeterminate_matrices(*, over: Any = ZZ, **shapes: tuple[int, int]) -> dict[str, DomainMatrix]:
    """One matrix of indeterminates for each keyword, by name.

    Args:
        over: the coefficients, SymPy's ``ZZ`` or ``QQ``.
        shapes: numbers of rows and columns.

    >>> m = indeterminate_matrices(K=(1, 2), Q=(1, 2))
    >>> (m["K"].transpose() * m["Q"]).to_Matrix()
    Matrix([
    [K0_0*Q0_0, K0_0*Q0_1],
    [K0_1*Q0_0, K0_1*Q0_1]])
    """
    names = [f"{name}{i}_{j}" for name, (m, n) in shapes.items() for i in range(m) for j in range(n)]
    ring = over[names] if names else over
    entries = iter(ring.gens if names else ())
    matrices = {}
    for name, (m, n) in shapes.items():
        matrices[name] = DomainMatrix([[next(entries) for _ in range(n)] for _ in range(m)], (m, n), ring)
    return matrices


def trace(matrix: DomainMatrix) -> Any:
    """The trace, an element of the ring."""
    return sum((matrix[i, i].element for i in range(matrix.shape[0])), matrix.domain.zero)


def norm_squared(matrix: DomainMatrix) -> Any:
    """The sum of the squares of the entries."""
    return trace(matrix.transpose() * matrix)


def symmetric_double(L: DomainMatrix) -> DomainMatrix:
    """``L + Lᵀ = 2S``: the ring has no ½."""
    return L + L.transpose()


def antisymmetric_double(L: DomainMatrix) -> DomainMatrix:
    """``L − Lᵀ = 2T``."""
    return L - L.transpose()


def require(equal: Any, what: str) -> int:
    """Count one identity, or fail with its name.

    Raises:
        InconsistencyError: it does not hold.
    """
    if not equal:
        raise InconsistencyError(f"the identity does not hold: {what}")
    return 1
