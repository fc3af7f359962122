import warnings
from functools import partial

import numpy as np
import pytest
import torch

import verify
from proofs.inertia import signature
from tests.verify.fuzzing import wrong
from verify.fuzzing import QUESTIONS, Caller
from verify.fuzzing.calling import CallError, Failure, Raised, Unreadable, join, name_of
from verify.heads import HeadBatch

BATCH = HeadBatch(*(torch.tensor([[row]], dtype=torch.bfloat16) for row in ([1.0, 0.0], [0.0, 1.0])))


@pytest.mark.parametrize(
    ("function", "question", "convention"),
    [
        (verify.inertia, "signature", "HeadBatch"),
        (verify.profile, "profile", "HeadBatch"),
        (lambda head: tuple(signature(head.S)), "signature", "Head"),
        (wrong.no_tolerance, "signature", "numpy"),
        (wrong.swapped_names, "rank-stacked", "numpy"),
        (wrong.batched_torch, "signature", "torch-batched"),
        (lambda Q, K: int(torch.linalg.matrix_rank(torch.cat([K, Q])).item()), "rank-stacked", "torch"),
        (lambda Q, K: [np.linalg.matrix_rank(M) for M in np.concatenate([K, Q], 1)], "rank-stacked", "numpy-batched"),
    ],
)
def test_conventions_are_found(function, question, convention):
    caller = Caller.probe(function, QUESTIONS[question])
    assert caller.convention == convention
    assert not isinstance(caller(BATCH), Raised)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            wrong.text,
            "text returned the wrong kind of thing: 'two' is not a sequence .*; for Q and K it must",
        ),
        (wrong.broken, "broken could not be called: ValueError: no idea at all; for Q"),
        (lambda: None, "could not be called: TypeError"),
        (lambda batch: [1, 2, 3, 4], "the result for a batch of one head does not have length 1"),
        (lambda Q, K: np.array(2), "2 is not a sequence"),
        (lambda Q, K: None, "returned the wrong kind of thing: None; for Q and K it must"),
        (lambda Q, K: (1, 1j, 0), "1j is not an integer"),
    ],
)
def test_functions_that_cannot_be_asked(function, message):
    with pytest.raises(CallError, match=message):
        Caller.probe(function, QUESTIONS["signature"])


def test_exceptions_and_what_is_no_answer_stand_in_for_answers():
    assert str(Caller(wrong.broken, QUESTIONS["rank"], "numpy")(BATCH)) == "raised ValueError: no idea at all"
    assert Caller(wrong.text, QUESTIONS["rank"], "numpy")(BATCH) == Unreadable("'two' is not an integer")
    assert str(Unreadable("'two' is not an integer")) == "no answer: 'two' is not an integer"


@pytest.mark.parametrize(
    "error", [SystemExit(3), GeneratorExit("x"), BaseException("y"), MemoryError(), StopIteration()]
)
def test_whatever_a_function_raises_is_caught(error):
    def leave(Q, K):
        raise error

    assert Caller(leave, QUESTIONS["rank"], "numpy")(BATCH) == Raised(f"{type(error).__name__}: {error}".rstrip(": "))


def test_an_interrupt_is_not_caught():
    def interrupt(Q, K):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Caller(interrupt, QUESTIONS["rank"], "numpy")(BATCH)
    with pytest.raises(KeyboardInterrupt):
        Caller.probe(interrupt, QUESTIONS["rank"])


class Rank:
    """Callable in every way that Python has."""

    def __call__(self, Q, K):
        return np.linalg.matrix_rank(np.concatenate([K, Q]))

    def method(self, Q, K):
        return self(Q, K)

    @classmethod
    def of_class(cls, Q, K):
        return cls()(Q, K)

    @staticmethod
    def static(Q, K):
        return Rank()(Q, K)


@pytest.mark.parametrize(
    "function",
    [
        Rank(),
        Rank().method,
        Rank.of_class,
        Rank.static,
        partial(lambda scale, Q, K: Rank()(scale * Q, K), 2.0),
        lambda Q, K, /: Rank()(Q, K),
        lambda Q, K, tolerance=1e-9: Rank()(Q, K),
        lambda *, query, key: Rank()(query, key),
        lambda Q, K: np.array(Rank()(Q, K)),
        lambda Q, K: torch.tensor(float(Rank()(Q, K)), requires_grad=True) * 1,
    ],
)
def test_callables_of_every_kind(function):
    caller = Caller.probe(function, QUESTIONS["rank-stacked"])
    assert caller(BATCH) == 2


def test_a_builtin_and_a_class():
    with pytest.raises(CallError, match="max could not be called: "):
        Caller.probe(max, QUESTIONS["rank"])
    with pytest.raises(CallError, match="partial object could not be called: "):
        Caller.probe(partial(max, 1), QUESTIONS["rank"])
    with pytest.raises(CallError, match="Rank could not be called: "):
        Caller.probe(Rank, QUESTIONS["rank"])
    assert name_of(Rank()) == "Rank object"


