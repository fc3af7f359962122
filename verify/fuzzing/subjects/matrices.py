"""Matrices that go with a head: strategies that are built once for a size and a field, since drawing is what costs."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.heads import Head
from proofs.matrices import Matrix, submatrix
from verify.strategies import heads, invertible_matrices, matrices, orthogonal_matrices


@lru_cache
def free(rows: int, columns: int, field: Field = QQ) -> SearchStrategy[Matrix]:
    """Any matrices."""
    return matrices(rows, columns, field=field)


@lru_cache
def invertible(size: int, field: Field = QQ) -> SearchStrategy[Matrix]:
    """Invertible matrices."""
    return invertible_matrices(size, field=field)


@lru_cache
def orthogonal(size: int) -> SearchStrategy[Matrix]:
    """Rational orthogonal matrices."""
    return orthogonal_matrices(size)


@lru_cache
def independent_rows(rows: int, columns: int, field: Field = QQ) -> SearchStrategy[Matrix]:
    """Matrices of full row rank: ``rows ≤ columns`` of the rows of an invertible one."""
    return invertible(columns, field).map(lambda A: submatrix(field, A, range(rows), range(columns)))


@lru_cache
def dependent_rows(rows: int, columns: int, field: Field = QQ) -> SearchStrategy[Matrix]:
    """Matrices of a rank below the number of their rows, which is positive: products through a smaller dimension."""
    ranks = st.integers(0, min(rows - 1, columns))
    return ranks.flatmap(
        lambda r: st.builds(lambda X, Y: X * Y, free(rows, r, field), independent_rows(r, columns, field))
    )


@lru_cache
def heads_like(n: int, N: int, field: Field = QQ, *, corank: int | None = None) -> SearchStrategy[Head]:
    """Heads of one shape, of every rank pattern or with rank M = 2n − corank."""
    return heads(n=n, N=N, field=field, corank=corank)


def nondegenerate(n: int, N: int, field: Field = QQ) -> SearchStrategy[Head]:
    """Heads of one shape, ``2n ≤ N``, with rank M = 2n."""
    return heads_like(n, N, field, corank=0)


@lru_cache
def degenerate(n: int, N: int) -> SearchStrategy[Head]:
    """Rational heads of one shape, n > 0, with rank M < 2n."""
    return st.integers(max(1, 2 * n - N), 2 * n).flatmap(lambda corank: heads_like(n, N, corank=corank))
