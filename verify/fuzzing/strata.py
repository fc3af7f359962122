"""One function on one stratum of stored heads: its wrong answers counted, and the smallest of them found."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random
from typing import TypeVar

import torch
from hypothesis import strategies as st

from verify.fuzzing.calling import Caller
from verify.fuzzing.judging import Judgement, WrongBatch, WrongCase, complexity, fewest, judge
from verify.fuzzing.searching import remembered_in, search, sizes_below
from verify.heads import HeadBatch
from verify.strategies.floats import float_heads
from verify.strategies.strata import STRATA

X = TypeVar("X")

#: Heads drawn of each size below that of a wrong case, to find a smaller one; and batches.
SMALLER = 60

#: Largest n and N where the caller does not choose.
MOST_ROWS, MOST_COLUMNS = 3, 8

#: Heads in a batch that is drawn as such, if not more are needed.
MOST_TOGETHER = 4


@dataclass
class StratumResult:
    """How a function fares on one stratum.

    Attributes:
        name: the stratum.
        tried: heads it was asked for, by themselves or in a batch.
        wrong: heads for which it is wrong.
        raised: those among them for which it raised an exception.
        only_in_batches: those among them for which it is right by themselves, but not in a batch with others.
        smallest: the smallest head for which it is wrong by itself.
        smallest_batch: the smallest batch in which it is wrong for a head for which it is right alone.
    """

    name: str
    tried: int = 0
    wrong: int = 0
    raised: int = 0
    only_in_batches: int = 0
    smallest: WrongCase | None = None
    smallest_batch: WrongBatch | None = None

    def add(self, heads: int, judgement: Judgement) -> None:
        """Count the answers for some heads; of what is wrong the first is kept until there is a smaller one."""
        self.tried += heads
        self.wrong += judgement.wrong
        self.raised += judgement.raised
        self.only_in_batches += judgement.only_in_batches
        if self.smallest is None and judgement.cases:
            self.smallest = judgement.cases[0]
        if self.smallest_batch is None:
            self.smallest_batch = judgement.batch


def shapes(name: str, n: int | None, N: int | None) -> list[tuple[int, int]]:
    """Sizes (n, N) of the heads of a stratum, small ones first."""
    ns = range(MOST_ROWS + 1) if n is None else [n]
    Ns = range(1, MOST_COLUMNS + 1) if N is None else [N]
    fitting = [(a, b) for a in ns for b in Ns if STRATA[name].fits(a, b)]
    return sorted(fitting, key=lambda size: (size[0] * size[1], size))


@dataclass(frozen=True)
class StratumSearch:
    """A stratum, a function, and what the caller fixed of the heads."""

    name: str
    dtypes: Sequence[torch.dtype]
    n: int | None
    N: int | None
    caller: Caller
    database: Path | None

    def heads(self, n: int | None, N: int | None) -> st.SearchStrategy[HeadBatch]:
        """Heads of this stratum."""
        return float_heads(
            stratum=self.name,
            dtype=st.sampled_from(self.dtypes),
            n=n,
            N=N,
            max_n=max(MOST_ROWS, n or 0),
            max_N=max(MOST_COLUMNS, N or 0),
        )

    def batches(self, n: int | None, N: int | None, most: int) -> st.SearchStrategy[list[HeadBatch]]:
        """Two or more heads of this stratum of one shape and dtype."""
        kinds = st.tuples(st.sampled_from(shapes(self.name, n, N)), st.sampled_from(self.dtypes))
        return kinds.flatmap(
            lambda kind: st.lists(
                float_heads(
                    stratum=self.name, dtype=kind[1], n=kind[0][0], N=kind[0][1], max_n=kind[0][0], max_N=kind[0][1]
                ),
                min_size=2,
                max_size=most,
            )
        )

    def run(self, seed: str, size: int, result: StratumResult, *, until: float = inf) -> None:
        """Draw heads and count the wrong answers; find the smallest head and batch if these are the first.

        Args:
            seed: reproduces the heads.
            size: how many.
            result: what is added to.
            until: time of :func:`time.perf_counter` after which no more answers are asked for.
        """
        no_case, no_batch = result.smallest is None, result.smallest_batch is None
        drawn: list[HeadBatch] = []

        def collect(head: HeadBatch) -> bool:
            drawn.append(head)
            return False

        search(self.heads(self.n, self.N), collect, examples=size, random=Random(seed), shrinks=False)
        for heads in self._asked_together(drawn):
            result.add(len(heads), judge(self.caller, heads))
            if time.perf_counter() >= until:
                break
        if no_case and result.smallest is not None:
            result.smallest = self.smallest_case(Random(seed), size)
        if no_batch and result.smallest_batch is not None:
            result.smallest_batch = self.smallest_batch(Random(seed), result.smallest_batch)

    def _asked_together(self, drawn: list[HeadBatch]) -> list[list[HeadBatch]]:
        if not self.caller.several:
            return [[head] for head in drawn]
        groups: dict[object, list[HeadBatch]] = {}
        for head in drawn:
            groups.setdefault((head.n, head.N, head.Q.dtype), []).append(head)
        return list(groups.values())

    def remember(self, result: StratumResult) -> None:
        """Add what the database remembers and what is still wrong."""
        case = self.smallest_case(Random(self.name), 1, draws=False)
        batch = self.smallest_batch(Random(self.name), None) if self.caller.several else None
        if case is not None:
            result.add(1, Judgement((case,)))
        if batch is not None:
            result.add(len(batch.heads), Judgement((), batch))

    def smallest_case(self, random: Random, size: int, *, draws: bool = True) -> WrongCase | None:
        """The smallest wrong case: of those remembered, and if ``draws`` of so many heads drawn; None if there is none.

        A shrinking head keeps its size where its rows would not stay what they are; so smaller sizes get a search.
        """
        case = self._case(self.n, self.N, random, size, draws=draws)
        if case is None:
            return None
        smaller = self._in_smaller_sizes(case.batch, lambda a, b: self._case(a, b, random, SMALLER, draws=True))
        return smaller or case

    def smallest_batch(self, random: Random, found: WrongBatch | None) -> WrongBatch | None:
        """The smallest wrong batch: of those remembered, of others drawn, and of what is left of the one found."""
        left = None if found is None else fewest(self.caller, found)
        most = MOST_TOGETHER if left is None else max(MOST_TOGETHER, len(left.heads))
        drawn = self._batch(self.n, self.N, random, most, draws=found is not None)
        best = min(
            (batch for batch in (left, drawn) if batch is not None),
            key=lambda batch: complexity(*batch.heads),
            default=None,
        )
        if best is None:
            return None
        smaller = self._in_smaller_sizes(best.heads[0], lambda a, b: self._batch(a, b, random, most, draws=True))
        return smaller or best

    def _in_smaller_sizes(self, head: HeadBatch, look: Callable[[int, int], X | None]) -> X | None:
        """What is found first, fewest entries first."""
        sizes = sizes_below(head.n, head.N, rows=self.n, columns=self.N)
        return next((x for a, b in sizes if STRATA[self.name].fits(a, b) and (x := look(a, b)) is not None), None)

    def _case(self, n: int | None, N: int | None, random: Random, size: int, *, draws: bool) -> WrongCase | None:
        head = search(
            self.heads(n, N),
            lambda candidate: bool(judge(self.caller, [candidate]).cases),
            examples=size,
            random=random,
            memory=self._memory(n, N),
            draws=draws,
        )
        return None if head is None else next(iter(judge(self.caller, [head]).cases), None)

    def _batch(self, n: int | None, N: int | None, random: Random, most: int, *, draws: bool) -> WrongBatch | None:
        heads = search(
            self.batches(n, N, most),
            lambda candidate: judge(self.caller, candidate).batch is not None,
            examples=SMALLER,
            random=random,
            memory=self._memory(n, N, "batches"),
            draws=draws,
        )
        return None if heads is None else judge(self.caller, heads).batch

    def _memory(self, *key: object) -> Path | None:
        function = self.caller.function
        spec = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
        return remembered_in(self.database, spec, self.caller.question.name, self.name, *key)
