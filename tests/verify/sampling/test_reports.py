"""From drawing to report."""

from __future__ import annotations

import json
from statistics import stdev

import pytest
import torch

from verify.ensembles import ENSEMBLES
from verify.errors import HypothesisError
from verify.sampling import measure_sample
from verify.sampling.clouds import measure
from verify.sampling.reports import QUANTILES, sample_record

GAUSSIAN = ENSEMBLES["gaussian"]


def test_the_cloud_is_that_of_the_sample() -> None:
    report = measure_sample(GAUSSIAN, heads=9000, n=4, N=16, seed=5)
    first = measure(GAUSSIAN.sample(9000, n=4, N=16, seed=5).select(range(8990, 9000)))
    assert torch.allclose(report.cloud.columns["a"][8990:], first.columns["a"], atol=1e-14)
    assert report.cloud.heads == 9000
    assert report.signatures == {(4, 4, 8): 9000}
    assert report.ranks == {8: 9000}


def test_threads_do_not_change_the_numbers() -> None:
    threads = torch.get_num_threads()
    try:
        columns = []
        for count in (1, 3):
            torch.set_num_threads(count)
            columns.append(measure_sample(GAUSSIAN, heads=9000, n=4, N=16).cloud.columns)
            assert torch.get_num_threads() == count
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(columns[0][name], columns[1][name]) for name in columns[0])


def test_the_spread_of_a_column() -> None:
    report = measure_sample(GAUSSIAN, heads=500, n=1, N=3)
    values = sorted(report.cloud.columns["b"].tolist())
    spread = report.spread("b")
    assert spread["mean"] == pytest.approx(sum(values) / 500)
    assert spread["standard_deviation"] == pytest.approx(stdev(values))
    assert spread["least"] == values[0]
    assert spread["quantile_0.5"] == pytest.approx((values[249] + values[250]) / 2)
    assert list(spread) == ["mean", "standard_deviation", "least", *(f"quantile_{q:g}" for q in QUANTILES)]


def test_signatures_in_order_of_frequency() -> None:
    report = measure_sample(ENSEMBLES["rademacher"], heads=400, n=1, N=2)
    counts = list(report.signatures.values())
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == sum(report.ranks.values()) == 400
    assert list(report.ranks) == [2, 1]


def test_the_record() -> None:
    report = measure_sample(ENSEMBLES["sparse"], heads=300, n=1, N=3, parameters={"density": 0.6})
    record = json.loads(json.dumps(sample_record(report, points=True), allow_nan=False))
    assert record["parameters"] == {"density": 0.6}
    assert (record["heads"], record["n"], record["N"], record["dtype"]) == (300, 1, 3, "float64")
    assert sum(entry["heads"] for entry in record["signatures"]) == 300
    assert sum(record["types"].values()) == len(report.cloud.defined("a"))
    assert record["agrees"] == all(c["agrees"] for c in record["comparisons"])
    assert len(record["points"]) == 300
    undefined = [point for point in record["points"] if point["a"] is None]
    assert len(undefined) == 300 - len(report.cloud.defined("a")) > 0
    for point in record["points"]:
        assert sum(point["signature"].values()) == 3
    assert "points" not in sample_record(report)


def test_the_record_over_a_finite_field() -> None:
    report = measure_sample(ENSEMBLES["finite-field"], heads=200, n=1, N=2)
    record = sample_record(report, points=True)
    assert report.signatures == {}
    assert "profile" not in record
    assert {entry["rank"] for entry in record["ranks"]} == {0, 1, 2}
    assert set(record["points"][0]) == {"rank"}


@pytest.mark.parametrize("confidence", [0.0, 1.0, float("nan")])
def test_impossible_confidence(confidence: float) -> None:
    with pytest.raises(HypothesisError, match="a confidence lies strictly between 0 and 1"):
        measure_sample(GAUSSIAN, n=1, N=2, confidence=confidence)
