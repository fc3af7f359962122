from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz, nmod

from proofs.errors import FieldError
from proofs.exact import rational


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
