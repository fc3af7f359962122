"""The signature of an exact symmetric matrix, by Descartes' rule of signs."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from flint import fmpz, fmpz_mat

from proofs.errors import InconsistencyError, ShapeError
from proofs.matrices import Matrix, integral


class Signature(NamedTuple):
    """Numbers of positive, negative and zero eigenvalues, with multiplicity."""

    positive: int
    negative: int
    zero: int


def signature(matrix: fmpz_mat | Matrix) -> Signature:
    """The exact signature of a symmetric integer or rational matrix.

    All roots of its characteristic polynomial are real, and then Descartes' rule is an equality: the positive roots
    are as many as the sign changes of the coefficients, the negative ones as those of ``χ(−x)``. No pivot is chosen
    and nothing is compared with a tolerance; the cost is one integer characteristic polynomial.

    Raises:
        ShapeError: the matrix is not symmetric.
        InconsistencyError: the three counts do not add up, which a symmetric matrix rules out.

    >>> signature(fmpz_mat([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))
    Signature(positive=1, negative=1, zero=1)
    """
    if matrix.nrows() != matrix.ncols() or matrix != matrix.transpose():
        raise ShapeError(f"the {matrix.nrows()} × {matrix.ncols()} matrix is not symmetric; a signature needs symmetry")
    coefficients = integral(matrix)[0].charpoly().coeffs()
    zero = next(i for i, c in enumerate(coefficients) if c != 0)
    nonzero = coefficients[zero:]
    positive = _sign_changes(nonzero)
    negative = _sign_changes([-c if i % 2 else c for i, c in enumerate(nonzero)])
    if positive + negative + zero != matrix.nrows():
        raise InconsistencyError(
            f"Descartes' rule counts {positive} + {negative} + {zero} real roots of {matrix.nrows()}"
        )
    return Signature(positive, negative, zero)


def _sign_changes(coefficients: list[fmpz]) -> int:
    signs = [c > 0 for c in coefficients if c != 0]
    return sum(a != b for a, b in pairwise(signs))
