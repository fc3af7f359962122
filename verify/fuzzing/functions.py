"""A function against exact answers, stratum by stratum."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from hypothesis import strategies as st

from verify.errors import HeadformsError
from verify.fuzzing.calling import Caller, Raised
from verify.fuzzing.questions import Answer
from verify.fuzzing.searching import remembered_in, search, sizes_below
from verify.heads import HeadBatch
from verify.strategies.floats import exact, float_heads
from verify.strategies.formats import FORMATS
from verify.strategies.strata import STRATA

#: Heads drawn in one go; the clock is looked at in between.
ROUND = 100

#: Heads drawn of each size below that of a wrong case, to find a smaller one.
SMALLER = 60

#: Largest n and N where the caller does not choose.
MOST_ROWS, MOST_COLUMNS = 3, 8

#: Called with a stratum's name, the heads tried in it and the wrong answers among them.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class WrongCase:
    """A head on which the function is wrong, the smallest found.

    Attributes:
        batch: the stored head.
        answer: what the function said, or what it raised.
        truth: the exact answer.
    """

    batch: HeadBatch
    answer: Answer | Raised
    truth: Answer


@dataclass
class StratumResult:
    """How a function fares on one stratum.

    Attributes:
        name: the stratum.
        tried: heads drawn.
        wrong: wrong answers, exceptions among them.
        raised: exceptions.
        smallest: the smallest wrong case.
    """

    name: str
    tried: int = 0
    wrong: int = 0
    raised: int = 0
    smallest: WrongCase | None = None


@dataclass(frozen=True)
class FunctionReport:
    """What :func:`fuzz_function` found.

    Attributes:
        question: name of what the function was asked.
        seed: the seed that reproduces it.
        strata: one result a stratum.
        seconds: time taken.
    """

    question: str
    seed: int
    strata: tuple[StratumResult, ...]
    seconds: float

    @property
    def found(self) -> bool:
        """Whether there is a wrong case."""
        return any(result.wrong for result in self.strata)

    @property
    def smallest(self) -> WrongCase | None:
        """The smallest wrong case of all strata: fewest entries, then fewest nonzero ones, then simplest numbers."""
        cases = [result.smallest for result in self.strata if result.smallest is not None]
        return min(cases, key=lambda case: complexity(case.batch), default=None)


def complexity(batch: HeadBatch) -> tuple[int, int, int]:
    """Number of entries, of nonzero entries, and the size of the numbers that write them down."""
    fractions = [x for matrix in (exact(batch).Q, exact(batch).K) for x in matrix.entries()]
    digits = sum(len(str(x)) for x in fractions)
    return len(fractions), sum(x != 0 for x in fractions), digits


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
        progress: called now and then.

    Raises:
        HeadformsError: an unknown stratum, or no stratum with heads of the given size.
        CallError: the function returned the wrong kind of thing.
    """
    names = _strata(strata, n, N)
    kinds = list(dtypes or FORMATS)
    started = time.perf_counter()
    results = {name: StratumResult(name) for name in names}
    searches = {name: _Search(name, kinds, n, N, caller, database) for name in names}
    if database:
        for name in names:
            results[name].smallest = searches[name].smallest(_random(seed, 0), 1, draws=False)
            remembered = results[name].smallest is not None
            results[name].tried = results[name].wrong = int(remembered)
    for number, (name, size) in enumerate(_schedule(names, examples, seconds, started)):
        result = results[name]
        before = result.wrong
        searches[name].count(_random(seed, number), size, result)
        if result.wrong > before and result.smallest is None:
            result.smallest = searches[name].smallest(_random(seed, number), size)
        if progress:
            progress(name, result.tried, result.wrong)
    return FunctionReport(caller.question.name, seed, tuple(results.values()), time.perf_counter() - started)


def _strata(strata: Sequence[str] | None, n: int | None, N: int | None) -> list[str]:
    for name in strata or ():
        if name not in STRATA:
            raise HeadformsError(f"unknown stratum {name!r}; there are {', '.join(STRATA)}")
    sizes = [
        (a, b)
        for a in ([n] if n is not None else range(MOST_ROWS + 1))
        for b in ([N] if N is not None else range(1, MOST_COLUMNS + 1))
    ]
    names = [name for name in strata or STRATA if any(STRATA[name].fits(a, b) for a, b in sizes)]
    if not names:
        raise HeadformsError(f"no stratum has heads with n = {n}, N = {N}; choose other sizes")
    return names


def _schedule(names: list[str], examples: int, seconds: float | None, started: float) -> Iterator[tuple[str, int]]:
    """Strata and sizes of the rounds: all examples of one stratum after another, or in turns until time is up."""
    if seconds is None:
        for name in names:
            for done in range(0, examples, ROUND):
                yield name, min(ROUND, examples - done)
        return
    while True:
        for name in names:
            if time.perf_counter() - started >= seconds:
                return
            yield name, ROUND


def _random(seed: int, number: int) -> Random:
    return Random(f"{seed} {number}")


def _wrong(caller: Caller, batch: HeadBatch) -> WrongCase | None:
    truth, answer = caller.question.truth(exact(batch)), caller(batch)
    if not isinstance(answer, Raised) and caller.question.agrees(truth, answer):
        return None
    return WrongCase(batch, answer, truth)


@dataclass(frozen=True)
class _Search:
    """One stratum, one function."""

    name: str
    dtypes: Sequence[torch.dtype]
    n: int | None
    N: int | None
    caller: Caller
    database: Path | None

    def heads(self, n: int | None, N: int | None) -> st.SearchStrategy[HeadBatch]:
        return float_heads(
            stratum=self.name,
            dtype=st.sampled_from(self.dtypes),
            n=n,
            N=N,
            max_n=max(MOST_ROWS, n or 0),
            max_N=max(MOST_COLUMNS, N or 0),
        )

    def count(self, random: Random, size: int, result: StratumResult) -> None:
        """Draw heads and count the wrong answers."""

        def look(batch: HeadBatch) -> bool:
            case = _wrong(self.caller, batch)
            result.tried += 1
            result.wrong += case is not None
            result.raised += case is not None and isinstance(case.answer, Raised)
            return False

        search(self.heads(self.n, self.N), look, examples=size, random=random, shrinks=False)

    def smallest(self, random: Random, size: int, *, draws: bool = True) -> WrongCase | None:
        """The smallest wrong case: of those remembered, and if ``draws`` of the same heads drawn again."""
        case = self._find(self.n, self.N, random, size, draws=draws)
        if case is None:
            return None
        # A shrinking head keeps its size where its rows would not stay what they are; so smaller sizes get a search.
        for a, b in sizes_below(case.batch.n, case.batch.N, rows=self.n, columns=self.N):
            if STRATA[self.name].fits(a, b):
                smaller = self._find(a, b, random, SMALLER, draws=True)
                if smaller is not None:
                    return smaller
        return case

    def _find(self, n: int | None, N: int | None, random: Random, size: int, *, draws: bool) -> WrongCase | None:
        function = self.caller.function
        spec = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
        batch = search(
            self.heads(n, N),
            lambda candidate: _wrong(self.caller, candidate) is not None,
            examples=size,
            random=random,
            memory=remembered_in(self.database, spec, self.caller.question.name, self.name, n, N),
            draws=draws,
        )
        return None if batch is None else _wrong(self.caller, batch)
