"""The ground fields, with exact elements and matrices from FLINT.

A field converts numbers into its elements and rows of numbers into its matrices; arithmetic is then that of FLINT,
through the operators every FLINT matrix shares (``*``, ``+``, ``.transpose()``, ``.rref()``, ``.inv()``, …). The
characteristic is never 2: a symmetric bilinear form and its quadratic form determine each other only where ½ exists.

| field | elements | matrices |
| --- | --- | --- |
| :data:`QQ` | ``fmpq`` | ``fmpq_mat`` |
| :func:`GF` ``(p)``, p < 2⁶⁴ | ``nmod`` | ``nmod_mat`` |
| :func:`GF` ``(p)``, any larger p | ``fmpz_mod`` | ``fmpz_mod_mat`` |
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Rational
from typing import Any, Protocol, TypeAlias

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, fmpz_mod, fmpz_mod_ctx, fmpz_mod_mat, nmod, nmod_mat

from proofs.errors import FieldError, ShapeError

#: An element of a ground field: ``fmpq``, ``nmod`` or ``fmpz_mod``.
Scalar: TypeAlias = Any

#: What a field accepts as a number: int, Fraction, a string such as ``"-3/4"`` or ``"0.1"``, a FLINT scalar.
Number: TypeAlias = Any

#: Decimal exponents beyond this are refused: the number would have more digits than memory.
_MAX_EXPONENT = 100_000

_NUMBER = re.compile(r"\s*([+-]?)(?:(\d+)\s*/\s*(\d+)|(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?)\s*", re.ASCII)


class Matrix(Protocol):
    """What the matrices of all ground fields have in common."""

    def nrows(self) -> int:
        """Number of rows."""

    def ncols(self) -> int:
        """Number of columns."""

    def __getitem__(self, index: tuple[int, int], /) -> Any: ...
    def __setitem__(self, index: tuple[int, int], value: Any, /) -> None: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __add__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...
    def entries(self) -> list[Any]:
        """All entries, row by row."""

    def tolist(self) -> list[list[Any]]:
        """The rows."""

    def transpose(self) -> Any:
        """The transposed matrix."""

    def rank(self) -> int:
        """Rank over the field."""

    def rref(self, inplace: bool = False, /) -> tuple[Any, int]:
        """Reduced row echelon form and rank."""

    def inv(self) -> Any:
        """Inverse; ``ZeroDivisionError`` for a singular matrix."""

    def det(self) -> Any:
        """Determinant."""

    def solve(self, other: Any, /) -> Any:
        """``X`` with ``self · X = other``, for an invertible square matrix."""

    def charpoly(self) -> Any:
        """Characteristic polynomial ``det(xI − A)``."""


def integral(matrix: Matrix | fmpz_mat) -> tuple[fmpz_mat, fmpz]:
    """An integer matrix and a positive denominator whose quotient is the given rational matrix.

    >>> integral(QQ.matrix([["1/2", "1/3"]]))
    ([3, 2], 6)
    """
    if isinstance(matrix, fmpz_mat):
        return matrix, fmpz(1)
    if not isinstance(matrix, fmpq_mat):
        raise FieldError(f"{matrix!r} is not a matrix over QQ")
    return matrix.numer_denom()


def rational(x: Number) -> fmpq:
    """The exact rational number that ``x`` denotes.

    Decimals are read exactly: ``"0.1"`` is 1/10, which no binary float is.

    Raises:
        FieldError: ``x`` is a float (ambiguous: its decimal or its stored value?), not finite, or no number at all.

    >>> rational("-3/4"), rational("0.1"), rational("2.5e-3")
    (-3/4, 1/10, 1/400)
    """
    if isinstance(x, (fmpq, fmpz)):
        return fmpq(x)
    if isinstance(x, Rational) and not isinstance(x, bool):
        return fmpq(int(x.numerator), int(x.denominator))
    if isinstance(x, str):
        return _parse(x)
    if isinstance(x, float):
        raise FieldError(f"{x!r} is a float; pass Fraction({x!r}) for the stored number or a string for the decimal")
    raise FieldError(f"{x!r} is not an exact number; expected an integer, a Fraction or a string such as '-3/4'")


def _parse(text: str) -> fmpq:
    match = _NUMBER.fullmatch(text)
    if match is None or not (match[2] or match[4] or match[5]):
        raise FieldError(f"{text!r} is not an exact number; expected an integer, a Fraction or a string such as '-3/4'")
    sign = -1 if match[1] == "-" else 1
    if match[2]:
        denominator = fmpz(match[3])
        if denominator == 0:
            raise FieldError(f"{text!r} has denominator zero")
        return fmpq(sign * fmpz(match[2]), denominator)
    exponent = int(match[6] or 0) if len(match[6] or "") < 12 else _MAX_EXPONENT + 1
    if abs(exponent) > _MAX_EXPONENT:
        raise FieldError(f"{text!r} has an exponent beyond ±{_MAX_EXPONENT}; write the number as a fraction")
    mantissa = fmpq(sign * fmpz((match[4] + match[5]) or "0"), fmpz(10) ** len(match[5]))
    return mantissa * fmpq(10) ** exponent


class Field(ABC):
    """A ground field of characteristic other than 2."""

    #: 0 or an odd prime.
    characteristic: int

    @abstractmethod
    def __call__(self, x: Number) -> Scalar:
        """The element that ``x`` denotes; :class:`FieldError` if there is none."""

    @abstractmethod
    def is_square(self, x: Number) -> bool:
        """Whether ``x`` is a square in the field; zero is."""

    @abstractmethod
    def zeros(self, rows: int, columns: int) -> Matrix:
        """The zero matrix, ``rows × columns`` (either may be 0)."""

    @abstractmethod
    def reduce(self, integers: fmpz_mat) -> Matrix:
        """The image of an integer matrix under ℤ → F."""

    @abstractmethod
    def _from_entries(self, rows: int, columns: int, entries: list[Scalar]) -> Matrix: ...

    @abstractmethod
    def _owns(self, matrix: object) -> bool:
        """Whether a FLINT matrix already lies over this field."""

    def matrix(self, rows: Sequence[Sequence[Number]] | Matrix | fmpz_mat, *, columns: int | None = None) -> Matrix:
        """A matrix over this field.

        Args:
            rows: a nested sequence of numbers, or a FLINT matrix (over this field, over ℚ or over ℤ).
            columns: the number of columns; only needed, and then required, when there are no rows.

        Raises:
            ShapeError: rows of different lengths, not a matrix at all, or no rows and no ``columns``.
            FieldError: an entry that is not in the field, naming its place.

        >>> GF(7).matrix([["1/2", -1], [0, 3]])
        [4, 6]
        [0, 3]
        """
        if self._owns(rows):
            return rows  # type: ignore[return-value]
        if isinstance(rows, fmpz_mat):
            return self.reduce(rows)
        table = _table(rows.tolist() if isinstance(rows, (fmpq_mat, nmod_mat, fmpz_mod_mat)) else rows)
        width = columns if not table else len(table[0])
        if width is None:
            raise ShapeError("a matrix without rows needs its number of columns: pass columns=… (N=… for a head)")
        for i, row in enumerate(table):
            if len(row) != width:
                raise ShapeError(f"row {i} has {len(row)} entries, row 0 has {width}; all rows must be equally long")
        if columns is not None and width != columns:
            raise ShapeError(f"the matrix has {width} columns; expected {columns}")
        entries = []
        for i, row in enumerate(table):
            for j, x in enumerate(row):
                try:
                    entries.append(self(x))
                except FieldError as error:
                    raise FieldError(f"entry ({i}, {j}): {error}") from None
        return self._from_entries(len(table), width, entries)

    def identity(self, size: int) -> Matrix:
        """The identity matrix."""
        return self.diagonal([1] * size)

    def diagonal(self, values: Iterable[Number]) -> Matrix:
        """The diagonal matrix with the given entries.

        >>> QQ.diagonal([1, "-1/2"])
        [1,    0]
        [0, -1/2]
        """
        entries = [self(x) for x in values]
        result = self.zeros(len(entries), len(entries))
        for i, x in enumerate(entries):
            result[i, i] = x
        return result


def _table(rows: object) -> list[list[Any]]:
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise ShapeError(f"{rows!r} is not a matrix; expected a sequence of rows")
    table: list[list[Any]] = []
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
            raise ShapeError(f"row {i} is {row!r}; expected a sequence of entries")
        table.append(list(row))
    return table


@dataclass(frozen=True)
class Rationals(Field):
    """The rational numbers."""

    characteristic = 0

    def __call__(self, x: Number) -> fmpq:
        """The rational number that ``x`` denotes, see :func:`rational`."""
        return rational(x)

    def is_square(self, x: Number) -> bool:
        """Whether numerator and denominator are squares of integers.

        >>> QQ.is_square("4/9"), QQ.is_square(-4), QQ.is_square(2)
        (True, False, False)
        """
        q = rational(x)
        return bool(q >= 0 and q.numerator.is_square() and q.denominator.is_square())

    def zeros(self, rows: int, columns: int) -> Matrix:
        """The zero matrix."""
        return fmpq_mat(rows, columns)

    def reduce(self, integers: fmpz_mat) -> Matrix:
        """The same matrix over ℚ."""
        return fmpq_mat(integers)

    def _from_entries(self, rows: int, columns: int, entries: list[Scalar]) -> Matrix:
        return fmpq_mat(rows, columns, entries)

    def _owns(self, matrix: object) -> bool:
        return isinstance(matrix, fmpq_mat)

    def __str__(self) -> str:
        return "QQ"


@dataclass(frozen=True)
class PrimeField(Field):
    """The integers modulo an odd prime; made by :func:`GF`."""

    p: int

    def __post_init__(self) -> None:
        if self.p == 2:
            raise FieldError("GF(2) has characteristic 2, where ½ does not exist; the modulus must be an odd prime")
        if self.p < 2 or not fmpz(self.p).is_prime():
            raise FieldError(f"GF({self.p}) is not a field of prime order; the modulus must be an odd prime")

    @property
    def characteristic(self) -> int:  # type: ignore[override]
        """The prime p."""
        return self.p

    @property
    def _context(self) -> fmpz_mod_ctx:
        return _context(self.p)

    @property
    def _is_word_sized(self) -> bool:
        return self.p < 2**64

    def __call__(self, x: Number) -> Scalar:
        """The residue class of ``x``; its denominator must not be divisible by p."""
        if isinstance(x, (nmod, fmpz_mod)):
            try:
                return x + self._element(fmpz(0))
            except (TypeError, ValueError):
                raise FieldError(f"{x} is an element of another finite field; expected one of {self}") from None
        q = rational(x)
        denominator = self._element(q.denominator)
        if denominator == 0:
            raise FieldError(f"{q} is not in {self}: {self.p} divides its denominator")
        return self._element(q.numerator) / denominator

    def is_square(self, x: Number) -> bool:
        """Whether ``x`` is a quadratic residue or zero.

        >>> [x for x in range(7) if GF(7).is_square(x)]
        [0, 1, 2, 4]
        """
        residue = fmpz(int(self(x)))
        return bool(residue == 0 or residue.jacobi(self.p) == 1)

    def _element(self, x: fmpz) -> Scalar:
        return nmod(int(x) % self.p, self.p) if self._is_word_sized else self._context(x)

    def zeros(self, rows: int, columns: int) -> Matrix:
        """The zero matrix."""
        return self.reduce(fmpz_mat(rows, columns))

    def reduce(self, integers: fmpz_mat) -> Matrix:
        """The matrix of residue classes."""
        if self._is_word_sized:
            return nmod_mat(integers, self.p)
        return fmpz_mod_mat(integers.nrows(), integers.ncols(), integers.entries(), self._context)

    def _from_entries(self, rows: int, columns: int, entries: list[Scalar]) -> Matrix:
        if self._is_word_sized:
            return nmod_mat(rows, columns, entries, self.p)
        return fmpz_mod_mat(rows, columns, entries, self._context)

    def _owns(self, matrix: object) -> bool:
        if isinstance(matrix, nmod_mat):
            return self._is_word_sized and matrix.modulus() == self.p
        return isinstance(matrix, fmpz_mod_mat) and not self._is_word_sized and int(matrix.modulus()) == self.p

    def __str__(self) -> str:
        return f"GF({self.p})"


@lru_cache(maxsize=64)
def _context(p: int) -> fmpz_mod_ctx:
    return fmpz_mod_ctx(p)


#: The rational numbers.
QQ = Rationals()


@lru_cache(maxsize=256)
def GF(p: int) -> PrimeField:
    """The field with p elements, p an odd prime of any size.

    Raises:
        FieldError: p is 2 or not a prime.

    >>> GF(5)("3/4")
    2
    >>> GF(9)
    Traceback (most recent call last):
    ...
    proofs.errors.FieldError: GF(9) is not a field of prime order; the modulus must be an odd prime
    """
    if isinstance(p, bool) or not isinstance(p, (int, fmpz)):
        raise FieldError(f"GF({p!r}) is not a field of prime order; the modulus must be an odd prime")
    return PrimeField(int(p))


def stack(field: Field, upper: Matrix, lower: Matrix) -> Matrix:
    """The matrix with the rows of ``upper`` above those of ``lower``."""
    rows = upper.nrows() + lower.nrows()
    return field._from_entries(rows, upper.ncols(), upper.entries() + lower.entries())


def submatrix(field: Field, matrix: Matrix, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
    """The matrix of the given rows and columns, in the given order.

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
