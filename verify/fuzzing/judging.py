"""A function's answers for some heads against the exact ones: for each head by itself, and for a batch of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from verify.fuzzing.calling import Caller, Failure, Raised, join
from verify.fuzzing.questions import Answer
from verify.heads import HeadBatch
from verify.strategies.floats import exact


@dataclass(frozen=True)
class WrongCase:
    """A head on which a function is wrong.

    Attributes:
        batch: the stored head.
        answer: what the function said, or why that is no answer.
        truth: the exact answer.
    """

    batch: HeadBatch
    answer: Answer | Failure
    truth: Answer


@dataclass(frozen=True)
class WrongBatch:
    """Two or more heads of one shape for which a function is wrong together, though right for one of them alone.

    Attributes:
        heads: the stored heads, each a batch of one.
        answers: what the function said for the batch of them, or why that is no answer.
        alone: what it says for each by itself.
        truths: the exact answers.
        wrong: indices of those heads for which it is right alone and wrong in the batch.
    """

    heads: tuple[HeadBatch, ...]
    answers: tuple[Answer, ...] | Failure
    alone: tuple[Answer | Failure, ...]
    truths: tuple[Answer, ...]
    wrong: tuple[int, ...]

    @property
    def batch(self) -> HeadBatch:
        """The heads as one batch."""
        return join(self.heads)


@dataclass(frozen=True)
class Judgement:
    """What is wrong with a function's answers for some heads.

    Attributes:
        cases: the heads for which it is wrong by themselves.
        batch: a batch in which it is wrong for others.
    """

    cases: tuple[WrongCase, ...] = ()
    batch: WrongBatch | None = None

    @property
    def wrong(self) -> int:
        """Number of heads with a wrong answer."""
        return len(self.cases) + self.only_in_batches

    @property
    def only_in_batches(self) -> int:
        """Those among them for which the function is right if asked for them alone."""
        return 0 if self.batch is None else len(self.batch.wrong)

    @property
    def raised(self) -> int:
        """Those among them for which it raised an exception."""
        together = self.batch is not None and isinstance(self.batch.answers, Raised)
        return sum(isinstance(case.answer, Raised) for case in self.cases) + together * self.only_in_batches


def judge(caller: Caller, heads: Sequence[HeadBatch]) -> Judgement:
    """Ask for heads of one shape and dtype, in one call if the function takes several, and then for each if need be.

    >>> import torch
    >>> from verify.fuzzing import QUESTIONS
    >>> caller = Caller.probe(lambda batch: [2 * batch.n] * batch.heads, QUESTIONS["rank-stacked"])
    >>> zero = HeadBatch(torch.zeros(1, 1, 2), torch.zeros(1, 1, 2))
    >>> judge(caller, [zero, zero]).cases[1].answer
    2
    """
    truths = tuple(caller.question.truth(exact(head)) for head in heads)
    answers = caller.together(heads) if caller.several and len(heads) > 1 else None
    if isinstance(answers, list) and all(map(caller.question.is_right, truths, answers)):
        return Judgement()
    alone = tuple(caller(head) for head in heads)
    cases = [
        WrongCase(head, answer, truth)
        for head, answer, truth in zip(heads, alone, truths, strict=True)
        if not _right(caller, truth, answer)
    ]
    if answers is None:
        return Judgement(tuple(cases))
    # A head for which there is no answer at all may well spoil the batch; the others are asked for again without it.
    answered = [i for i, answer in enumerate(alone) if not isinstance(answer, Failure)]
    asked = answered if isinstance(answers, Failure) else range(len(heads))
    return Judgement(tuple(cases), _judge_batch(caller, *(_take(x, asked) for x in (heads, alone, truths))))


def fewest(caller: Caller, found: WrongBatch) -> WrongBatch | None:
    """The batch with as many heads left out as can be; None if its answers are not wrong any more."""
    best = _judge_batch(caller, found.heads, found.alone, found.truths)
    step = len(found.heads) // 2
    while best is not None and step:
        start, before = 0, len(best.heads)
        while start < len(best.heads):
            kept = [i for i in range(len(best.heads)) if not start <= i < start + step]
            fewer = _judge_batch(caller, *(_take(x, kept) for x in (best.heads, best.alone, best.truths)))
            best, start = (fewer, start) if fewer is not None else (best, start + step)
        if step > 1 or len(best.heads) == before:
            step //= 2
    return best


def _judge_batch(
    caller: Caller, heads: Sequence[HeadBatch], alone: Sequence[Answer | Failure], truths: Sequence[Answer]
) -> WrongBatch | None:
    if len(heads) < 2:
        return None
    answers = caller.together(heads)
    each = [answers] * len(heads) if isinstance(answers, Failure) else answers
    wrong = tuple(
        i
        for i, (truth, single, answer) in enumerate(zip(truths, alone, each, strict=True))
        if _right(caller, truth, single) and not _right(caller, truth, answer)
    )
    if not wrong:
        return None
    said = answers if isinstance(answers, Failure) else tuple(answers)
    return WrongBatch(tuple(heads), said, tuple(alone), tuple(truths), wrong)


def _take(items: Sequence[Any], indices: Iterable[int]) -> list[Any]:
    return [items[i] for i in indices]


def _right(caller: Caller, truth: Answer, answer: Answer | Failure) -> bool:
    if isinstance(answer, Failure):
        return truth is None
    return caller.question.is_right(truth, answer)


def complexity(*heads: HeadBatch) -> tuple[int, int, int]:
    """Number of entries, of nonzero entries, and the size of the numbers that write them down."""
    fractions = [x for head in heads for matrix in (exact(head).Q, exact(head).K) for x in matrix.entries()]
    digits = sum(len(str(x)) for x in fractions)
    return len(fractions), sum(x != 0 for x in fractions), digits
