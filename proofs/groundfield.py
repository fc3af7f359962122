"""What every ground field does, and its matrices; the fields themselves are in :mod:`proofs.fields`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from flint import fmpq_mat, fmpz_mat, fmpz_mod_mat, nmod_mat

from proofs.errors import FieldError, ShapeError
from proofs.exact import Number
from proofs.literals import Literal

#: An element of a ground field: ``fmpq``, ``nmod`` or ``fmpz_mod``.
Scalar: TypeAlias = Any


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


class Field(Literal, ABC):
    """A ground field of characteristic other than 2."""

    #: 0 or an odd prime.
    characteristic: int

    @abstractmethod
    def __str__(self) -> str:
        """The name by which :func:`field_named` knows the field."""

    def __repr__(self) -> str:
        return str(self)

    @abstractmethod
    def __call__(self, x: Number) -> Scalar:
        """The element that ``x`` denotes; :class:`FieldError` if there is none."""

    @abstractmethod
    def is_square(self, x: Number) -> bool:
        """Whether ``x`` is a square in the field; zero is."""

    @abstractmethod
    def sqrt(self, x: Number) -> Scalar:
        """A square root that is an element one can write down; FieldError if there is none."""

    @abstractmethod
    def square_class(self, x: Number) -> Scalar:
        """The canonical representative of ``x`` modulo nonzero squares.

        Raises:
            FieldError: x is zero.
        """

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

        >>> from proofs.fields import GF
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

        >>> from proofs.fields import QQ
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
