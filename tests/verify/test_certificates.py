"""Dyadic arithmetic against Python's fractions; minors against FLINT's determinant over ℚ."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
from flint import fmpq_mat
from hypothesis import given

from proofs.decomposition import decompose
from proofs.heads import Head
from tests.verify.heads import exact, singular_stack
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


def shows_full_rank(M: np.ndarray, certificate: MinorCertificate) -> bool:
    columns = ExactRows.of(M[:, list(certificate.columns)]).integers.tolist()
    return has_rank([[int(x) for x in row] for row in columns], len(M), certificate.prime)


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, min_size=1, max_size=8), st.sampled_from([3, 5, 101, PRIME]))
def test_residues_are_those_of_the_fractions(values: list[float], p: int) -> None:
    for x, r in zip(values, residues(np.array(values), prime=p).tolist(), strict=True):
        exactly = Fraction(x)
        assert r == exactly.numerator * pow(exactly.denominator, -1, p) % p


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(0, 4))
def test_a_certificate_is_found_exactly_where_the_rank_is_full(seed: int, rows: int, extra: int) -> None:
    rng = np.random.default_rng(seed)
    M = rng.integers(-2, 3, size=(rows, rows + extra)) * 2.0 ** rng.integers(-80, 80, size=(1, rows + extra))
    certificate = find_minor(M)
    if exact(M).rank() < rows:
        assert certificate is None
    else:  # a minor of so small numbers is no multiple of a 31-bit prime
        assert certificate is not None
        minor = exact(M[:, list(certificate.columns)])
        assert minor.det() != 0
        assert shows_full_rank(M, certificate)
    again = find_exact_minor(ExactRows.of(M))
    assert (again is None) == (certificate is None)
    assert again is None or shows_full_rank(M, again)


def test_hidden_columns_are_found() -> None:
    """The sampled columns miss the only minor; the search then takes them all."""
    M = np.zeros((2, 500))
    M[0, 137], M[1, 138] = 1.0, 1.0
    assert find_minor(M) == MinorCertificate(PRIME, (137, 138))


@given(st.integers(0, 2**32))
def test_the_analysis_is_that_of_the_stored_numbers(seed: int) -> None:
    """Null vectors annihilate the stored M itself, whatever was scaled on the way."""
    rng = np.random.default_rng(seed)
    M = singular_stack(rng, 6, 8, depth=2) * 2.0 ** rng.integers(-40, 40)
    found = decompose(exact_head(ExactRows.of(M)))
    assert found.rank_stacked == exact(M).rank()
    U = fmpq_mat([list(u) for u in found.null_vectors])
    assert U * exact(M) == fmpq_mat(U.nrows(), 8)
    assert U.rank() == 6 - found.rank_stacked
    K, Q = exact(M[:3]), exact(M[3:])
    assert found.rank == Head.of(Q, K).S.rank()
