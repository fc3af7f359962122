import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import ZZ, Matrix
from sympy.polys.matrices import DomainMatrix

from proofs.errors import ShapeError
from proofs.fields import GF, QQ
from proofs.polynomials import PolynomialMatrix, constant, constant_matrix, polynomial_ring
from tests.proofs.strategies import integer_rows

FIELDS = [QQ, GF(3), GF(101), GF(2**89 - 1)]


def _generic(field, rows, columns):
    ring = polynomial_ring(field, [f"x{i}{j}" for i in range(rows) for j in range(columns)])
    x = ring.gens()
    return ring, PolynomialMatrix(tuple(tuple(x[i * columns : (i + 1) * columns]) for i in range(rows)))


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_adjugate_times_matrix_is_the_determinant(field, size):
    ring, A = _generic(field, size, size)
    identity = constant_matrix(ring, [[int(i == j) for j in range(size)] for i in range(size)])
    assert A.adjugate() * A == A * A.adjugate() == identity.scale(A.determinant())


@given(st.integers(1, 4).flatmap(lambda size: integer_rows(size, size)))
def test_determinants_by_evaluation(rows):
    size = len(rows)
    _, A = _generic(QQ, size, size)
    values = [x for row in rows for x in row]
    assert int(A.determinant()(*values)) == Matrix(rows).det()


def test_products_against_sympy_domain_matrices():
    _, A = _generic(QQ, 3, 3)
    symbols = ZZ[[f"x{i}{j}" for i in range(3) for j in range(3)]]
    B = DomainMatrix([list(symbols.gens[3 * i : 3 * i + 3]) for i in range(3)], (3, 3), symbols)
    ours, theirs = A * A.transpose() * A, B * B.transpose() * B
    for i, j in itertools.product(range(3), repeat=2):
        terms = {tuple(map(int, k)): int(c) for k, c in ours.rows[i][j].to_dict().items()}
        assert terms == {k: int(c) for k, c in theirs[i, j].element.to_dict().items()}


def test_maximal_minors():
    _, A = _generic(QQ, 2, 4)
    minors = A.maximal_minors()
    assert sorted(minors) == list(itertools.combinations(range(4), 2))
    a, b = A.rows
    # The Plücker relation ties them together.
    plucker = minors[0, 1] * minors[2, 3] - minors[0, 2] * minors[1, 3] + minors[0, 3] * minors[1, 2]
    assert plucker == 0
    assert minors[0, 3] == a[0] * b[3] - a[3] * b[0]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_constants_may_be_negative(field):
    ring, _ = _generic(field, 1, 1)
    assert constant(ring, -1) + 1 == 0


def test_algebra():
    ring, A = _generic(GF(5), 2, 2)
    B = constant_matrix(ring, [[1, 2], [3, 4]])
    assert (A + B) - B == A
    assert (A * B).transpose() == B.transpose() * A.transpose()
    assert (A * B).trace() == (B * A).trace()
    assert A.beside(B).shape == (2, 4)
    assert A.above(B).submatrix([2, 3], [0, 1]) == B


def test_shapes_are_checked():
    ring, A = _generic(QQ, 2, 3)
    with pytest.raises(ShapeError, match=r"cannot multiply matrices of shape \(2, 3\) and \(2, 3\)"):
        _ = A * A
    with pytest.raises(ShapeError, match="both must have one shape"):
        _ = A + constant_matrix(ring, [[1]])
