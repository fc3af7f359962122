"""Dyadic arithmetic against Python's fractions."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from tests.verify.heads import exact
from verify.dyadic import ExactRows, mantissas, to_integers

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, min_size=1, max_size=8))
def test_mantissas_are_odd_and_exact(values: list[float]) -> None:
    m, e = mantissas(np.array(values))
    for x, mantissa, exponent in zip(values, m.tolist(), e.tolist(), strict=True):
        assert Fraction(x) == mantissa * Fraction(2) ** exponent
        assert mantissa % 2 == 1 or mantissa == 0


@given(st.lists(st.lists(finite, min_size=3, max_size=3), min_size=1, max_size=3))
def test_integers_are_exact_over_the_whole_range(rows: list[list[float]]) -> None:
    integers, exponent = to_integers(np.array(rows))
    for row, ints in zip(rows, integers, strict=True):
        assert [Fraction(x) for x in row] == [k * Fraction(2) ** exponent for k in ints]
        assert all(type(k) is int for k in ints)


@given(st.lists(st.lists(finite, min_size=2, max_size=2), min_size=2, max_size=2))
def test_exact_rows_are_the_stored_rows(rows: list[list[float]]) -> None:
    found = ExactRows.of(np.array(rows))
    assert exact(np.array(rows)) * 2**1200 == found.integers * 2 ** (found.exponent + 1200)
