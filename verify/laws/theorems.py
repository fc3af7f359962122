"""The theorem, its companions and the truth itself, as laws of signature, Witt index and ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from proofs.fields import QQ
from proofs.heads import Head
from verify.fuzzing.questions import Question
from verify.laws.invariance import ALGEBRAIC, ALL
from verify.laws.law import Case, Law, is_undefined, stored
from verify.strategies import exact, float_heads, heads

#: By how much each answer grows with a hyperbolic plane.
_PLANE: dict[str, Any] = {"signature": (1, 1, 0), "witt": 1, "rank": 2, "rank-stacked": 2}


def direct_sum(one: Head, other: Head) -> Head:
    """The head with ``Q ⊕ Q'`` and ``K ⊕ K'``, whose form is the orthogonal sum of the two.

    >>> direct_sum(Head.of([[1, 2]], [[0, 3]]), Head.of([[4]], [[5]])).Q
    [1, 2, 0]
    [0, 0, 4]
    """
    matrices = []
    for A, B in ((one.Q, other.Q), (one.K, other.K)):
        right, left = [0] * other.N, [0] * one.N
        matrices.append([[*row, *right] for row in A.tolist()] + [[*left, *row] for row in B.tolist()])
    return Head.of(*matrices, field=one.field, N=one.N + other.N)


def _exactly(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    return question.agrees(question.truth(exact(case[0])), answers[0])


def _hyperbolic(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    n, N = case[0].n, case[0].N
    wanted: Any = {"signature": (n, n, N - 2 * n), "witt": n, "rank": 2 * n, "rank-stacked": 2 * n}[question.name]
    return question.agrees(wanted, answers[0])


def _within_corank(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    head, answer = exact(case[0]), answers[0]
    rank_stacked = head.M.rank()
    k, t = 2 * head.n - rank_stacked, rank_stacked - head.S.rank()
    if question.name == "witt":
        return bool(answer >= head.n - k)
    return bool(abs(answer[0] - answer[1]) <= k - t)


def _balanced(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    return bool(max(answers[0][:2]) <= exact(case[0]).L.rank())


@st.composite
def _sums(draw: st.DrawFn) -> Case:
    one, other = (draw(heads(max_n=2, max_N=4)) for _ in range(2))
    return stored(one), stored(other), stored(direct_sum(one, other))


def _with(extension: Callable[[Head], Head]) -> Callable[[str], st.SearchStrategy[Case]]:
    return lambda _: heads().map(lambda head: (stored(head), stored(extension(head))))


def _added(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    one, other, both = answers
    wanted = tuple(map(sum, zip(one, other, strict=True))) if question.name == "signature" else one + other
    return question.agrees(wanted, both)


def _one_plane_more(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    before, after = answers
    step = _PLANE[question.name]
    signature = question.name == "signature"
    wanted = tuple(x + y for x, y in zip(before, step, strict=False)) if signature else before + step
    return question.agrees(wanted, after)


def _one_zero_more(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    before, after = answers
    if question.name == "signature" and len(before) == 3:
        before = (before[0], before[1], before[2] + 1)
    return is_undefined(question, case[0]) or question.agrees(before, after)


_HYPERBOLIC_PLANE = Head.of([[1, 0]], [[0, 1]])
_ZERO = Head.of([], [], N=1, field=QQ)

truth = Law(
    "truth",
    "the answer is that of exact arithmetic on the stored numbers, in every stratum and format",
    ALL,
    lambda _: float_heads().map(lambda batch: (batch,)),
    _exactly,
)
soundness = Law(
    "soundness",
    "no proof of rank M = 2n is given where the rank of the stored numbers is smaller",
    ("proof",),
    lambda _: float_heads().map(lambda batch: (batch,)),
    _exactly,
)
theorem = Law(
    "theorem",
    "rank M = 2n ≤ N implies S ≅ nH ⊥ 0^(N−2n), of signature (n, n, N−2n) (Theorem 3)",
    ALGEBRAIC,
    lambda _: heads(allow_degenerate=False, allow_big=False).map(lambda head: (stored(head),)),
    _hyperbolic,
)
corank = Law(
    "corank",
    "for rank M = 2n − k and t the radical of CᵀJC, |n₊ − n₋| ≤ k − t and the Witt index is at least n − k",
    ("signature", "witt"),
    lambda _: heads().map(lambda head: (stored(head),)),
    _within_corank,
)
balance = Law(
    "balance",
    "n₊ and n₋ are at most the rank of L, which is at most n (Lemma 3)",
    ("signature",),
    lambda _: heads().map(lambda head: (stored(head),)),
    _balanced,
)
additivity = Law(
    "additivity",
    "signatures and ranks of an orthogonal sum are the sums of the two",
    ("signature", "rank", "rank-stacked"),
    lambda _: _sums(),
    _added,
)
plane = Law(
    "plane",
    "a hyperbolic plane beside a form adds one to its Witt index and leaves its class",
    ALGEBRAIC,
    _with(lambda head: direct_sum(head, _HYPERBOLIC_PLANE)),
    _one_plane_more,
)
zero = Law(
    "zero",
    "a dimension of the stream that Q and K do not read adds to the radical and to nothing else",
    ALL,
    _with(lambda head: direct_sum(head, _ZERO)),
    _one_zero_more,
)
