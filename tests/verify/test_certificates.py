"""Dyadic arithmetic against Python's fractions; minors against FLINT's determinant over ℚ."""

from dataclasses import replace
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from flint import fmpq_mat
from hypothesis import given

from proofs.decomposition import decompose
from tests.verify.heads import exact
from verify.certificates import (
    PRIME,
    MinorCertificate,
    exact_head,
    find_exact_minor,
    find_minor,
    residues,
)
from verify.checking import has_rank
from verify.dyadic import ExactRows
from verify.heads import HeadBatch
from verify.strategies import exact as stored_head
from verify.strategies import float_heads


def shows_full_rank(M: np.ndarray, certificate: MinorCertificate) -> bool:
    columns = ExactRows.of(M[:, list(certificate.columns)]).integers.tolist()
    return has_rank([[int(x) for x in row] for row in columns], len(M), certificate.prime)


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, min_size=1, max_size=8), st.sampled_from([3, 5, 101, PRIME]))
def test_residues_are_those_of_the_fractions(values: list[float], p: int) -> None:
    for x, r in zip(values, residues(np.array(values), prime=p).tolist(), strict=True):
        exactly = Fraction(x)
        assert r == exactly.numerator * pow(exactly.denominator, -1, p) % p


@given(float_heads())
def test_a_certificate_is_found_exactly_where_the_rank_is_full(batch: HeadBatch) -> None:
    M = batch.stacked()[0].numpy()
    certificate = find_minor(M)
    if exact(M).rank() < len(M):
        assert certificate is None
    elif len(M):  # a minor of such numbers is hardly ever a multiple of a 31-bit prime
        assert certificate is not None
        minor = exact(M[:, list(certificate.columns)])
        assert minor.det() != 0
        assert shows_full_rank(M, certificate)
    again = find_exact_minor(ExactRows.of(M))
    assert (again is None) == (certificate is None)
    assert again is None or shows_full_rank(M, again)


@pytest.mark.parametrize("columns", [(0, 499), (137, 138)], ids=["sampled", "not sampled"])
def test_columns_are_those_of_the_whole_matrix(columns: tuple[int, int]) -> None:
    M = np.zeros((2, 500))
    M[0, columns[0]], M[1, columns[1]] = 1.0, 1.0
    assert find_minor(M) == MinorCertificate(PRIME, columns)


def test_a_prime_that_divides_the_denominator_proves_nothing() -> None:
    """The rows over such a denominator have no residues."""
    rows = ExactRows.of(np.eye(2, 3))
    assert find_exact_minor(rows) == MinorCertificate(PRIME, (0, 1))
    assert find_exact_minor(replace(rows, denominator=3 * PRIME)) is None


@given(float_heads(n=st.integers(1, 3)))
def test_the_analysis_is_that_of_the_stored_numbers(batch: HeadBatch) -> None:
    """Null vectors annihilate the stored M itself, whatever was scaled on the way."""
    M, n, N = exact(batch.stacked()[0]), batch.n, batch.N
    found = decompose(exact_head(batch.exact_rows(0)))
    assert found.rank_stacked == M.rank()
    assert found.rank == stored_head(batch).S.rank()
    if found.rank_stacked < N:
        U = fmpq_mat(len(found.null_vectors), 2 * n, [x for u in found.null_vectors for x in u])
        assert U * M == fmpq_mat(U.nrows(), N)
        assert U.rank() == U.nrows() == 2 * n - found.rank_stacked
