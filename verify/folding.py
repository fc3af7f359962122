"""Folding what stands around a projection into it, without losing exactness.

A projection reads ``y = g ∘ (x − mean(x)·1) + β`` (a LayerNorm's gain, mean removal and bias) and gives ``W y + b``,
where ``W`` may itself be a product of two stored factors. On the homogeneous vector ``(x, 1)`` this is the matrix

    [ W diag(g) (I − 11ᵀ/N) | W β + b ].

Its entries are sums of products of stored numbers, so float64 holds them only rounded. A verdict must not rest on the
rounded product: with N = 2n, mean removal makes a head degenerate, and rounding hides it. Hence every folded batch
whose entries are not exact in float64 carries a rigorous bound of the rounding and, for each head, the exact matrix.
The error bounds are those of N. J. Higham, *Accuracy and Stability of Numerical Algorithms* (2002), section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import torch
from flint import fmpz_mat

from verify.dyadic import ExactRows, to_integers
from verify.rounding import gamma, scale_up, sum_up, up

#: Precision in bits of each stored format.
PRECISION = {torch.float64: 53, torch.float32: 24, torch.bfloat16: 8, torch.float16: 11}
SMALLEST_NORMAL = 2.0**-1022


class Fold(StrEnum):
    """What can be folded into queries and keys."""

    GAIN = "gain"
    CENTER = "center"
    BIAS = "bias"


@dataclass(frozen=True)
class Surroundings:
    """What stands between the stream and the projections, as far as it is to be folded.

    Args:
        gain: ``(N,)``, the factor on each coordinate, or None.
        shift: ``(N,)``, added after the gain, or None; it enters the last column, so it needs ``homogeneous``.
        center: whether the mean is removed before the gain.
        homogeneous: whether a last column holds what does not depend on the stream.
    """

    gain: torch.Tensor | None = None
    shift: torch.Tensor | None = None
    center: bool = False
    homogeneous: bool = False


@dataclass(frozen=True)
class Projection:
    """The stored numbers of one side of every head: ``x ↦ left · diag(inner) · right · x + bias``.

    Args:
        left: ``(heads, n, m)``, any floating dtype.
        inner: ``(m,)``, the gain between two factors, or None.
        right: ``(m, N)``, the second factor, shared by all heads, or None where ``left`` is the whole map and m = N.
        bias: ``(heads, n)``, or None.
    """

    left: torch.Tensor
    inner: torch.Tensor | None = None
    right: torch.Tensor | None = None
    bias: torch.Tensor | None = None


@dataclass(frozen=True)
class Folded:
    """One side of every head in float64, ``(heads, n, N or N + 1)``, with what is known of its rounding.

    ``error`` bounds for every row the Euclidean distance from the exact row, ``(heads, n)``; None where the floats are
    exact. ``exact`` gives integers and a rational factor for one head.
    """

    rows: torch.Tensor
    error: torch.Tensor | None
    exact: Callable[[int], tuple[fmpz_mat, int, int]]


def fold(projection: Projection, around: Surroundings) -> Folded:
    """Fold the surroundings into a projection.

    >>> side = Projection(torch.tensor([[[1.0, 2.0]]]), bias=torch.tensor([[3.0]]))
    >>> folded = fold(side, Surroundings(gain=torch.tensor([4.0, 5.0]), homogeneous=True))
    >>> folded.rows, folded.error
    (tensor([[[ 4., 10.,  3.]]], dtype=torch.float64), None)
    >>> fold(Projection(torch.tensor([[[1.0, 2.0, 6.0]]])), Surroundings(center=True)).rows
    tensor([[[-2., -1.,  3.]]], dtype=torch.float64)
    """
    rows, error = _product(projection)
    column = None
    if around.homogeneous:
        column = _column(projection, rows, error, around.shift)
    if around.gain is not None:
        exact = error is None and _exact_product(projection.left, around.gain)
        rows, error = _times(rows, error, around.gain.double(), exact=exact)
    if around.center:
        rows, error = _centred(rows, error)
    if column is not None:
        rows = torch.cat([rows, column[0][..., None]], dim=-1)
        if error is not None or column[1] is not None:
            zero = torch.zeros_like(rows[..., :-1])
            tail = torch.zeros_like(column[0]) if column[1] is None else column[1]
            error = torch.cat([zero if error is None else error, tail[..., None]], dim=-1)
    bound = None if error is None else up(torch.sqrt(up(sum_up(error.square())) + rows.shape[-1] * SMALLEST_NORMAL))
    return Folded(rows, bound, lambda head: _exact(projection, around, head))


def relative_rounding(key: Folded, query: Folded) -> torch.Tensor | None:
    """For each head the largest ratio of a row's error to its length, or None where all rows are exact.

    A row of zeros with an error gives infinity.
    """
    if key.error is None and query.error is None:
        return None
    worst = [
        torch.where(side.error == 0, 0.0, up(side.error / torch.linalg.vector_norm(side.rows, dim=-1) * (1 + 2**-40)))
        for side in (key, query)
        if side.error is not None
    ]
    return torch.cat(worst, dim=-1).amax(-1)


def exact_rows(key: Folded, query: Folded, head: int) -> ExactRows:
    """The exact ``[K; Q]`` of one head."""
    (k, k_exponent, k_denominator), (q, q_exponent, q_denominator) = key.exact(head), query.exact(head)
    lowest, denominator = min(k_exponent, q_exponent), k_denominator * q_denominator
    tables = [
        matrix * (2 ** (exponent - lowest) * (denominator // own))
        for matrix, exponent, own in ((k, k_exponent, k_denominator), (q, q_exponent, q_denominator))
    ]
    entries = [*tables[0].entries(), *tables[1].entries()]
    return ExactRows(fmpz_mat(k.nrows() + q.nrows(), k.ncols(), entries), lowest, denominator)


Values = tuple[torch.Tensor, torch.Tensor | None]


def _product(projection: Projection) -> Values:
    """``left · diag(inner) · right`` and a bound for each entry's error."""
    left = projection.left.double()
    error: torch.Tensor | None = None
    if projection.inner is not None:
        exact = _exact_product(projection.left, projection.inner)
        left, error = _times(left, None, projection.inner.double(), exact=exact)
    if projection.right is None:
        return left, error
    right = projection.right.double()
    size = left.abs() @ right.abs()
    bound = scale_up(size, (1 + 2 * gamma(left.shape[-1] + 2)) * gamma(left.shape[-1] + 2))
    tiny = SMALLEST_NORMAL * (right.abs().sum(0) + left.shape[-1])  # entries of either product that underflow
    return left @ right, up(bound + tiny)


