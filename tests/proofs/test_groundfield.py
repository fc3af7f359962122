import pytest
from flint import fmpz_mat, nmod_mat

from proofs.errors import FieldError, ShapeError
from proofs.fields import GF, QQ, RR, Qp


@pytest.mark.parametrize("field", [QQ, RR, Qp(2), Qp(7), GF(7), GF(2**89 - 1)], ids=str)
class TestEveryField:
    """The conformance suite: what holds over every field."""

    def test_elements_are_recognised(self, field):
        x = field("-2/3")
        assert field(x) == x
        assert 3 * x + 2 == 0

    def test_matrices(self, field):
        A = field.matrix([[1, "1/2"], [0, -1]])
        assert A * A == field.identity(2) == field.diagonal([1, 1])
        assert field.matrix(A) is A
        assert field.matrix(fmpz_mat([[1, 2]])) == field.matrix([[1, 2]])
        assert field.matrix(QQ.matrix([["1/2"]])) == field.matrix([["1/2"]])

    def test_empty_matrices(self, field):
        empty = field.matrix([], columns=3)
        assert (empty.nrows(), empty.ncols()) == (0, 3)
        assert empty.transpose() * empty == field.zeros(3, 3)
        assert field.identity(0).det() == 1

    def test_squares(self, field):
        assert field.is_square(0)
        for x in (1, 2, 3, 4, 5, 6, "1/2", "3/4"):
            square = field(x) * field(x)
            assert field.is_square(square)
            assert field.sqrt(square) ** 2 == square
            assert field.square_class(square) == 1
        non_square = next(x for x in (-1, 2, 3, 5) if not field.is_square(x))
        with pytest.raises(FieldError, match="is not a square"):
            field.sqrt(non_square)
        with pytest.raises(FieldError, match="0 has no square class"):
            field.square_class(0)

    def test_square_classes_are_constant_on_cosets(self, field):
        for x in (1, -1, 2, -2, 3, 5, 6, "-10", "5/3"):
            representative = field.square_class(x)
            assert field.is_square(field(x) / representative)
            assert field.square_class(field(x) * 4) == field.square_class(field(x) * field("9/4")) == representative

    @pytest.mark.parametrize(
        ("rows", "error", "message"),
        [
            ([[1], [2, 3]], ShapeError, "row 1 has 2 entries, row 0 has 1"),
            ([1, 2], ShapeError, "row 0 is 1; expected a sequence"),
            (["12"], ShapeError, "row 0 is '12'"),
            ("[[1]]", ShapeError, "is not a matrix"),
            (5, ShapeError, "is not a matrix"),
            ([], ShapeError, "pass columns="),
            ([[1, "nan"]], FieldError, r"entry \(0, 1\): 'nan' is not an exact number"),
            (nmod_mat(1, 1, [1], 11), FieldError, r"entry \(0, 0\)"),
        ],
    )
    def test_what_is_no_matrix_is_refused(self, field, rows, error, message):
        with pytest.raises(error, match=message):
            field.matrix(rows)

    def test_the_width_is_checked(self, field):
        with pytest.raises(ShapeError, match="has 2 columns; expected 3"):
            field.matrix([[1, 2]], columns=3)
