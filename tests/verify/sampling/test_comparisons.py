"""A comparison agrees with what is true and with nothing else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import torch

from verify.ensembles import ENSEMBLES, Expectation, Frequency, Mean, Ratio, Variance
from verify.errors import HypothesisError
from verify.sampling import Cloud, compare, measure_sample
from verify.sampling.comparisons import Comparison
from verify.sampling.intervals import Interval

SIZES = {"square": (3, 3), "accumulation": (6, 6), "finite-field": (1, 2), "gaussian": (2, 12), "sparse": (2, 12)}
SAMPLES = [(name, *SIZES.get(name, (2, 6))) for name in ENSEMBLES] + [("gaussian", 2, 3), ("uniform", 3, 3)]


@pytest.mark.parametrize(("name", "n", "N"), SAMPLES)
def test_true_expectations_agree_and_wrong_ones_do_not(name: str, n: int, N: int) -> None:
    """Each expected value, and the same with a factor 2 lost or gained: 8000 heads tell them apart."""
    report = measure_sample(ENSEMBLES[name], heads=8000, n=n, N=N, seed=1)
    assert report.comparisons
    for comparison in report.comparisons:
        assert comparison.agrees, comparison
        expected = comparison.expected
        wrong = [2 * expected.value, expected.value / 2] if expected.value else [Fraction(1, 20)]
        for value in [expected.value + 4 * expected.within] if expected.within else wrong:
            (doctored,) = compare(report.cloud, [replace(expected, value=value)], report.confidence)
            assert not doctored.agrees, doctored


def test_intervals_share_the_risk() -> None:
    cloud = Cloud({"rank": torch.tensor([2] * 60 + [1] * 140)})
    one = Expectation(Frequency("rank", 2), Fraction(1, 2), "")
    (alone,) = compare(cloud, [one], 0.95)
    shared = compare(cloud, [one] * 5, 0.95)
    assert {c.measured for c in shared} == {compare(cloud, [one], 0.99)[0].measured}
    assert shared[0].measured.low < alone.measured.low < alone.measured.high < shared[0].measured.high


def test_what_always_happens_is_refuted_by_one_exception() -> None:
    cloud = Cloud({"rank": torch.tensor([2] * 199 + [1])})
    always, never = (Expectation(Frequency("rank", r), Fraction(x), "") for r, x in ((2, 1), (1, 0)))
    assert [c.agrees for c in compare(cloud, [always, never], 0.999)] == [False, False]
    likely = Expectation(Frequency("rank", 2), Fraction(999, 1000), "")
    assert compare(cloud, [likely], 0.999)[0].agrees


def test_each_kind_of_statistic() -> None:
    score = torch.tensor([1.0, 3.0] * 100, dtype=torch.float64)
    share = torch.tensor([0.25, 0.75] * 100, dtype=torch.float64)
    cloud = Cloud({"rank": torch.ones(200, dtype=torch.int64), "score": score, "symmetric": share, "share": share})
    statistics = [Mean("score"), Variance("share"), Ratio("symmetric", "score"), Frequency("rank", 1)]
    values = [2, Fraction(1, 16), Fraction(1, 4), 1]
    found = compare(cloud, [Expectation(s, Fraction(v), "") for s, v in zip(statistics, values, strict=True)], 0.99)
    assert [c.measured.estimate for c in found] == pytest.approx([float(v) for v in values])
    assert all(c.agrees for c in found)


def test_undefined_values_are_left_out() -> None:
    share = torch.tensor([0.5] * 100 + [torch.nan] * 50, dtype=torch.float64)
    cloud = Cloud({"rank": torch.ones(150, dtype=torch.int64), "share": share})
    (found,) = compare(cloud, [Expectation(Mean("share"), Fraction(1, 2), "")], 0.99)
    assert found.measured == pytest.approx((0.5, 0.5, 0.5), abs=2e-12)
    cloud.columns["share"][0] = torch.nan
    with pytest.raises(HypothesisError, match="L ≠ 0 for 99 of 150 heads only; intervals need 100"):
        compare(cloud, [], 0.99)


@pytest.mark.parametrize(("value", "within", "agrees"), [("1", "0", True), ("3", "0", False), ("3", "1", True)])
def test_bounds_widen_the_interval(value: str, within: str, agrees: bool) -> None:
    expected = Expectation(Mean("score"), Fraction(value), "", within=Fraction(within))
    assert Comparison(expected, Interval(1.5, 1.0, 2.0)).agrees is agrees
