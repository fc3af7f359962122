"""Exact proofs about stored weights: dyadic numbers as integers, minors modulo a prime, null vectors.

A finite floating-point number is ``m · 2^e`` with integers m and e. Over a field of p elements, p odd, it has the
residue ``m · 2^e mod p``, and a 2n × 2n minor of M that is nonzero mod p is nonzero over ℚ (times a power of two, a
unit at p): that is a complete proof of ``rank M = 2n``, which anybody re-checks with one determinant mod p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpz, nmod_mat

from proofs.decomposition import Decomposition, decompose
from proofs.errors import ShapeError
from proofs.heads import Head

#: The Mersenne prime 2³¹ − 1: products of two residues fit an int64, and 2^e depends on e mod 31 only.
PRIME = 2**31 - 1

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MinorCertificate:
    """``det M[:, columns]`` is nonzero modulo ``prime``: a proof of ``rank M = 2n``.

    Args:
        prime: an odd prime.
        columns: 2n different column indices of M.
    """

    prime: int
    columns: tuple[int, ...]


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


def residues(M: Floats, *, prime: int = PRIME) -> npt.NDArray[np.int64]:
    """The residues of dyadic numbers modulo an odd prime below 2³¹.

    Args:
        M: float64, finite.
        prime: an odd prime below 2³¹, so that products of residues fit an int64.

    >>> residues(np.array([0.5, -1.0, 3.0]), prime=7).tolist()
    [4, 6, 3]
    """
    m, e = mantissas(M)
    lowest, highest = (int(e.min()), int(e.max())) if e.size else (0, 0)
    powers = np.array([pow(2, k, prime) for k in range(lowest, highest + 1)], dtype=np.int64)
    return (m % prime) * powers[e - lowest] % prime


def find_minor(M: Floats, *, prime: int = PRIME) -> MinorCertificate | None:
    """A maximal minor of M that is nonzero modulo ``prime``, if there is one.

    None proves nothing: the minors may vanish modulo this prime only.

    Args:
        M: ``(2n, N)`` float64, finite.

    >>> find_minor(np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 2.5]]))
    MinorCertificate(prime=2147483647, columns=(1, 2))
    """
    rows, N = M.shape
    if rows > N:
        return None
    # Most heads have a nonzero minor among few columns; reducing those alone is N/rows times cheaper.
    for chosen in (np.linspace(0, N - 1, min(N, rows + 8)).round().astype(int), np.arange(N)):
        reduced, rank = nmod_mat(residues(M[:, chosen], prime=prime).tolist(), prime).rref() if rows else (None, 0)
        if rank == rows:
            return MinorCertificate(prime, tuple(int(chosen[j]) for j in _pivots(reduced, rows)))
    return None


def _pivots(reduced: nmod_mat | None, rank: int) -> list[int]:
    if reduced is None:
        return []
    table = np.array(reduced.tolist(), dtype=object).astype(np.int64)[:rank]
    return [int(j) for j in (table != 0).argmax(axis=1)]


def check_minor(M: Floats, certificate: MinorCertificate) -> bool:
    """Re-check a certificate with plain integers: a prime, 2n different columns, and a nonzero determinant.

    Independent of how the certificate was found: elimination over Python integers, no floating point.

    Raises:
        ShapeError: the columns do not index M.
    """
    p, columns = certificate.prime, certificate.columns
    rows, N = M.shape
    if len(set(columns)) != rows or len(columns) != rows or not all(0 <= j < N for j in columns):
        raise ShapeError(f"a certificate for a {rows} × {N} matrix names {rows} different columns, not {list(columns)}")
    if p == 2 or not fmpz(p).is_prime():
        return False
    integers, _ = to_integers(M[:, list(columns)])
    matrix = [[x % p for x in row] for row in integers]
    for j in range(rows):
        pivot = next((i for i in range(j, rows) if matrix[i][j]), None)
        if pivot is None:
            return False
        matrix[j], matrix[pivot] = matrix[pivot], matrix[j]
        inverse = pow(matrix[j][j], -1, p)
        for i in range(j + 1, rows):
            if factor := matrix[i][j] * inverse % p:
                matrix[i] = [(a - factor * b) % p for a, b in zip(matrix[i], matrix[j], strict=True)]
    return True


def exact_head(Q: Floats, K: Floats) -> tuple[Head, int, int]:
    """The head with integer matrices, and the exponents taken out of K and Q.

    ``K = 2^k · K'`` and ``Q = 2^q · Q'`` with integer K', Q': S is multiplied by a positive number, so every class
    over ℝ stays, and so does the profile.

    Args:
        Q: ``(n, N)`` float64, finite.
        K: same shape.

    Returns:
        The integer head, k and q.
    """
    queries, q = to_integers(Q)
    keys, k = to_integers(K)
    return Head.of(queries, keys, N=Q.shape[1]), k, q


def analyse(Q: Floats, K: Floats) -> Decomposition:
    """The exact decomposition of any finite head over ℝ; see :func:`proofs.decomposition.decompose`.

    The null vectors are those of the stored ``M = [K; Q]``.
    """
    integers, _ = to_integers(np.concatenate([K, Q]))
    n = Q.shape[0]
    return decompose(Head.of(integers[n:], integers[:n], N=Q.shape[1]))
