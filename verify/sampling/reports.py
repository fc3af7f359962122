"""A sample from drawing to comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch

from verify.ensembles import Ensemble
from verify.errors import HypothesisError
from verify.heads import HeadBatch
from verify.profiles import NAMES
from verify.sampling.clouds import Cloud, measure
from verify.sampling.comparisons import Comparison, compare
from verify.threads import single_threaded

#: Quantiles by which a column is summed up.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class SampleReport:
    """What a sample shows.

    Attributes:
        ensemble: its name.
        parameters: of the ensemble, complete.
        n, N: size of the heads.
        seed, dtype: with which they were drawn.
        confidence: that all intervals hold the truth.
        cloud: the numbers of every head.
        comparisons: with theory.
    """

    ensemble: str
    parameters: Mapping[str, float]
    n: int
    N: int
    seed: int
    dtype: torch.dtype
    confidence: float
    cloud: Cloud = field(repr=False)
    comparisons: tuple[Comparison, ...]

    @property
    def agrees(self) -> bool:
        """Whether every comparison agrees."""
        return all(comparison.agrees for comparison in self.comparisons)

    @property
    def signatures(self) -> dict[tuple[int, int, int], int]:
        """How often each signature occurs, the most frequent first; empty over a finite field."""
        if "signature" not in self.cloud.columns:
            return {}
        return {(s[0], s[1], s[2]): k for s, k in self.cloud.counts("signature").most_common() if isinstance(s, tuple)}

    @property
    def ranks(self) -> dict[int, int]:
        """How often each rank of M occurs, the highest first."""
        return {r: k for r, k in sorted(self.cloud.counts("rank").items(), reverse=True) if isinstance(r, int)}

    def spread(self, column: str) -> dict[str, float] | None:
        """Mean, standard deviation, least value and quantiles of a column; None where no head has a value."""
        values = self.cloud.defined(column)
        if not len(values):
            return None
        quantiles = torch.quantile(values, torch.tensor(QUANTILES, dtype=torch.float64)).tolist()
        return {
            "mean": float(values.mean()),
            "standard_deviation": float(values.std()),
            "least": float(values.min()),
            **{f"quantile_{q:g}": x for q, x in zip(QUANTILES, quantiles, strict=True)},
        }


def measure_sample(
    ensemble: Ensemble,
    *,
    heads: int = 1000,
    n: int,
    N: int,
    seed: int = 0,
    dtype: torch.dtype = torch.float64,
    confidence: float = 0.999,
    parameters: Mapping[str, float] | None = None,
) -> SampleReport:
    """Draw a sample, measure it, compare it with theory.

    Signatures are exact and frequencies have intervals of guaranteed confidence; those of means are asymptotic, with
    the skewness removed (:func:`verify.sampling.intervals.mean_interval`): good for hundreds of heads, better for
    thousands.

    Args:
        ensemble: from :data:`verify.ensembles.ENSEMBLES`.
        heads: sample size, at least 100.
        n: head dimension.
        N: width.
        seed: reproduces the sample.
        dtype: to which the entries are rounded.
        confidence: that all intervals hold the truth.
        parameters: of the ensemble.

    Raises:
        HypothesisError: impossible sizes or parameters; a confidence outside (0, 1); too few heads with L ≠ 0.

    >>> from verify.ensembles import ENSEMBLES
    >>> report = measure_sample(ENSEMBLES["gaussian"], n=1, N=4)
    >>> report.signatures, report.agrees
    ({(1, 1, 2): 1000}, True)
    """
    if not 0 < confidence < 1:
        raise HypothesisError(f"a confidence lies strictly between 0 and 1, unlike {confidence}")
    expectations = ensemble.expectations(n=n, N=N, dtype=dtype, parameters=parameters)
    chosen = ensemble.complete(n, N, parameters, dtype)
    batches = ensemble.batches(heads, n=n, N=N, seed=seed, dtype=dtype, parameters=parameters)
    ground = ensemble.field(chosen)
    cloud = Cloud.joined(_shared_out(batches, lambda batch: measure(batch, ground)))
    comparisons = compare(cloud, expectations, confidence)
    return SampleReport(ensemble.name, chosen, n, N, seed, dtype, confidence, cloud, comparisons)


def _shared_out(batches: Iterator[HeadBatch], work: Any) -> Iterator[Cloud]:
    """Work on as many batches at a time as there are threads, each with single-threaded linear algebra."""
    with single_threaded() as n, ThreadPoolExecutor(n, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        while group := list(islice(batches, n)):
            yield from pool.map(work, group)


def sample_record(report: SampleReport, *, points: bool = False) -> dict[str, Any]:
    """The report as one JSON object; with ``points`` the signature, profile and margin of every head too."""
    columns = report.cloud.columns
    record: dict[str, Any] = {
        "ensemble": report.ensemble,
        "parameters": dict(report.parameters),
        "heads": report.cloud.heads,
        "n": report.n,
        "N": report.N,
        "seed": report.seed,
        "dtype": str(report.dtype).removeprefix("torch."),
        "confidence": report.confidence,
        "agrees": report.agrees,
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
        "ranks": [{"rank": rank, "heads": count} for rank, count in report.ranks.items()],
    }
    if "signature" in columns:
        record["signatures"] = [{**_signature(s), "heads": count} for s, count in report.signatures.items()]
        record["types"] = {kind or "none": count for kind, count in report.cloud.types().most_common()}
        record["profile"] = {name: report.spread(name) for name in NAMES}
        record["margin"], record["relative_margin"] = report.spread("margin"), report.spread("relative_margin")
    if points:
        names = [name for name in ("rank", "signature", *NAMES, "margin") if name in columns]
        record["points"] = [
            {
                name: None if x != x else _signature(x) if name == "signature" else x  # noqa: PLR0124 (NaN)
                for name, x in zip(names, row, strict=True)
            }
            for row in zip(*(columns[name].tolist() for name in names), strict=True)
        ]
    return record


def _signature(signature: Any) -> dict[str, int]:
    return dict(zip(("positive", "negative", "zero"), signature, strict=True))


def _comparison(comparison: Comparison) -> dict[str, Any]:
    expected, measured = comparison.expected, comparison.measured
    return {
        "statistic": str(expected.statistic),
        "expected": str(expected.value),
        "within": str(expected.within),
        "source": expected.source,
        "measured": measured.estimate,
        "low": measured.low if math.isfinite(measured.low) else None,
        "high": measured.high if math.isfinite(measured.high) else None,
        "agrees": comparison.agrees,
    }