def _times(values: torch.Tensor, error: torch.Tensor | None, factor: torch.Tensor, *, exact: bool) -> Values:
    """Each column times a factor."""
    product = values * factor
    if exact and _in_range(product, values, factor):
        return product, error
    rounding = scale_up(product.abs(), 2.0**-52) + SMALLEST_NORMAL
    carried = torch.zeros_like(product) if error is None else scale_up(error * factor.abs(), 1 + 2.0**-50)
    return product, up(rounding + carried)


def _column(
    projection: Projection, rows: torch.Tensor, error: torch.Tensor | None, shift: torch.Tensor | None
) -> Values:
    """``W β + b`` of every head, ``(heads, n)``."""
    bias = torch.zeros(rows.shape[:-1], dtype=torch.float64, device=rows.device)
    if projection.bias is not None:
        bias = projection.bias.double()
    if shift is None:
        return bias, None
    offset = shift.double()
    size = rows.abs() @ offset.abs() + bias.abs()
    bound = scale_up(size, (1 + 2 * gamma(rows.shape[-1] + 2)) * gamma(rows.shape[-1] + 2))
    if error is not None:
        bound = bound + scale_up(error @ offset.abs(), 1 + 2 * gamma(rows.shape[-1] + 2))
    return rows @ offset + bias, up(bound + rows.shape[-1] * SMALLEST_NORMAL)


