import time

import pytest
from flint import fmpz
from hypothesis import given
from hypothesis import strategies as st
from sympy import factorint

from proofs.errors import FactorisationError
from proofs.factorisation import (
    factorisation,
    is_prime,
    partial_factorisation,
    prime_divisors,
    quick_prime_divisors,
    remove,
)

P, Q = 2**127 - 1, 2**107 - 1


def _product(found, rest=1):
    for p, e in found.items():
        rest *= p**e
    return rest


@given(st.integers(1, 10**15))
def test_against_sympy(x):
    assert dict(factorisation(x)) == factorint(x)
    assert factorisation(-x) == factorisation(x)


@pytest.mark.parametrize(
    "x", [P, 4 * P, P**2, 12 * P**3, (2**31 - 1) ** 4 * Q, 42762409 * 128287227, 10**100_000], ids=int.bit_length
)
def test_large_numbers_that_can_be_factored(x):
    found = factorisation(x)
    assert _product(found) == x
    assert all(is_prime(p) for p in found)


def test_a_composite_beside_small_factors_is_split_as_well():
    """What is left of 249 bits beyond the small prime has 149, and those are in reach."""
    small, one, other = 2**20 + 7, 2**61 - 1, 2**89 - 1
    assert (small**5 * one * other).bit_length() > 200
    assert factorisation(small**5 * one * other) == {small: 5, one: 1, other: 1}


@given(st.integers(1, 10**40), st.booleans())
def test_a_partial_factorisation_multiplies_out(x, quick):
    found, rest = partial_factorisation(x, quick=quick)
    assert _product(found, rest) == x
    assert all(fmpz(p).is_prime() for p in found)
    assert quick or rest == 1


@pytest.mark.parametrize(
    "x", [30 * P * Q, (P * Q) ** 7, 10**50_000 + 7, 2**3000 + 27, 3**20_000 + 2], ids=int.bit_length
)
def test_no_number_takes_long(x):
    started = time.perf_counter()
    found, rest = partial_factorisation(x, quick=True)
    assert time.perf_counter() - started < 1
    assert _product(found, rest) == x and rest != 1


def test_the_limit_is_stated():
    with pytest.raises(FactorisationError, match=r"the prime factors of a composite of 234 bits, .* up to 200 bits"):
        factorisation(30 * P * Q)
    with pytest.raises(FactorisationError, match="a number of 2203 bits"):
        factorisation(2**2203 - 1)
    with pytest.raises(FactorisationError, match="0 has no factorisation"):
        factorisation(0)


@pytest.mark.parametrize("p", [2, 3, 7])
def test_valuations(p):
    for v in (0, 1, 2, 3, 7, 8, 100):
        for rest in (1, -5, 11**30):
            assert remove(fmpz(p) ** v * rest, p) == (v, rest)


def test_prime_divisors():
    assert list(prime_divisors([1, -1])) == []
    assert list(prime_divisors([6, -10, 49])) == [2, 3, 5, 7]


def test_the_prime_divisors_that_are_found_come_before_the_refusal():
    divisors = prime_divisors([30 * P * Q, 7])
    assert sorted(next(divisors) for _ in range(4)) == [2, 3, 5, 7]
    with pytest.raises(FactorisationError, match="a composite of 234 bits"):
        next(divisors)


def test_known_primes_help():
    assert quick_prime_divisors(6 * P * Q, [2]) is None
    assert quick_prime_divisors(6 * P * Q, [2, 5, P]) == [2, 3, 5, Q, P]


def test_primes():
    assert [x for x in range(30) if x > 1 and is_prime(x)] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    for pseudoprime in (561, 3215031751, 318665857834031151167461, P * Q):
        assert not is_prime(pseudoprime)
    with pytest.raises(FactorisationError, match="a number of 2203 bits: primes are proved up to 1300 bits"):
        is_prime(2**2203 - 1)
