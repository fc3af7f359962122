"""Expectations looked up by their statistic, for tests that know the answer another way."""

from __future__ import annotations

from fractions import Fraction

from verify.ensembles import ENSEMBLES, Expectation, Mean, Ratio

SCORE, SYMMETRIC, SHARE = Mean("score"), Mean("symmetric"), Mean("share")
RATIO = Ratio("symmetric", "score")


def law(name: str, n: int, N: int, **parameters: float) -> dict[object, Expectation]:
    """What the ensemble expects, by statistic."""
    found = ENSEMBLES[name].expectations(n=n, N=N, parameters=parameters)
    assert len({e.statistic for e in found}) == len(found)
    return {e.statistic: e for e in found}


def value(name: str, statistic: object, n: int, N: int, **parameters: float) -> Fraction:
    """One expected value."""
    return law(name, n, N, **parameters)[statistic].value
