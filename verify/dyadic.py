"""Floating-point numbers as what they are: integers times powers of two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpz, fmpz_mat

Floats = npt.NDArray[np.float64]


def mantissas(M: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Integers m (odd or zero) and exponents e with ``M = m · 2^e`` exactly.

    Args:
        M: float64, finite, any shape.

    >>> m, e = mantissas(np.array([0.75, -2.0, 0.0]))
    >>> m.tolist(), e.tolist()
    ([3, -1, 0], [-2, 1, 0])
    """
    fraction, exponent = np.frexp(M)
    m = (fraction * 2.0**53).astype(np.int64)
    e = exponent.astype(np.int64) - 53
    low = np.where(m == 0, 1, m & -m)
    twos = np.frexp(low.astype(np.float64))[1].astype(np.int64) - 1  # low is a power of two: exact
    return m >> twos, np.where(m == 0, 0, e + twos)


def to_integers(M: Floats) -> tuple[list[list[int]], int]:
    """An integer matrix and an exponent with ``M = integers · 2^exponent`` exactly.

    Args:
        M: ``(rows, N)`` float64, finite.

    >>> to_integers(np.array([[0.5, 3.0], [0.0, -0.25]]))
    ([[2, 12], [0, -1]], -2)
    """
    m, e = mantissas(M)
    nonzero = m != 0
    lowest = int(e[nonzero].min()) if nonzero.any() else 0
    shifts = np.where(nonzero, e - lowest, 0)
    bits = int(np.where(nonzero, np.frexp(np.abs(m).astype(np.float64))[1] + shifts, 0).max(initial=0))
    if bits <= 62:
        integers: list[list[int]] = (m << shifts).tolist()
        return integers, lowest
    rows = zip(m.tolist(), shifts.tolist(), strict=True)
    return [[x << k for x, k in zip(ms, ks, strict=True)] for ms, ks in rows], lowest


@dataclass(frozen=True)
class ExactRows:
    """The exact stacked matrix of one head, ``[K; Q] = integers · 2^exponent / denominator``.

    Attributes:
        integers: ``(2n, N)``, K's rows on top.
        exponent: any integer.
        denominator: a positive integer; 1 for stored numbers, not so for folded ones.
    """

    integers: fmpz_mat
    exponent: int = 0
    denominator: int = 1

    @classmethod
    def of(cls, M: Floats) -> ExactRows:
        """The stored numbers themselves.

        Args:
            M: ``(2n, N)`` float64, finite.

        >>> ExactRows.of(np.array([[0.5, 3.0], [0.0, -0.25]]))
        ExactRows(integers=[2, 12]
        [0, -1], exponent=-2, denominator=1)
        """
        integers, exponent = to_integers(M)
        return cls(fmpz_mat(M.shape[0], M.shape[1], [x for row in integers for x in row]), exponent)


def to_decimal(x: int) -> str:
    """An integer in decimal digits, any number of them (Python's own ``str`` stops at 4300).

    >>> to_decimal(-(10**5000))[:4], from_decimal(to_decimal(-(10**5000))) == -(10**5000)
    ('-100', True)
    """
    return str(fmpz(x))


def from_decimal(digits: str) -> int:
    """The integer that :func:`to_decimal` wrote."""
    return int(fmpz(digits))
