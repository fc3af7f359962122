"""Integer vectors: those orthogonal to given ones, those near a lattice, short ones to try."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import isqrt
from random import Random

from flint import fmpq, fmpq_mat, fmpz_mat


def orthogonal_complement(gram: fmpz_mat, vectors: fmpz_mat) -> fmpz_mat:
    """An LLL-reduced basis (columns) of the lattice of integer vectors orthogonal to the given columns.

    >>> orthogonal_complement(fmpz_mat([[0, 1], [1, 0]]), fmpz_mat([[1], [1]])).transpose()
    [-1, 1]
    """
    n, columns = gram.nrows(), vectors.ncols()
    hermite, transform = (gram * vectors).hnf(True)
    zero_rows = [i for i in range(n) if all(hermite[i, j] == 0 for j in range(columns))]
    basis = fmpz_mat(len(zero_rows), n, [transform[i, j] for i in zero_rows for j in range(n)])
    return (basis.lll() if zero_rows else basis).transpose()


def shortened(x: fmpz_mat, basis: fmpz_mat) -> fmpz_mat:
    """A column minus the integral combination of the basis that is near its projection (Babai's rounding).

    >>> shortened(fmpz_mat([[7], [0]]), fmpz_mat([[3], [1]])).transpose()
    [1, -2]
    """
    B = fmpq_mat(basis)
    coefficients = (B.transpose() * B).solve(B.transpose() * fmpq_mat(x))
    return x - basis * fmpz_mat(basis.ncols(), 1, [(c + fmpq(1, 2)).floor() for c in coefficients.entries()])


def short_vectors(gram: fmpz_mat) -> Iterator[fmpz_mat]:
    """Integer columns: all with entries up to 1, shorter ones first, then random ones, the same always.

    Those come from growing boxes, wider in the directions of basis vectors with smaller values: where these differ much
    the form would else have the sign of the largest on nearly all columns.

    >>> from itertools import islice
    >>> [x.transpose() for x in islice(short_vectors(fmpz_mat([[1, 0], [0, 1]])), 4)]
    [[1, 0], [0, 1], [1, 1], [1, -1]]
    """
    n = gram.nrows()
    for support in range(1, n + 1):
        for places in combinations(range(n), support):
            for signs in product((1, -1), repeat=support - 1):
                entries = [0] * n
                for place, sign in zip(places, (1, *signs), strict=True):
                    entries[place] = sign
                yield fmpz_mat(n, 1, entries)
    sizes = [max(int(abs(gram[i, i])), 1) for i in range(n)]
    widths = [isqrt(max(sizes) // size) for size in sizes]
    generator = Random(n)
    for bound in range(2, 2000):
        for _ in range(20):
            yield fmpz_mat(n, 1, [generator.randint(-bound * width, bound * width) for width in widths])
