import pytest
from sympy import QQ, ZZ
from sympy.polys.matrices import DomainMatrix

from proofs.errors import InconsistencyError
from proofs.indeterminates import (
    antisymmetric_double,
    indeterminate_matrices,
    norm_squared,
    require,
    symmetric_double,
    trace,
)


def test_the_indeterminates_are_different():
    m = indeterminate_matrices(A=(2, 2), B=(2, 3))
    entries = [x for matrix in m.values() for row in matrix.to_list() for x in row]
    assert len(set(entries)) == 10
    assert m["A"].domain == m["B"].domain


def test_no_indeterminates():
    m = indeterminate_matrices(A=(0, 3), B=(2, 0))
    assert (m["B"] * DomainMatrix.zeros((0, 3), ZZ)).shape == (2, 3)
    assert m["A"].domain == ZZ
    assert indeterminate_matrices(over=QQ, A=(1, 1))["A"].domain.domain == QQ


def test_numbers_by_hand():
    A = DomainMatrix([[ZZ(1), ZZ(2)], [ZZ(-3), ZZ(4)]], (2, 2), ZZ)
    assert trace(A) == 5
    assert norm_squared(A) == 30
    assert symmetric_double(A).to_list() == [[2, -1], [-1, 8]]
    assert antisymmetric_double(A).to_list() == [[0, 5], [-5, 0]]


def test_require():
    assert require(True, "one is one") == 1
    with pytest.raises(InconsistencyError, match="the identity does not hold: one is two"):
        require(False, "one is two")
