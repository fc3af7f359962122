"""Matrices over polynomial rings ``R[x₁, …, x_m]``, R = ℤ or F_p, on FLINT's sparse multivariate polynomials.

SymPy's ``DomainMatrix`` does the same over its own rings; on the products of :mod:`proofs.generic` (an 8 × 8 adjugate
of generic entries has 64 cofactors of 5040 terms in 80 variables) FLINT is some two hundred times faster, which decides
whether the larger sizes are checked in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from flint import Ordering, fmpz_mod_mpoly_ctx, fmpz_mpoly_ctx, nmod_mpoly_ctx

from proofs.errors import ShapeError
from proofs.fields import Field

#: A polynomial: ``fmpz_mpoly``, ``nmod_mpoly`` or ``fmpz_mod_mpoly``.
Polynomial: TypeAlias = Any


@dataclass(frozen=True)
class PolynomialMatrix:
    """A matrix of polynomials of one ring; immutable.

    >>> from proofs.fields import GF
    >>> x, y = polynomial_ring(GF(5), ["x", "y"]).gens()
    >>> A = PolynomialMatrix(((x, y), (y, x)))
    >>> (A * A).rows[0]
    (x^2 + y^2, 2*x*y)
    """

    rows: tuple[tuple[Polynomial, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    def transpose(self) -> PolynomialMatrix:
        """The transposed matrix."""
        return PolynomialMatrix(tuple(zip(*self.rows, strict=True)))

    def __add__(self, other: PolynomialMatrix) -> PolynomialMatrix:
        return self._entrywise(other, lambda a, b: a + b)

    def __sub__(self, other: PolynomialMatrix) -> PolynomialMatrix:
        return self._entrywise(other, lambda a, b: a - b)

    def _entrywise(self, other: PolynomialMatrix, of: Callable[[Any, Any], Any]) -> PolynomialMatrix:
        if self.shape != other.shape:
            raise ShapeError(f"matrices of shape {self.shape} and {other.shape}; both must have one shape")
        rows = (tuple(map(of, a, b)) for a, b in zip(self.rows, other.rows, strict=True))
        return PolynomialMatrix(tuple(rows))

    def __mul__(self, other: PolynomialMatrix) -> PolynomialMatrix:
        if self.shape[1] != other.shape[0]:
            raise ShapeError(f"cannot multiply matrices of shape {self.shape} and {other.shape}")
        columns = other.transpose().rows
        return PolynomialMatrix(tuple(tuple(_dot(row, column) for column in columns) for row in self.rows))

    def scale(self, c: Polynomial) -> PolynomialMatrix:
        """Every entry times c."""
        return PolynomialMatrix(tuple(tuple(c * a for a in row) for row in self.rows))

    def trace(self) -> Polynomial:
        """Sum of the diagonal."""
        return _sum(self.rows[i][i] for i in range(len(self.rows)))

    def submatrix(self, rows: Sequence[int], columns: Sequence[int]) -> PolynomialMatrix:
        """The matrix of the given rows and columns."""
        return PolynomialMatrix(tuple(tuple(self.rows[i][j] for j in columns) for i in rows))

    def beside(self, other: PolynomialMatrix) -> PolynomialMatrix:
        """The columns of this matrix before those of the other."""
        return PolynomialMatrix(tuple(a + b for a, b in zip(self.rows, other.rows, strict=True)))

    def above(self, other: PolynomialMatrix) -> PolynomialMatrix:
        """The rows of this matrix above those of the other."""
        return PolynomialMatrix(self.rows + other.rows)

    def maximal_minors(self) -> dict[tuple[int, ...], Polynomial]:
        """For every choice of as many columns as there are rows, in ascending order, its determinant.

        Laplace expansion, row by row, with all minors of the first rows kept: no product is formed twice.
        """
        width = self.shape[1]
        found: dict[tuple[int, ...], Polynomial] = {}
        for k, row in enumerate(self.rows):
            longer: dict[tuple[int, ...], Polynomial] = {}
            for columns in combinations(range(width), k + 1):
                terms = []
                for position, j in enumerate(columns):
                    rest = columns[:position] + columns[position + 1 :]
                    term = row[j] * found[rest] if k else row[j]
                    terms.append(term if (k - position) % 2 == 0 else -term)
                longer[columns] = _sum(terms)
            found = longer
        return found

    def determinant(self) -> Polynomial:
        """The determinant of a square matrix with at least one row."""
        return self.maximal_minors()[tuple(range(len(self.rows)))]

    def adjugate(self) -> PolynomialMatrix:
        """The adjugate of a square matrix with at least two rows: its product with the matrix is the determinant."""
        size = len(self.rows)
        cofactors = []
        for i in range(size):
            minors = PolynomialMatrix(self.rows[:i] + self.rows[i + 1 :]).maximal_minors()
            signed = []
            for j in range(size):
                minor = minors[tuple(c for c in range(size) if c != j)]
                signed.append(minor if (i + j) % 2 == 0 else -minor)
            cofactors.append(tuple(signed))
        return PolynomialMatrix(tuple(cofactors)).transpose()


def polynomial_ring(field: Field, names: Sequence[str]) -> Any:
    """The ring ``ℤ[names]`` for a field of characteristic 0, else ``F_p[names]``, as a FLINT context.

    An identity over ℤ holds over every commutative ring, so over ℚ, ℝ and ℚ_p.
    """
    p = field.characteristic
    if p == 0:
        return fmpz_mpoly_ctx.get(names, Ordering.lex)
    if p < 2**64:
        return nmod_mpoly_ctx.get(names, modulus=p, ordering=Ordering.lex)
    return fmpz_mod_mpoly_ctx.get(names, modulus=p, ordering=Ordering.lex)


def constant(ring: Any, x: int) -> Polynomial:
    """An integer, negative ones too, as an element of the ring."""
    return ring.constant(x) if x >= 0 else -ring.constant(-x)


def constant_matrix(ring: Any, rows: Iterable[Iterable[int]]) -> PolynomialMatrix:
    """An integer matrix over the ring."""
    return PolynomialMatrix(tuple(tuple(constant(ring, x) for x in row) for row in rows))


def _dot(row: Sequence[Polynomial], column: Sequence[Polynomial]) -> Polynomial:
    return _sum(a * b for a, b in zip(row, column, strict=True))


def _sum(terms: Iterable[Polynomial]) -> Polynomial:
    iterator = iter(terms)
    total = next(iterator)
    for term in iterator:
        total = total + term
    return total