def signs(Q, K):
    """For one head or a batch, of NumPy or torch."""
    L = K.swapaxes(-1, -2) @ Q
    w = (torch.linalg if isinstance(Q, torch.Tensor) else np.linalg).eigvalsh(L + L.swapaxes(-1, -2))
    return [(w > 1e-9).sum(-1), (w < -1e-9).sum(-1)]


@pytest.mark.parametrize(
    ("function", "question", "convention", "several"),
    [
        (verify.inertia, "signature", "HeadBatch", True),
        (lambda batch: verify.inertia(batch)[:1], "signature", "HeadBatch", False),
        (lambda head: tuple(signature(head.S)), "signature", "Head", False),
        (wrong.batched_torch, "signature", "torch-batched", True),
        (wrong.no_tolerance, "signature", "numpy", False),
        (lambda Q, K: np.stack(signs(Q, K), -1), "signature", "numpy-batched", True),
        (
            lambda Q, K: torch.stack(signs(torch.as_tensor(Q), torch.as_tensor(K)), -1),
            "signature",
            "numpy-batched",
            True,
        ),
        (lambda Q, K: torch.stack(signs(Q, K), -1), "signature", "torch-batched", True),
        (lambda Q, K: np.linalg.matrix_rank(np.concatenate([K, Q], -2)), "rank-stacked", "numpy-batched", True),
        (lambda Q, K: np.linalg.matrix_rank(np.concatenate([K, Q])), "rank-stacked", "numpy", False),
        (wrong.batched_profile, "profile", "numpy-batched", True),
    ],
)
def test_functions_that_take_several_heads_are_found(function, question, convention, several):
    caller = Caller.probe(function, QUESTIONS[question])
    assert (caller.convention, caller.several) == (convention, several)


def test_a_convention_that_is_given_is_kept():
    caller = Caller.probe(lambda Q, K: np.stack(signs(Q, K), -1), QUESTIONS["signature"], convention="numpy")
    assert (caller.convention, caller.several) == ("numpy", False)


def test_answers_for_several_heads():
    heads = [HeadBatch(torch.eye(1, 2).unsqueeze(0), torch.tensor([[[x, y]]])) for x, y in ((0.0, 1.0), (1.0, 0.0))]
    assert Caller.probe(verify.inertia, QUESTIONS["signature"]).together(heads) == [(1, 1, 0), (1, 0, 1)]
    one = Caller(lambda batch: verify.inertia(batch)[:1], QUESTIONS["signature"], "HeadBatch")
    assert one.together(heads) == Unreadable("the result for a batch of 2 heads does not have length 2")
    assert one(heads[1]) == (1, 0, 1)


@pytest.mark.parametrize("convention", ["HeadBatch", "numpy", "torch", "numpy-batched", "torch-batched"])
@pytest.mark.parametrize("stored", [False, True])
def test_what_a_function_does_to_its_arguments_stays_with_it(convention, stored):
    def wipe(*given):
        for X in (given[0].Q, given[0].K) if len(given) == 1 else given:
            X[:] = 0
        return 0

    batch = HeadBatch(torch.ones(1, 1, 2, dtype=torch.float64), torch.ones(1, 1, 2, dtype=torch.float64))
    for heads in ([batch], [batch, batch]):
        Caller(wipe, QUESTIONS["rank"], convention, stored).together(heads)
        assert bool(batch.Q.all() and batch.K.all())


def test_joined_heads_are_copies():
    joined = join([BATCH])
    assert torch.equal(joined.Q, BATCH.Q)
    assert joined.Q.data_ptr() != BATCH.Q.data_ptr()


def test_warnings_are_not_shown(recwarn):
    def warn(Q, K):
        warnings.warn("look out", stacklevel=1)
        return np.sqrt(np.array(-1.0))

    assert isinstance(Caller(warn, QUESTIONS["rank"], "numpy")(BATCH), Failure)
    assert not recwarn.list


@pytest.mark.parametrize(
    ("convention", "stored", "kind", "dtype", "ndim"),
    [
        ("numpy", False, np.ndarray, np.float64, 2),
        ("numpy", True, np.ndarray, np.float32, 2),
        ("torch", True, torch.Tensor, torch.bfloat16, 2),
        ("torch-batched", False, torch.Tensor, torch.float64, 3),
        ("numpy-batched", False, np.ndarray, np.float64, 3),
    ],
)
def test_what_a_function_is_given(convention, stored, kind, dtype, ndim):
    for X in Caller(wrong.text, QUESTIONS["rank"], convention, stored).arguments(BATCH):
        assert isinstance(X, kind)
        assert (X.dtype, X.ndim) == (dtype, ndim)


def test_arguments_go_by_name():
    seen = {}

    def function(key, query):
        seen.update(key=key.tolist(), query=query.tolist())
        return 0

    Caller(function, QUESTIONS["rank"], "numpy")(BATCH)
    assert seen == {"key": [[0.0, 1.0]], "query": [[1.0, 0.0]]}
