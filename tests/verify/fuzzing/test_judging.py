"""What is wrong for a head alone, what only in a batch, and the fewest heads that show it."""

import torch

import verify
from tests.verify.fuzzing import wrong
from verify.fuzzing import QUESTIONS, Caller
from verify.fuzzing.calling import Raised
from verify.fuzzing.judging import complexity, fewest, judge
from verify.heads import HeadBatch

SIGNATURE = QUESTIONS["signature"]


def head(k: float, q: float) -> HeadBatch:
    return HeadBatch(torch.tensor([[[q]]]), torch.tensor([[[k]]]))


PLUS, MINUS, ZERO = head(1.0, 1.0), head(-1.0, 1.0), head(0.0, 1.0)


def test_a_batch_that_is_right_is_asked_for_once():
    calls = []
    caller = Caller(
        lambda batch: calls.append(batch.heads) or verify.inertia(batch), SIGNATURE, "HeadBatch", several=True
    )
    judgement = judge(caller, [PLUS, MINUS, ZERO])
    assert (judgement.wrong, judgement.batch, calls) == (0, None, [3])


def test_heads_are_wrong_alone_or_in_a_batch():
    """Of four heads one is wrong by itself, one right by accident, and two wrong only in the batch."""

    def at_least_one(batch):
        return [(1, 0, 0)] * batch.heads if batch.heads > 1 else [(0, 1, 0)] if batch.K[0] else [(0, 0, 1)]

    judgement = judge(Caller(at_least_one, SIGNATURE, "HeadBatch", several=True), [PLUS, MINUS, ZERO, PLUS])
    assert [case.batch for case in judgement.cases] == [PLUS, PLUS]
    assert judgement.batch.wrong == (1, 2)
    assert (judgement.wrong, judgement.only_in_batches, judgement.raised) == (4, 2, 0)


def test_a_head_that_spoils_the_batch_is_asked_for_alone_and_the_others_again():
    calls = []

    def fragile(batch):
        calls.append(batch.heads)
        if not bool(batch.K.all()):
            raise ValueError("zero")
        return verify.inertia(batch)

    judgement = judge(Caller(fragile, SIGNATURE, "HeadBatch", several=True), [PLUS, ZERO, MINUS])
    assert [str(case.answer) for case in judgement.cases] == ["raised ValueError: zero"]
    assert (judgement.wrong, judgement.raised, judgement.batch) == (1, 1, None)
    assert calls == [3, 1, 1, 1, 2]


def test_exceptions_of_a_batch_alone_are_counted_for_its_heads():
    caller = Caller(wrong.spoilt_by_a_zero, SIGNATURE, "HeadBatch", several=True)
    judgement = judge(caller, [PLUS, head(0.0, 0.0), MINUS])
    assert judgement.cases == ()
    assert (judgement.wrong, judgement.only_in_batches, judgement.raised) == (3, 3, 3)
    assert judgement.batch.answers == Raised("ValueError: a head is zero")


def test_the_fewest_heads():
    caller = Caller(wrong.first_of_the_batch, SIGNATURE, "torch-batched", several=True)
    found = judge(caller, [PLUS] * 9 + [ZERO] + [PLUS] * 8).batch
    least = fewest(caller, found)
    assert len(least.heads) == 2
    assert {h is ZERO for h in least.heads} == {True, False}


def test_three_heads_where_three_are_needed():
    def right_for_two(batch):
        return verify.inertia(batch)[:2] + [(9, 9, 9)] * (batch.heads - 2)

    caller = Caller(right_for_two, SIGNATURE, "HeadBatch", several=True)
    assert len(fewest(caller, judge(caller, [PLUS, MINUS] * 6).batch).heads) == 3


def test_a_batch_that_is_right_again_is_none():
    answers = iter([[(9, 9, 9)] * 2, [(1, 0, 0)], [(0, 1, 0)], [(9, 9, 9)] * 2, [(1, 0, 0), (0, 1, 0)]])
    caller = Caller(lambda batch: next(answers), SIGNATURE, "HeadBatch", several=True)
    assert fewest(caller, judge(caller, [PLUS, MINUS]).batch) is None


def test_complexity_is_that_of_all_heads():
    assert complexity(PLUS, ZERO) == (4, 3, 4)
    assert complexity(PLUS) < complexity(head(2.5, 1.0)) < complexity(PLUS, ZERO)