def _centred(rows: torch.Tensor, error: torch.Tensor | None) -> Values:
    """Every row minus its mean."""
    N = rows.shape[-1]
    mean = rows.mean(-1, keepdim=True)
    size = rows.abs() + scale_up(rows.abs().mean(-1, keepdim=True), 1 + 2 * gamma(N + 2))
    bound = scale_up(size, (1 + 2 * gamma(N + 2)) * gamma(N + 3)) + SMALLEST_NORMAL
    if error is not None:
        bound = bound + scale_up(error + error.mean(-1, keepdim=True), 1 + 2 * gamma(N + 2))
    return rows - mean, up(bound)


def _exact_product(*factors: torch.Tensor) -> bool:
    """Whether float64 has room for all digits of a product of numbers of these formats."""
    return sum(PRECISION.get(factor.dtype, 53) for factor in factors) <= PRECISION[torch.float64]


def _in_range(product: torch.Tensor, left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether no entry of a product over- or underflowed."""
    zero = (left == 0) | (right == 0)
    return bool((torch.isfinite(product) & (zero | (product.abs() >= SMALLEST_NORMAL))).all())


def _exact(projection: Projection, around: Surroundings, head: int) -> tuple[fmpz_mat, int, int]:
    """Integers, a power of two and a denominator whose quotient is the folded matrix of one head."""
    matrix, exponent = _integers(projection.left[head])
    if projection.inner is not None:
        inner, e = _integers(projection.inner[None])
        matrix, exponent = _scaled_columns(matrix, inner), exponent + e
    if projection.right is not None:
        right, e = _integers(projection.right)
        matrix, exponent = matrix * right, exponent + e
    n, N = matrix.nrows(), matrix.ncols()
    column, column_exponent = fmpz_mat(n, 1), 0
    if around.homogeneous and around.shift is not None:
        shift, e = _integers(around.shift[:, None])
        column, column_exponent = matrix * shift, exponent + e
    if around.homogeneous and projection.bias is not None:
        bias, e = _integers(projection.bias[head][:, None])
        lowest = min(e, column_exponent)
        column = column * 2 ** (column_exponent - lowest) + bias * 2 ** (e - lowest)
        column_exponent = lowest
    if around.gain is not None:
        gain, e = _integers(around.gain[None])
        matrix, exponent = _scaled_columns(matrix, gain), exponent + e
    denominator = 1
    if around.center:
        sums = matrix * fmpz_mat(N, 1, [1] * N)
        matrix = matrix * N - sums * fmpz_mat(1, N, [1] * N)
        column, denominator = column * N, N
    if around.homogeneous:
        lowest = min(exponent, column_exponent)
        matrix, column = matrix * 2 ** (exponent - lowest), column * 2 ** (column_exponent - lowest)
        rows = [[*row, last[0]] for row, last in zip(matrix.tolist(), column.tolist(), strict=True)]
        return fmpz_mat(n, N + 1, [x for row in rows for x in row]), lowest, denominator
    return matrix, exponent, denominator


def _integers(values: torch.Tensor) -> tuple[fmpz_mat, int]:
    table = np.asarray(values.double().cpu().numpy())
    integers, exponent = to_integers(table)
    return fmpz_mat(table.shape[0], table.shape[1], [x for row in integers for x in row]), exponent


def _scaled_columns(matrix: fmpz_mat, factors: fmpz_mat) -> fmpz_mat:
    scale = factors.entries()
    rows = [[x * s for x, s in zip(row, scale, strict=True)] for row in matrix.tolist()]
    return fmpz_mat(matrix.nrows(), matrix.ncols(), [x for row in rows for x in row])
