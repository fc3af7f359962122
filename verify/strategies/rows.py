"""Rows of heads of known rank, drawn as small integers times powers of two: what the strata are built from."""

from __future__ import annotations

from collections.abc import Collection
from math import ldexp
from typing import TypeAlias

from hypothesis import strategies as st

from verify.strategies.arithmetic import below
from verify.strategies.formats import Format
from verify.strategies.groups import orders

Rows: TypeAlias = list[list[float]]

ENTRIES = st.sampled_from([0, 1, -1, 2, -2, 3, -3])
SIGNS = st.sampled_from([1, -1])
#: Entries and sums of two of them stay below 2³.
BITS = 3


def independent(draw: st.DrawFn, rows: int, N: int, *, avoid: Collection[int] = ()) -> Rows:
    """Independent rows of small integers, zero in the columns to avoid."""
    columns = [j for j in range(N) if j not in avoid]
    pivots = [columns[i] for i in draw(orders(len(columns), length=rows))]
    result = []
    for i, pivot in enumerate(pivots):
        row = [float(draw(ENTRIES)) if j not in pivots[: i + 1] and j not in avoid else 0.0 for j in range(N)]
        row[pivot] = float(draw(SIGNS))
        result.append(row)
    return result


def dependent(draw: st.DrawFn, rows: Rows, N: int) -> list[float]:
    """Zero, or plus or minus one or two of the rows."""
    total = [0.0] * N
    for _ in range(draw(st.integers(0, 2)) if rows else 0):
        sign, row = draw(SIGNS), rows[draw(below(len(rows)))]
        total = [t + sign * x for t, x in zip(total, row, strict=True)]
    return total


def on_both_sides(draw: st.DrawFn, n: int, N: int) -> Rows:
    """Neither K nor Q zero, of corank 0, 1 or 2."""
    first, second, *rest = rows = independent(draw, 2 * n - draw(st.integers(0, min(2, 2 * n - 2))), N)
    rest += [dependent(draw, rows, N) for _ in range(2 * n - len(rows))]
    rest = [rest[i] for i in draw(orders(2 * n - 2))]
    return [first, *rest[: n - 1], second, *rest[n - 1 :]]


def of_corank(draw: st.DrawFn, n: int, N: int, corank: int) -> Rows:
    """2n rows of rank 2n − corank in any order."""
    rows = independent(draw, 2 * n - corank, N)
    rows += [dependent(draw, rows[: 2 * n - corank], N) for _ in range(corank)]
    return [rows[i] for i in draw(orders(2 * n))]


def scaled(rows: Rows, exponents: list[int]) -> Rows:
    """Each row times a power of two."""
    return [[ldexp(x, e) for x in row] for row, e in zip(rows, exponents, strict=True)]


def any_corank(draw: st.DrawFn, n: int, N: int) -> Rows:
    """The theorem's case, or corank 1 or 2."""
    least = max(0, 2 * n - N)
    return of_corank(draw, n, N, draw(st.integers(least, min(2 * n, least + 2))))


def uniformly(draw: st.DrawFn, n: int, N: int, low: int, high: int) -> Rows:
    """Neither K nor Q zero, all entries times one power of two with exponent from low to high."""
    rows = on_both_sides(draw, n, N)
    e = low + draw(below(high - low + 1))
    return scaled(rows, [e] * (2 * n))


def graded(draw: st.DrawFn, count: int, nonzero: list[int], f: Format) -> list[int]:
    """Exponents for rows or columns, one that is not zero in the lowest quarter of the range, one in the highest."""
    low, high = f.least, f.most - BITS
    quarter = (high - low) // 4
    exponents = [draw(st.integers(low, high)) for _ in range(count)]
    first, second = (nonzero[i] for i in draw(orders(len(nonzero), length=2)))
    exponents[first] = low + quarter - draw(below(quarter + 1))
    exponents[second] = high - quarter + draw(below(quarter + 1))
    return exponents


def nudged(draw: st.DrawFn, f: Format) -> tuple[bool, float]:
    """A step 2⁻ᵏ, and whether it is added to an entry (so that k is bounded by the precision) or stands alone."""
    added = draw(st.booleans())
    k = draw(st.integers(1, f.precision - 1 - BITS if added else -f.least))
    return added, ldexp(1.0, -k)


def filled(draw: st.DrawFn, rows: Rows, columns: Collection[int]) -> Rows:
    """The rows with new entries in some columns."""
    return [[float(draw(ENTRIES)) if j in columns else x for j, x in enumerate(row)] for row in rows]
