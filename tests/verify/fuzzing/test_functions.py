"""The fuzzer finds what is wrong, nothing where nothing is, the same again, and the smallest."""

import pytest
import torch

import verify
from tests.verify.fuzzing import wrong
from verify.errors import HeadformsError
from verify.fuzzing import QUESTIONS, Caller, fuzz_function
from verify.fuzzing.calling import CallError
from verify.fuzzing.functions import complexity
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
        assert not caller.question.agrees(truth, caller(case.batch)) or stratum.raised


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


def test_answers_that_are_not_reproducible_have_no_smallest_case():
    answers = iter(range(10**9))
    report = fuzz_function(
        Caller(lambda Q, K: next(answers) % 2, QUESTIONS["rank"], "numpy"), strata=["zero"], n=1, N=1, examples=20
    )
    assert report.found


def test_refusals():
    caller = Caller(wrong.text, QUESTIONS["rank"], "numpy")
    with pytest.raises(HeadformsError, match="unknown stratum 'x'; there are generic, "):
        fuzz_function(caller, strata=["x"])
    with pytest.raises(HeadformsError, match="no stratum has heads with n = 2, N = 9"):
        fuzz_function(caller, strata=["big"], n=2, N=9)
    with pytest.raises(CallError, match="wrong kind of thing"):
        fuzz_function(caller, strata=["zero"])
