"""Exact heads for the checks of statements: generic ones and degenerate ones by construction, always the same.

Every generator is seeded by its arguments, so that two runs, and a failure and its repetition, see the same heads.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from proofs.exact import Number
from proofs.fields import GF, QQ, RR, Field
from proofs.heads import Head
from proofs.matrices import Matrix

#: The fields on which statements over any field are checked: small, larger, word-sized and beyond.
FIELDS: tuple[Field, ...] = (QQ, GF(3), GF(5), GF(101), GF(2**89 - 1))

#: Head dimension and width: fitting, square (2n = N) and big heads, and the empty head.
SIZES = ((0, 2), (1, 1), (1, 2), (1, 3), (1, 5), (2, 2), (2, 3), (2, 4), (2, 5), (2, 7), (3, 4), (3, 6), (3, 8), (4, 9))


def is_real(head: Head) -> bool:
    """Whether signs, norms and eigenvalues make sense: the head is over ℚ or ℝ."""
    return head.field in (QQ, RR)


def random_matrix(rng: random.Random, field: Field, rows: int, columns: int, *, bound: int = 3) -> Matrix:
    """Independent entries, uniform on the integers from −bound to bound."""
    table = [[rng.randint(-bound, bound) for _ in range(columns)] for _ in range(rows)]
    return field.matrix(table, columns=columns)


def random_invertible(rng: random.Random, field: Field, size: int) -> Matrix:
    """A unit lower times a unit upper triangular matrix: invertible over every field."""
    lower, upper = field.identity(size), field.identity(size)
    for i in range(size):
        for j in range(i):
            lower[i, j], upper[j, i] = field(rng.randint(-2, 2)), field(rng.randint(-2, 2))
    product: Matrix = lower * upper
    return product


def heads(
    *,
    fields: Sequence[Field] = FIELDS,
    sizes: Sequence[tuple[int, int]] = SIZES,
    repeat: int = 2,
    seed: int = 0,
) -> Iterator[Head]:
    """Heads of every sort over the given fields and sizes.

    For each size: ``repeat`` heads with independent entries, and as many of each degenerate sort: M of each smaller
    rank, tied (K = AQ), L = 0, S = 0 (K and Q with KᵀQ antisymmetric), a repeated and a zero row.

    >>> sum(head.M.rank() < 2 * head.n for head in heads(fields=[GF(3)], sizes=[(1, 3)], repeat=1))
    5
    """
    for field in fields:
        for n, N in sizes:
            rng = random.Random(f"{seed} {field} {n} {N}")
            for _ in range(repeat):
                yield Head(random_matrix(rng, field, n, N), random_matrix(rng, field, n, N), field)
                if n:
                    yield from _degenerate(rng, field, n, N)


def _degenerate(rng: random.Random, field: Field, n: int, N: int) -> Iterator[Head]:
    for rank in range(min(2 * n, N + 1)):
        yield of_rank(rng, field, n, N, rank)
    Q = random_matrix(rng, field, n, N)
    yield Head(Q, random_matrix(rng, field, n, n) * Q, field)
    yield Head(Q, field.zeros(n, N), field)
    if n > 1:
        # Two terms kᵀq − qᵀk: an antisymmetric L.
        rows = random_matrix(rng, field, 2, N).tolist()
        zeros = [[0] * N] * (n - 2)
        yield Head.of([rows[0], rows[1], *zeros], [rows[1], [-x for x in rows[0]], *zeros], field=field)


def of_rank(rng: random.Random, field: Field, n: int, N: int, rank: int) -> Head:
    """A head with M a product through dimension ``rank``, so that rank M ≤ rank."""
    M: Matrix = random_matrix(rng, field, 2 * n, rank) * random_matrix(rng, field, rank, N)
    rows = M.tolist()
    return Head.of(rows[n:], rows[:n], field=field, N=N)


def random_orthogonal(rng: random.Random, size: int) -> Matrix:
    """A rational orthogonal matrix: ``(I − A)(I + A)⁻¹`` with A antisymmetric (Cayley), columns of random sign."""
    A = QQ.zeros(size, size)
    for i in range(size):
        for j in range(i):
            A[i, j] = QQ(rng.randint(-2, 2))
            A[j, i] = -A[i, j]
    identity = QQ.identity(size)
    signs = QQ.diagonal([rng.choice((1, -1)) for _ in range(size)])
    product: Matrix = (identity - A) * (identity + A).inv() * signs
    return product


def heads_of_spectrum(spectra: Sequence[Sequence[Number]], *, seed: int = 0) -> Iterator[Head]:
    """For each list of rational numbers a head with L symmetric and these eigenvalues, in a rotated basis.

    The head is ``(ΛU, U)`` with n = N: a big one, but the statements about spectra only see L.
    """
    for values in spectra:
        U = random_orthogonal(random.Random(f"{seed} {values}"), len(values))
        yield Head.of(QQ.diagonal(values) * U, U)
