"""Intervals hold the truth as often as they say."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import torch

from verify.sampling.intervals import frequency_interval, mean_interval, ratio_interval, variance_interval


@pytest.mark.parametrize(("count", "total"), [(1, 10), (5, 10), (9, 10), (3, 1000), (400, 1000), (1, 20_000)])
@pytest.mark.parametrize("confidence", [0.9, 0.9999])
def test_the_ends_of_a_frequency_by_the_beta_law(count: int, total: int, confidence: float) -> None:
    """The tails of the binomial law are incomplete beta functions."""
    estimate, low, high = frequency_interval(count, total, confidence)
    tail = (1 - confidence) / 2
    assert estimate == count / total
    assert float(mpmath.betainc(count, total - count + 1, 0, low, regularized=True)) == pytest.approx(tail, rel=1e-6)
    assert float(mpmath.betainc(count + 1, total - count, high, 1, regularized=True)) == pytest.approx(tail, rel=1e-6)


def test_frequencies_at_the_ends() -> None:
    assert frequency_interval(0, 10, 0.95).low == 0
    assert frequency_interval(10, 10, 0.95).high == 1
    # (1 − p)¹⁰ = 0.025 at the upper end.
    assert frequency_interval(0, 10, 0.95).high == pytest.approx(1 - 0.025**0.1, rel=1e-10)
    assert frequency_interval(10, 10, 0.95).low == pytest.approx(0.025**0.1, rel=1e-10)


@pytest.mark.parametrize("p", [1e-6, 0.003, 0.1, 0.5, 0.97])
def test_the_coverage_of_frequencies_is_guaranteed(p: float) -> None:
    """The sum of the binomial probabilities of all counts whose interval holds p."""
    total, confidence = 60, 0.95
    covered = sum(
        math.comb(total, k) * p**k * (1 - p) ** (total - k)
        for k in range(total + 1)
        if frequency_interval(k, total, confidence).low <= p <= frequency_interval(k, total, confidence).high
    )
    assert covered >= confidence


def test_the_coverage_of_means_variances_and_ratios() -> None:
    """1000 samples of 400 exponential variables, at 90 %: as many as that, and no fewer, hold the truth."""
    rng = np.random.default_rng(1)
    hits = dict.fromkeys(("mean", "variance", "ratio"), 0)
    for _ in range(1000):
        x, noise = torch.from_numpy(rng.exponential(size=(2, 400)))
        y = x + noise
        for name, (_, low, high), truth in (
            ("mean", mean_interval(x, 0.9), 1.0),
            ("variance", variance_interval(x, 0.9), 1.0),
            ("ratio", ratio_interval(x, y, 0.9), 0.5),
        ):
            hits[name] += low <= truth <= high
    assert 870 < hits["mean"] < 930
    assert 845 < hits["variance"] < 930
    assert 870 < hits["ratio"] < 930


def test_a_ratio_that_the_sample_does_not_bound() -> None:
    """One denominator in a hundred is not zero: the ratio may be anything above some number."""
    top, bottom = torch.ones(2, 100, dtype=torch.float64)
    bottom[1:] = 0
    estimate, low, high = ratio_interval(top, bottom, 0.99)
    assert estimate == 100
    assert 0 < low < 100
    assert high == math.inf


def test_skewed_laws_are_missed_as_seldom_as_the_tails_say() -> None:
    """At 99.9 %, 5000 samples of 100 products of two exponential variables: the normal interval misses 86."""
    rng = np.random.default_rng(2)
    values = torch.from_numpy(rng.exponential(size=(5000, 100)) * rng.exponential(size=(5000, 100)))
    intervals = [mean_interval(sample, 0.999) for sample in values]
    above = sum(low > 1 for _, low, _ in intervals)
    below = sum(high < 1 for _, _, high in intervals)
    assert above <= 10
    assert below <= 25


def test_the_ends_are_where_the_transformed_error_is_normal() -> None:
    """By bisection of the cubic itself, for a law skewed to either side."""
    for sign in (1, -1):
        x = sign * torch.tensor([1.0, 2.0, 3.0, 10.0, 30.0], dtype=torch.float64)
        estimate, low, high = mean_interval(x, 0.95)
        g = float(((x - x.mean()) / x.std(correction=0)).pow(3).mean())
        ends = [(estimate - end) / float(x.std()) for end in (low, high)]
        images = [math.sqrt(5) * (t + g * t**2 / 3 + g**2 * t**3 / 27 + g / 30) for t in ends]
        assert images == pytest.approx([1.959963984540054, -1.959963984540054], rel=1e-9)


def test_widths() -> None:
    x = torch.tensor([0.0, 2.0] * 50, dtype=torch.float64)
    estimate, low, high = mean_interval(x, 0.95)
    half = 1.959963984540054 * math.sqrt(100 / 99) / 10
    assert (estimate, low, high) == pytest.approx((1, 1 - half, 1 + half))
    assert variance_interval(x, 0.95) == pytest.approx((1, 1, 1))
