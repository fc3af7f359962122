from fractions import Fraction

import pytest
from flint import fmpz, fmpz_mod_ctx, nmod
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import FieldError
from proofs.fields import GF, QQ, RR, PadicField, PrimeField, Qp, field_named, unproved

MERSENNE = 2**89 - 1


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


def test_a_modulus_too_large_to_prove_prime_is_refused_at_once():
    for kind in (GF, Qp):
        with pytest.raises(FieldError, match=r"may be a prime, but is a number of 2203 bits: primes are proved up to"):
            kind(2**2203 - 1)


def test_unproved_fields_compute_as_proved_ones():
    field = unproved(PrimeField, MERSENNE)
    assert field == GF(MERSENNE) and field("1/2") == GF(MERSENNE)("1/2")
    assert unproved(PadicField, 7).unit_part(98) == Qp(7).unit_part(98)


@pytest.mark.parametrize("p", [3.0, "3", True, None])
def test_a_modulus_is_an_integer(p):
    with pytest.raises(FieldError, match="must be an odd prime"):
        GF(p)


@pytest.mark.parametrize("alien", [nmod(3, 5), fmpz_mod_ctx(11)(3), fmpz_mod_ctx(fmpz(2) ** 107 - 1)(3)])
@pytest.mark.parametrize("field", [GF(7), GF(MERSENNE)])
def test_elements_of_other_finite_fields_are_refused(alien, field):
    with pytest.raises(FieldError, match="another finite field"):
        field(alien)


@pytest.mark.parametrize("name", ["QQ", "RR", "GF(7)", "GF(618970019642690137449562111)", "Qp(2)", "Qp(13)"])
def test_names(name):
    assert str(field_named(name)) == repr(field_named(f" {name} ")) == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("CC", "'CC' is not a field; expected QQ, RR, GF"),
        ("GF(x)", "is not a field; expected"),
        ("GF(2)", r"GF\(2\) has characteristic 2"),
        ("GF(91)", r"GF\(91\) is not a field of prime order"),
        ("Qp(4)", r"Qp\(4\) does not exist"),
        ("Qp(-3)", "is not a field; expected"),
    ],
)
def test_names_that_name_no_field(name, message):
    with pytest.raises(FieldError, match=message):
        field_named(name)


def test_fields_are_equal_by_what_they_are():
    assert GF(7) is GF(7)
    assert len({QQ, RR, GF(7), GF(11), Qp(7), Qp(11)}) == 6


@pytest.mark.parametrize("p", [1, 4, -3, 2.0, "2", True])
def test_padic_numbers_need_a_prime(p):
    with pytest.raises(FieldError, match="does not exist"):
        Qp(p)


@pytest.mark.parametrize("p", [2, 3, 5, 7, 13])
def test_padic_squares_by_hensel(p):
    """x is a square in ℤ_p if it is one modulo a power of p beyond the reach of Hensel's lemma."""
    modulus = p**5 if p < 5 else p**3
    squares = {y * y % modulus for y in range(modulus)}
    for x in range(1, 200):
        valuation = Qp(p).unit_part(x)[0]
        if valuation <= 1:
            assert Qp(p).is_square(x) == (x % modulus in squares)
        assert Qp(p).is_square(Fraction(x, p * p)) == Qp(p).is_square(x)


def test_representatives_of_square_classes():
    assert {int(Qp(2).square_class(x)) for x in range(1, 65)} == {1, 3, 5, 7, 2, 6, 10, 14}
    assert {int(Qp(7).square_class(x)) for x in range(1, 99)} == {1, 3, 7, 21}
    assert {int(RR.square_class(x)) for x in (-3, 5)} == {1, -1}
    assert QQ.square_class(Fraction(-50, 27)) == -6


@given(st.integers(1, 10**12), st.integers(1, 10**12))
def test_rational_squares(a, b):
    assert QQ.is_square(Fraction(a * a, b * b))
    assert not QQ.is_square(Fraction(-a * a, b * b))
    assert not QQ.is_square(Fraction(2 * a * a, b * b))


@pytest.mark.parametrize("p", [3, 7, 13, 101])
def test_residues_by_enumeration(p):
    squares = {x * x % p for x in range(p)}
    assert [GF(p).is_square(x) for x in range(p)] == [x in squares for x in range(p)]
