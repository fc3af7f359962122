"""The few matrix operations that FLINT does not name, over any ground field."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from flint import fmpq_mat, fmpz, fmpz_mat

from proofs.errors import FieldError
from proofs.groundfield import Field, Matrix

__all__ = [
    "Matrix",
    "adjugate_content",
    "beside",
    "block_diagonal",
    "integral",
    "pivots",
    "primitive_part",
    "stack",
    "submatrix",
]


def integral(matrix: Matrix | fmpz_mat) -> tuple[fmpz_mat, fmpz]:
    """An integer matrix and a positive denominator whose quotient is the given rational matrix.

    >>> from proofs.fields import QQ
    >>> integral(QQ.matrix([["1/2", "1/3"]]))
    ([3, 2], 6)
    """
    if isinstance(matrix, fmpz_mat):
        return matrix, fmpz(1)
    if not isinstance(matrix, fmpq_mat):
        raise FieldError(f"{matrix!r} is not a matrix over QQ")
    return matrix.numer_denom()


def primitive_part(matrix: fmpz_mat) -> fmpz_mat:
    """The matrix divided by the greatest common divisor of its entries.

    >>> primitive_part(fmpz_mat([[4, -6]]))
    [2, -3]
    """
    content = reduce(lambda a, b: a.gcd(b), matrix.entries(), fmpz(0))
    if content <= 1:
        return matrix
    return fmpz_mat(matrix.nrows(), matrix.ncols(), [x // content for x in matrix.entries()])


def adjugate_content(matrix: fmpz_mat) -> fmpz:
    """The greatest common divisor of the entries of the adjugate of a non-singular integer matrix, up to sign.

    A prime modulo which the rank drops by 2 or more divides it.

    >>> adjugate_content(fmpz_mat([[3, 0, 0], [0, 6, 0], [0, 0, 1]]))
    3
    """
    return matrix.det() // fmpq_mat(matrix).inv().numer_denom()[1]


def stack(field: Field, upper: Matrix, lower: Matrix) -> Matrix:
    """The matrix with the rows of ``upper`` above those of ``lower``."""
    rows = upper.nrows() + lower.nrows()
    return field._from_entries(rows, upper.ncols(), upper.entries() + lower.entries())


def submatrix(field: Field, matrix: Matrix, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
    """The matrix of the given rows and columns, in the given order.

    >>> from proofs.fields import QQ
    >>> submatrix(QQ, QQ.matrix([[1, 2, 3], [4, 5, 6]]), [1, 0], [0, 2])
    [4, 6]
    [1, 3]
    """
    return field._from_entries(len(rows), len(columns), [matrix[i, j] for i in rows for j in columns])


def pivots(echelon: Matrix, rank: int) -> tuple[int, ...]:
    """The pivot columns of a matrix in row echelon form."""
    columns, j = [], 0
    for i in range(rank):
        while echelon[i, j] == 0:
            j += 1
        columns.append(j)
        j += 1
    return tuple(columns)


def beside(field: Field, left: Matrix, right: Matrix) -> Matrix:
    """The matrix with the columns of ``left`` before those of ``right``.

    >>> from proofs.fields import QQ
    >>> beside(QQ, QQ.identity(2), QQ.matrix([[5], [6]]))
    [1, 0, 5]
    [0, 1, 6]
    """
    result: Matrix = stack(field, left.transpose(), right.transpose()).transpose()
    return result


def block_diagonal(field: Field, blocks: Sequence[Matrix]) -> Matrix:
    """The square matrix with the given square blocks on its diagonal.

    >>> from proofs.fields import QQ
    >>> block_diagonal(QQ, [QQ.matrix([[1, 2], [3, 4]]), QQ.matrix([[5]])])
    [1, 2, 0]
    [3, 4, 0]
    [0, 0, 5]
    """
    size = sum(block.nrows() for block in blocks)
    result, offset = field.zeros(size, size), 0
    for block in blocks:
        for i in range(block.nrows()):
            for j in range(block.ncols()):
                result[offset + i, offset + j] = block[i, j]
        offset += block.nrows()
    return result
