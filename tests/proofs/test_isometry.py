from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.errors import FieldError, InconsistencyError
from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.isometry import is_isometric_with_witness
from proofs.witt import is_isometric
from tests.cases import cases
from tests.proofs.strategies import forms, local_fields
from verify.strategies import invertible_matrices


def _check(one, other):
    isometric, witness = is_isometric_with_witness(one, other)
    assert isometric == is_isometric(one, other) == (witness is not None)
    if witness is not None:
        witness.check()
        if one.field == QQ or one.field.characteristic:
            assert one.restrict(witness.transform).gram == other.gram
            assert witness.transform.rank() == one.dimension
    return isometric


@pytest.mark.parametrize("case_", cases("isometry_over_Q"))
def test_cases(case_):
    one, other = (Form.of(case_["input"][name]) for name in "AB")
    assert _check(one, other) == case_["expected"]["isometric_Q"]


@settings(deadline=None)
@given(forms(max_dimension=4), st.data())
def test_congruent_forms(form, data):
    assert _check(form, form.restrict(data.draw(invertible_matrices(form.dimension, field=form.field))))


@settings(deadline=None)
@given(st.one_of(local_fields, st.just(QQ)), st.data())
def test_any_two_forms(field, data):
    _check(*(data.draw(forms(field=field, max_dimension=3)) for _ in range(2)))


@pytest.mark.parametrize("entries", [[1, 1, 1, 1], [3, 5, 6, 10], [1, 2, 5], [7, 14], [3, 6, -1]])
def test_dyadic_forms_with_other_diagonals(entries):
    form = Form.diagonal(entries, field=Qp(2))
    for rows in ([[1, 1], [1, 2]], [[1, 2], [0, 1]], [[1, 3], [1, 4]]):
        U = QQ.identity(len(entries))
        for i in range(2):
            for j in range(2):
                U[i, j] = QQ(rows[i][j])
        assert _check(form, form.restrict(U))


def test_false_isometries_are_refused():
    _, witness = is_isometric_with_witness(Form.diagonal([1, 2]), Form.diagonal([3, 6]))
    _, other = is_isometric_with_witness(Form.diagonal([1, -1]), Form.diagonal([2, -2]))
    _, third = is_isometric_with_witness(Form.diagonal([1]), Form.diagonal([4]))
    _, fifth = is_isometric_with_witness(Form.diagonal([1, 5]), Form.diagonal([1, 5]))
    for second, message in [
        (other.second, "different Witt indices"),
        (third.second, "different dimensions"),
        (fifth.second, "have entries"),
    ]:
        with pytest.raises(InconsistencyError, match=message):
            replace(witness, second=second).check()


def test_irrational_isometries_are_not_written_down():
    _, witness = is_isometric_with_witness(Form.diagonal([1], field=RR), Form.diagonal([2], field=RR))
    with pytest.raises(FieldError, match="over RR need not have rational entries"):
        witness.transform  # noqa: B018


def test_different_fields():
    with pytest.raises(FieldError, match="both must be over one field"):
        is_isometric_with_witness(Form.of([[1]]), Form.of([[1]], field=GF(3)))
