"""What every ensemble keeps to: seeds, sizes, types, parameters."""

from __future__ import annotations

import pytest
import torch

from verify.ensembles import COLUMNS, ENSEMBLES, Ensemble, Mean
from verify.ensembles.ensemble import BATCH_NUMBERS
from verify.errors import HypothesisError

EVERY = pytest.mark.parametrize("ensemble", ENSEMBLES.values(), ids=list(ENSEMBLES))


def size(ensemble: Ensemble) -> dict[str, int]:
    return {"n": 6 if ensemble.is_square else 2, "N": 6}


@EVERY
def test_a_seed_gives_one_sample(ensemble: Ensemble) -> None:
    first, again = (ensemble.sample(5, seed=7, **size(ensemble)) for _ in range(2))
    other = ensemble.sample(5, seed=8, **size(ensemble))
    assert torch.equal(first.Q, again.Q)
    assert torch.equal(first.K, again.K)
    assert not torch.equal(first.stacked(), other.stacked())
    assert first.provenance == {"ensemble": ensemble.name, "seed": 7, "parameters": dict(ensemble.parameters)}


@EVERY
def test_the_global_random_state_is_neither_used_nor_touched(ensemble: Ensemble) -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first = ensemble.sample(5, **size(ensemble))
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(2)
    assert torch.equal(ensemble.sample(5, **size(ensemble)).Q, first.Q)


@EVERY
def test_heads_are_not_copies_of_each_other(ensemble: Ensemble) -> None:
    batch = ensemble.sample(50, **size(ensemble))
    assert len({tuple(row) for row in batch.Q.flatten(1).tolist()}) > 40


def test_batches_make_up_the_sample() -> None:
    gaussian = ENSEMBLES["gaussian"]
    batches = list(gaussian.batches(700, n=8, N=64))
    assert [b.heads for b in batches] == [BATCH_NUMBERS // 1024, 700 - BATCH_NUMBERS // 1024]
    whole = gaussian.sample(700, n=8, N=64)
    assert torch.equal(torch.cat([b.Q for b in batches]), whole.Q)
    assert torch.equal(torch.cat([b.K for b in batches]), whole.K)
    assert [i.head for i in whole.ids] == list(range(700))
    assert not torch.equal(batches[0].Q[: batches[1].heads], batches[1].Q)


@EVERY
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_shorter_types_are_rounded_to(ensemble: Ensemble, dtype: torch.dtype) -> None:
    long, short = (ensemble.sample(5, dtype=d, **size(ensemble)) for d in (torch.float64, dtype))
    assert short.Q.dtype == dtype
    assert torch.equal(short.Q, long.Q.to(dtype))
    kept = ensemble.expectations(dtype=dtype, **size(ensemble))
    assert kept == [e for e in ensemble.expectations(**size(ensemble)) if e.rounds]
    assert not any(e.statistic == Mean("score") for e in kept) or ensemble.name == "rademacher"


@EVERY
def test_statistics_are_of_known_columns(ensemble: Ensemble) -> None:
    for e in ensemble.expectations(**size(ensemble)):
        assert e.statistic.column in COLUMNS
        assert COLUMNS[e.statistic.column] in str(e.statistic)
        assert e.source
        assert e.within >= 0


@EVERY
def test_unknown_parameters(ensemble: Ensemble) -> None:
    with pytest.raises(HypothesisError, match=f"{ensemble.name} has no parameter 'x'; its parameters: "):
        ensemble.sample(2, parameters={"x": 1.0}, **size(ensemble))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"heads": 0}, "at least 1 head, not 0"),
        ({"n": 0}, "n ≥ 1 and N ≥ 1, not n = 0, N = 4"),
        ({"N": 0}, "not n = 1, N = 0"),
        ({"n": 2**14, "N": 2**14}, "too large to sample"),
        ({"seed": -1}, r"a seed lies in \[0, 2⁶⁴\), unlike -1"),
        ({"dtype": torch.int64}, "not torch.int64"),
    ],
)
def test_impossible_requests(arguments: dict, words: str) -> None:
    with pytest.raises(HypothesisError, match=words):
        ENSEMBLES["gaussian"].sample(**{"heads": 2, "n": 1, "N": 4, **arguments})


def test_overflow_of_a_short_type() -> None:
    with pytest.raises(HypothesisError, match="entries of the ensemble accumulation overflow torch.float16"):
        ENSEMBLES["accumulation"].sample(2, n=4, N=4, dtype=torch.float16, parameters={"ratio": 1e6})
