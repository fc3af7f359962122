"""The distance of a real head to the degeneracy locus, exactly.

Over ℝ the Frobenius distance from M to the matrices of smaller rank is its smallest singular value (C. Eckart and
G. Young, 1936). Squared it is the smallest eigenvalue μ of ``G = MMᵀ``, an algebraic number. In exact terms:

* a degenerate M' has some unit u with ``uM' = 0``, so ``‖M − M'‖² ≥ ‖u(M − M')‖² = uGuᵀ ≥ μ``;
* for a unit eigenvector u of μ, ``M' = M − uᵀ(uM)`` has ``uM' = 0``, and ``‖M − M'‖² = ‖uM‖² = μ``.

Hence the distance is at most δ if and only if ``G − δ²I`` is not positive definite, which a signature decides.
"""

from __future__ import annotations

from flint import fmpq

from proofs.errors import FieldError, HypothesisError
from proofs.exact import Number, rational
from proofs.fields import QQ, RR
from proofs.heads import Head
from proofs.inertia import signature
from proofs.matrices import Matrix, pivots
from proofs.spectra import Ball, spectrum


def _gram(head: Head) -> Matrix:
    if head.field not in (QQ, RR):
        raise FieldError(f"the head is over {head.field}, which has no distance; expected a head over QQ or RR")
    if head.n == 0:
        raise HypothesisError("a head with n = 0 is never degenerate; expected n ≥ 1")
    result: Matrix = head.M * head.M.transpose()
    return result


def distance_squared(head: Head) -> Ball:
    """The square of the distance to the locus, ``σ_2n(M)²``, as an enclosure; the exact 0 for a degenerate head.

    Raises:
        FieldError: the head is not over ℚ or ℝ.
        HypothesisError: n = 0.

    >>> distance_squared(Head.of(Q=[[0, 3, 0]], K=[[2, 0, 0]]))
    4.00000000000000
    """
    s = spectrum(_gram(head))
    return s.value(len(s.levels)) if s.zero else s.levels[-1].value


def is_within(head: Head, squared: Number) -> bool:
    """Whether some degenerate head lies within a distance whose square is given, decided exactly.

    Raises:
        FieldError: the head is not over ℚ or ℝ.
        HypothesisError: n = 0.

    >>> head = Head.of(Q=[[0, 3, 0]], K=[[2, 0, 0]])
    >>> is_within(head, 4), is_within(head, "3.999")
    (True, False)
    """
    G = _gram(head)
    shifted = G - QQ.identity(2 * head.n) * rational(squared)
    return signature(shifted).positive < 2 * head.n


def nearest_degenerate(head: Head) -> tuple[Head, fmpq]:
    """A degenerate head at the smallest distance and the square of that distance, where both are rational.

    Raises:
        FieldError: the head is not over ℚ or ℝ.
        HypothesisError: n = 0, or the smallest eigenvalue of G is not rational.

    >>> nearest, squared = nearest_degenerate(Head.of(Q=[[0, 3, 0]], K=[[2, 0, 0]]))
    >>> nearest.M, squared
    ([0, 0, 0]
    [0, 3, 0], 4)
    """
    G = _gram(head)
    identity = QQ.identity(2 * head.n)
    eigenvalues = [x for x, _ in G.charpoly().roots()]
    smallest = [x for x in eigenvalues if signature(G - identity * x).negative == 0]
    if not smallest:
        raise HypothesisError("the smallest eigenvalue of G is not rational; use distance_squared or is_within")
    mu = smallest[0]
    u = _null_vector(G - identity * mu)
    unit = (u * u.transpose())[0, 0]
    M = head.M - u.transpose() * (u * head.M) * (1 / unit)
    rows = M.tolist()
    return Head.of(rows[head.n :], rows[: head.n]), mu


def _null_vector(singular: Matrix) -> Matrix:
    """One row u with ``u · singular = 0``, of a symmetric singular matrix."""
    echelon, rank = singular.rref()
    leading = pivots(echelon, rank)
    free = next(j for j in range(singular.ncols()) if j not in leading)
    u = QQ.zeros(1, singular.ncols())
    u[0, free] = QQ(1)
    for i, j in enumerate(leading):
        u[0, j] = -echelon[i, free]
    return u
