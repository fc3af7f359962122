"""The spectrum of an exact symmetric matrix: eigenvalues as rigorous enclosures, their coincidences exactly.

An eigenvalue of a rational matrix is an algebraic number. Its value is given as an enclosure (a FLINT ball that
certainly contains it); whether two eigenvalues are equal or opposite is decided exactly, from the factorisation of
the characteristic polynomial over ℚ: distinct irreducible factors share no root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq, fmpz, fmpz_poly

from proofs.errors import HypothesisError, InconsistencyError, ShapeError
from proofs.matrices import Matrix, integral

#: Working precision of the enclosures, in bits.
PRECISION = 256

#: A rigorous enclosure of a real number.
Ball: TypeAlias = arb


def precise() -> AbstractContextManager[Any]:
    """The context in which sums and products of enclosures keep :data:`PRECISION` bits (else FLINT takes 53)."""
    context: AbstractContextManager[Any] = ctx.workprec(PRECISION)
    return context


@dataclass(frozen=True)
class Level:
    """One absolute value of eigenvalues: ``value`` and ``−value`` with their multiplicities."""

    value: Ball
    positive: int
    negative: int


@dataclass(frozen=True)
class Spectrum:
    """The spectrum of a symmetric rational matrix; made by :func:`spectrum`.

    Args:
        levels: the distinct nonzero absolute values, decreasing, their enclosures disjoint.
        zero: multiplicity of the eigenvalue 0.
        precision: bits that separate the levels; to be used for arithmetic with them.
    """

    levels: tuple[Level, ...]
    zero: int
    precision: int = PRECISION

    def lobes(self) -> tuple[list[int], list[int]]:
        """``α`` and ``β`` as places in ``levels``, each decreasing, padded to equal length.

        The place ``len(levels)`` stands for 0. Places compare exactly: a smaller place is a larger number.
        """
        alpha = [i for i, level in enumerate(self.levels) for _ in range(level.positive)]
        beta = [i for i, level in enumerate(self.levels) for _ in range(level.negative)]
        length, zero = max(len(alpha), len(beta)), len(self.levels)
        return alpha + [zero] * (length - len(alpha)), beta + [zero] * (length - len(beta))

    def value(self, place: int) -> Ball:
        """The number at a place of :meth:`lobes`."""
        return self.levels[place].value if place < len(self.levels) else arb(0)

    def alpha(self) -> list[Ball]:
        """The positive eigenvalues, decreasing, padded by zeros to the length of :meth:`beta`."""
        return [self.value(i) for i in self.lobes()[0]]

    def beta(self) -> list[Ball]:
        """The absolute values of the negative eigenvalues, decreasing, padded by zeros."""
        return [self.value(i) for i in self.lobes()[1]]

    def eigenvalues(self) -> list[Ball]:
        """All eigenvalues with multiplicity, in no particular order."""
        with ctx.workprec(self.precision):
            signed = [(x.value, -x.value, x.positive, x.negative) for x in self.levels]
        return [x for u, v, p, q in signed for x in [u] * p + [v] * q] + [arb(0)] * self.zero


def spectrum(matrix: Matrix) -> Spectrum:
    """The spectrum of a symmetric matrix over ℚ.

    Raises:
        ShapeError: the matrix is not symmetric.
        InconsistencyError: a root of the characteristic polynomial is not real, which a symmetric matrix rules out.

    >>> from proofs.fields import QQ
    >>> s = spectrum(QQ.matrix([[0, 1, 0], [1, 0, 0], [0, 0, "1/2"]]))
    >>> [(level.value, level.positive, level.negative) for level in s.levels], s.zero
    ([(1.00000000000000, 1, 1), (0.500000000000000, 1, 0)], 0)
    """
    if matrix.nrows() != matrix.ncols() or matrix != matrix.transpose():
        raise ShapeError(f"the {matrix.nrows()} × {matrix.ncols()} matrix is not symmetric; expected a symmetric one")
    integers, denominator = integral(matrix)
    zero = 0
    positive: Counter[tuple[int, ...]] = Counter()
    negative: Counter[tuple[int, ...]] = Counter()
    for factor, multiplicity in integers.charpoly().factor()[1]:
        if factor == fmpz_poly([0, 1]):
            zero = multiplicity
            continue
        positive[_key(factor)] += multiplicity
        negative[_key(_mirrored(factor))] += multiplicity
    factors = {key: (positive[key], negative[key]) for key in {**positive, **negative}}
    precision = PRECISION
    while True:
        with ctx.workprec(precision):
            levels = _levels(factors, denominator)
            if all(larger.value > smaller.value for larger, smaller in pairwise(levels)):
                break
        precision *= 2
    result = Spectrum(tuple(levels), zero, precision)
    if len(result.eigenvalues()) != matrix.nrows():
        raise InconsistencyError(f"{len(result.eigenvalues())} real eigenvalues; expected {matrix.nrows()}")
    return result


def _levels(factors: dict[tuple[int, ...], tuple[int, int]], denominator: fmpz) -> list[Level]:
    """The positive roots of the irreducible factors, in decreasing order of their enclosures' midpoints."""
    levels = []
    for key, (positive, negative) in factors.items():
        roots: list[Any] = fmpz_poly(list(key)).complex_roots()
        for root, _ in roots:
            if root.imag == 0 and root.real > 0:
                levels.append(Level(root.real / denominator, positive, negative))
    return sorted(levels, key=lambda level: _midpoint(level.value), reverse=True)


