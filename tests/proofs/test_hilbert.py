import itertools
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import FieldError
from proofs.factorisation import prime_divisors
from proofs.fields import GF, QQ, RR, Qp
from proofs.hilbert import hasse_invariant, hilbert_symbol

nonzero = st.integers(-200, 200).filter(bool)
places = st.sampled_from([RR, Qp(2), Qp(3), Qp(5), Qp(7)])


@pytest.mark.parametrize("p", [2, 3, 5])
def test_by_the_definition(p):
    """``z² = ax² + by²`` solved modulo p^k by a primitive (x, y, z): with k beyond Hensel's reach, solved over ℤ_p."""
    modulus = {2: 64, 3: 27, 5: 125}[p]
    squares = {z * z % modulus for z in range(modulus)}
    primitive_squares = {z * z % modulus for z in range(modulus) if z % p}
    values = [1, -1, 2, 3, 5, 6, 7, p, -p]
    for a, b in itertools.product(values, repeat=2):
        solvable = False
        for x, y in itertools.product(range(modulus if p < 5 else p * p), repeat=2):
            value = (a * x * x + b * y * y) % modulus
            if value in (squares if x % p or y % p else primitive_squares):
                solvable = True
                break
        assert (hilbert_symbol(a, b, Qp(p)) == 1) == solvable, (a, b)


@given(nonzero, nonzero)
def test_product_formula(a, b):
    """∏ over all places of (a, b) is 1."""
    symbols = [hilbert_symbol(a, b, Qp(p)) for p in prime_divisors([2, a, b])]
    assert hilbert_symbol(a, b, RR) * prod(symbols) == 1


@given(nonzero, nonzero, nonzero, places)
def test_bilinear_symmetric_and_steinberg(a, b, c, place):
    assert hilbert_symbol(a, b * c, place) == hilbert_symbol(a, b, place) * hilbert_symbol(a, c, place)
    assert hilbert_symbol(a, b, place) == hilbert_symbol(b, a, place)
    assert hilbert_symbol(a, -a, place) == 1
    if a != 1:
        assert hilbert_symbol(a, 1 - a, place) == 1


@given(st.lists(nonzero, max_size=6), places)
def test_the_hasse_invariant_runs_over_i_less_than_j(entries, place):
    pairs = [hilbert_symbol(a, b, place) for a, b in itertools.combinations(entries, 2)]
    assert hasse_invariant(entries, place) == prod(pairs)


@pytest.mark.parametrize("n", range(7))
def test_hyperbolic_planes(n):
    """The closed formulas (case S16): (−1)^{n(n−1)/2} at 2 and ∞, 1 elsewhere."""
    expected = -1 if n * (n - 1) // 2 % 2 else 1
    assert hasse_invariant([1, -1] * n, RR) == hasse_invariant([1, -1] * n, Qp(2)) == expected
    assert hasse_invariant([1, -1] * n, Qp(3)) == 1


def test_finite_fields_and_refusals():
    assert hilbert_symbol(2, 3, GF(5)) == 1
    with pytest.raises(FieldError, match="needs nonzero arguments"):
        hilbert_symbol(0, 1, RR)
    with pytest.raises(FieldError, match="take it at a place"):
        hilbert_symbol(1, 1, QQ)
