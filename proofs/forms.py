"""Symmetric bilinear forms over a field of characteristic other than 2.

A form is its Gram matrix A (not twice it): ``b(x, y) = xᵀAy``, ``q(x) = xᵀAx``. Invariants are those of the form on
V/rad, the radical being stripped first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpz, fmpz_mat

from proofs.errors import FieldError, InconsistencyError, ShapeError
from proofs.exact import Number
from proofs.factorisation import prime_divisors
from proofs.fields import QQ, Field, PadicField, PrimeField, Qp, Rationals, Reals, Scalar
from proofs.heads import Head
from proofs.hilbert import hasse_invariant
from proofs.inertia import Signature, signature
from proofs.literals import Literal, literal
from proofs.matrices import (
    Matrix,
    adjugate_content,
    beside,
    block_diagonal,
    integral,
    pivots,
    primitive_part,
    submatrix,
)


@dataclass(frozen=True)
class Diagonalisation:
    """Columns P with ``PᵀAP = diag(d₁, …, d_r, 0, …, 0)``, every d nonzero; the last columns span the radical."""

    P: Matrix
    diagonal: tuple[Scalar, ...]


@dataclass(frozen=True, repr=False)
class Form(Literal):
    """A symmetric bilinear form; make one with :meth:`Form.of`.

    Args:
        gram: the Gram matrix A, symmetric, over ``field``.
        field: the ground field.

    Raises:
        ShapeError: the matrix is not symmetric.

    >>> form = Form.of([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> form.dimension, form.rank, form.signature()
    (3, 2, Signature(positive=1, negative=1, zero=1))
    """

    gram: Matrix
    field: Field = QQ

    def __post_init__(self) -> None:
        A = self.gram
        if A.nrows() != A.ncols():
            raise ShapeError(f"the matrix is {A.nrows()} × {A.ncols()}; a form needs a square one")
        for i in range(A.nrows()):
            for j in range(i):
                if A[i, j] != A[j, i]:
                    raise ShapeError(f"entry ({j}, {i}) is {A[j, i]} and ({i}, {j}) is {A[i, j]}; a form is symmetric")

    def __repr__(self) -> str:
        """Python that makes the form again.

        >>> Form.diagonal([1, "-1/2"])
        Form.of([[1, 0], [0, '-1/2']])
        """
        field = "" if self.field == QQ else f", field={self.field}"
        return f"Form.of({literal(self.gram)}{field})"

    @classmethod
    def of(cls, rows: Sequence[Sequence[Number]] | Matrix, *, field: Field = QQ) -> Form:
        """A form from the rows of its Gram matrix, which may be empty.

        Raises:
            ShapeError: ragged, not square or not symmetric.
            FieldError: an entry that is not an exact element of the field, such as one whose denominator p divides.
        """
        return cls(field.matrix(rows, columns=None if _has_rows(rows) else 0), field)

    @classmethod
    def diagonal(cls, values: Sequence[Number], *, field: Field = QQ) -> Form:
        """``⟨a₁, …, a_m⟩``.

        >>> Form.diagonal([1, "-1/2"]).gram
        [1,    0]
        [0, -1/2]
        """
        return cls(field.diagonal(values), field)

    @classmethod
    def of_head(cls, head: Head) -> Form:
        """The symmetric part S of a head, as a form over the field of the head."""
        return cls(head.S, head.field)

    @property
    def dimension(self) -> int:
        """Size of the Gram matrix."""
        return self.gram.nrows()

    @cached_property
    def support(self) -> tuple[int, ...]:
        """Unit vectors that span a complement of the radical: rows that form a basis of the row space.

        Their principal minor is nonzero, as the matrix is symmetric.
        """
        return pivots(*self.gram.rref())

    @property
    def rank(self) -> int:
        """Rank of the Gram matrix, the dimension of V/rad."""
        return len(self.support)

    @cached_property
    def radical(self) -> Matrix:
        """A basis of the radical ``{x : Ax = 0}``, as columns (dimension × (dimension − rank))."""
        echelon, rank = self.gram.rref()
        support, field = self.support, self.field
        free = [j for j in range(self.dimension) if j not in set(support)]
        result = field.zeros(self.dimension, len(free))
        for column, j in enumerate(free):
            result[j, column] = field(1)
            for i in range(rank):
                result[support[i], column] = -echelon[i, j]
        return result

    def value(self, x: Matrix, y: Matrix | None = None) -> Scalar:
        """``b(x, y) = xᵀAy`` for columns x and y; ``q(x) = b(x, x)`` without y."""
        return (x.transpose() * self.gram * (x if y is None else y))[0, 0]

    def restrict(self, basis: Matrix) -> Form:
        """The form in the coordinates of the given columns: ``PᵀAP``."""
        return Form(basis.transpose() * self.gram * basis, self.field)

    def scale(self, c: Number) -> Form:
        """The form ``c·b``."""
        return Form(self.gram * self.field(c), self.field)

    def __add__(self, other: Form) -> Form:
        """The orthogonal sum.

        Raises:
            FieldError: the forms live over different fields.
        """
        require_one_field(self, other)
        return Form(block_diagonal(self.field, [self.gram, other.gram]), self.field)

    @cached_property
    def diagonalisation(self) -> Diagonalisation:
        """A congruence to diagonal form, radical first, re-checked by multiplication.

        Where every diagonal entry left is zero, a hyperbolic 2 × 2 pivot ``b(x, y) = c ≠ 0`` is taken apart into
        x + y of value 2c and (x − y)/2 of value −c/2.

        >>> Form.of([[0, 1], [1, 0]]).diagonalisation.diagonal
        (2, -1/2)
        """
        field, support = self.field, self.support
        frame = submatrix(field, field.identity(self.dimension), range(self.dimension), support)
        block = submatrix(field, self.gram, support, support)
        local, values = _diagonalise(field, block)
        P = beside(field, frame * local, self.radical)
        result = Diagonalisation(P, values)
        zeros = [0] * (self.dimension - len(values))
        if self.restrict(P).gram != field.diagonal([*values, *zeros]) or P.rank() != self.dimension:
            raise InconsistencyError("the diagonalisation of the form does not multiply out")
        return result

    @property
    def diagonal_entries(self) -> tuple[Scalar, ...]:
        """The nonzero entries of :attr:`diagonalisation`."""
        return self.diagonalisation.diagonal

    @cached_property
    def determinant(self) -> Scalar:
        """Determinant of the non-degenerate part, up to squares (1 for rank 0)."""
        return submatrix(self.field, self.gram, self.support, self.support).det()

    @property
    def discriminant(self) -> Scalar:
        """Square class of the determinant of the non-degenerate part.

        Raises:
            FactorisationError: over ℚ, a determinant too large to factor.

        >>> Form.of([[2, 0], [0, 6]]).discriminant
        3
        """
        return self.field.square_class(self.determinant)

    @property
    def signed_discriminant(self) -> Scalar:
        """Square class of ``(−1)^{r(r−1)/2} det``, r the rank: 1 for every sum of hyperbolic planes.

        >>> Form.of([[0, 1], [1, 0]]).signed_discriminant
        1
        """
        return self.field.square_class(signed(self.determinant, self.rank))

    def hasse(self, place: Field | None = None) -> int:
        """The Hasse invariant ``∏_{i<j} (a_i, a_j)`` of the non-degenerate part.

        Args:
            place: for a rational form, RR or Qp(p); by default the form's own field.

        Raises:
            FieldError: a form over ℚ without a place, or a place that does not belong to its field.

        >>> from proofs.fields import RR, Qp
        >>> Form.diagonal([3, 3]).hasse(RR), Form.diagonal([3, 3]).hasse(Qp(3))
        (1, -1)
        """
        return hasse_invariant(self.diagonal_entries, self._place(place))

    def bad_primes(self) -> Iterator[PadicField]:
        """For a rational form: ℚ₂, and ℚ_p for every p where the non-degenerate part is not obviously unimodular.

        At the other primes the Hasse invariant is 1 and the discriminant a unit. An integral Gram matrix is enough
        to see this: the diagonal entries, which have many more prime factors, need not be factored.

        Raises:
            FieldError: the field is not ℚ.
            FactorisationError: after the primes that are found, if the determinant is too large to factor.

        >>> list(Form.of([[2, 1], [1, 4]]).bad_primes())
        [Qp(2), Qp(7)]
        """
        integers, denominator = self._integers()
        return map(Qp, prime_divisors([2, denominator, integers.det()]))

    def primes_of_corank_two(self) -> Iterator[PadicField]:
        """Those bad primes, and 2, where a primitive integral multiple of the non-degenerate part loses rank twice.

        They divide the content of its adjugate, which is small for most forms. At any other odd p the form is, up to a
        factor, ``U ⊥ ⟨pᵛu⟩`` with U unimodular of rank r − 1.

        Raises:
            FieldError: the field is not ℚ.
            FactorisationError: after the primes that are found, if the content is too large to factor.

        >>> hard = (2**127 - 1) * (2**107 - 1)
        >>> list(Form.diagonal([1, 3, -2, hard]).primes_of_corank_two())
        [Qp(2)]
        """
        integers, _ = self._integers()
        return map(Qp, prime_divisors([2, adjugate_content(primitive_part(integers))]))

    def _integers(self) -> tuple[fmpz_mat, fmpz]:
        """The non-degenerate part as an integral matrix and a denominator."""
        if self.field != QQ:
            raise FieldError(f"a form over {self.field} has no primes; expected one over QQ")
        return integral(submatrix(QQ, self.gram, self.support, self.support))

    def at(self, place: Field) -> Form:
        """A rational form at a place: the same matrix over RR or Qp(p)."""
        return Form(self.gram, self._place(place))

    def _place(self, place: Field | None) -> Field:
        if place is None or place == self.field:
            return self.field
        if self.field != QQ or isinstance(place, PrimeField):
            raise FieldError(f"{place} is not a completion of {self.field}")
        return place

    def signature(self) -> Signature:
        """The signature of a rational or real form.

        Raises:
            FieldError: the field is not ordered.
        """
        if not isinstance(self.field, Reals) and self.field != QQ:
            raise FieldError(f"{self.field} is not an ordered field; a signature needs QQ or RR")
        return signature(self.gram)


def signed(determinant: Scalar, rank: int) -> Scalar:
    """``(−1)^{r(r−1)/2} det``."""
    return -determinant if rank * (rank - 1) // 2 % 2 else determinant


def require_one_field(one: Form, other: Form) -> None:
    """Raise FieldError unless both forms live over one field."""
    if one.field != other.field:
        raise FieldError(f"one form is over {one.field}, the other over {other.field}; both must be over one field")


def _has_rows(rows: object) -> bool:
    return hasattr(rows, "nrows") or not hasattr(rows, "__len__") or len(rows) > 0


def _diagonalise(field: Field, gram: Matrix) -> tuple[Matrix, tuple[Scalar, ...]]:
    """Diagonalise a non-degenerate Gram matrix: orthogonal columns and their values."""
    size = gram.nrows()
    A = gram.tolist()
    P = field.identity(size).tolist()  # rows of P are the basis vectors, made columns at the end
    for k in range(size):
        pivot = _pivot(A, k, isinstance(field, Rationals))
        if pivot is None:
            i, j = next((i, j) for i in range(k, size) for j in range(k, i) if A[i][j] != 0)
            _add(A, P, i, j, 1)
            pivot = i
        _swap(A, P, k, pivot)
        for i in range(k + 1, size):
            if A[i][k] != 0:
                _add(A, P, i, k, -(A[i][k] / A[k][k]))
    values = tuple(A[k][k] for k in range(size))
    return field.matrix(P, columns=size).transpose(), values


def _pivot(A: list[list[Scalar]], start: int, by_size: bool) -> int | None:
    """A nonzero diagonal entry; over ℚ the one of smallest height, which keeps the numbers short."""
    candidates = [i for i in range(start, len(A)) if A[i][i] != 0]
    if by_size:
        return min(candidates, key=lambda i: A[i][i].height_bits(), default=None)
    return candidates[0] if candidates else None


def _add(A: list[list[Scalar]], P: list[list[Scalar]], i: int, j: int, c: Scalar) -> None:
    """Replace basis vector i by itself plus c times vector j."""
    A[i] = [x + c * y for x, y in zip(A[i], A[j], strict=True)]
    for row in A:
        row[i] = row[i] + c * row[j]
    P[i] = [x + c * y for x, y in zip(P[i], P[j], strict=True)]


def _swap(A: list[list[Scalar]], P: list[list[Scalar]], i: int, j: int) -> None:
    A[i], A[j] = A[j], A[i]
    for row in A:
        row[i], row[j] = row[j], row[i]
    P[i], P[j] = P[j], P[i]
