"""Confidence intervals for means, variances, ratios of means and probabilities."""

from __future__ import annotations

import math
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
    """The normal interval of a mean, ``x̄ ± z s/√k``, widened by :data:`ROUNDING`.

    Args:
        values: ``(k,)`` float64, k ≥ 2, independent with one law.
        confidence: of the interval, in (0, 1). It is asymptotic: exact in the limit of large k.

    >>> mean_interval(torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64), 0.95)
    Interval(estimate=2.5, low=1.23..., high=3.76...)
    """
    return _around(float(values.mean()), values, confidence)


def variance_interval(values: torch.Tensor, confidence: float) -> Interval:
    """The normal interval of a variance, taken as the mean of the squared deviations."""
    squares = (values - values.mean()).square()
    return _around(float(squares.mean()), squares, confidence)


def ratio_interval(top: torch.Tensor, bottom: torch.Tensor, confidence: float) -> Interval:
    """The normal interval of a ratio r of two means by the delta method: that of the mean of ``(x − ry)/ȳ``.

    >>> ratio_interval(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0]), 0.95)
    Interval(estimate=0.5, low=0.49999..., high=0.50000...)
    """
    ratio = top.mean() / bottom.mean()
    return _around(float(ratio), (top - ratio * bottom) / bottom.mean(), confidence)


def _around(estimate: float, deviations: torch.Tensor, confidence: float) -> Interval:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    half = z * float(deviations.std()) / math.sqrt(len(deviations)) + ROUNDING * max(1.0, abs(estimate))
    return Interval(estimate, estimate - half, estimate + half)


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
