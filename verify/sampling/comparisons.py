"""Measured against expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from verify.ensembles import Expectation, Frequency, Mean, Ratio, Statistic, Variance
from verify.errors import HypothesisError
from verify.sampling.clouds import Cloud
from verify.sampling.intervals import Interval, frequency_interval, mean_interval, ratio_interval, variance_interval

#: Heads with a defined value below which an interval would mean nothing.
FEWEST = 100


@dataclass(frozen=True)
class Comparison:
    """An expectation, and the interval that holds the truth with the stated confidence.

    Attributes:
        expected: what theory says.
        measured: the estimate and its interval.
    """

    expected: Expectation
    measured: Interval

    @property
    def agrees(self) -> bool:
        """Whether the interval meets what theory admits."""
        value, within = float(self.expected.value), float(self.expected.within)
        return self.measured.low - within <= value <= self.measured.high + within


def compare(cloud: Cloud, expectations: list[Expectation], confidence: float) -> tuple[Comparison, ...]:
    """Compare a sample with what theory says of it.

    Args:
        cloud: the measured heads.
        expectations: what is known of their law.
        confidence: that *all* intervals hold the truth; each gets its share of the rest (Bonferroni).

    Raises:
        HypothesisError: too few heads have L ≠ 0 for an interval.
    """
    defined = len(cloud.defined("share")) if "share" in cloud.columns else cloud.heads
    if defined < FEWEST:
        raise HypothesisError(
            f"L ≠ 0 for {defined} of {cloud.heads} heads only; intervals need {FEWEST}: draw more or larger heads"
        )
    each = 1 - (1 - confidence) / max(1, len(expectations))
    return tuple(Comparison(e, _interval(cloud, e.statistic, each)) for e in expectations)


def _interval(cloud: Cloud, statistic: Statistic, confidence: float) -> Interval:
    match statistic:
        case Mean(column):
            return mean_interval(cloud.defined(column), confidence)
        case Variance(column):
            return variance_interval(cloud.defined(column), confidence)
        case Ratio(column, of):
            return ratio_interval(cloud.columns[column], cloud.columns[of], confidence)
        case Frequency(column, value):
            return frequency_interval(cloud.counts(column)[value], cloud.heads, confidence)
        case _:
            assert_never(statistic)
