"""The fuzzer finds what is wrong, nothing where nothing is, the same again, and the smallest."""

import time

import numpy as np
import pytest
import torch

import verify
from tests.verify.fuzzing import wrong
from verify.errors import HeadformsError
from verify.fuzzing import QUESTIONS, Caller, Interrupted, fuzz_function
from verify.fuzzing.calling import Raised, Unreadable
from verify.fuzzing.judging import complexity
from verify.strategies import STRATA, exact

SIX = [
    (wrong.no_tolerance, "signature", {"generic", "corank_1", "tied", "huge"}),
    (wrong.absolute_tolerance, "signature", {"near_degenerate", "near_tied", "dead"}),
    (wrong.relative_tolerance, "signature", {"near_degenerate", "near_tied", "graded_rows"}),
    (wrong.scaled_epsilon, "signature", {"near_tied", "graded_rows"}),
    (wrong.float32_gram_rank, "rank-stacked", {"near_degenerate", "near_tied", "tiny"}),
    (wrong.eigenvalues_of_JG, "signature", {"near_tied", "near_antisymmetric"}),
]


def names(report):
    return {stratum.name for stratum in report.strata if stratum.wrong}


@pytest.mark.parametrize(("function", "question", "strata"), SIX, ids=lambda x: getattr(x, "__name__", None))
def test_six_naive_functions(function, question, strata):
    caller = Caller.probe(function, QUESTIONS[question])
    report = fuzz_function(caller, strata=sorted(strata), examples=40)
    assert report.found
    assert names(report) == strata
    for stratum in report.strata:
        case = stratum.smallest
        assert 0 < stratum.wrong <= stratum.tried == 40
        assert case.batch.provenance["stratum"] == stratum.name
        truth = caller.question.truth(exact(case.batch))
        assert case.truth == truth
        assert case.answer == caller(case.batch)
        if isinstance(case.answer, Raised):  # of an overflow, with LAPACK
            assert "LinAlgError" in case.answer.reason
            assert stratum.raised > 0
        else:
            assert not caller.question.agrees(truth, case.answer)


@pytest.mark.parametrize(
    ("function", "question"),
    [(verify.inertia, "signature"), (verify.witt_index, "witt"), (verify.profile, "profile")],
)
def test_nothing_is_found_in_ours(function, question):
    report = fuzz_function(Caller.probe(function, QUESTIONS[question]), examples=15)
    assert {stratum.name for stratum in report.strata} == set(STRATA)
    # A stratum of few small heads may be exhausted sooner.
    assert all(stratum.tried == 15 or stratum.name in ("empty", "zero") for stratum in report.strata)
    assert not report.found
    assert report.smallest is None


def test_the_smallest_case_is_small():
    """Two eigenvalues ±1/2 · 2⁻ᵏ below 1e-7, in two dimensions with one row each."""
    caller = Caller.probe(wrong.absolute_tolerance, QUESTIONS["signature"])
    report = fuzz_function(caller, strata=["near_degenerate"], dtypes=[torch.float64], examples=60)
    batch = report.smallest.batch
    assert (batch.n, batch.N) == (1, 2)
    assert complexity(batch)[:2] == (4, 2)
    assert (report.smallest.truth, report.smallest.answer) == ((1, 1, 0), (0, 0, 2))


def test_a_seed_reproduces_a_run():
    caller = Caller.probe(wrong.scaled_epsilon, QUESTIONS["signature"])

    def run(seed):
        report = fuzz_function(caller, strata=["near_tied", "graded_rows"], examples=50, seed=seed)
        return [(s.tried, s.wrong, s.smallest.batch.Q.tolist(), s.smallest.batch.K.tolist()) for s in report.strata]

    assert run(1) == run(1)
    assert [line[:2] for line in run(1)] != [line[:2] for line in run(2)]


def test_what_was_found_is_remembered(tmp_path):
    caller = Caller.probe(wrong.scaled_epsilon, QUESTIONS["signature"])
    first = fuzz_function(caller, strata=["near_tied"], examples=60, database=tmp_path)
    again = fuzz_function(caller, strata=["near_tied"], examples=1, seed=5, database=tmp_path)
    assert first.found
    assert again.found
    assert complexity(again.smallest.batch) <= complexity(first.smallest.batch)


def test_sizes_and_dtypes_are_kept():
    seen = []

    def rank(Q, K):
        seen.append((Q.shape, Q.dtype))
        return torch.linalg.matrix_rank(torch.cat([K, Q])).item()

    caller = Caller(rank, QUESTIONS["rank-stacked"], "torch", stored=True)
    fuzz_function(caller, strata=["corank_1"], dtypes=[torch.float32], n=2, N=5, examples=10)
    assert set(seen) == {((2, 5), torch.float32)}


