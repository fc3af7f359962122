import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import factorint

from proofs.errors import FactorisationError
from proofs.factorisation import factorisation, prime_divisors

P, Q = 2**127 - 1, 2**107 - 1


@given(st.integers(1, 10**15))
def test_against_sympy(x):
    assert dict(factorisation(x)) == factorint(x)
    assert factorisation(-x) == factorisation(x)


@pytest.mark.parametrize("x", [P, 4 * P, P**2, 12 * P**3, (2**31 - 1) ** 4 * Q, 42762409 * 128287227])
def test_large_numbers_that_can_be_factored(x):
    product = 1
    for p, e in factorisation(x).items():
        product *= p**e
    assert product == x


def test_the_limit_is_stated():
    with pytest.raises(FactorisationError, match="a composite of 234 bits has no small prime factor"):
        factorisation(30 * P * Q)
    with pytest.raises(FactorisationError, match="0 has no factorisation"):
        factorisation(0)


def test_prime_divisors():
    assert prime_divisors([1, -1]) == ()
    assert prime_divisors([6, -10, 49]) == (2, 3, 5, 7)
