import math
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import fmpq
from hypothesis import given, settings

from proofs.decomposition import decompose
from proofs.heads import Head
from tests.cases import cases
from verify.fuzzing.questions import QUESTIONS, AnswerError, exact_profile, profile_question
from verify.strategies import heads

HEAD = Head.of([[1, 0, 0]], [[1, 1, 0]])


@given(heads())
def test_truths_agree_with_the_other_route(head):
    """The questions go through S itself, the decomposition through the core or the annihilator."""
    d = decompose(head)
    truths = {name: question.truth(head) for name, question in QUESTIONS.items() if name != "profile"}
    assert truths == {
        "signature": tuple(d.signature),
        "witt": d.witt_index,
        "rank": d.rank,
        "rank-stacked": d.rank_stacked,
        "proof": d.nondegenerate,
    }


@given(heads(max_N=5))
@settings(max_examples=50)
def test_exact_profiles_against_numpy(head):
    """Small numbers, well scaled: floating point is good for twelve digits."""
    L = np.array([[float(x) for x in row] for row in head.L.tolist()]).reshape(head.N, head.N)
    if not L.any():
        assert exact_profile(head) is None
        return
    w = np.linalg.eigvalsh((L + L.T) / 2)
    alpha, beta = np.sort(w.clip(min=0))[::-1], np.sort((-w).clip(min=0))[::-1]
    expected = [
        (((L - L.T) / 2) ** 2).sum(),
        2 * alpha @ beta,
        ((alpha - beta).clip(min=0) ** 2).sum(),
        ((alpha - beta).clip(max=0) ** 2).sum(),
    ]
    assert exact_profile(head) == pytest.approx(np.array(expected) / (L**2).sum(), abs=1e-12)


@pytest.mark.parametrize("case_", cases("attention_head"))
def test_cases(case_):
    head, expected = Head.of(case_["input"]["Q"], case_["input"]["K"]), case_["expected"]
    assert list(QUESTIONS["signature"].truth(head)) == expected["signature_S"]
    assert QUESTIONS["rank"].truth(head) == expected["rank_S"]
    assert QUESTIONS["rank-stacked"].truth(head) == expected["rank_M"]
    assert QUESTIONS["witt"].truth(head) == expected["witt_index_R"]


Named = namedtuple("Named", "positive negative zero")


@pytest.mark.parametrize(
    "value",
    [
        (1, 1, 1),
        [1, 1, 1.0],
        np.array([1, 1, 1]),
        torch.tensor([1, 1, 1]),
        (np.int64(1), torch.tensor(1), 1),
        {"positive": 1, "negative": 1, "zero": 1},
        Named(1, 1, 1),
        (1, 1),
    ],
)
def test_signatures_in_every_dress(value):
    question = QUESTIONS["signature"]
    assert question.agrees(question.truth(HEAD), question.read(value))


@pytest.mark.parametrize("value", [(2, 0, 1), (1, 1, 0), (1, 0), torch.tensor([1, 2, 0])])
def test_wrong_signatures(value):
    question = QUESTIONS["signature"]
    assert not question.agrees(question.truth(HEAD), question.read(value))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("signature", "two", "'two' is not a sequence of numbers"),
        ("signature", (1, 2, 3, 4), "is not a signature"),
        ("signature", {"positive": 1}, "lacks one of the keys"),
        ("signature", (1, 0.5, 1), "0.5 is not an integer"),
        ("signature", 3, "3 is not a sequence"),
        ("signature", (True, False, True), "True is not an integer"),
        ("signature", (1, math.nan, 1), "nan is not an integer"),
        ("rank", math.inf, "inf is not an integer"),
        ("rank", np.complex128(1 + 2j), "is not an integer"),
        ("rank", torch.tensor(1 + 2j), "is not an integer"),
        ("rank", Fraction(1, 2), "is not an integer"),
        ("rank", object(), "is not an integer"),
        ("witt", "two", "'two' is not an integer"),
        ("witt", [1], r"\[1\] is not an integer"),
        ("rank", np.array([1]), "is not an integer"),
        ("rank", 1 + 2j, "is not an integer"),
        ("proof", 1, "1 is not True or False"),
        ("proof", "yes", "'yes' is not True or False"),
        ("proof", np.array([True]), "is not True or False"),
        ("profile", (1, 2, 3), "is not a profile"),
        ("profile", (1, 2, 3, "4"), "'4' is not a real number of a profile"),
        ("profile", (1, 2, 3, None), "None is not a real number of a profile"),
        ("profile", np.array([1, 2, 3, 1j]), "1j is not a real number of a profile"),
    ],
)
def test_what_is_no_answer(name, value, message):
    with pytest.raises(AnswerError, match=message):
        QUESTIONS[name].read(value)


@pytest.mark.parametrize("claim", [True, np.True_, torch.tensor(True)], ids=lambda x: type(x).__name__)
def test_a_false_proof_is_wrong_and_a_missing_one_is_not(claim):
    question, degenerate = QUESTIONS["proof"], Head.of([[1, 1, 0]], [[1, 1, 0]])
    assert question.agrees(question.truth(HEAD), question.read(claim))
    assert not question.agrees(question.truth(degenerate), question.read(claim))
    for head in (HEAD, degenerate):
        assert question.agrees(question.truth(head), question.read(False))


@pytest.mark.parametrize(
    "value",
    [
        2,
        2.0,
        2 + 0j,
        np.int8(2),
        np.array(2.0),
        torch.tensor(2),
        torch.tensor(2.0, requires_grad=True),
        fmpq(2),
        10**400,
    ],
)
def test_integers_in_every_dress(value):
    assert QUESTIONS["rank"].read(value) in (2, 10**400)


def test_no_answer_is_right_where_there_is_none():
    question = QUESTIONS["profile"]
    assert question.is_right(None, None)
    assert question.is_right(None, (math.nan,) * 4)
    assert not question.is_right(exact_profile(HEAD), None)
    assert not QUESTIONS["rank"].is_right(2, None)
    assert QUESTIONS["rank"].is_right(2, 2)


def test_profiles_within_a_tolerance():
    truth = exact_profile(HEAD)
    for tolerance, right in ((1e-3, True), (1e-5, False)):
        question = profile_question(tolerance)
        assert question.agrees(truth, question.read([x + 1e-4 for x in truth])) == right
    assert not QUESTIONS["profile"].agrees(truth, (math.nan,) * 4)
    assert QUESTIONS["profile"].agrees(None, (math.nan,) * 4)
    assert QUESTIONS["profile"].read(dict(zip("abcd", truth, strict=True))) == truth