def test_time_is_kept():
    caller = Caller.probe(lambda Q, K: 0, QUESTIONS["rank"])
    report = fuzz_function(caller, strata=["zero", "zero_side"], seconds=1e-9)
    assert [stratum.tried for stratum in report.strata] == [0, 0]
    shown = []

    def progress(*line):
        shown.append(line)

    report = fuzz_function(caller, strata=["zero"], N=8, n=3, seconds=0.2, progress=progress)
    assert report.strata[0].tried > 0
    assert shown[-1] == ("zero", report.strata[0].tried, 0)


def test_what_raises_is_counted():
    def fragile(Q, K):
        if not Q.any():
            raise ZeroDivisionError("Q is zero")
        return 1

    report = fuzz_function(Caller(fragile, QUESTIONS["witt"], "numpy"), strata=["zero"], examples=20)
    assert report.strata[0].raised == report.strata[0].wrong == report.strata[0].tried
    assert str(report.smallest.answer) == "raised ZeroDivisionError: Q is zero"


def test_what_cannot_be_read_is_wrong():
    def fragile(Q, K):
        return "none" if not Q.any() else 1

    report = fuzz_function(Caller(fragile, QUESTIONS["witt"], "numpy"), strata=["zero"], examples=20)
    result = report.strata[0]
    assert (result.wrong, result.raised) == (result.tried, 0)
    assert report.smallest.answer == Unreadable("'none' is not an integer")


def honest(batch):
    """The profile, and None where there is none, as in our records."""
    return [row if row[0] == row[0] else None for row in verify.profile(batch).tolist()]


def strict(Q, K):
    """The profile, and an exception where there is none."""
    row = wrong.batched_profile(Q, K)
    if row[0] != row[0]:
        raise ValueError("L = 0 has no profile")
    return row


def strict_batched(Q, K):
    rows = wrong.batched_profile(Q, K)
    if np.isnan(rows).any():
        raise ValueError("L = 0 has no profile")
    return rows


def of_nothing(Q, K):
    return None if Q.any() and K.any() else (0.25, 0.25, 0.25, 0.25)


@pytest.mark.parametrize("function", [honest, strict, strict_batched], ids=lambda f: f.__name__)
def test_a_profile_may_be_missing_where_there_is_none(function):
    caller = Caller.probe(function, QUESTIONS["profile"])
    assert caller.several == (function is not strict)
    report = fuzz_function(caller, strata=["zero", "zero_side", "integers", "corank_2"], dtypes=[torch.float32])
    assert report.tried > 300
    assert not report.found


def test_a_profile_may_not_be_missing_elsewhere():
    caller = Caller(of_nothing, QUESTIONS["profile"], "numpy")
    report = fuzz_function(caller, strata=["zero", "generic"], examples=20)
    assert [stratum.wrong for stratum in report.strata] == [0, 20]
    assert report.smallest.answer is None


@pytest.mark.parametrize("function", [wrong.first_of_the_batch, wrong.spoilt_by_a_zero], ids=lambda f: f.__name__)
def test_what_is_wrong_only_within_a_batch(function):
    """The smallest batch has two heads."""
    caller = Caller.probe(function, QUESTIONS["signature"])
    report = fuzz_function(caller, strata=["integers", "big"], examples=100)
    for stratum in report.strata:
        assert 0 < stratum.only_in_batches == stratum.wrong < stratum.tried
        assert stratum.smallest is None
        batch = stratum.smallest_batch
        assert len(batch.heads) == batch.batch.heads == 2
        assert batch.batch.N <= 2
        said = caller.together(batch.heads)
        for i in batch.wrong:
            assert caller(batch.heads[i]) == batch.alone[i] == batch.truths[i]
            assert isinstance(said, Raised) or said[i] != batch.truths[i]
        assert batch.answers == (said if isinstance(said, Raised) else tuple(said))
        assert stratum.raised == (stratum.wrong if isinstance(said, Raised) else 0)
    assert report.smallest is None
    assert report.smallest_batch in [stratum.smallest_batch for stratum in report.strata]
    assert report.found


