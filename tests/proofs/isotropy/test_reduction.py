import random

import pytest
from flint import fmpq, fmpz_mat

from proofs.isotropy.reduction import lll


def _gram(generator, size, bound):
    rows = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rows[i][j] = rows[j][i] = generator.randint(-bound, bound)
    return fmpz_mat(rows)


def _leading_minors(A):
    return [fmpz_mat(k, k, [A[i, j] for i in range(k) for j in range(k)]).det() for k in range(1, A.nrows() + 1)]


def _gram_schmidt(A):
    """μ and the orthogonalised norms, from their definition."""
    n = A.nrows()
    mu, norms = [[fmpq(0)] * n for _ in range(n)], []
    for i in range(n):
        for j in range(i + 1):
            inner = fmpq(A[i, j]) - sum((mu[j][k] * mu[i][k] * norms[k] for k in range(j)), fmpq(0))
            if j < i:
                mu[i][j] = inner / norms[j]
            else:
                norms.append(inner)
    return mu, norms


@pytest.mark.parametrize("size", range(1, 8))
@pytest.mark.parametrize("bound", [1, 3, 100, 10**6])
def test_what_reduced_means(size, bound):
    generator = random.Random(size * bound)
    for _ in range(15):
        A = _gram(generator, size, bound)
        U = lll(A)
        assert abs(U.det()) == 1
        reduced = U.transpose() * A * U
        if 0 in _leading_minors(reduced):
            continue
        mu, norms = _gram_schmidt(reduced)
        assert all(abs(mu[i][j]) <= fmpq(1, 2) for i in range(size) for j in range(i))
        assert all(
            4 * abs(norms[i] + mu[i][i - 1] ** 2 * norms[i - 1]) >= 3 * abs(norms[i - 1]) for i in range(1, size)
        )


def test_it_stops_at_a_degenerate_leading_block():
    """(0, 1) and (1, −1) are isotropic: one is met at once, the other after a subtraction."""
    for A in (fmpz_mat([[0, 1], [1, 0]]), fmpz_mat([[2, 1], [1, 0]]), fmpz_mat([[1, 1, 2], [1, 1, 5], [2, 5, 0]])):
        U = lll(A)
        assert abs(U.det()) == 1
        assert 0 in _leading_minors(U.transpose() * A * U)
