import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from proofs.fields import GF, QQ
from verify.strategies import fields, gauge_transforms, invertible_matrices, orthogonal_matrices, rotary

sizes = st.integers(0, 4)


@given(sizes, fields(), st.data())
def test_invertible(size, field, data):
    matrix = data.draw(gauge_transforms(size, field=field))
    assert matrix.rank() == matrix.nrows() == size


@given(sizes, st.data())
def test_unimodular_matrices_have_integer_inverses(size, data):
    matrix = data.draw(invertible_matrices(size, unimodular=True))
    assert all(x.denominator == 1 for x in [*matrix.entries(), *matrix.inv().entries()])


@given(sizes, fields(), st.booleans(), st.data())
def test_orthogonal(size, field, signed, data):
    matrix = data.draw(orthogonal_matrices(size, field=field, max_rotations=0 if signed else None))
    assert matrix.transpose() * matrix == field.identity(size)
    if signed:
        assert all(x in (field(0), field(1), field(-1)) for x in matrix.entries())


@given(st.integers(0, 3), fields(), st.data())
def test_rotary(planes, field, data):
    matrix = data.draw(rotary(2 * planes, field=field))
    assert matrix.transpose() * matrix == field.identity(2 * planes)
    assert matrix.det() == field(1)


@pytest.mark.parametrize("strategy", [invertible_matrices, gauge_transforms, orthogonal_matrices])
def test_they_shrink_to_the_identity(strategy):
    assert find(strategy(3), lambda _: True) == QQ.identity(3)


def test_they_leave_the_identity():
    def is_rotation(matrix):
        return matrix[0, 0] not in (0, 1, -1)

    assert find(orthogonal_matrices(2), is_rotation)[0, 0] in (QQ("3/5"), QQ("-3/5"), QQ("4/5"), QQ("-4/5"))
    assert find(invertible_matrices(2, field=GF(3)), lambda m: m[0, 0] == 0).tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("of", [invertible_matrices, gauge_transforms, orthogonal_matrices, rotary])
def test_sizes_may_be_numpys(of):
    assert find(of(np.uint8(4)), lambda _: True).nrows() == 4


def test_bounds_may_be_numpys():
    assert find(orthogonal_matrices(2, max_rotations=np.uint8(1)), lambda R: R[0, 1] != 0).nrows() == 2
    assert find(rotary(2, max_delta=np.uint8(1)), lambda R: R[0, 1] > 0).nrows() == 2


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (lambda: invertible_matrices(-1), "size=-1"),
        (lambda: orthogonal_matrices("2"), "size='2'"),
        (lambda: orthogonal_matrices(2, max_rotations=-1), "max_rotations=-1 is not a size"),
        (lambda: orthogonal_matrices(2, max_rotations=True), "max_rotations=True is not a size"),
        (lambda: orthogonal_matrices(2, field=5), "field=5 is not a field"),
        (lambda: invertible_matrices(2, field="QQ"), "field='QQ' is not a field"),
        (lambda: invertible_matrices(2, unimodular=0), "unimodular=0 is not a flag"),
        (lambda: invertible_matrices(st.just(2)), "size=.* is not a size"),
        (lambda: gauge_transforms(-1), "n=-1 is not a size"),
        (lambda: gauge_transforms(1, field=5), "field=5 is not a field"),
        (lambda: rotary(-2), "n=-2 is not a size"),
        (lambda: rotary(2, max_delta=-1), "max_delta=-1 is not a size"),
        (lambda: rotary(2, field=5), "field=5 is not a field"),
        (lambda: rotary(3), "n=3 is odd; a rotary embedding rotates pairs of rows, so pass an even n"),
    ],
)
def test_impossible_arguments(strategy, message):
    with pytest.raises(InvalidArgument, match=message):
        find(strategy(), lambda _: True)
