import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import HypothesisError, ShapeError
from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.locus import condition
from proofs.pencils import Pencil
from verify.strategies import fields, heads


@st.composite
def pencils(draw, *, field=None):
    base = draw(heads(field=fields() if field is None else field))
    if base.is_big:
        base = Head.of(base.Q, base.K, field=base.field, N=base.N).change_coordinates(
            [[int(i == j) for j in range(2 * base.n)] for i in range(base.N)]
        )
    target = draw(heads(field=base.field, n=base.n, N=base.N) | st.none())
    c = condition(base.n, base.N)
    if target is None or not c.holds(target):
        target = c.witness(field=base.field)
    return Pencil(base, target)


@given(pencils())
def test_the_minor_is_a_minor_of_the_line(pencil):
    field, size = pencil.base.field, 2 * pencil.base.n
    polynomial = pencil.minor()
    assert polynomial.degree() <= size
    columns = condition(pencil.base.n, pencil.base.N).holds_with_witness(pencil.target)
    for t in (field(0), field(1), field(2), field(-1)):
        minors = dict(condition(pencil.base.n, pencil.base.N).minors(pencil.at(t)))
        assert polynomial(t) == minors[columns]


@given(pencils(field=GF(11)))
def test_bad_parameters_against_trying_all(pencil):
    c = condition(pencil.base.n, pencil.base.N)
    expected = tuple(GF(11)(t) for t in range(11) if not c.holds(pencil.at(t)))
    assert pencil.bad_parameters() == expected
    assert len(expected) <= 2 * pencil.base.n


@given(pencils(field=QQ))
def test_bad_parameters_over_the_rationals(pencil):
    c = condition(pencil.base.n, pencil.base.N)
    bad = pencil.bad_parameters()
    assert len(bad) <= 2 * pencil.base.n
    assert list(bad) == sorted(set(bad))
    assert not any(c.holds(pencil.at(t)) for t in bad)
    assert all(c.holds(pencil.at(t)) for t in (1, -7, QQ("5/3"), 11) if QQ(t) not in bad)


def test_ends():
    base, target = Head.of([[1, 2]], [[3, 4]]), condition(1, 2).witness()
    assert Pencil(base, target).at(0) == base
    assert Pencil(base, target).at(1) == target


def test_errors():
    one, other = condition(1, 2).witness(), condition(1, 3).witness()
    with pytest.raises(ShapeError, match="a pencil needs one shape"):
        Pencil(one, other)
    with pytest.raises(HypothesisError, match=r"the base is over QQ, the target over GF\(3\)"):
        Pencil(one, condition(1, 2).witness(field=GF(3)))
    with pytest.raises(HypothesisError, match="the target of the pencil is degenerate"):
        Pencil(one, Head.of([[1, 0]], [[1, 0]])).bad_parameters()