def test_a_wrong_batch_is_reproduced_and_remembered(tmp_path):
    caller = Caller.probe(wrong.first_of_the_batch, QUESTIONS["signature"])

    def run(**settings):
        (stratum,) = fuzz_function(caller, strata=["integers"], **settings).strata
        return stratum, [(h.Q.tolist(), h.K.tolist()) for h in stratum.smallest_batch.heads]

    (first, heads), (second, same) = run(seed=3), run(seed=3)
    assert (first.tried, first.wrong, heads) == (second.tried, second.wrong, same)
    run(seed=3, database=tmp_path)
    again, _ = run(seed=4, examples=1, database=tmp_path)
    assert again.only_in_batches > 0


def test_what_is_wrong_alone_is_not_only_so_in_a_batch():
    caller = Caller.probe(wrong.batched_torch, QUESTIONS["signature"])
    assert caller.several
    (stratum,) = fuzz_function(caller, strata=["near_degenerate"], examples=100).strata
    assert 0 < stratum.wrong < stratum.tried
    assert stratum.only_in_batches == 0
    assert stratum.smallest_batch is None
    assert (stratum.smallest.batch.n, stratum.smallest.batch.N) == (1, 2)


def test_ours_is_asked_for_several_heads_at_once():
    sizes = []

    def spy(batch):
        sizes.append(batch.heads)
        return verify.inertia(batch)

    report = fuzz_function(Caller.probe(spy, QUESTIONS["signature"]), strata=["corank_1"], examples=100)
    assert not report.found
    assert sizes[:2] == [1, 3]
    assert sum(sizes[2:]) == report.tried == 100
    assert max(sizes) > 3


def test_answers_that_are_not_reproducible_have_no_smallest_case():
    answers = iter(range(10**9))
    report = fuzz_function(
        Caller(lambda Q, K: next(answers) % 2, QUESTIONS["rank"], "numpy"), strata=["zero"], n=1, N=1, examples=20
    )
    assert report.found
    assert report.smallest is None


def test_functions_that_destroy_their_arguments():
    def wipe(batch):
        signatures = verify.inertia(batch)
        batch.Q[:] = 0
        batch.K[:] = 0
        return signatures

    report = fuzz_function(Caller.probe(wipe, QUESTIONS["signature"]), strata=["generic", "tied"], examples=40)
    assert not report.found


@pytest.mark.parametrize("shrinking", [False, True])
def test_an_interrupt_tells_what_was_found_so_far(shrinking, tmp_path):
    """It comes in the second stratum, or while the first wrong head is being made smaller."""
    calls = 0

    def interrupted(Q, K):
        nonlocal calls
        calls += 1
        if calls == (70 if shrinking else 100):
            raise KeyboardInterrupt
        return 1 if shrinking and Q.any() else int(np.linalg.matrix_rank(np.concatenate([K, Q])))

    caller = Caller(interrupted, QUESTIONS["rank-stacked"], "numpy")
    with pytest.raises(KeyboardInterrupt) as caught:
        fuzz_function(caller, strata=["tied", "zero_side"], n=2, N=5, examples=60, database=tmp_path)
    report = caught.value.report
    assert isinstance(caught.value, Interrupted)
    assert report.interrupted
    assert report.strata[0].tried == 60
    if shrinking:
        assert report.strata[0].smallest.answer == 1
    else:
        assert 0 < report.strata[1].tried < 60
        assert not report.found
    again = fuzz_function(caller, strata=["tied", "zero_side"], n=2, N=5, examples=60, database=tmp_path)
    assert again.found == shrinking


def test_torch_has_one_thread_and_gets_its_own_back():
    before, seen = torch.get_num_threads(), set()
    torch.set_num_threads(2)
    try:
        caller = Caller(lambda Q, K: seen.add(torch.get_num_threads()) or 0, QUESTIONS["rank"], "numpy")
        fuzz_function(caller, strata=["zero"], examples=5)
        assert (seen, torch.get_num_threads()) == ({1}, 2)
    finally:
        torch.set_num_threads(before)


def test_time_is_kept_within_a_round():
    caller = Caller(lambda Q, K: time.sleep(0.02) or 0, QUESTIONS["rank"], "numpy")
    report = fuzz_function(caller, strata=["zero"], n=3, N=8, seconds=0.3)
    assert 0 < report.tried < 50


def test_refusals():
    caller = Caller(wrong.text, QUESTIONS["rank"], "numpy")
    with pytest.raises(HeadformsError, match="unknown stratum 'x'; there are generic, "):
        fuzz_function(caller, strata=["x"])
    with pytest.raises(HeadformsError, match="no stratum has heads with n = 2, N = 9"):
        fuzz_function(caller, strata=["big"], n=2, N=9)
