"""The strata of stored heads: which sets of pairs (Q, K) a numerical method has to be right on, built row by row.

Every builder returns the rows of K and of Q as Python floats that the dtype represents exactly: small integers times
powers of two. Ranks are therefore those of the construction, with nothing lost to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ldexp
from typing import TypeAlias

from hypothesis import strategies as st

from verify.strategies.arithmetic import below
from verify.strategies.formats import Format
from verify.strategies.groups import orders
from verify.strategies.rows import (
    BITS,
    ENTRIES,
    SIGNS,
    Rows,
    any_corank,
    dependent,
    filled,
    graded,
    independent,
    nudged,
    of_corank,
    on_both_sides,
    scaled,
    uniformly,
)

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


@_stratum(_room)
def generic(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Independent rows of numbers between −2 and 2 with all bits of the format."""
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
    return [[float(draw(ENTRIES)) for _ in range(N)] for _ in range(2 * n)]


@_stratum(lambda n, N: n == 0)
def empty(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """No rows at all, n = 0."""
    return []


@_stratum(lambda n, N: n >= 1 and 2 * n == N)
def square(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """2n = N, M invertible or of corank 1 or 2."""
    return any_corank(draw, n, N)


@_stratum(lambda n, N: 2 * n > N)
def big(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """2n > N, rank M as large as possible or a little less."""
    return any_corank(draw, n, N)


@_stratum(_room)
def corank_1(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n − 1."""
    return of_corank(draw, n, N, 1)


@_stratum(_room)
def corank_2(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n − 2."""
    return of_corank(draw, n, N, 2)


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def corank_3_or_more(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M ≤ 2n − 3."""
    return of_corank(draw, n, N, draw(st.integers(3, 2 * n)))


@_stratum(_room)
def tied(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """K = Q: S is positive semidefinite."""
    rows = independent(draw, n, N)
    return [*rows, *rows]


@_stratum(_room)
def tied_by_a_gauge(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """K = AQ, A a signed permutation times powers of two."""
    Q = independent(draw, n, N)
    scales = [draw(SIGNS) * 2.0 ** draw(st.integers(-4, 4)) for _ in range(n)]
    return [*[[c * x for x in Q[i]] for c, i in zip(scales, draw(orders(n)), strict=True)], *Q]


@_stratum(_room)
def zero_side(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Q = 0 or K = 0."""
    rows, zeros = independent(draw, n, N), [[0.0] * N for _ in range(n)]
    return [*rows, *zeros] if draw(st.booleans()) else [*zeros, *rows]


@_stratum(lambda n, N: n >= 1)
def zero(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Q = K = 0, the zeros of either sign."""
    return [[draw(st.sampled_from([0.0, -0.0])) for _ in range(N)] for _ in range(2 * n)]


@_stratum(_room)
def graded_rows(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rows multiplied by powers of two, one of the lowest and one of the highest quarter of the range."""
    rows = on_both_sides(draw, n, N)
    return scaled(rows, graded(draw, 2 * n, [i for i, row in enumerate(rows) if any(row)], f))


@_stratum(_room)
def graded_columns(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Columns multiplied by powers of two, one of the lowest and one of the highest quarter of the range."""
    rows = on_both_sides(draw, n, N)
    exponents = graded(draw, N, [j for j in range(N) if any(row[j] for row in rows)], f)
    return [[ldexp(x, e) for x, e in zip(row, exponents, strict=True)] for row in rows]


# In both of the following the steps go to columns without a pivot, so that they leave the span of the rows for good.
@_stratum(_room)
def near_degenerate(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n, and corank 1 but for one step 2⁻ᵏ."""
    added, step = nudged(draw, f)
    column = draw(below(N))
    rows = independent(draw, 2 * n - 1, N, avoid=[column])
    if added:
        rows = filled(draw, rows, [column])
    row = dependent(draw, rows, N)
    row[column] += step
    rows.append(row)
    return [rows[i] for i in draw(orders(2 * n))]


@_stratum(_room)
def near_tied(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Rank M = 2n, but K = Q up to a step 2⁻ᵏ a row: negative eigenvalues of order 4⁻ᵏ."""
    added, step = nudged(draw, f)
    columns = draw(orders(N, length=n))
    Q = independent(draw, n, N, avoid=columns)
    if added:
        Q = filled(draw, Q, columns)
    K = [[x + step if j == c else x for j, x in enumerate(row)] for row, c in zip(Q, columns, strict=True)]
    return [*K, *Q]


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def cancelling(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """‖L‖ below ¼ ‖K‖‖Q‖ and L ≠ 0: the products of two rows cancel, and there are no others."""
    K, Q = independent(draw, n, N), independent(draw, n, N)
    K[1], Q[1] = list(K[0]), [-x for x in Q[0]]
    # Then L = δ kᵀeⱼ − ε eᵢᵀq + εδ eᵢᵀeⱼ, and with steps ε, δ ≤ ⅛ it is below ¼ · 2‖k‖‖q‖, k and q being integers.
    for row in (K[1], Q[1]):
        row[draw(below(N))] += ldexp(1.0, -draw(st.integers(3, f.precision - 1 - BITS)))
    for i in range(2, n):
        draw(st.sampled_from([K, Q]))[i] = [0.0] * N
    return [*K, *Q]


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def antisymmetric(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """S = 0 and L ≠ 0: its two terms are kᵀq and −qᵀk."""
    K, Q = independent(draw, n, N), [[0.0] * N for _ in range(n)]
    Q[0], Q[1] = list(K[1]), [-x for x in K[0]]
    return [*K, *Q]


@_stratum(lambda n, N: n >= 2 and 2 * n <= N)
def near_antisymmetric(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """‖S‖ below ¼ ‖T‖ and S ≠ 0: L is nearly antisymmetric."""
    K, Q = independent(draw, n, N), [[0.0] * N for _ in range(n)]
    Q[0], Q[1] = [-x for x in K[1]], list(K[0])
    # The second row is 0 where the first has its pivot ±1: before the step ‖T‖ ≥ √2 ‖K[1]‖, and S is at most ¼ ‖K[1]‖.
    Q[1][draw(below(N))] += ldexp(1.0, -draw(st.integers(2, f.precision - 1 - BITS)))
    return [*K, *Q]


@_stratum(_room)
def huge(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Entries near the largest number of the format."""
    return uniformly(draw, n, N, f.most - BITS - 8, f.most - BITS)


@_stratum(_room)
def tiny(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Entries near the smallest normal number of the format."""
    return uniformly(draw, n, N, f.normal, f.normal + 8)


@_stratum(_room)
def subnormal(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Subnormal entries only, which GPUs may flush to zero."""
    return uniformly(draw, n, N, f.least, f.least + 3)


@_stratum(_room)
def unbalanced(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """Of K and Q one huge and one tiny, by at least 2¹⁰: their product is of ordinary size."""
    most = min(-f.normal, f.most) - BITS
    e = draw(SIGNS) * draw(st.integers(most // 2 + 2, most))
    return scaled(on_both_sides(draw, n, N), [e] * n + [-e] * n)


@_stratum(_room)
def dead(draw: st.DrawFn, n: int, N: int, f: Format) -> Rows:
    """One side below 2⁻¹⁷ and not zero, the other of ordinary size: it hardly scores, as in pruned models."""
    exponents = [draw(st.integers(max(f.least, -80), max(f.least, -50) + 4))] * n + [0] * n
    return scaled(on_both_sides(draw, n, N), exponents if draw(st.booleans()) else exponents[::-1])
