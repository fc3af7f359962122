"""What a failing test prints can be pasted into a test."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import proofs.fields
from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head
from tests.proofs.strategies import forms
from verify.strategies import fields, heads

NAMES = {**vars(proofs.fields), "Head": Head, "Form": Form}


@given(st.one_of(heads(field=fields()), forms(), forms(field=Qp(2)), fields()))
def test_a_repr_makes_the_thing_again(thing):
    assert eval(repr(thing), dict(NAMES)) == thing


def test_an_empty_head_keeps_its_width():
    assert repr(Head.of([], [], N=3)) == "Head.of(Q=[], K=[], N=3)"


@pytest.mark.parametrize("field", [QQ, RR, GF(5), GF(2**61 - 1), Qp(3)])
def test_hypothesis_prints_the_repr(field):
    @settings(database=None)
    @given(head=st.just(Head.of([[1, 0]], [[0, 2]], field=field)), form=st.just(Form.of([[1]], field=field)))
    def fails(head, form):
        raise AssertionError

    with pytest.raises(AssertionError) as caught:
        fails()
    suffix = "" if field == QQ else f", field={field}"
    report = "\n".join(caught.value.__notes__)
    assert f"head=Head.of(Q=[[1, 0]], K=[[0, 2]]{suffix})" in report
    assert f"form=Form.of([[1]]{suffix})" in report
