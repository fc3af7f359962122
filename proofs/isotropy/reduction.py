"""LLL reduction of indefinite integral forms (D. Simon, Math. Comp. 74, 2005)."""

from __future__ import annotations

from flint import fmpz_mat


def lll(gram: fmpz_mat) -> fmpz_mat:
    """The transformation to an LLL-reduced basis, as columns; the integral algorithm with leading minors d.

    ``d[i]`` is the i-th leading minor, ``λ[i][j] = d[j+1] μ_ij`` (H. Cohen, *A Course in Computational Algebraic Number
    Theory*, algorithm 2.6.7). Lovász's condition is asked of absolute values. Where a leading minor vanishes the
    algorithm stops: the vectors up to there span a degenerate subspace.

    >>> lll(fmpz_mat([[1, 7], [7, 50]])).transpose()
    [ 1, 0]
    [-7, 1]
    """
    n = gram.nrows()
    A = [[int(x) for x in row] for row in gram.tolist()]
    B = [[int(i == j) for j in range(n)] for i in range(n)]
    d, lam = [1] + [0] * n, [[0] * n for _ in range(n)]
    k, reached = 0, -1
    while k < n:
        if k > reached:
            reached = k
            _orthogonalise(A, B, d, lam, k)
            if d[k + 1] == 0:
                break
        if k > 0:
            _subtract(B, d, lam, k, k - 1)
            swapped = d[k + 1] * d[k - 1] + lam[k][k - 1] ** 2
            if 4 * abs(swapped) < 3 * d[k] ** 2:
                B[k], B[k - 1] = B[k - 1], B[k]
                if swapped == 0:
                    break
                _swap(d, lam, k, reached)
                k -= 1
                continue
            for j in range(k - 2, -1, -1):
                _subtract(B, d, lam, k, j)
        k += 1
    return fmpz_mat(B).transpose()


def _orthogonalise(A: list[list[int]], B: list[list[int]], d: list[int], lam: list[list[int]], k: int) -> None:
    """Row k of λ and ``d[k+1]``, for a basis vector that is still a unit vector."""
    for j in range(k + 1):
        u = sum(a * b for a, b in zip(A[k], B[j], strict=True))
        for i in range(j):
            u = (d[i + 1] * u - lam[k][i] * lam[j][i]) // d[i]
        lam[k][j] = u
    d[k + 1] = lam[k][k]


def _subtract(B: list[list[int]], d: list[int], lam: list[list[int]], k: int, j: int) -> None:
    """Take from vector k the multiple of vector j that makes μ_kj at most ½."""
    q = _nearest(lam[k][j], d[j + 1])
    if q:
        B[k] = [x - q * y for x, y in zip(B[k], B[j], strict=True)]
        lam[k][j] -= q * d[j + 1]
        for i in range(j):
            lam[k][i] -= q * lam[j][i]


def _swap(d: list[int], lam: list[list[int]], k: int, reached: int) -> None:
    """What exchanging vectors k − 1 and k does to d and λ."""
    lam[k][: k - 1], lam[k - 1][: k - 1] = lam[k - 1][: k - 1], lam[k][: k - 1]
    inner = lam[k][k - 1]
    minor = (d[k - 1] * d[k + 1] + inner * inner) // d[k]
    for row in lam[k + 1 : reached + 1]:
        outer = row[k]
        row[k] = (d[k + 1] * row[k - 1] - inner * outer) // d[k]
        row[k - 1] = (minor * outer + inner * row[k]) // d[k + 1]
    d[k] = minor


def _nearest(a: int, b: int) -> int:
    """An integer nearest to a/b."""
    return (2 * a + b) // (2 * b)
