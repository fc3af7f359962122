"""The strata of stored heads: which sets of pairs (Q, K) a numerical method has to be right on, built row by row.

Every builder returns the rows of K and of Q as Python floats that the dtype represents exactly: small integers times
powers of two. Ranks are therefore those of the construction, with nothing lost to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import ldexp
from typing import TypeAlias

import torch
from hypothesis import strategies as st

from verify.strategies.arithmetic import below
from verify.strategies.groups import orders

Rows: TypeAlias = list[list[float]]

_ENTRIES = st.sampled_from([0, 1, -1, 2, -2, 3, -3])
_SIGNS = st.sampled_from([1, -1])
#: Entries and sums of two of them stay below 2³.
_BITS = 3


@dataclass(frozen=True)
class Format:
    """A binary floating-point format.

    Attributes:
        dtype: the torch dtype.
        precision: bits of the significand.
        least: exponent of the smallest subnormal number.
        normal: exponent of the smallest normal number.
        most: exponent of the largest power of two.
    """

    dtype: torch.dtype
    precision: int
    least: int
    normal: int
    most: int


FORMATS = {
    torch.float64: Format(torch.float64, 53, -1074, -1022, 1023),
    torch.float32: Format(torch.float32, 24, -149, -126, 127),
    torch.bfloat16: Format(torch.bfloat16, 8, -133, -126, 127),
    torch.float16: Format(torch.float16, 11, -24, -14, 15),
}

Builder: TypeAlias = Callable[[st.DrawFn, int, int, Format], Rows]


@dataclass(frozen=True)
class Stratum:
    """A set of stored heads.

    Attributes:
        name: as on the command line.
        description: what its heads have in common.
        fits: whether there are heads of size (n, N) in it.
        build: draws the 2n rows of M, K first.
    """

    name: str
    description: str
    fits: Callable[[int, int], bool]
    build: Builder


STRATA: dict[str, Stratum] = {}


def _stratum(fits: Callable[[int, int], bool]) -> Callable[[Builder], Builder]:
    """Register a builder; its docstring describes the stratum."""

    def register(build: Builder) -> Builder:
        STRATA[build.__name__] = Stratum(build.__name__, str(build.__doc__).rstrip("."), fits, build)
        return build

    return register


def _room(n: int, N: int) -> bool:
    return 1 <= n and 2 * n <= N


def _independent(draw: st.DrawFn, rows: int, N: int, *, avoid: Collection[int] = ()) -> Rows:
    """Independent rows of small integers, zero in the columns to avoid."""
    columns = [j for j in range(N) if j not in avoid]
    pivots = [columns[i] for i in draw(orders(len(columns), length=rows))]
    result = []
    for i, pivot in enumerate(pivots):
        row = [float(draw(_ENTRIES)) if j not in pivots[: i + 1] and j not in avoid else 0.0 for j in range(N)]
        row[pivot] = float(draw(_SIGNS))
        result.append(row)
    return result


def _dependent(draw: st.DrawFn, rows: Rows, N: int) -> list[float]:
    """Zero, or plus or minus one or two of the rows."""
    total = [0.0] * N
    for _ in range(draw(st.integers(0, 2)) if rows else 0):
        sign, row = draw(_SIGNS), rows[draw(below(len(rows)))]
        total = [t + sign * x for t, x in zip(total, row, strict=True)]
    return total


def _of_corank(draw: st.DrawFn, n: int, N: int, corank: int) -> Rows:
    rows = _independent(draw, 2 * n - corank, N)
    rows += [_dependent(draw, rows[: 2 * n - corank], N) for _ in range(corank)]
    return [rows[i] for i in draw(orders(2 * n))]


def _scaled(rows: Rows, exponents: list[int]) -> Rows:
    return [[ldexp(x, e) for x in row] for row, e in zip(rows, exponents, strict=True)]


def _any_corank(draw: st.DrawFn, n: int, N: int) -> Rows:
    """The theorem's case, or corank 1 or 2."""
    least = max(0, 2 * n - N)
    return _of_corank(draw, n, N, draw(st.integers(least, min(2 * n, least + 2))))


def _uniformly(draw: st.DrawFn, n: int, N: int, low: int, high: int) -> Rows:
    rows = _any_corank(draw, n, N)
    e = low + draw(below(high - low + 1))
    return _scaled(rows, [e] * (2 * n))


def _nudged(draw: st.DrawFn, f: Format) -> tuple[bool, float]:
    """A step 2⁻ᵏ, and whether it is added to an entry (so that k is bounded by the precision) or stands alone."""
    added = draw(st.booleans())
    k = draw(st.integers(1, f.precision - 1 - _BITS if added else -f.least))
    return added, ldexp(1.0, -k)


