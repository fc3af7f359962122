"""Measuring a sample of heads against what theory expects, with confidence intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import torch

from proofs.fields import GF
from verify.ensembles import Ensemble, Expectation
from verify.errors import HypothesisError
from verify.heads import HeadBatch
from verify.verdicts import HeadVerdict, assess

#: How far a sample of finite size may be from a limit of large n, beside its confidence interval.
LIMIT_ALLOWANCE = 0.05


@dataclass(frozen=True)
class Comparison:
    """An expected value, the measured one, and the interval in which the truth lies with the stated confidence.

    ``agrees`` says whether the expected value lies in the interval (widened by :data:`LIMIT_ALLOWANCE` for a limit).
    """

    expected: Expectation
    measured: float
    low: float
    high: float

    @property
    def agrees(self) -> bool:
        """Whether theory and sample agree."""
        slack = LIMIT_ALLOWANCE if self.expected.limit else 1e-12 * max(1.0, abs(self.measured))
        return self.low - slack <= float(self.expected.value) <= self.high + slack


@dataclass(frozen=True)
class SampleReport:
    """What a sample shows.

    Attributes:
        heads, n, N: its size.
        signatures: how often each signature occurs, the most frequent first.
        types: how often each type of the paper occurs.
        profile_mean: mean of (a, b, c, d).
        profile_deviation: standard deviation of each.
        comparisons: with theory.
        confidence: of every interval by itself.
    """

    heads: int
    n: int
    N: int
    signatures: dict[tuple[int, int, int], int]
    types: dict[str, int]
    profile_mean: tuple[float, ...]
    profile_deviation: tuple[float, ...]
    comparisons: tuple[Comparison, ...]
    confidence: float

    @property
    def agrees(self) -> bool:
        """Whether every comparison agrees."""
        return all(comparison.agrees for comparison in self.comparisons)


def measure_sample(
    ensemble: Ensemble,
    *,
    heads: int = 1000,
    n: int,
    N: int,
    seed: int = 0,
    confidence: float = 0.9999,
    **parameters: float,
) -> SampleReport:
    """Draw a sample, measure it, compare it with theory.

    Signatures are exact; frequencies have Wilson intervals, means normal ones, ratios of means those of the delta
    method.

    Args:
        ensemble: from :data:`verify.ensembles.ENSEMBLES`.
        heads: sample size, at least 2.
        n: head dimension.
        N: width.
        seed: reproduces the sample.
        confidence: of each interval.
        parameters: of the ensemble.

    Raises:
        HypothesisError: impossible sizes or parameters.

    >>> from verify.ensembles import ENSEMBLES
    >>> measure_sample(ENSEMBLES["gaussian"], heads=50, n=1, N=4).signatures
    {(1, 1, 2): 50}
    """
    if heads < 2 or n < 1 or N < 1 or not 0 < confidence < 1:
        raise HypothesisError("a sample needs heads ≥ 2, n ≥ 1, N ≥ 1 and a confidence strictly between 0 and 1")
    batch = ensemble.sample(heads, n, N, seed=seed, **parameters)
    expectations = ensemble.expectations(n, N, **parameters)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    verdicts = list(assess(batch))
    numbers = _numbers(batch, verdicts)
    signatures = Counter(tuple(v.signature) for v in verdicts if v.signature is not None)
    comparisons = []
    for expected in expectations:
        if expected.quantity.startswith("signature"):
            key = tuple(int(x) for x in expected.quantity.removeprefix("signature (").rstrip(")").split(","))
            comparisons.append(_frequency(expected, signatures[key], heads, z))
        elif expected.quantity == "nondegenerate":
            count = _nondegenerate(batch, int(ensemble.with_defaults(parameters)["q"]))
            comparisons.append(_frequency(expected, count, heads, z))
        else:
            comparisons.append(_mean(expected, numbers, z))
    profiles = torch.tensor([[v.profile[k] for k in "abcd"] for v in verdicts if v.profile], dtype=torch.float64)
    return SampleReport(
        heads,
        n,
        N,
        {key: count for key, count in signatures.most_common() if len(key) == 3},
        dict(Counter(v.type for v in verdicts if v.type).most_common()),
        tuple(profiles.mean(0).tolist()) if len(profiles) else (),
        tuple(profiles.std(0, correction=0).tolist()) if len(profiles) else (),
        tuple(comparisons),
        confidence,
    )


def _numbers(batch: HeadBatch, verdicts: Sequence[HeadVerdict]) -> dict[str, torch.Tensor]:
    """Per head: norms by way of the n × n products, shares and profiles from the verdicts."""
    W = batch.Q @ batch.K.mT
    score = ((batch.Q @ batch.Q.mT) * (batch.K @ batch.K.mT)).sum((-2, -1))
    symmetric = (score + (W * W.mT).sum((-2, -1))) / 2
    numbers = {"score": score, "symmetric": symmetric, "trace": torch.diagonal(W, dim1=-2, dim2=-1).sum(-1)}
    share = [v.statistics["symmetric_energy"] for v in verdicts if v.statistics]
    numbers["share"] = torch.tensor([x for x in share if x is not None], dtype=torch.float64)
    for k in "abcd":
        numbers[k] = torch.tensor([v.profile[k] for v in verdicts if v.profile], dtype=torch.float64)
    return numbers


def _mean(expected: Expectation, numbers: dict[str, torch.Tensor], z: float) -> Comparison:
    if expected.quantity == "ratio":
        top, bottom = numbers["symmetric"], numbers["score"]
        value = top.mean() / bottom.mean()
        # Delta method: the ratio of means varies like the mean of (x − r·y)/E y.
        deviations = (top - value * bottom) / bottom.mean()
    elif expected.quantity == "share_variance":
        squares = (numbers["share"] - numbers["share"].mean()).square()
        value, deviations = squares.mean(), squares
    else:
        deviations = numbers[expected.quantity]
        value = deviations.mean()
    half = z * float(deviations.std()) / math.sqrt(len(deviations))
    return Comparison(expected, float(value), float(value) - half, float(value) + half)


def _frequency(expected: Expectation, count: int, total: int, z: float) -> Comparison:
    """The Wilson interval; but what theory says happens always or never is a single point, without an interval."""
    p = count / total
    if expected.value in (0, 1):
        return Comparison(expected, p, p, p)
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return Comparison(expected, p, centre - half, centre + half)


def _nondegenerate(batch: HeadBatch, q: int) -> int:
    field = GF(q)
    rows: list[list[list[Any]]] = batch.stacked().to(torch.int64).tolist()
    return sum(field.matrix(M).rank() == 2 * batch.n for M in rows)
