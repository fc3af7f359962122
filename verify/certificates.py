"""Exact proofs about stored weights: minors modulo a prime, and the head over the integers.

A finite floating-point number is ``m · 2^e`` with integers m and e. Over a field of p elements, p odd, it has the
residue ``m · 2^e mod p``, and a 2n × 2n minor of M that is nonzero mod p is nonzero over ℚ (times a power of two, a
unit at p): that is a complete proof of ``rank M = 2n``, which anybody re-checks with one determinant mod p
(:mod:`verify.checking` does).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpz_mat, nmod_mat

from proofs.fields import QQ
from proofs.heads import Head
from verify.dyadic import ExactRows, Floats, mantissas

#: The Mersenne prime 2³¹ − 1: products of two residues fit an int64.
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
