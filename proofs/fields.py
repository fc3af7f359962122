"""The ground fields, with exact elements and matrices from FLINT.

A field converts numbers into its elements and rows of numbers into its matrices; arithmetic is then that of FLINT,
through the operators every FLINT matrix shares (``*``, ``+``, ``.transpose()``, ``.rref()``, ``.inv()``, …). The
characteristic is never 2: a symmetric bilinear form and its quadratic form determine each other only where ½ exists.

| field | elements | matrices |
| --- | --- | --- |
| :data:`QQ` | ``fmpq`` | ``fmpq_mat`` |
| :func:`GF` ``(p)``, p < 2⁶⁴ | ``nmod`` | ``nmod_mat`` |
| :func:`GF` ``(p)``, larger p (up to 1300 bits) | ``fmpz_mod`` | ``fmpz_mod_mat`` |
| :data:`RR` | ``fmpq`` | ``fmpq_mat`` |
| :func:`Qp` ``(p)``, p = 2 too | ``fmpq`` | ``fmpq_mat`` |

The completions ℝ and ℚ_p are known by their rational elements, which are dense: enough to write down any form up to
isometry, and to decide which elements are squares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TypeVar

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, fmpz_mod, fmpz_mod_ctx, fmpz_mod_mat, nmod, nmod_mat

from proofs.errors import FactorisationError, FieldError
from proofs.exact import Number, rational
from proofs.factorisation import factorisation, is_prime, remove
from proofs.groundfield import Field, Matrix, Scalar

__all__ = ["GF", "QQ", "RR", "Field", "PadicField", "PrimeField", "Qp", "Rationals", "Reals", "Scalar", "field_named"]


@dataclass(frozen=True, repr=False)
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

    def sqrt(self, x: Number) -> fmpq:
        """The non-negative rational square root; FieldError if there is none.

        >>> QQ.sqrt("4/9")
        2/3
        """
        q = rational(x)
        if not QQ.is_square(q):
            raise FieldError(f"{q} is not a square in QQ")
        return fmpq(q.numerator.isqrt(), q.denominator.isqrt())

    def square_class(self, x: Number) -> fmpq:
        """A squarefree integer.

        >>> QQ.square_class("-12/5")
        -15
        """
        q = self._unit(x)
        odd = [p for p, e in (factorisation(q.numerator) + factorisation(q.denominator)).items() if e % 2]
        return fmpq(prod(odd, start=fmpz(1 if q > 0 else -1)))

    def _unit(self, x: Number) -> fmpq:
        q = rational(x)
        if q == 0:
            raise FieldError(f"0 has no square class in {self}; expected a nonzero element")
        return q

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


@dataclass(frozen=True, repr=False)
class PrimeField(Field):
    """The integers modulo an odd prime; made by :func:`GF`."""

    p: int

    def __post_init__(self) -> None:
        if self.p == 2:
            raise FieldError("GF(2) has characteristic 2, where ½ does not exist; the modulus must be an odd prime")
        if self.p < 2 or not _is_prime(self.p):
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

    def sqrt(self, x: Number) -> Scalar:
        """A square root; FieldError if there is none.

        >>> GF(7).sqrt(2) ** 2
        2
        """
        element = self(x)
        if not self.is_square(element):
            raise FieldError(f"{element} is not a square in {self}")
        return self(fmpz(int(element)).sqrtmod(self.p))

    def square_class(self, x: Number) -> Scalar:
        """1 or the least non-residue.

        >>> GF(7).square_class(2), GF(7).square_class(5)
        (1, 3)
        """
        element = self(x)
        if element == 0:
            raise FieldError(f"0 has no square class in {self}; expected a nonzero element")
        return self(1 if self.is_square(element) else least_non_residue(self.p))

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


def _is_prime(p: int) -> bool:
    try:
        return is_prime(p)
    except FactorisationError as error:
        raise FieldError(f"the modulus may be a prime, but is {error}") from None


@lru_cache(maxsize=64)
def _context(p: int) -> fmpz_mod_ctx:
    return fmpz_mod_ctx(p)


@dataclass(frozen=True, repr=False)
class Reals(Rationals):
    """The ordered field ℝ, by its rational elements."""

    def is_square(self, x: Number) -> bool:
        """Whether ``x ≥ 0``."""
        return bool(rational(x) >= 0)

    def square_class(self, x: Number) -> fmpq:
        """1 or −1."""
        return fmpq(1 if self._unit(x) > 0 else -1)

    def __str__(self) -> str:
        return "RR"


@dataclass(frozen=True, repr=False)
class PadicField(Rationals):
    """The p-adic numbers, by their rational elements; made by :func:`Qp`."""

    p: int

    def __post_init__(self) -> None:
        if self.p < 2 or not _is_prime(self.p):
            raise FieldError(f"Qp({self.p}) does not exist: {self.p} is not prime")

    def is_square(self, x: Number) -> bool:
        """Whether the valuation is even and the unit part is a residue modulo p, or 1 modulo 8 for p = 2.

        >>> Qp(2).is_square(17), Qp(2).is_square(3), Qp(5).is_square(-1), Qp(5).is_square(5)
        (True, False, True, False)
        """
        return bool(rational(x) == 0 or self.square_class(x) == 1)

    def square_class(self, x: Number) -> fmpq:
        """One of 1, u, p, up with u the least non-residue; one of ±1, ±2, ±3, ±6 as 1, 3, 5, 7 times 1 or 2 for p = 2.

        >>> Qp(2).square_class(-2), Qp(5).square_class("3/5")
        (14, 10)
        """
        v, unit = self.unit_part(x)
        if self.p == 2:
            return fmpq(unit % 8 * (2 if v % 2 else 1))
        residue = 1 if fmpz(unit).jacobi(self.p) == 1 else least_non_residue(self.p)
        return fmpq(residue * (self.p if v % 2 else 1))

    def unit_part(self, x: Number) -> tuple[int, int]:
        """The valuation v of a nonzero ``x``, and an integer in the square class of the unit ``x · p^{−v}``.

        The integer lies in [0, p) for odd p and in [0, 8) for p = 2.

        >>> Qp(3).unit_part("18/5")
        (2, 1)
        """
        q = self._unit(x)
        (v, numerator), (w, denominator) = remove(q.numerator, self.p), remove(q.denominator, self.p)
        return v - w, int(numerator * denominator % (8 if self.p == 2 else self.p))

    def __str__(self) -> str:
        return f"Qp({self.p})"


@lru_cache(maxsize=256)
def least_non_residue(p: int) -> int:
    """The least positive integer that is not a square modulo the odd prime p.

    >>> least_non_residue(7), least_non_residue(23)
    (3, 5)
    """
    return next(x for x in range(2, p) if fmpz(x).jacobi(p) == -1)


F = TypeVar("F", PrimeField, PadicField)

#: The rational numbers.
QQ = Rationals()

#: The real numbers, an ordered field.
RR = Reals()


@lru_cache(maxsize=256)
def Qp(p: int) -> PadicField:
    """The field of p-adic numbers, p any prime.

    Raises:
        FieldError: p is not prime.
    """
    if isinstance(p, bool) or not isinstance(p, (int, fmpz)):
        raise FieldError(f"Qp({p!r}) does not exist: {p!r} is not a prime number")
    return PadicField(int(p))


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


def unproved(kind: type[F], p: int) -> F:
    """``PrimeField(p)`` or ``PadicField(p)`` for a p that passes for a prime, without its proof.

    It serves searches whose results are checked; what it says proves nothing.

    >>> unproved(PadicField, 7) == Qp(7)
    True
    """
    field = object.__new__(kind)
    object.__setattr__(field, "p", p)
    return field


def field_named(name: str) -> Field:
    """The field with the given name: ``QQ``, ``RR``, ``GF(p)`` or ``Qp(p)``.

    Raises:
        FieldError: no such field.

    >>> field_named("GF(101)") == GF(101), field_named("Qp(2)") == Qp(2)
    (True, True)
    """
    text = name.strip()
    if text in ("QQ", "RR"):
        return QQ if text == "QQ" else RR
    match = re.fullmatch(r"(GF|Qp)\((\d{1,1000})\)", text, re.ASCII)
    if match is None:
        raise FieldError(
            f"{name!r} is not a field; expected QQ, RR, GF(p) with p an odd prime, or Qp(p) with p a prime"
        )
    return GF(int(match[2])) if match[1] == "GF" else Qp(int(match[2]))
