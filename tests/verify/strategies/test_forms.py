import pytest
from hypothesis import find, given
from hypothesis.errors import InvalidArgument

from proofs.fields import GF, QQ
from proofs.inertia import signature
from verify.strategies import fields, symmetric_forms


@given(symmetric_forms(field=fields()))
def test_rank_and_radical(form):
    assert form.matrix == form.matrix.transpose()
    assert form.matrix.rank() == form.rank == form.dimension - form.radical
    assert form.P.rank() == form.dimension


@given(symmetric_forms())
def test_signature_over_the_rationals(form):
    assert form.signature == signature(form.matrix)
    assert min(form.signature[:2]) == form.witt_index


@given(symmetric_forms(field=fields(finite=True), radical=0, anisotropic_dimension=2))
def test_the_discriminant_tells_hyperbolic_from_anisotropic(form):
    """Over F_p the form wH ⊥ A with A anisotropic of dimension 2 has a signed discriminant that is no square."""
    assert form.signature is None
    assert not form.field.is_square((-1) ** (form.dimension // 2) * form.matrix.det())


def test_given_anisotropic_part():
    form = find(symmetric_forms(anisotropic=[1, 1, 7], witt_index=0, radical=1), lambda _: True)
    assert form.matrix == QQ.diagonal([1, 1, 7, 0])
    assert form.anisotropic == (1, 1, 7)


def test_they_shrink():
    assert find(symmetric_forms(), lambda form: form.rank == 1).matrix == QQ.matrix([[1]])
    assert find(symmetric_forms(field=GF(5)), lambda form: form.witt_index == 1).matrix == GF(5).matrix(
        [[0, 1], [1, 0]]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"witt_index": -1}, "witt_index=-1"),
        ({"field": GF(7), "anisotropic_dimension": 3}, r"does not exist over GF\(7\), where .* pass 0, 1 or 2"),
        ({"anisotropic": [1], "anisotropic_dimension": 2}, "pass only one of them"),
    ],
)
def test_impossible_arguments(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        find(symmetric_forms(**arguments), lambda _: True)
