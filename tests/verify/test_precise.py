"""The many-digit route against mpmath and against heads with known answers."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.dyadic import ExactRows
from verify.precise import precise_form, precise_margin


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(0, 60))
def test_margins_are_those_of_mpmath(seed: int, n: int, closeness: int) -> None:
    M = np.random.default_rng(seed).standard_normal((2 * n, 2 * n + 2))
    M[-1] = M[0] + 2.0**-closeness * M[-1]
    margin, relative = precise_margin(ExactRows.of(M))
    with mpmath.workdps(80):
        A = mpmath.matrix(M.tolist())
        squares = sorted(mpmath.eigsy(A * A.T, eigvals_only=True))
        expected, ratio = mpmath.sqrt(squares[0]), mpmath.sqrt(squares[0] / squares[-1])
    assert margin == pytest.approx(float(expected), rel=1e-12)
    assert relative == pytest.approx(float(ratio), rel=1e-12)


def test_margins_beyond_the_float_range_are_none() -> None:
    big = np.array([[2.0**1023, 2.0**1023, 0.0]])
    margin, relative = precise_margin(ExactRows.of(np.concatenate([np.array([[0.0, 5e-324, 0.0]]), big])))
    assert margin == 5e-324 or margin == pytest.approx(5e-324 / math.sqrt(2), abs=5e-324)
    assert relative is None


@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(0, 3), st.integers(-200, 200))
def test_the_form_has_the_invariants_of_the_head(seed: int, n: int, extra: int, up: int) -> None:
    rng = np.random.default_rng(seed)
    Q, K = rng.integers(-4, 5, size=(2, n, n + extra)).astype(float)
    found = precise_form(ExactRows.of(np.concatenate([K, Q * 2.0**up])))
    L = K.T @ Q
    form = found.form * 2.0 ** (found.exponent - up)
    assert np.linalg.norm(form) == pytest.approx(np.linalg.norm(L), rel=1e-13, abs=1e-300)
    assert np.trace(form) == pytest.approx(np.trace(L), rel=1e-12, abs=1e-12)
    expected = np.linalg.eigvalsh((L + L.T) / 2)
    got = np.linalg.eigvalsh((form + form.T) / 2)
    padded = np.sort(np.concatenate([got, np.zeros(len(expected) - len(got))]))
    assert np.allclose(padded, expected, atol=1e-11 * (1 + np.abs(expected).max()))


def test_cancellation_leaves_the_small_difference() -> None:
    """k₁ = k₂ + 2⁻⁴⁰k, q₁ = −q₂: L = 2⁻⁴⁰ k q₁ᵀ, which float64 products would round away."""
    k, q = np.array([1.0, 2, 0, 1]), np.array([0.0, 1, 3, -1])
    other = np.array([3.0, 0.1, 0.7, 2])
    K = np.stack([other.astype(np.float32) + 2.0**-20 * k, other.astype(np.float32)])
    found = precise_form(ExactRows.of(np.concatenate([K, [q, -q]])))
    norm = np.linalg.norm(found.form) * 2.0**found.exponent
    assert norm == pytest.approx(2.0**-20 * np.linalg.norm(k) * np.linalg.norm(q), rel=1e-14)
