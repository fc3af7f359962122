"""Laws of the Witt index of exact forms over ℚ, ℝ, F_p and ℚ_p."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import Field
from proofs.forms import Form
from verify.laws.law import FormLaw
from verify.strategies import fields, invertible_matrices, numbers, symmetric_forms
from verify.strategies.arguments import argument, check_field

Ground: TypeAlias = SearchStrategy[Field] | Field | None
Case: TypeAlias = tuple[Form, int, Form | None]


def _over(build: Callable[[Field], SearchStrategy[Case]]) -> Callable[[Ground], SearchStrategy[Case]]:
    return lambda ground: argument("field", ground, lambda _, value: check_field(value), default=fields()).flatmap(
        build
    )


@st.composite
def _form(draw: st.DrawFn, field: Field) -> Form:
    known = draw(symmetric_forms(field=field))
    return Form(known.matrix, field)


@st.composite
def _congruent(draw: st.DrawFn, field: Field) -> Case:
    form = draw(_form(field))
    return form.restrict(draw(invertible_matrices(form.dimension, field=field))), 0, form


@st.composite
def _scaled(draw: st.DrawFn, field: Field) -> Case:
    form, c = draw(_form(field)), field(draw(st.sampled_from([2, -1, "1/2"])))
    return form.scale(c * c), 0, form


@st.composite
def _with_plane(draw: st.DrawFn, field: Field) -> Case:
    form = draw(_form(field))
    return form + Form.of([[0, 1], [1, draw(numbers(field=field))]], field=field), 1, form


@st.composite
def _with_zeros(draw: st.DrawFn, field: Field) -> Case:
    form = draw(_form(field))
    return form + Form.diagonal([0] * draw(st.integers(1, 2)), field=field), 0, form


@st.composite
def _with_opposite(draw: st.DrawFn, field: Field) -> Case:
    form = draw(_form(field))
    return form + form.scale(-1), form.rank, None


@st.composite
def _decomposed(draw: st.DrawFn, field: Field) -> Case:
    known = draw(symmetric_forms(field=field))
    return Form(known.matrix, field), known.witt_index, None


@st.composite
def _summed(draw: st.DrawFn, field: Field) -> Case:
    one, other = draw(symmetric_forms(field=field)), draw(symmetric_forms(field=field))
    kernel = Form.diagonal([*one.anisotropic, *other.anisotropic], field=field)
    both = Form(one.matrix, field) + Form(other.matrix, field)
    return both, one.witt_index + other.witt_index, kernel


congruence = FormLaw("congruence", "the Witt index of PᵀAP is that of A, P invertible", _over(_congruent))
squares = FormLaw("squares", "the Witt index of c²A is that of A", _over(_scaled))
planes = FormLaw("planes", "a hyperbolic plane in any coordinates, [[0, 1], [1, x]], adds one", _over(_with_plane))
radical = FormLaw("radical", "zeros beside a form add to its radical and not to its Witt index", _over(_with_zeros))
opposite = FormLaw("opposite", "A ⊥ −A is rank A hyperbolic planes", _over(_with_opposite))
decomposition = FormLaw("decomposition", "the Witt index of wH ⊥ B ⊥ 0ᵗ, B anisotropic, is w", _over(_decomposed))
classes = FormLaw(
    "classes",
    "Witt classes add: the index of (vH ⊥ B ⊥ 0) ⊥ (wH ⊥ C ⊥ 0) is v + w plus that of B ⊥ C",
    _over(_summed),
)
