from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz, fmpz_mat, fmpz_mod_ctx, nmod, nmod_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import FieldError, ShapeError
from proofs.exact import rational
from proofs.fields import GF, QQ, PrimeField

MERSENNE = 2**89 - 1


@pytest.mark.parametrize(
    ("given_", "value"),
    [
        (3, Fraction(3)),
        (Fraction(-3, 4), Fraction(-3, 4)),
        ("-3/4", Fraction(-3, 4)),
        (" 7 / 2 ", Fraction(7, 2)),
        ("0.1", Fraction(1, 10)),
        ("-0.0", Fraction(0)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1e3", Fraction(1000)),
        ("-2.5E-2", Fraction(-1, 40)),
        ("9" * 6000, Fraction(10**6000 - 1)),
        (fmpz(7), Fraction(7)),
        (fmpq(7, 2), Fraction(7, 2)),
        (np.int64(4), Fraction(4)),
    ],
)
def test_exact_numbers_are_read_exactly(given_, value):
    q = rational(given_)
    assert (int(q.numerator), int(q.denominator)) == (value.numerator, value.denominator)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (0.5, "is a float; pass Fraction"),
        (float("nan"), "is a float"),
        ("nan", "not an exact number"),
        ("inf", "not an exact number"),
        ("", "not an exact number"),
        (".", "not an exact number"),
        ("1_000", "not an exact number"),
        ("٣", "not an exact number"),
        ("1/0", "denominator zero"),
        ("1e999999999", "exponent beyond"),
        ("1e-9999999999999999", "exponent beyond"),
        (None, "not an exact number"),
        (True, "not an exact number"),
        (nmod(1, 3), "not an exact number"),
    ],
)
def test_what_is_no_exact_number_is_refused(given_, message):
    with pytest.raises(FieldError, match=message):
        rational(given_)


@given(st.fractions(), st.sampled_from([3, 101, 2**61 - 1, MERSENNE]))
def test_residues_invert_the_denominator(x, p):
    if x.denominator % p:
        assert int(GF(p)(x)) == x.numerator * pow(x.denominator, -1, p) % p
    else:
        with pytest.raises(FieldError, match="divides its denominator"):
            GF(p)(x)


@pytest.mark.parametrize("p", [2, 1, 0, -3, 9, 15, 561, 2**89, 2**67 - 1])
def test_only_odd_primes(p):
    with pytest.raises(FieldError, match="must be an odd prime"):
        GF(p)
    with pytest.raises(FieldError, match="must be an odd prime"):
        PrimeField(p)


@pytest.mark.parametrize("p", [3.0, "3", True, None])
def test_a_modulus_is_an_integer(p):
    with pytest.raises(FieldError, match="must be an odd prime"):
        GF(p)


@pytest.mark.parametrize("alien", [nmod(3, 5), fmpz_mod_ctx(11)(3), fmpz_mod_ctx(fmpz(2) ** 107 - 1)(3)])
@pytest.mark.parametrize("field", [GF(7), GF(MERSENNE)])
def test_elements_of_other_finite_fields_are_refused(alien, field):
    with pytest.raises(FieldError, match="another finite field"):
        field(alien)


@pytest.mark.parametrize("field", [QQ, GF(7), GF(MERSENNE)], ids=str)
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
        assert all(field.is_square(field(x) * field(x)) for x in range(1, 10))

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


def test_names():
    assert (str(QQ), str(GF(7)), GF(7) is GF(7), GF(7) == GF(11)) == ("QQ", "GF(7)", True, False)


@given(st.integers(1, 10**12), st.integers(1, 10**12))
def test_rational_squares(a, b):
    assert QQ.is_square(Fraction(a * a, b * b))
    assert not QQ.is_square(Fraction(-a * a, b * b))
    assert not QQ.is_square(Fraction(2 * a * a, b * b))


@pytest.mark.parametrize("p", [3, 7, 13, 101])
def test_residues_by_enumeration(p):
    squares = {x * x % p for x in range(p)}
    assert [GF(p).is_square(x) for x in range(p)] == [x in squares for x in range(p)]
