from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.inertia import signature
from proofs.witt import witt_index
from tests.proofs.strategies import local_fields
from verify.strategies import fields, symmetric_forms
from verify.strategies.kernels import anisotropic_diagonals


@given(symmetric_forms(witt_index=np.int64(1), max_radical=np.uint8(1)), symmetric_forms(max_planes=np.int64(1)))
def test_sizes_may_be_numpys(one, other):
    assert (one.witt_index, type(one.witt_index)) == (1, int)
    assert one.radical <= 1
    assert other.witt_index <= 1


@given(symmetric_forms(field=fields()))
def test_rank_and_radical(form):
    assert form.matrix == form.matrix.transpose()
    assert form.matrix.rank() == form.rank == form.dimension - form.radical
    assert form.P.rank() == form.dimension


@given(symmetric_forms())
def test_signature_over_the_rationals(form):
    assert form.signature == signature(form.matrix)
    assert min(form.signature[:2]) >= form.witt_index


@given(symmetric_forms(field=RR))
def test_signature_over_the_reals(form):
    assert form.signature == signature(form.matrix)
    assert min(form.signature[:2]) == form.witt_index


@given(symmetric_forms(field=st.just(QQ) | local_fields))
def test_the_witt_index_by_invariants(form):
    """Against the Hasse invariants, which the construction does not use."""
    assert witt_index(Form(form.matrix, form.field)) == form.witt_index


@pytest.mark.parametrize(("p", "modulus"), [(2, 32), (3, 27)])
@given(st.data())
def test_p_adic_kernels_by_exhaustion(p, modulus, data):
    """With entries of valuation 0 and 1 every zero modulo 27 or 32 that p does not divide lifts, by Hensel's lemma."""
    diagonal = [Fraction(x) for x in data.draw(anisotropic_diagonals(Qp(p), 3))]
    integers = [int(x * x.denominator**2) for x in diagonal]
    reduced = [x // p**2 if x % p**2 == 0 else x for x in integers]
    assert all(x % p**2 for x in reduced)
    x, y, z = np.ix_(*[np.arange(modulus)] * 3)
    zeros = (reduced[0] * x**2 + reduced[1] * y**2 + reduced[2] * z**2) % modulus == 0
    assert not (zeros & ((x % p != 0) | (y % p != 0) | (z % p != 0))).any()


@pytest.mark.parametrize(("field", "classes"), [(Qp(2), 8), (Qp(3), 4), (Qp(42762409), 4)], ids=str)
def test_p_adic_kernels_of_every_class(field, classes):
    """Those of dimension 2 of each discriminant but that of the plane, those of dimension 3 one of each."""
    seen = defaultdict(set)

    @settings(max_examples=800, database=None, derandomize=True)
    @given(st.integers(1, 4).flatmap(lambda dimension: anisotropic_diagonals(field, dimension)))
    def look(diagonal):
        form = Form.diagonal(diagonal, field=field)
        seen[len(diagonal)].add((field.square_class(form.determinant), form.hasse(field)))

    look()
    assert {size: len(found) for size, found in seen.items()} == {1: classes, 2: 2 * (classes - 1), 3: classes, 4: 1}


def test_rational_kernels_of_every_signature():
    seen = set()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(st.integers(0, 5).flatmap(lambda dimension: anisotropic_diagonals(QQ, dimension)))
    def look(diagonal):
        seen.add((sum(x > 0 for x in diagonal), sum(x < 0 for x in diagonal)))

    look()
    assert seen == {(p, q) for p in range(6) for q in range(6) if p + q <= 4 or (p + q == 5 and not p * q)}


def test_given_anisotropic_part():
    form = find(symmetric_forms(anisotropic=[1, 1, 7], witt_index=0, radical=1), lambda _: True)
    assert form.matrix == QQ.diagonal([1, 1, 7, 0])
    assert form.anisotropic == (1, 1, 7)
    assert find(symmetric_forms(anisotropic=[1, 1, -7], field=Qp(2)), lambda _: True).witt_index == 0


def test_they_shrink():
    assert find(symmetric_forms(), lambda form: form.rank == 1).matrix == QQ.matrix([[1]])
    assert find(symmetric_forms(field=GF(5)), lambda form: form.witt_index == 1).matrix == GF(5).matrix(
        [[0, 1], [1, 0]]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"witt_index": -1}, "witt_index=-1"),
        ({"field": GF(7), "anisotropic_dimension": 3}, r"=3 does not exist over GF\(7\), where .* pass at most 2"),
        ({"field": Qp(2), "anisotropic_dimension": st.just(5)}, r"=5 does not exist over Qp\(2\), .* pass at most 4"),
        ({"field": Qp(3), "anisotropic": [1, 1, 1]}, r"anisotropic=\[1, 1, 1\] is isotropic over Qp\(3\): .* not 3"),
        ({"field": GF(3), "anisotropic": [1, 1, 1]}, r"anisotropic=\[1, 1, 1\] is isotropic over GF\(3\)"),
        ({"field": RR, "anisotropic": [1, -2]}, "is isotropic over RR: .* has dimension 0, not 2"),
        ({"anisotropic": [1, -1]}, r"anisotropic=\[1, -1\] is isotropic over QQ"),
        ({"anisotropic": [0]}, r"anisotropic=\[0\] is isotropic over QQ"),
        ({"anisotropic": [0.5]}, "is not known to be an anisotropic diagonal over QQ: 0.5 is a float"),
        ({"anisotropic": 1}, "anisotropic=1 is not known to be an anisotropic diagonal"),
        ({"field": 3}, "field=3 is not a field; pass QQ, RR, GF"),
        ({"witt_index": st.just(-1)}, "witt_index=-1 is not a size"),
        ({"radical": st.just(1.5)}, "radical=1.5 is not a size"),
        ({"max_planes": -1}, "max_planes=-1 is not a size"),
        ({"anisotropic": [1], "anisotropic_dimension": 2}, "pass only one of them"),
    ],
)
def test_impossible_arguments(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        find(symmetric_forms(**arguments), lambda _: True)
