"""Laws of the profile: the simplex, its faces and vertices, forms of rank one, the part that S has in it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from proofs.fields import QQ
from proofs.heads import Head
from proofs.matrices import Matrix, stack
from verify.fuzzing.questions import PROFILE_TOLERANCE, Question
from verify.laws.law import Case, Law, is_undefined, stored
from verify.strategies import exact, float_heads, gauge_transforms, heads, matrices, orthogonal_matrices, spectra

_PROFILE = ("profile",)


def _near(x: float, y: float) -> bool:
    # Written so that NaN is wrong.
    return abs(x - y) <= PROFILE_TOLERANCE


def head_of_form(L: Matrix) -> Head:
    """The head ``(L, I)``, whose bilinear form is L.

    >>> head_of_form(QQ.matrix([[1, 2], [3, 4]])).L
    [1, 2]
    [3, 4]
    """
    return Head(L, QQ.identity(L.nrows()), QQ)


def _in_simplex(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    return is_undefined(question, case[0]) or (min(answers[0]) >= 0 and _near(sum(answers[0]), 1))


#: Faces of Theorem 4 by what L is like: the coordinates that vanish on each, and the vertex if it is one.
_FACES: dict[str, str] = {
    "symmetric": "a",
    "antisymmetric": "bcd",
    "positive": "abd",
    "negative": "abc",
    "mirrored": "acd",
    "dominant": "ad",
    "dominated": "ac",
}


@st.composite
def _symmetric(draw: st.DrawFn, kind: str) -> Matrix:
    """UᵀDU with the spectrum of a face: positive, symmetric about 0, or with α ≥ β."""
    alpha = draw(spectra(positive=draw(st.integers(1, 2)), negative=0, zero=0))
    halves = {"positive": [0], "mirrored": [2], "dominant": [0, 1, 2]}[kind]
    beta = [x * Fraction(draw(st.sampled_from(halves)), 2) for x in alpha]
    values = [*alpha, *(-x for x in beta if x), *[0] * draw(st.integers(0, 1))]
    U = draw(orthogonal_matrices(len(values), max_rotations=2))
    result: Matrix = U.transpose() * QQ.diagonal(values) * U
    return result


@st.composite
def _on_faces(draw: st.DrawFn) -> Case:
    face = draw(st.sampled_from(list(_FACES)))
    if face in ("symmetric", "antisymmetric"):
        size, sign = draw(st.integers(2, 4)), 1 if face == "symmetric" else -1
        X = draw(matrices(size, size))
        L = X + X.transpose() * QQ(sign)
    else:
        mirror = {"negative": "positive", "dominated": "dominant"}
        L = draw(_symmetric(mirror.get(face, face))) * QQ(-1 if face in mirror else 1)
    return (replace(stored(head_of_form(L)), provenance={"face": face}),)


def _on_its_face(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    vanishing = _FACES[case[0].provenance["face"]]
    return is_undefined(question, case[0]) or all(_near(answers[0]["abcd".index(x)], 0) for x in vanishing)


@st.composite
def _with_rank_one(draw: st.DrawFn) -> Case:
    """L = kᵀq, beside it rows of one side only, which add nothing to L, and all in the coordinates of a gauge."""
    head = draw(heads(n=1, rank_query=1, rank_key=1, max_N=5))
    for _ in range(draw(st.integers(0, 2))):
        row, zero = draw(matrices(1, head.N)), QQ.zeros(1, head.N)
        query, key = (row, zero) if draw(st.booleans()) else (zero, row)
        head = Head(stack(QQ, head.Q, query), stack(QQ, head.K, key), QQ)
    return (stored(head.gauge(draw(gauge_transforms(head.n)))),)


def _of_rank_one(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    L = exact(case[0]).L
    trace = sum((L[i, i] for i in range(L.nrows())), QQ(0))
    square = float(trace * trace / sum((x * x for x in L.entries()), QQ(0)))
    half, sign = (1 - square) / 2, trace > 0
    return question.agrees((half, half, square if sign else 0.0, 0.0 if sign else square), answers[0])


def _shared(question: Question, case: Case, answers: tuple[Any, ...]) -> bool:
    if is_undefined(question, case[0]):
        return True
    (a, *rest), (_, *of_S) = answers
    if is_undefined(question, case[1]):
        return _near(a, 1)
    return all(_near(x, (1 - a) * y) for x, y in zip(rest, of_S, strict=True))


simplex = Law(
    "simplex",
    "a, b, c, d ≥ 0 and a + b + c + d = 1, in every stratum and format (Definition 6)",
    _PROFILE,
    lambda _: float_heads().map(lambda batch: (batch,)),
    _in_simplex,
)
faces = Law(
    "faces",
    "a = 0 for symmetric L, b = c = d = 0 for antisymmetric L, b = 0 for semidefinite S, c = d = 0 for a spectrum "
    "symmetric about 0, d = 0 for α ≥ β, c = 0 for β ≥ α (Theorem 4)",
    _PROFILE,
    lambda _: _on_faces(),
    _on_its_face,
)
rank_one = Law(
    "rank_one",
    "rank L = 1, ‖L‖ = 1, t = tr L have the profile ((1−t²)/2, (1−t²)/2, t₊², t₋²) (Proposition 4)",
    _PROFILE,
    lambda _: _with_rank_one(),
    _of_rank_one,
)
symmetric_share = Law(
    "symmetric_share",
    "(b, c, d) of L is 1 − a times that of S (Lemma 4)",
    _PROFILE,
    lambda _: heads().map(lambda head: (stored(head), stored(head_of_form(head.S)))),
    _shared,
)
