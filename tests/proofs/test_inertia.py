import pytest
from flint import fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import FieldError, InconsistencyError, ShapeError
from proofs.fields import GF, QQ
from proofs.inertia import Signature, signature
from tests.cases import cases
from tests.proofs import fractions_route as route
from tests.proofs.strategies import integer_rows


@pytest.mark.parametrize("case_", cases("form_over_fields"))
def test_cases(case_):
    expected = case_["expected"]["signature_R"]
    found = signature(QQ.matrix(case_["input"]["matrix"]))
    assert found == (expected["pos"], expected["neg"], expected["zero"])


@given(st.integers(0, 6).flatmap(lambda size: integer_rows(size, size)), st.fractions(min_value="1/50", max_value=50))
def test_against_lagrange_reduction(rows, scale):
    A = QQ.matrix(rows, columns=len(rows))
    S = (A + A.transpose()) * QQ(scale)
    assert signature(S) == route.signature(route.exact(S))


@given(st.integers(1, 5).flatmap(lambda size: integer_rows(size, size)))
def test_negation_swaps(rows):
    A = fmpz_mat(rows)
    p, q, zero = signature(A + A.transpose())
    assert signature(-(A + A.transpose())) == Signature(q, p, zero)


def test_no_tolerance():
    tiny = QQ(2) ** -400
    assert signature(QQ.matrix([[1, 1], [1, 1 + tiny]])) == (2, 0, 0)
    assert signature(QQ.matrix([[1, 1], [1, 1 - tiny]])) == (1, 1, 0)
    assert signature(QQ.matrix([[1, 1], [1, 1]])) == (1, 0, 1)


@pytest.mark.parametrize("rows", [[[0, 1], [0, 0]], [[1, 2]]])
def test_symmetry_is_required(rows):
    with pytest.raises(ShapeError, match="is not symmetric"):
        signature(fmpz_mat(rows))


def test_there_is_no_signature_over_a_finite_field():
    with pytest.raises(FieldError, match="not a matrix over QQ"):
        signature(GF(3).identity(2))


def test_complex_roots_would_be_noticed(monkeypatch):
    rotation = fmpz_mat([[0, 1], [-1, 0]])
    symmetric = fmpz_mat([[1, 0], [0, 1]])
    monkeypatch.setattr("proofs.inertia.integral", lambda _: (rotation, 1))
    with pytest.raises(InconsistencyError, match="real roots"):
        signature(symmetric)
