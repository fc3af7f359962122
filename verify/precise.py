"""The compressed form and the margin of a head in as many digits as it takes, for the few heads float64 cannot serve.

Float64 is not enough where L is much smaller than ``‖K‖‖Q‖`` (cancellation), where M is nearly degenerate, or where
the entries of one head span hundreds of binary orders. Then the exact Gram matrix of the stored numbers is formed
over the integers, and all that needs a square root is done in FLINT's ball arithmetic with growing precision, until
every entry of the result is known to float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
from flint import arb, arb_mat, ctx, fmpq_mat, fmpz_mat

from proofs.errors import InconsistencyError
from proofs.lemmas import factor
from verify.certificates import exact_head
from verify.dyadic import ExactRows, Floats
from verify.rounding import times_power_of_two

#: Radius, relative to the largest entry, at which a result is good enough to be rounded to float64.
_TARGET_BITS = 60
_MOST_BITS = 1 << 16


@dataclass(frozen=True)
class CompressedForm:
    """The compressed form of one head as float64 times a power of two.

    Attributes:
        form: ``(r, r)`` float64, largest entry in [½, 1), r = rank M: the bilinear form in an orthonormal basis of
            the row space of M, each entry within 2⁻⁵² of the largest.
        exponent: the form is ``2^exponent · form``.
    """

    form: Floats
    exponent: int


def precise_form(rows: ExactRows) -> CompressedForm:
    """The compressed form of one head, from its exact numbers.

    With ``M = CB`` (B of full row rank r, theory of the factor lemma) and ``BBᵀ = ΛΛᵀ``, the rows of ``Λ⁻¹B`` are
    orthonormal and the compressed form is ``(CΛ)_Kᵀ (CΛ)_Q``.

    Args:
        rows: the exact ``[K; Q]``.

    >>> tiny = 2.0**-300
    >>> precise_form(ExactRows.of(np.array([[tiny, tiny], [1.0, 0.0]])))
    CompressedForm(form=array([[0.5, 0. ],
           [0.5, 0. ]]), exponent=-299)
    """
    n = rows.integers.nrows() // 2
    C, B = factor(exact_head(rows))
    r = B.nrows()
    if r == 0:
        return CompressedForm(np.zeros((0, 0)), 0)
    gram = cast(fmpq_mat, B * B.transpose())

    def attempt() -> list[list[arb]] | None:
        root = _cholesky(gram)
        if root is None:
            return None
        table = (arb_mat(cast(fmpq_mat, C)) * arb_mat(root)).tolist()
        return (arb_mat(table[:n]).transpose() * arb_mat(table[n:])).tolist()

    form, shift = _rounded(attempt)
    return CompressedForm(form / rows.denominator**2, shift + 2 * rows.exponent)


def precise_margin(rows: ExactRows) -> tuple[float | None, float | None]:
    """``σ_min(M)`` and ``σ_min/σ_max`` of a nondegenerate head, from its exact numbers.

    ``σ_min² = 1/‖G⁻¹‖₂``: the inverse is computed in ball arithmetic, and the largest eigenvalue of a float64 matrix
    has full relative accuracy, which the smallest has not.

    Args:
        rows: the exact ``[K; Q]``, of rank 2n.

    Returns:
        The margin and the relative margin, each None if it is outside the float64 range.
    """
    G = rows.integers * rows.integers.transpose()
    largest, up = _rounded(lambda: arb_mat(G).tolist())
    inverse, down = _rounded(lambda: _inverse(G))
    top, low = float(np.linalg.eigvalsh(largest)[-1]), float(np.linalg.eigvalsh(inverse)[-1])
    return _root(1 / low / rows.denominator**2, 2 * rows.exponent - down), _root(1 / (low * top), -down - up)


def _root(x: float, exponent: int) -> float | None:
    """``√(x · 2^exponent)`` without overflow on the way."""
    half = exponent // 2
    return times_power_of_two(math.sqrt(math.ldexp(x, exponent - 2 * half)), half)


def _inverse(G: fmpz_mat) -> list[list[arb]] | None:
    try:
        return arb_mat(G).inv().tolist()
    except ZeroDivisionError:
        return None


def _cholesky(gram: fmpq_mat) -> list[list[arb]] | None:
    """Lower triangular balls Λ with ``ΛΛᵀ = gram``; None if the precision does not separate a pivot from zero."""
    r = gram.nrows()
    source = arb_mat(gram).tolist()
    rows: list[list[arb]] = []
    for i in range(r):
        row: list[arb] = []
        for j in range(i):
            total = source[i][j] - sum((x * y for x, y in zip(row, rows[j], strict=False)), arb(0))
            row.append(total / rows[j][j])
        pivot = source[i][i] - sum((x * x for x in row), arb(0))
        if not pivot > 0:
            return None
        row.append(pivot.sqrt())
        rows.append(row)
    return [row + [arb(0)] * (r - len(row)) for row in rows]


def _rounded(attempt: Callable[[], list[list[arb]] | None]) -> tuple[npt.NDArray[np.float64], int]:
    """Raise the working precision until ``attempt()`` is known to float64, then round it with a common exponent."""
    saved = ctx.prec
    try:
        bits = 128
        while bits <= _MOST_BITS:
            ctx.prec = bits
            table = attempt()
            if table is not None and (result := _to_floats(table)) is not None:
                return result
            bits *= 2
    finally:
        ctx.prec = saved
    raise InconsistencyError(f"{_MOST_BITS} bits do not determine the compressed form of a head of exactly known rank")


def _to_floats(table: list[list[arb]]) -> tuple[npt.NDArray[np.float64], int] | None:
    largest = max((abs(x) for row in table for x in row), key=lambda x: x.mid())
    if largest.mid() == 0:
        exact = all(x.rad() == 0 for row in table for x in row)
        return (np.zeros((len(table), len(table[0]))), 0) if exact else None
    mantissa, exponent = largest.mid().man_exp()
    shift = int(exponent) + int(mantissa).bit_length()
    scale = arb(2) ** -shift
    scaled = [[x * scale for x in row] for row in table]
    if any(x.rad() > arb(2) ** -_TARGET_BITS for row in scaled for x in row):
        return None
    return np.array([[float(x.mid()) for x in row] for row in scaled]), shift
