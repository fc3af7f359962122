"""Exact proofs about stored weights: dyadic numbers as integers, minors modulo a prime, null vectors.

A finite floating-point number is ``m · 2^e`` with integers m and e. Over a field of p elements, p odd, it has the
residue ``m · 2^e mod p``, and a 2n × 2n minor of M that is nonzero mod p is nonzero over ℚ (times a power of two, a
unit at p): that is a complete proof of ``rank M = 2n``, which anybody re-checks with one determinant mod p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpz, fmpz_mat, nmod_mat

from proofs.errors import ShapeError
from proofs.fields import QQ
from proofs.heads import Head
from verify.dyadic import ExactRows, Floats, mantissas, to_integers

#: The Mersenne prime 2³¹ − 1: products of two residues fit an int64, and 2^e depends on e mod 31 only.
PRIME = 2**31 - 1


@dataclass(frozen=True)
class MinorCertificate:
    """``det M[:, columns]`` is nonzero modulo ``prime``: a proof of ``rank M = 2n``.

    Args:
        prime: an odd prime.
        columns: 2n different column indices of M.
    """

    prime: int
    columns: tuple[int, ...]


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
        if pivots := _pivots(nmod_mat(rows, len(chosen), residues(M[:, chosen], prime=prime).ravel().tolist(), prime)):
            return MinorCertificate(prime, tuple(int(chosen[j]) for j in pivots))
    return None


def find_exact_minor(rows: ExactRows, *, prime: int = PRIME) -> MinorCertificate | None:
    """The same for a matrix given by its integers; the prime must not divide the denominator."""
    M = rows.integers
    if M.nrows() > M.ncols() or rows.denominator % prime == 0:
        return None
    pivots = _pivots(nmod_mat(M, prime))
    return MinorCertificate(prime, tuple(pivots)) if pivots else None


def _pivots(matrix: nmod_mat) -> list[int]:
    """Pivot columns of a matrix of full row rank; empty if the rank is less."""
    reduced, rank = matrix.rref()
    if rank < matrix.nrows():
        return []
    table = np.array([int(x) for x in reduced.entries()], dtype=np.int64).reshape(matrix.nrows(), matrix.ncols())
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


def exact_head(rows: ExactRows) -> Head:
    """The head with the integer matrices of ``[K; Q]``: the same S up to a positive factor.

    Args:
        rows: the exact stacked matrix.
    """
    M = rows.integers
    n, N = M.nrows() // 2, M.ncols()
    entries = M.entries()
    keys, queries = fmpz_mat(n, N, entries[: n * N]), fmpz_mat(n, N, entries[n * N :])
    return Head(QQ.matrix(queries), QQ.matrix(keys))
