"""Laws of invariance: what changes of a head leave an answer as it is, or change it in a known way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from verify.fuzzing.questions import Question
from verify.laws.law import Case, Law, is_undefined, stored
from verify.strategies import (
    exact,
    gauge_transforms,
    heads,
    invertible_matrices,
    orthogonal_matrices,
    rotary,
)
from verify.strategies.groups import orders

ALGEBRAIC = ("signature", "witt", "rank", "rank-stacked")
ALL = (*ALGEBRAIC, "profile")


def _same(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    return is_undefined(question, case[0]) or question.agrees(answers[0], answers[1])


@st.composite
def _gauged(draw: st.DrawFn) -> Case:
    head = draw(heads())
    return stored(head), stored(head.gauge(draw(gauge_transforms(head.n))))


@st.composite
def _in_other_coordinates(draw: st.DrawFn, orthogonal: bool) -> Case:
    head = draw(heads())
    U = draw(orthogonal_matrices(head.N, max_rotations=2) if orthogonal else invertible_matrices(head.N))
    return stored(head), stored(head.change_coordinates(U))


@st.composite
def _rotated(draw: st.DrawFn, nondegenerate: bool) -> Case:
    head = draw(heads(n=2, allow_degenerate=not nondegenerate, allow_big=not nondegenerate))
    return stored(head), stored(head.rotate(draw(rotary(2))))


@st.composite
def _scaled(draw: st.DrawFn) -> Case:
    batch = stored(draw(heads()))
    up_q, up_k = draw(st.tuples(st.integers(-60, 60), st.integers(-60, 60)))
    return batch, replace(batch, Q=batch.Q * 2.0**up_q, K=batch.K * 2.0**up_k)


@st.composite
def _permuted(draw: st.DrawFn) -> Case:
    batch = stored(draw(heads()))
    rows, columns = draw(orders(batch.n)), draw(orders(batch.N))
    return batch, replace(batch, Q=batch.Q[:, rows][..., columns], K=batch.K[:, rows][..., columns])


def _pairs(second: Any) -> SearchStrategy[Case]:
    return heads().map(stored).map(lambda batch: (batch, second(batch)))


def _negated(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    answer = answers[0]
    if question.name == "signature":
        answer = (answer[1], answer[0], *answer[2:])
    elif question.name == "profile":
        answer = (answer[0], answer[1], answer[3], answer[2])
    return _same(question, case, (answer, answers[1]))


@st.composite
def _of_one_shape(draw: st.DrawFn) -> Case:
    first = draw(heads())
    others = draw(st.lists(heads(n=first.n, N=first.N), min_size=1, max_size=2))
    return tuple(stored(head) for head in (first, *others))


def _alike(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    alone, inside = answers[: len(case)], answers[len(case) :]
    if question.name == "proof":
        return all(question.agrees(question.truth(exact(batch)), x) for batch, x in zip(case, inside, strict=True))
    return all(
        is_undefined(question, batch) or question.agrees(x, y) for batch, x, y in zip(case, alone, inside, strict=True)
    )


batching = Law(
    "batching",
    "the answer for a head does not depend on what else is in its batch (whether there is a proof may, not its truth)",
    (*ALL, "proof"),
    lambda _: _of_one_shape(),
    _alike,
    together=True,
)
gauge = Law(
    "gauge",
    "(AQ, A⁻ᵀK) has the same L = KᵀQ and the same row space of M for every invertible A",
    ALL,
    lambda _: _gauged(),
    _same,
)
coordinates = Law(
    "coordinates",
    "in other coordinates of the stream, M → MU with U invertible, S becomes the congruent UᵀSU",
    ALGEBRAIC,
    lambda _: _in_other_coordinates(False),
    _same,
)
orthogonal = Law(
    "orthogonal",
    "the profile is the same for UᵀLU, U orthogonal (Definition 6)",
    ("profile",),
    lambda _: _in_other_coordinates(True),
    _same,
)
rotation = Law(
    "rotation",
    "a rotary embedding R, (RQ, K), keeps the row space of M, so one nondegenerate head is so at every position",
    ALGEBRAIC,
    lambda question: _rotated(question != "rank-stacked"),
    _same,
)
scaling = Law(
    "scaling", "positive factors of Q and K leave the class of S and the profile", ALL, lambda _: _scaled(), _same
)
permutation = Law(
    "permutation",
    "permuting the rows of Q and K alike, and the columns alike, changes nothing",
    ALL,
    lambda _: _permuted(),
    _same,
)
swap = Law(
    "swap",
    "(K, Q) in place of (Q, K) has the transposed L, hence the same S",
    ALL,
    lambda _: _pairs(lambda batch: replace(batch, Q=batch.K, K=batch.Q)),
    _same,
)
negation = Law(
    "negation",
    "−L has −S: positive and negative part, c and d, change places",
    ALL,
    lambda _: _pairs(lambda batch: replace(batch, Q=-batch.Q)),
    _negated,
)
