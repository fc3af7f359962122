"""The bounds really bound, and scaling really is exact."""

from fractions import Fraction

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given

from verify.rounding import (
    SMALLEST_NORMAL,
    UNIT_ROUNDOFF,
    add_up,
    frobenius_up,
    gamma,
    scale_rows,
    scale_up,
    shift,
    sum_up,
    times_power_of_two,
)

moderate = st.floats(0, 1e100, allow_subnormal=False)
finite = st.floats(allow_nan=False, allow_infinity=False)


def exactly(x: object) -> Fraction:
    return Fraction(float(x))  # type: ignore[arg-type]


@given(st.integers(1, 2**40))
def test_gamma_is_at_least_the_exact_value(k: int) -> None:
    u = Fraction(1, 2**53)
    assert exactly(gamma(k)) >= k * u / (1 - k * u)
    assert exactly(gamma(k)) <= k * u / (1 - k * u) * (1 + 8 * u)


def test_gamma_refuses_sums_without_a_bound() -> None:
    with pytest.raises(OverflowError, match="no useful float64 error bound"):
        gamma(2**52)


@given(st.lists(moderate, min_size=1, max_size=50))
def test_sums_are_bounded_from_above(values: list[float]) -> None:
    x = torch.tensor(values, dtype=torch.float64)
    total = sum(map(Fraction, values))
    assert exactly(sum_up(x)) >= total
    assert exactly(add_up(*x.unbind())) >= total


@given(moderate, moderate)
def test_products_are_bounded_from_above(x: float, y: float) -> None:
    assert exactly(scale_up(torch.tensor(x, dtype=torch.float64), y)) >= Fraction(x) * Fraction(y)


@given(st.lists(st.floats(-1e100, 1e100), min_size=4, max_size=4))
def test_the_frobenius_norm_is_bounded_from_above(values: list[float]) -> None:
    x = torch.tensor(values, dtype=torch.float64).reshape(2, 2)
    assert exactly(frobenius_up(x)) ** 2 >= sum(Fraction(v) ** 2 for v in values)


def test_the_frobenius_norm_survives_underflow() -> None:
    x = torch.full((2, 2), 1e-200, dtype=torch.float64)
    assert exactly(frobenius_up(x)) ** 2 >= 4 * Fraction(1e-200) ** 2


@given(st.lists(finite, min_size=1, max_size=6))
def test_rows_are_scaled_exactly_into_the_unit_interval(values: list[float]) -> None:
    scaled, exponents = scale_rows(torch.tensor([values], dtype=torch.float64))
    largest = float(scaled.abs().max())
    assert largest == 0 if not any(values) else 0.5 <= largest < 1
    for x, y in zip(values, scaled[0].tolist(), strict=True):
        lost = abs(Fraction(x) / Fraction(2) ** int(exponents[0]) - Fraction(y))
        assert lost <= Fraction(SMALLEST_NORMAL)
        if abs(Fraction(x)) >= Fraction(2) ** int(exponents[0]) * Fraction(SMALLEST_NORMAL):
            assert lost == 0


@given(st.floats(0.5, 1, exclude_max=True), st.integers(-1000, 1000), st.integers(-20, 20))
def test_shifting_multiplies_by_the_power_of_two(x: float, e: int, up: int) -> None:
    shifted = shift(torch.tensor(x, dtype=torch.float64), e)
    assert exactly(shifted) == Fraction(x) * Fraction(2) ** e
    assert exactly(shift(shifted, torch.tensor(up - e))) == Fraction(x) * Fraction(2) ** up


def test_the_unit_roundoff_is_that_of_float64() -> None:
    assert 1.0 + UNIT_ROUNDOFF == 1.0 < 1.0 + 2 * UNIT_ROUNDOFF


def test_powers_outside_the_range_are_refused_not_rounded() -> None:
    assert times_power_of_two(1.0, 1024) is None
    assert times_power_of_two(1.0, -1075) is None
    assert times_power_of_two(0.0, -5000) == 0.0
