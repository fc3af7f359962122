"""Confidence intervals for means, variances, ratios of means and probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import torch

#: What float64 may lose in the columns and in their sums, relative; it matters where a statistic does not vary.
ROUNDING = 1e-12


class Interval(NamedTuple):
    """An estimate and the interval that holds the truth with the confidence asked for."""

    estimate: float
    low: float
    high: float


def mean_interval(values: torch.Tensor, confidence: float) -> Interval:
    """The interval of a mean, its skewness removed, and widened by :data:`ROUNDING`.

    P. Hall, *On the removal of skewness by transformation*, J. R. Statist. Soc. B 54 (1992): the normal interval
    ``x̄ ± z s/√k`` misses on one side far more often than it says where the law is skewed, as that of a norm is; a
    monotone cubic transformation of ``(x̄ − μ)/s`` takes the skewness out, and its inverse gives the ends.

    Args:
        values: ``(k,)`` float64, k ≥ 2, independent with one law.
        confidence: of the interval, in (0, 1), correct to the second order in 1/√k.

    >>> mean_interval(torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64), 0.95)
    Interval(estimate=2.5, low=1.23..., high=3.76...)
    >>> mean_interval(torch.tensor([1.0, 1.0, 1.0, 5.0], dtype=torch.float64), 0.95)
    Interval(estimate=2.0, low=0.567..., high=10.168...)
    """
    return _around(float(values.mean()), values, confidence)


def variance_interval(values: torch.Tensor, confidence: float) -> Interval:
    """The interval of a variance, taken as the mean of the squared deviations; see :func:`mean_interval`."""
    squares = (values - values.mean()).square()
    return _around(float(squares.mean()), squares, confidence)


def ratio_interval(top: torch.Tensor, bottom: torch.Tensor, confidence: float) -> Interval:
    """The interval of a ratio of two means, by Fieller: all r for which that of the mean of ``x − ry`` has 0 in it.

    E. C. Fieller, *Some problems in interval estimation*, J. R. Statist. Soc. B 16 (1954). The delta method, which
    takes the deviation at the estimate for that at the truth, misses more often where the denominator varies much.
    An end is infinite where the sample bounds it by nothing.

    >>> ratio_interval(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0]), 0.95)
    Interval(estimate=0.5, low=0.49999..., high=0.50000...)
    """
    ratio = float(top.mean() / bottom.mean())

    def admits(r: float) -> bool:
        _, low, high = _around(float((top - r * bottom).mean()), top - r * bottom, confidence)
        return low <= 0 <= high

    least = ROUNDING * max(1.0, abs(ratio))
    step = max(least, float((top - ratio * bottom).std() / bottom.mean()) / math.sqrt(len(top)))
    return Interval(ratio, *(_last_admitted(admits, ratio, sign * step, least) for sign in (-1, 1)))


def _last_admitted(admits: Callable[[float], bool], start: float, step: float, least: float) -> float:
    """The end of an interval, rounded outwards by ``least`` or 2⁻²⁰ of its length: doubling, then halving."""
    inside, outside = 0.0, step
    while admits(start + outside):
        inside, outside = outside, 2 * outside
        if abs(outside) > 2**60:
            return math.copysign(math.inf, step)
    while abs(outside - inside) > max(least, 2.0**-20 * abs(outside)):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if admits(start + middle) else (inside, middle)
    return start + outside


def _around(estimate: float, values: torch.Tensor, confidence: float) -> Interval:
    """The interval of an estimate that errs as the mean of some values does."""
    count, deviation = len(values), float(values.std())
    centred = values - values.mean()
    spread = float(centred.square().mean().sqrt())
    skewness = float((centred / spread).pow(3).mean()) if spread else 0.0
    z = NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(count)
    slack = ROUNDING * max(1.0, abs(estimate))
    low, high = (estimate - deviation * _skewed(end, skewness, count) for end in (z, -z))
    return Interval(estimate, low - slack, high + slack)


def _skewed(t: float, skewness: float, count: int) -> float:
    """Where Hall's transformation ``x + γx²/3 + γ²x³/27 + γ/6k`` is t."""
    if abs(skewness) < 1e-8:
        return t
    return 3 / skewness * (math.cbrt(1 + skewness * (t - skewness / (6 * count))) - 1)


def frequency_interval(count: int, total: int, confidence: float) -> Interval:
    """The interval of Clopper and Pearson for a probability: its confidence is at least the one asked for.

    C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits*, Biometrika 26 (1934): the ends are the
    probabilities at which as many successes as were seen, or more (as few, or fewer), have probability
    ``½(1 − confidence)``. One exception takes 1 out of the interval, one occurrence takes 0 out of it.

    >>> frequency_interval(0, 10, 0.95)
    Interval(estimate=0.0, low=0.0, high=0.308...)
    """
    tail = (1 - confidence) / 2
    low = _where_tail_is(count, total, tail) if count else 0.0
    high = 1 - _where_tail_is(total - count, total, tail) if count < total else 1.0
    return Interval(count / total, low, high)


def _where_tail_is(count: int, total: int, tail: float) -> float:
    """The p, rounded down, with ``P(at least count of total) = tail``, by bisection: the tail grows with p."""
    successes = torch.arange(count, total + 1, dtype=torch.float64)
    failures = total - successes
    ways = math.lgamma(total + 1) - torch.lgamma(successes + 1) - torch.lgamma(failures + 1)
    low, high = 0.0, 1.0
    while high - low > 2.0**-50 * high:
        p = (low + high) / 2
        chance = torch.exp(ways + successes * math.log(p) + failures * math.log1p(-p)).sum()
        low, high = (p, high) if chance <= tail else (low, p)
    return low
