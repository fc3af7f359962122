from dataclasses import replace

import pytest
from flint import fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

import proofs.ranks
from proofs.errors import InconsistencyError
from proofs.fields import GF, QQ
from proofs.ranks import Minor, primitive_rows, rank_over, rank_with_proof, word_primes
from tests.proofs import fractions_route as route
from tests.proofs.strategies import integer_rows
from verify.strategies import fields

sizes = st.tuples(st.integers(0, 6), st.integers(1, 6), st.integers(0, 6))


@st.composite
def products(draw):
    """m × N matrices of rank at most r."""
    m, N, r = draw(sizes)
    left = fmpz_mat(m, r, [x for row in draw(integer_rows(m, r)) for x in row])
    return left * fmpz_mat(r, N, [x for row in draw(integer_rows(r, N)) for x in row])


@given(products())
def test_rank_and_its_proof(matrix):
    proof = rank_with_proof(matrix)
    assert proof.rank == route.rank(route.exact(matrix))
    proof.check(matrix)
    if proof.rank < matrix.ncols():
        assert len(proof.null_vectors) == matrix.nrows() - proof.rank
        assert all(_content(u) == 1 for u in proof.null_vectors)
    else:
        assert proof.null_vectors == ()


def _content(vector):
    content = fmpz(0)
    for x in vector:
        content = content.gcd(x)
    return content


@given(products())
def test_unlucky_primes_do_no_harm(matrix):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proofs.ranks, "word_primes", lambda: iter([3, 5, 7, 11, *_large()]))
        proof = rank_with_proof(matrix)
    assert proof.rank == route.rank(route.exact(matrix))
    proof.check(matrix)


def _large():
    primes = word_primes()
    return [next(primes) for _ in range(5)]


def test_a_prime_that_kills_the_matrix_is_passed_over():
    prime = next(word_primes())
    proof = rank_with_proof(fmpz_mat([[prime, 0], [0, 1], [0, 2]]))
    assert proof.rank == 2
    assert proof.minor.prime != prime
    assert rank_with_proof(fmpz_mat([[1]]), coprime_to=3 * prime).minor.prime != prime


@given(products(), fields(), st.data())
def test_over_every_field(matrix, field, data):
    numbers = st.sampled_from(["1", "-2", "1/2"] if field != QQ else ["1", "-2", "3/7"])
    scales = [data.draw(numbers) for _ in range(matrix.nrows())]
    M = field.diagonal(scales) * field.reduce(matrix)
    proof = rank_over(field, M)
    assert proof.rank == M.rank()
    prime, rows, columns = proof.minor
    assert GF(prime).matrix([[M[i, j] for j in columns] for i in rows], columns=len(columns)).det() != 0
    if proof.rank < M.ncols():
        U = field.matrix(proof.null_vectors, columns=M.nrows())
        assert (U * M) == field.zeros(U.nrows(), M.ncols())
        assert U.rank() == U.nrows() == M.nrows() - proof.rank


def test_the_prime_avoids_denominators_and_contents():
    prime = next(word_primes())
    M = QQ.matrix([[QQ(1) / prime, 0], [0, prime]])
    assert rank_over(QQ, M).minor.prime != prime


@given(products())
def test_primitive_rows_multiply_back(matrix):
    M = QQ.reduce(matrix) * QQ("4/6")
    integers, factors = primitive_rows(M)
    assert QQ.diagonal([QQ(a) / QQ(b) for a, b in factors]) * QQ.reduce(integers) == M
    assert all(_content(row) in (0, 1) for row in integers.tolist())


class TestFalseProofs:
    matrix = fmpz_mat([[1, 2, 3], [2, 4, 6], [0, 1, 1]])

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"minor": Minor(15, (0, 2), (0, 1))}, "no 2 × 2 minor modulo a prime"),
            ({"minor": Minor(7, (0,), (0,))}, "no 2 × 2 minor"),
            ({"minor": Minor(7, (0, 1), (0, 1))}, "vanishes modulo 7"),
            ({"null_vectors": ()}, "0 null vectors; expected 1"),
            ({"null_vectors": ((-2, 1, 1),)}, "does not annihilate"),
            ({"null_vectors": ((0, 0, 0),)}, "involves another row"),
        ],
    )
    def test_are_refused(self, change, message):
        proof = rank_with_proof(self.matrix)
        proof.check(self.matrix)
        with pytest.raises(InconsistencyError, match=message):
            replace(proof, **change).check(self.matrix)

    def test_independence_of_null_vectors_is_checked(self):
        matrix = fmpz_mat([[1, 2], [2, 4], [3, 6]])
        proof = rank_with_proof(matrix)
        with pytest.raises(InconsistencyError, match="involves another row"):
            replace(proof, null_vectors=(proof.null_vectors[0],) * 2).check(matrix)
