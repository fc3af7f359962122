from fractions import Fraction

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from proofs.fields import GF, QQ
from verify.strategies import fields, matrices, numbers, spectra
from verify.strategies.arithmetic import dyadics


@given(fields(finite=True))
def test_finite_fields(field):
    assert field.characteristic > 2


def test_all_fields_have_a_share():
    assert find(fields(finite=False), lambda _: True) == QQ
    assert find(fields(), lambda field: field.characteristic > 2**64).characteristic == 2**89 - 1


@pytest.mark.parametrize("condition", [lambda x: x != 0, lambda x: x > 0])
def test_numbers_shrink_to_one(condition):
    assert find(numbers(), condition) == 1


def test_numbers_reach_fractions_and_residues():
    assert find(numbers(), lambda x: Fraction(x).denominator > 1) == Fraction(1, 2)
    assert find(numbers(field=GF(101)), lambda x: x > 50) == 51


@given(numbers(bound=5, fractions=False))
def test_integers_within_the_bound(x):
    assert isinstance(x, int)
    assert -5 <= x <= 5


@given(dyadics())
def test_dyadics_are_exact_in_float32(x):
    assert abs(x) <= 3
    assert x.denominator & (x.denominator - 1) == 0
    assert x.denominator <= 256


@given(st.integers(0, 3), st.integers(0, 3), fields(), st.data())
def test_matrices_have_their_shape(rows, columns, field, data):
    matrix = data.draw(matrices(rows, columns, field=field))
    assert (matrix.nrows(), matrix.ncols()) == (rows, columns)
    assert field.matrix(matrix, columns=columns) == matrix


@given(matrices(np.int64(2), np.int32(3)), numbers(bound=np.int64(1)), spectra(max_size=np.int64(2)))
def test_sizes_may_be_numpys(matrix, x, values):
    assert (matrix.nrows(), matrix.ncols()) == (2, 3)
    assert abs(x) <= 1
    assert len(values) <= 2


@given(spectra(positive=2, zero=1))
def test_spectra_have_the_asked_signs(values):
    assert [x > 0 for x in values].count(True) == 2
    assert list(values).count(0) == 1
    assert list(values) == sorted(values, reverse=True)


@given(spectra(symmetric=True))
def test_symmetric_spectra(values):
    assert [-x for x in reversed(values)] == list(values)


@pytest.mark.parametrize(
    "arguments", [{}, {"symmetric": True}, {"zero": 1}, {"positive": 2, "zero": st.just(1)}], ids=str
)
def test_spectra_reach_their_bound_and_no_more(arguments):
    sizes = set()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(spectra(max_size=6, **arguments))
    def look(values):
        sizes.add(len(values))

    look()
    assert max(sizes) == 6
    assert min(sizes) == sum({"zero": 1, "positive": 2}[name] for name in arguments if name != "symmetric")


def test_given_counts_need_no_bound():
    assert len(find(spectra(positive=9, negative=0, zero=1), lambda _: True)) == 10
    assert len(find(spectra(positive=9, zero=0, symmetric=True), lambda _: True)) == 18


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (lambda: matrices(-1, 2), "rows=-1 is not a size"),
        (lambda: matrices(1, True), "columns=True is not a size"),
        (lambda: spectra(positive=1, negative=2, symmetric=True), "as many negative as positive"),
        (lambda: spectra(positive=2, negative=st.just(1), symmetric=True), "not 1 and 2; pass one of them"),
        (lambda: spectra(zero=-1), "zero=-1 is not a size"),
        (lambda: spectra(zero=st.just("2")), "zero='2' is not a size"),
        (lambda: spectra(max_size=-1), "max_size=-1 is not a size"),
        (lambda: spectra(symmetric=1), "symmetric=1 is not a flag; pass True or False"),
        (lambda: spectra(positive=2, zero=1, max_size=2), "positive=2, negative=None, zero=1 are 3 .* max_size=2"),
        (lambda: spectra(positive=2, symmetric=True, max_size=3), "are 4 eigenvalues already, more than max_size=3"),
        (lambda: numbers(bound=-1), "bound=-1 is not a size"),
        (lambda: numbers(bound=[1]), r"bound=\[1\] is not a size"),
        (lambda: numbers(field="QQ"), "field='QQ' is not a field; pass QQ, RR"),
        (lambda: numbers(fractions=2), "fractions=2 is not a flag"),
        (lambda: matrices(1, 1, field=3), "field=3 is not a field"),
        (lambda: matrices(1, 1, elements=[1]), r"elements=\[1\] is not a strategy; pass one of numbers"),
        (lambda: matrices(1, 1, elements=st.floats()), "elements drew 0.0, which is no element of QQ: 0.0 is a float"),
        (lambda: matrices(1, 1, elements=st.none()), "elements drew None, which is no element of QQ: None is not"),
        (lambda: fields(finite="no"), "finite='no' is not a flag"),
    ],
)
def test_impossible_arguments(strategy, message):
    lazy = strategy()  # not before it is used
    with pytest.raises(InvalidArgument, match=message):
        find(lazy, lambda _: True)
