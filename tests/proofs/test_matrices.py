import pytest
from flint import fmpz_mat

from proofs.errors import FieldError
from proofs.fields import GF, QQ, RR, Qp
from proofs.matrices import beside, block_diagonal, integral, pivots, stack, submatrix


@pytest.mark.parametrize("field", [QQ, RR, Qp(2), GF(7), GF(2**89 - 1)], ids=str)
class TestEveryField:
    def test_submatrices(self, field):
        A = field.matrix([[1, 2, 3], [4, 5, 6]])
        assert submatrix(field, A, [1], [2, 0]) == field.matrix([[6, 4]])
        assert submatrix(field, A, [], [0, 1]) == field.zeros(0, 2)

    def test_above_beside_and_on_the_diagonal(self, field):
        A, B = field.matrix([[1, 2]]), field.matrix([[3, 4]])
        assert stack(field, A, B) == field.matrix([[1, 2], [3, 4]])
        assert beside(field, A, B) == field.matrix([[1, 2, 3, 4]])
        assert beside(field, A, field.zeros(1, 0)) == A
        assert block_diagonal(field, [field.identity(2), field.zeros(0, 0), field.diagonal([-1])]) == field.diagonal(
            [1, 1, -1]
        )

    def test_pivots(self, field):
        echelon, rank = field.matrix([[0, 1, 2, 0], [0, 2, 4, 1]]).rref()
        assert pivots(echelon, rank) == (1, 3)


def test_integral_multiplies_back():
    A = QQ.matrix([["1/2", "-1/3"], [0, 5]])
    integers, denominator = integral(A)
    assert QQ.reduce(integers) == A * denominator
    assert integral(integers) == (integers, 1)
    assert isinstance(integers, fmpz_mat)


def test_only_rational_matrices_are_integral():
    with pytest.raises(FieldError, match="not a matrix over QQ"):
        integral(GF(3).identity(1))
