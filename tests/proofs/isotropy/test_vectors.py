from itertools import islice

from flint import fmpq_mat, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs.isotropy.vectors import orthogonal_complement, short_vectors, shortened
from tests.proofs.strategies import integer_rows


@given(st.integers(2, 4).flatmap(lambda n: st.tuples(integer_rows(n, n), integer_rows(n, 1))))
def test_orthogonal_complements_are_saturated(data):
    rows, column = data
    A = fmpz_mat(rows)
    gram, w = A + A.transpose(), fmpz_mat(column)
    complement = orthogonal_complement(gram, w)
    assert (w.transpose() * gram * complement).is_zero()
    assert complement.rank() == complement.ncols() == gram.nrows() - (gram * w).rank()
    assert all(d == 1 for d in (complement.snf()[i, i] for i in range(complement.ncols())))


def test_short_vectors_are_wide_where_values_are_small():
    vectors = islice(short_vectors(fmpz_mat([[1, 0], [0, -10_000]])), 200)
    values = [x[0, 0] ** 2 - 10_000 * x[1, 0] ** 2 for x in vectors]
    assert sum(v > 0 for v in values) > 30 and sum(v < 0 for v in values) > 30


@given(integer_rows(4, 2), integer_rows(4, 1), integer_rows(2, 1))
def test_shortened_vectors_differ_by_the_lattice_and_are_near_its_projection(rows, column, far):
    basis, x = fmpz_mat(rows), fmpz_mat(column)
    if basis.rank() < 2:
        return
    near = shortened(x + basis * fmpz_mat(far) * 1000, basis)
    coefficients = (fmpq_mat(basis).transpose() * fmpq_mat(basis)).solve(fmpq_mat(basis).transpose() * fmpq_mat(near))
    assert all(abs(c) * 2 <= 1 for c in coefficients.entries())
    assert fmpz_mat([*zip(*basis.transpose().tolist(), (x - near).entries(), strict=True)]).rank() == 2
