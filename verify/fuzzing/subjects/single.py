"""Heads, and bilinear forms that come from one."""

from __future__ import annotations

from typing import Any

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ
from proofs.heads import Head
from proofs.statements.lemma_3 import BoundedForm
from verify.fuzzing.subjects.kinds import Kind, Size, any_size
from verify.fuzzing.subjects.matrices import orthogonal
from verify.strategies import numbers

_NUMBERS = numbers()


def any_head(size: Size) -> SearchStrategy[Head]:
    """All rank patterns; those of full rank and those of norm 1 have a share of their own."""
    choices = [size.heads()]
    if size.has_room:
        choices.append(size.heads(allow_degenerate=False, allow_big=False))
    if not size.ground.characteristic:
        choices.append(_unit_norm_heads(size))
    return st.one_of(choices)


def sphere_point(parameters: list[Any]) -> list[fmpq]:
    """A rational point of the unit sphere, from stereographic coordinates; the origin gives (1, 0, …).

    >>> sphere_point(["1/2"])
    [3/5, 4/5]
    """
    u = [QQ(x) for x in parameters]
    square = sum((x * x for x in u), fmpq(0))
    return [(1 - square) / (1 + square), *(2 * x / (1 + square) for x in u)]


@st.composite
def _unit_norm_heads(draw: st.DrawFn, size: Size) -> Head:
    """Heads with ``‖L‖ = 1``: L is an orthogonal change of basis of a diagonal whose entries lie on a sphere."""
    n = draw(st.sampled_from(size.rows(least=1)))
    N = draw(st.sampled_from(size.columns(4)))
    if n == 0:
        return Head.of([], [], N=N, field=size.ground)
    free = min(n, N) - 1
    values = sphere_point(draw(st.lists(_NUMBERS, min_size=free, max_size=free)))
    left, right = draw(orthogonal(N)).tolist(), draw(orthogonal(N)).tolist()
    zeros = [[0] * N] * (n - len(values))
    queries = [[h * x for x in row] for h, row in zip(values, right, strict=False)]
    return Head.of([*queries, *zeros], [*left[: len(values)], *zeros], N=N, field=size.ground)


@st.composite
def _bounded_forms(draw: st.DrawFn, size: Size) -> BoundedForm:
    """The form of a head of any dimension; the bound may be below its rank."""
    bound = draw(st.sampled_from(size.rows(3)))
    return BoundedForm(draw(Size(QQ, N=size.N).heads()).L, bound)


HEADS = Kind(
    "heads",
    any_head,
    lambda head: (head.n, head.N),
    "a head dimension n and a width N",
    any_size,
    ground="any",
)

BOUNDED_FORMS = Kind(
    "bilinear forms with a bound of their rank",
    _bounded_forms,
    lambda form: (form.n, form.L.nrows()),
    "a bound n and a width N",
    any_size,
)
