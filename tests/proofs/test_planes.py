import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import InconsistencyError
from proofs.fields import GF, RR, Qp
from proofs.forms import Form
from proofs.planes import binary_bases, finite_isotropic_vector, split_planes, unit_frame
from proofs.witt import anisotropic_dimension, witt_index
from tests.proofs.strategies import forms, local_fields


def _check(field, values):
    form = Form.diagonal(values, field=field)
    planes, rest = split_planes(field, values)
    frame = [v for plane in planes for v in plane] + rest
    P = field.matrix([v.coordinates for v in frame], columns=len(values)).transpose()
    assert form.restrict(P).gram == field.diagonal([v.value for v in frame])
    assert all(field.is_square(-x.value * y.value) and x.value != 0 for x, y in planes)
    assert len(planes) == witt_index(form)
    assert anisotropic_dimension(Form.diagonal([v.value for v in rest], field=field)) == len(rest)


@given(local_fields, st.lists(st.integers(-60, 60), max_size=6))
def test_planes_and_an_anisotropic_rest(field, values):
    _check(field, [v for v in values if field(v) != 0])


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_all_dyadic_square_classes(size):
    classes = [1, 3, 5, 7, 2, 6, 10, 14]
    for values in itertools.combinations_with_replacement(classes, size):
        _check(Qp(2), list(values))


@pytest.mark.parametrize("shift", [8, 24, -16, 40])
def test_dyadic_entries_beyond_the_canonical_ones(shift):
    for values in itertools.combinations_with_replacement([1, 3, 5, 7], 3):
        _check(Qp(2), [v + shift for v in values])


@pytest.mark.parametrize("field", [Qp(2), Qp(3), Qp(7), GF(5)], ids=str)
def test_anisotropic_planes_reach_all_their_classes(field):
    candidates = [1, 2, 3, 5, 6, 7, 10, 14, 21]
    for a, b in itertools.product([c for c in candidates if field(c) != 0], repeat=2):
        if field.is_square(field(-a) * b):
            continue
        u, v = unit_frame(field, [a, b])
        reached = {int(field.square_class(x.value)) for x, _ in binary_bases(field, u, v)}
        represented = {
            int(field.square_class(c))
            for c in candidates
            if field(c) != 0 and anisotropic_dimension(Form.diagonal([a, b, -c], field=field)) < 3
        }
        assert reached == represented


@given(st.sampled_from([GF(3), GF(5), GF(101), GF(2**89 - 1)]), st.data())
def test_isotropic_vectors_over_finite_fields(field, data):
    form = data.draw(forms(field=field))
    x = finite_isotropic_vector(form)
    if x is None:
        assert form.rank == form.dimension <= 2
        assert witt_index(form) == 0
    else:
        assert form.value(x) == 0
        assert any(c != 0 for c in x.entries())


def test_what_does_not_exist_is_not_made_up(monkeypatch):
    monkeypatch.setattr("proofs.planes._isotropic", lambda field, values: len(values) == 4)
    with pytest.raises(InconsistencyError, match=r"no plane found in an isotropic form over Qp\(2\)"):
        split_planes(Qp(2), [1, 1, 1, 1])


def test_definite_forms_have_no_plane():
    assert split_planes(RR, [1, 2, 3])[0] == []