def _key(factor: fmpz_poly) -> tuple[int, ...]:
    return tuple(int(c) for c in factor.coeffs())


def _mirrored(factor: fmpz_poly) -> fmpz_poly:
    """``±f(−x)``, with a positive leading coefficient."""
    coefficients = [-c if i % 2 else c for i, c in enumerate(factor.coeffs())]
    return fmpz_poly(coefficients if coefficients[-1] > 0 else [-c for c in coefficients])


def _midpoint(ball: Ball) -> Fraction:
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@dataclass(frozen=True)
class Profile:
    """The profile ``π(L) = (a, b, c, d)`` (paper, Definition 6): a exactly, b, c, d as enclosures.

    A component that vanishes is enclosed by the exact 0, and no other contains 0: ``x == 0`` decides.
    """

    a: fmpq
    b: Ball
    c: Ball
    d: Ball

    def components(self) -> tuple[Ball, Ball, Ball, Ball]:
        """All four as enclosures."""
        with precise():
            return arb(self.a), self.b, self.c, self.d


def norm_squared(matrix: Matrix) -> fmpq:
    """The square of the Frobenius norm.

    >>> from proofs.fields import QQ
    >>> norm_squared(QQ.matrix([[1, "1/2"], [0, 2]]))
    21/4
    """
    return sum((x * x for x in matrix.entries()), fmpq(0))


def symmetric_part(L: Matrix) -> Matrix:
    """``(L + Lᵀ)/2``."""
    result: Matrix = (L + L.transpose()) * fmpq(1, 2)
    return result


def antisymmetric_part(L: Matrix) -> Matrix:
    """``(L − Lᵀ)/2``."""
    result: Matrix = (L - L.transpose()) * fmpq(1, 2)
    return result


def profile(L: Matrix) -> Profile:
    """The profile of a bilinear form over ℚ.

    Raises:
        HypothesisError: L = 0, which has no profile.

    >>> from proofs.fields import QQ
    >>> profile(QQ.matrix([[3, 1], [-1, -1]])).components()
    ([0.1666... +/- ...], 0.500000000000000, [0.3333... +/- ...], 0)
    """
    total = norm_squared(L)
    if total == 0:
        raise HypothesisError("L = 0 has no profile; its components are quotients by ‖L‖²")
    with precise():
        both, above, below = lobe_sums(spectrum(symmetric_part(L)))
        unit = arb(total)
        return Profile(norm_squared(antisymmetric_part(L)) / total, 2 * both / unit, above / unit, below / unit)


def lobe_sums(of: Spectrum) -> tuple[Ball, Ball, Ball]:
    """``⟨α, β⟩``, ``‖(α−β)₊‖²`` and ``‖(α−β)₋‖²``; one that vanishes is the exact 0."""
    product, above, below = arb(0), arb(0), arb(0)
    with ctx.workprec(of.precision):
        for i, j in zip(*of.lobes(), strict=True):
            product += of.value(i) * of.value(j)
            difference = of.value(i) - of.value(j)
            square = difference * difference
            if i < j:
                above += square
            elif i > j:
                below += square
    return product, above, below


def agree(x: Ball | fmpq, y: Ball | fmpq) -> bool:
    """Whether two enclosures have a common point and are narrow enough to make that mean something.

    False is a proof that the two numbers differ. True says that they agree to 2⁻¹²⁸ of their size.
    """
    with precise():
        difference = arb(x) - arb(y)
        size = 1 + abs(arb(x))
        return bool(difference.contains(0) and difference.rad() < size * arb(2) ** -128)


def agree_all(x: Sequence[Ball], y: Sequence[Ball]) -> bool:
    """Whether two sequences :func:`agree` entry by entry."""
    return len(x) == len(y) and all(agree(a, b) for a, b in zip(x, y, strict=True))
