"""Measured against expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from verify.ensembles import Expectation, Frequency, Mean, Ratio, Variance
from verify.errors import HypothesisError
from verify.sampling.clouds import Cloud
from verify.sampling.intervals import Interval, frequency_interval, mean_interval, ratio_interval, variance_interval

#: Relative rounding error granted to a statistic that does not vary in a sample.
ROUNDING = 1e-12
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
        slack = within + ROUNDING * max(1.0, abs(value))
        return self.measured.low - slack <= value <= self.measured.high + slack


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
    return tuple(Comparison(e, _interval(cloud, e, each)) for e in expectations)


def _interval(cloud: Cloud, expected: Expectation, confidence: float) -> Interval:
    statistic = expected.statistic
    match statistic:
        case Mean(column):
            return mean_interval(cloud.defined(column), confidence)
        case Variance(column):
            return variance_interval(cloud.defined(column), confidence)
        case Ratio(column, of):
            return ratio_interval(cloud.columns[column], cloud.columns[of], confidence)
        case Frequency(column, value):
            count = cloud.counts(column)[value]
            if expected.value in (0, 1):
                # What happens always or never needs no interval: one exception refutes it.
                return Interval(*[count / cloud.heads] * 3)
            return frequency_interval(count, cloud.heads, confidence)
        case _:
            assert_never(statistic)
