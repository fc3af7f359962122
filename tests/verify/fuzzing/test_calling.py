import numpy as np
import pytest
import torch

import verify
from proofs.inertia import signature
from tests.verify.fuzzing import wrong
from verify.fuzzing import QUESTIONS, Caller, load
from verify.fuzzing.calling import CallError, Raised
from verify.heads import HeadBatch

HERE = "tests.verify.fuzzing.wrong"
BATCH = HeadBatch(*(torch.tensor([[row]], dtype=torch.bfloat16) for row in ([1.0, 0.0], [0.0, 1.0])))


def test_load():
    assert load(f"{HERE}:text") is wrong.text
    assert load("collections:Counter.most_common").__name__ == "most_common"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_colon", "'no_colon' does not name a function; write package.module:function"),
        (":f", "does not name a function"),
        ("no.such.module:f", "cannot import no.such.module: ModuleNotFoundError: No module named 'no'"),
        (f"{HERE}:nothing", f"{HERE} has no 'nothing'"),
        (f"{HERE}:NOT_A_FUNCTION", "is a int, not a function"),
    ],
)
def test_functions_that_cannot_be_found(spec, message):
    with pytest.raises(CallError, match=message):
        load(spec)


def test_a_module_that_leaves(tmp_path, monkeypatch):
    (tmp_path / "leaves_at_once.py").write_text("raise SystemExit(0)")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CallError, match="cannot import leaves_at_once: SystemExit: 0"):
        load("leaves_at_once:f")


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
    ],
)
def test_functions_that_cannot_be_asked(function, message):
    with pytest.raises(CallError, match=message):
        Caller.probe(function, QUESTIONS["signature"])


def test_exceptions_are_answers_and_wrong_kinds_are_not():
    caller = Caller(wrong.broken, QUESTIONS["rank"], "numpy")
    assert str(caller(BATCH)) == "raised ValueError: no idea at all"
    with pytest.raises(CallError, match="text returned the wrong kind of thing: 'two' is not an integer; it"):
        Caller(wrong.text, QUESTIONS["rank"], "numpy")(BATCH)


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
