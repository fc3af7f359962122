"""An independent route for the tests: rank and signature in plain Fractions, by Gaussian and Lagrange elimination."""

from fractions import Fraction

Rows = list[list[Fraction]]


def exact(rows) -> Rows:
    """Rows of anything exact, FLINT matrices included, as Fractions."""
    table = rows.tolist() if hasattr(rows, "tolist") else rows
    return [[Fraction(str(x)) for x in row] for row in table]


def rank(rows: Rows) -> int:
    rows, found = [row[:] for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            ratio = rows[i][column] / rows[found][column]
            rows[i] = [x - ratio * y for x, y in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def signature(rows: Rows) -> tuple[int, int, int]:
    """Lagrange's reduction: split off squares, or a hyperbolic plane where the diagonal is zero."""
    rows, positive, negative = [row[:] for row in rows], 0, 0
    while rows:
        size = len(rows)
        pivot = next((i for i in range(size) if rows[i][i] != 0), None)
        if pivot is None:
            entry = next(((i, j) for i in range(size) for j in range(i) if rows[i][j] != 0), None)
            if entry is None:
                break
            i, j = entry
            rows[i] = [x + y for x, y in zip(rows[i], rows[j], strict=True)]
            for row in rows:
                row[i] += row[j]
            pivot = i
        value = rows[pivot][pivot]
        positive, negative = positive + (value > 0), negative + (value < 0)
        keep = [i for i in range(size) if i != pivot]
        rows = [[rows[i][j] - rows[i][pivot] * rows[pivot][j] / value for j in keep] for i in keep]
    return positive, negative, len(rows)


def symmetric_part(Q: Rows, K: Rows) -> Rows:
    """``(L + Lᵀ)/2`` for ``L = KᵀQ``, summed entry by entry."""
    N = len(Q[0])
    L = [[sum((k[i] * q[j] for k, q in zip(K, Q, strict=True)), Fraction(0)) for j in range(N)] for i in range(N)]
    return [[(L[i][j] + L[j][i]) / 2 for j in range(N)] for i in range(N)]