@_stratum(_room)
def generic(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Independent rows with entries of full precision."""
    mantissas = st.integers(1 - 2**f.precision, 2**f.precision - 1)
    shift = 1 - f.precision
    pivots = draw(orders(N, length=2 * n))
    return [
        [0.0 if j in pivots[:i] else 1.0 if j == pivots[i] else ldexp(draw(mantissas), shift) for j in range(N)]
        for i in range(2 * n)
    ]


@_stratum(lambda n, N: n >= 1)
def integers(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Small integers, of whatever rank they happen to be."""
    return [[float(draw(_ENTRIES)) for _ in range(N)] for _ in range(2 * n)]


@_stratum(lambda n, N: n == 0)
def empty(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """No rows at all, n = 0."""
    return []


@_stratum(lambda n, N: n >= 1 and 2 * n == N)
def square(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """2n = N, M invertible or of corank 1 or 2."""
    return _any_corank(draw, n, N)


@_stratum(lambda n, N: 2 * n > N)
def big(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """2n > N, rank M as large as possible or a little less."""
    return _any_corank(draw, n, N)


@_stratum(_room)
def corank_1(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n − 1."""
    return _of_corank(draw, n, N, 1)


@_stratum(_room)
def corank_2(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n − 2."""
    return _of_corank(draw, n, N, 2)


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def corank_3_or_more(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M ≤ 2n − 3."""
    return _of_corank(draw, n, N, draw(st.integers(3, 2 * n)))


@_stratum(_room)
def tied(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """K = Q: S is positive semidefinite."""
    rows = _independent(draw, n, N)
    return [*rows, *rows]


@_stratum(_room)
def tied_by_a_gauge(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """K = AQ, A a signed permutation times powers of two."""
    Q = _independent(draw, n, N)
    scales = [draw(_SIGNS) * 2.0 ** draw(st.integers(-4, 4)) for _ in range(n)]
    return [*[[c * x for x in Q[i]] for c, i in zip(scales, draw(orders(n)), strict=True)], *Q]


@_stratum(_room)
def zero_side(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Q = 0 or K = 0."""
    rows, zeros = _independent(draw, n, N), [[0.0] * N for _ in range(n)]
    return [*rows, *zeros] if draw(st.booleans()) else [*zeros, *rows]


@_stratum(lambda n, N: n >= 1)
def zero(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Q = K = 0, with zeros of both signs."""
    return [[draw(st.sampled_from([0.0, -0.0])) for _ in range(N)] for _ in range(2 * n)]


@_stratum(_room)
def graded_rows(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rows multiplied by powers of two across the whole range of the format."""
    exponents = [draw(st.integers(f.least, f.most - _BITS)) for _ in range(2 * n)]
    return _scaled(_any_corank(draw, n, N), exponents)


@_stratum(_room)
def graded_columns(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Columns multiplied by powers of two across the whole range of the format."""
    exponents = [draw(st.integers(f.least, f.most - _BITS)) for _ in range(N)]
    return [[ldexp(x, e) for x, e in zip(row, exponents, strict=True)] for row in _any_corank(draw, n, N)]


def _filled(draw: st.DrawFn, rows: Rows, columns: Collection[int]) -> Rows:
    return [[float(draw(_ENTRIES)) if j in columns else x for j, x in enumerate(row)] for row in rows]


# In both of the following the steps go to columns without a pivot, so that they leave the span of the rows for good.
@_stratum(_room)
def near_degenerate(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n, a distance of at most 2⁻ᵏ from corank 1."""
    added, step = _nudged(draw, f)
    column = draw(below(N))
    rows = _independent(draw, 2 * n - 1, N, avoid=[column])
    if added:
        rows = _filled(draw, rows, [column])
    row = _dependent(draw, rows, N)
    row[column] += step
    rows.append(row)
    return [rows[i] for i in draw(orders(2 * n))]


@_stratum(_room)
def near_tied(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n, but K = Q up to steps 2⁻ᵏ: negative eigenvalues of order 4⁻ᵏ."""
    added, step = _nudged(draw, f)
    columns = draw(orders(N, length=n))
    Q = _independent(draw, n, N, avoid=columns)
    if added:
        Q = _filled(draw, Q, columns)
    K = [[x + step if j == c else x for j, x in enumerate(row)] for row, c in zip(Q, columns, strict=True)]
    return [*K, *Q]


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def cancelling(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """L small against ‖K‖‖Q‖: the products of the rows cancel."""
    K, Q = _independent(draw, n, N), _independent(draw, n, N)
    K[1], Q[1] = list(K[0]), [-x for x in Q[0]]
    for row in (K[1], Q[1]):
        step = ldexp(1.0, -draw(st.integers(1, f.precision - 1 - _BITS)))
        row[draw(below(N))] += step
    return [*[[0.0] * N if i > 1 and draw(st.booleans()) else row for i, row in enumerate(K)], *Q]


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def antisymmetric(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """S = 0 and L ≠ 0: its two terms are kᵀq and −qᵀk."""
    K, Q = _independent(draw, n, N), [[0.0] * N for _ in range(n)]
    Q[0], Q[1] = list(K[1]), [-x for x in K[0]]
    return [*K, *Q]


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def near_antisymmetric(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """S small against L, which is nearly antisymmetric."""
    K = _independent(draw, n, N)
    Q = [[0.0] * N for _ in range(n)]
    K[1], Q[0], Q[1] = _independent(draw, 1, N)[0], list(K[0]), list(K[0])
    Q[0], Q[1] = [-x for x in K[1]], list(K[0])
    Q[1][draw(below(N))] += ldexp(1.0, -draw(st.integers(1, f.precision - 1 - _BITS)))
    return [*K, *Q]


@_stratum(_room)
def huge(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Entries near the largest number of the format."""
    return _uniformly(draw, n, N, f.most - _BITS - 8, f.most - _BITS)


@_stratum(_room)
def tiny(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Entries near the smallest normal number of the format."""
    return _uniformly(draw, n, N, f.normal, f.normal + 8)


@_stratum(_room)
def subnormal(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Subnormal entries, which GPUs may flush to zero."""
    return _uniformly(draw, n, N, f.least, f.least + 3)


@_stratum(_room)
def unbalanced(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """K huge and Q tiny, or the other way round: their product is of ordinary size."""
    e = draw(st.integers(f.normal + _BITS, f.most - _BITS))
    return _scaled(_any_corank(draw, n, N), [e] * n + [-e] * n)


@_stratum(_room)
def dead(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """One side so small that the head hardly scores at all, as in pruned models."""
    exponents = [draw(st.integers(max(f.least, -80), max(f.least, -50) + 4))] * n + [0] * n
    return _scaled(_any_corank(draw, n, N), exponents if draw(st.booleans()) else exponents[::-1])
