"""A function against exact answers, stratum by stratum."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

import torch

from verify.errors import HeadformsError
from verify.fuzzing.calling import Caller
from verify.fuzzing.judging import WrongBatch, WrongCase, complexity
from verify.fuzzing.searching import check_database
from verify.fuzzing.strata import StratumResult, StratumSearch, shapes
from verify.strategies.formats import FORMATS
from verify.strategies.strata import STRATA
from verify.threads import single_threaded

#: Heads drawn in one go; the clock is looked at in between.
ROUND = 100

#: Called with a stratum's name, the heads tried in it and the wrong answers among them.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class FunctionReport:
    """What :func:`fuzz_function` found.

    Attributes:
        question: name of what the function was asked.
        seed: the seed that reproduces it.
        strata: one result a stratum.
        seconds: time taken.
        examples: heads asked for in each stratum; None if a time was given instead.
        n: head dimension, if the caller fixed it.
        N: width, if the caller fixed it.
        dtypes: stored dtypes drawn from.
        interrupted: whether it was stopped from the keyboard.
    """

    question: str
    seed: int
    strata: tuple[StratumResult, ...]
    seconds: float
    examples: int | None = None
    n: int | None = None
    N: int | None = None
    dtypes: tuple[torch.dtype, ...] = tuple(FORMATS)
    interrupted: bool = False

    @property
    def tried(self) -> int:
        """Heads that the function was asked for."""
        return sum(result.tried for result in self.strata)

    @property
    def wrong(self) -> int:
        """Heads for which it is wrong, by themselves or in a batch."""
        return sum(result.wrong for result in self.strata)

    @property
    def only_in_batches(self) -> int:
        """Those among them for which it is right by themselves."""
        return sum(result.only_in_batches for result in self.strata)

    @property
    def found(self) -> bool:
        """Whether there is a wrong case."""
        return self.wrong > 0

    @property
    def smallest(self) -> WrongCase | None:
        """The smallest wrong case of all strata: fewest entries, then fewest nonzero ones, then simplest numbers."""
        cases = [result.smallest for result in self.strata if result.smallest is not None]
        return min(cases, key=lambda case: complexity(case.batch), default=None)

    @property
    def smallest_batch(self) -> WrongBatch | None:
        """The smallest batch in which it is wrong for a head for which it is right alone, by the same order."""
        batches = [result.smallest_batch for result in self.strata if result.smallest_batch is not None]
        return min(batches, key=lambda batch: complexity(*batch.heads), default=None)


class Interrupted(KeyboardInterrupt):
    """Somebody interrupted :func:`fuzz_function`; ``report`` says what it had found so far."""

    def __init__(self, report: FunctionReport) -> None:
        super().__init__()
        self.report = report


def fuzz_function(
    caller: Caller,
    *,
    strata: Sequence[str] | None = None,
    dtypes: Sequence[torch.dtype] | None = None,
    n: int | None = None,
    N: int | None = None,
    examples: int = 100,
    seconds: float | None = None,
    seed: int = 0,
    database: Path | None = None,
    progress: Progress | None = None,
) -> FunctionReport:
    """Run a function over strata of stored heads and compare with exact answers.

    A function that takes several heads at once gets those of one round that have the same shape and dtype; where its
    answer is wrong it is asked for each of them alone, to tell a wrong answer from one that depends on the batch.
    PyTorch runs on one thread meanwhile: the heads are small.

    Args:
        caller: the function, see :meth:`Caller.probe`.
        strata: names of :data:`verify.strategies.STRATA`; all by default.
        dtypes: stored dtypes to draw from; all four by default.
        n: head dimension; small ones by default.
        N: width; small ones by default.
        examples: heads for each stratum.
        seconds: instead of stopping after ``examples``, go on in rounds over all strata for that long.
        seed: reproduces the run.
        database: folder in which smallest wrong cases are remembered; tried first the next time.
        progress: called before and after every round.

    Raises:
        HeadformsError: an unknown stratum, no stratum with heads of the given size, or a database that cannot be
            written.
        Interrupted: a KeyboardInterrupt, with the report so far.
    """
    started = time.perf_counter()
    names = _strata(strata, n, N)
    check_database(database)
    kinds = tuple(dtypes or FORMATS)
    searches = {name: StratumSearch(name, kinds, n, N, caller, database) for name in names}
    results = {name: StratumResult(name) for name in names}
    until = inf if seconds is None else started + seconds

    def report(*, interrupted: bool) -> FunctionReport:
        return FunctionReport(
            caller.question.name,
            seed,
            tuple(results.values()),
            time.perf_counter() - started,
            examples if seconds is None else None,
            n,
            N,
            kinds,
            interrupted,
        )

    try:
        with single_threaded():
            if database:
                for name in names:
                    searches[name].remember(results[name])
            for number, (name, size) in enumerate(_schedule(names, examples, seconds, until)):
                result = results[name]
                if progress:
                    progress(name, result.tried, result.wrong)
                searches[name].run(f"{seed} {number}", size, result, until=until)
                if progress:
                    progress(name, result.tried, result.wrong)
    except KeyboardInterrupt:
        raise Interrupted(report(interrupted=True)) from None
    return report(interrupted=False)


def _strata(strata: Sequence[str] | None, n: int | None, N: int | None) -> list[str]:
    asked = dict.fromkeys(strata or STRATA)
    for name in asked:
        if name not in STRATA:
            raise HeadformsError(f"unknown stratum {name!r}; there are {', '.join(STRATA)}")
    names = [name for name in asked if shapes(name, n, N)]
    if not names:
        raise HeadformsError(f"no stratum has heads with n = {n}, N = {N}; choose other sizes")
    return names


def _schedule(names: list[str], examples: int, seconds: float | None, until: float) -> Iterator[tuple[str, int]]:
    """Strata and sizes of the rounds: all examples of one stratum after another, or in turns until time is up."""
    if seconds is None:
        for name in names:
            for done in range(0, examples, ROUND):
                yield name, min(ROUND, examples - done)
        return
    while True:
        for name in names:
            if time.perf_counter() >= until:
                return
            yield name, ROUND
