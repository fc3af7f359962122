from dataclasses import replace

import pytest
from hypothesis import given, settings

from proofs.errors import FieldError, InconsistencyError
from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head, split_form
from proofs.matrices import block_diagonal
from proofs.witt import anisotropic_dimension, is_hyperbolic_plus_zero, is_isotropic, witt_index
from proofs.witt_decomposition import (
    IsotropyWitness,
    is_hyperbolic_plus_zero_with_witness,
    is_isotropic_with_witness,
    witt_decomposition,
)
from tests.cases import cases
from tests.proofs.strategies import forms

PLACES = [RR, Qp(2), Qp(3), Qp(5), Qp(7)]


def _check(form):
    """Multiply out here too, and compare with the invariants."""
    d, field = witt_decomposition(form), form.field
    P, w = d.transform, d.witt_index
    blocks = [d.hyperbolic, field.diagonal(d.anisotropic), field.zeros(d.radical, d.radical)]
    assert P.transpose() * form.gram * P == block_diagonal(field, blocks)
    assert P.det() != 0
    assert (w, d.radical) == (witt_index(form), form.dimension - form.rank)
    assert len(d.anisotropic) == anisotropic_dimension(form)
    if field == QQ or field.characteristic:
        assert d.hyperbolic == split_form(field, w)
        W = d.isotropic_subspace
        assert W.rank() == W.ncols() == w + d.radical
        assert W.transpose() * form.gram * W == field.zeros(W.ncols(), W.ncols())
    return d


@pytest.mark.parametrize("case_", cases("form_over_fields"))
class TestCases:
    def test_over_every_place(self, case_):
        form = Form.of(case_["input"]["matrix"])
        for place in [None, *PLACES]:
            _check(form if place is None else form.at(place))

    def test_over_finite_fields(self, case_):
        for p, expected in case_["expected"]["witt_Fp"].items():
            if "witt" in expected:
                _check(Form.of(case_["input"]["matrix"], field=GF(int(p))))


@pytest.mark.parametrize("case_", cases("attention_head"))
def test_heads(case_):
    d = _check(Form.of_head(Head.of(case_["input"]["Q"], case_["input"]["K"])))
    assert d.witt_index == case_["expected"]["witt_index_Q"]


@settings(deadline=None)
@given(forms())
def test_any_form(form):
    _check(form)


@settings(deadline=None)
@given(forms())
def test_isotropic_vectors(form):
    isotropic, witness = is_isotropic_with_witness(form)
    assert isotropic == is_isotropic(form) == (witness is not None)
    if witness is not None and witness.y is None:
        assert form.value(witness.x) == 0
    elif witness is not None:
        a, b = form.value(witness.x), form.value(witness.y)
        assert form.value(witness.x, witness.y) == 0
        assert form.field.is_square(-a / b)


@settings(deadline=None)
@given(forms())
def test_hyperbolic_plus_zero(form):
    hyperbolic, witness = is_hyperbolic_plus_zero_with_witness(form)
    assert hyperbolic == is_hyperbolic_plus_zero(form) == (witness is not None)
    if witness is not None:
        witness.check()
        assert witness.anisotropic == () and 2 * witness.witt_index + witness.radical == form.dimension


def test_squarefree_entries():
    assert sorted(witt_decomposition(Form.of([[12, 0], [0, 50]])).anisotropic) == [2, 3]


def test_entries_that_cannot_be_factored_stay():
    hard = (2**127 - 1) * (2**107 - 1)
    d = witt_decomposition(Form.diagonal([1, 1, 1, 1, hard]))
    assert (d.witt_index, len(d.anisotropic), d.place) == (0, 5, RR)
    assert hard in d.anisotropic


class TestFalseWitnesses:
    def _decomposition(self):
        return witt_decomposition(Form.diagonal([1, -4, 3, 0]))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"transform": QQ.identity(4)}, "not the sum of the three parts"),
            ({"anisotropic": (5,)}, "not the sum of the three parts"),
            ({"place": None}, "not anisotropic over None"),
            ({"place": Qp(2), "anisotropic": (3,)}, None),
        ],
    )
    def test_decompositions(self, change, message):
        wrong = replace(self._decomposition(), **change)
        if message is None:
            wrong.check()
            return
        with pytest.raises(InconsistencyError, match=message):
            wrong.check()

    def test_a_singular_transform(self):
        form = Form.of([[0]])
        d = replace(witt_decomposition(form), transform=QQ.zeros(1, 1))
        with pytest.raises(InconsistencyError, match="not invertible"):
            d.check()

    def test_planes_that_are_not_hyperbolic(self):
        form = Form.diagonal([1, 1])
        d = replace(witt_decomposition(form), transform=QQ.identity(2), hyperbolic=QQ.identity(2), anisotropic=())
        with pytest.raises(InconsistencyError, match="do not span a hyperbolic plane over QQ"):
            d.check()

    def test_planes_that_are_not_orthogonal(self):
        rows = [[0, 0, 1, 1], [0, 0, 0, 1], [1, 0, 0, 0], [1, 1, 0, 0]]
        form = Form.of(rows)
        d = replace(witt_decomposition(form), transform=QQ.identity(4), hyperbolic=form.gram)
        with pytest.raises(InconsistencyError, match="belong to different planes"):
            d.check()

    def test_an_isotropic_rest(self):
        form = Form.diagonal([1, -1])
        d = replace(
            witt_decomposition(form),
            transform=QQ.identity(2),
            hyperbolic=QQ.zeros(0, 0),
            anisotropic=(QQ(1), QQ(-1)),
            place=RR,
        )
        with pytest.raises(InconsistencyError, match="the rest is not anisotropic over RR"):
            d.check()

    @pytest.mark.parametrize(
        ("x", "y", "message"),
        [
            ([[0], [0]], None, "is zero"),
            ([[1], [0]], None, "q.x. = 1; expected 0"),
            ([[1], [0]], [[0], [1]], "do not make a hyperbolic plane over QQ"),
            ([[1], [0]], [[1], [1]], "do not make a hyperbolic plane over QQ"),
        ],
    )
    def test_vectors(self, x, y, message):
        form = Form.diagonal([1, -2])
        witness = IsotropyWitness(form, QQ.matrix(x), None if y is None else QQ.matrix(y))
        with pytest.raises(InconsistencyError, match=message):
            witness.check()


def test_irrational_subspaces_are_not_written_down():
    with pytest.raises(FieldError, match="over RR need not have rational coordinates"):
        witt_decomposition(Form.diagonal([1, -2], field=RR)).isotropic_subspace  # noqa: B018
