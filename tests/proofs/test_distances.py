import numpy as np
import pytest
from flint import fmpq
from hypothesis import given

from proofs.distances import distance_squared, is_within, nearest_degenerate
from proofs.errors import FieldError, HypothesisError
from proofs.fields import GF, QQ
from proofs.heads import Head
from verify.strategies import heads


@given(heads(field=QQ))
def test_against_the_singular_values_in_floating_point(head):
    if head.n == 0:
        return
    M = np.array([[float(int(x.p)) / float(int(x.q)) for x in row] for row in head.M.tolist()])
    singular = np.zeros(2 * head.n)
    values = np.linalg.svd(M, compute_uv=False)
    singular[: len(values)] = values
    exact = distance_squared(head)
    assert float(exact) == pytest.approx(singular[-1] ** 2, abs=1e-9)
    assert (exact == 0) == (head.M.rank() < 2 * head.n)
    assert is_within(head, fmpq(int(singular[-1] ** 2 * 1000) + 2, 1000))
    if singular[-1] ** 2 > 0.002:
        assert not is_within(head, fmpq(int(singular[-1] ** 2 * 1000) - 1, 1000))


def test_the_nearest_head_of_a_degenerate_one_is_itself():
    head = Head.of([[1, 0]], [[1, 0]])
    assert distance_squared(head) == 0
    assert nearest_degenerate(head) == (head, 0)


def test_an_irrational_distance():
    head = Head.of([[1, 1]], [[1, 0]])
    assert 0.3819 < float(distance_squared(head)) < 0.382
    with pytest.raises(HypothesisError, match="the smallest eigenvalue of G is not rational"):
        nearest_degenerate(head)


def test_a_rational_eigenvalue_that_is_not_the_smallest():
    head = Head.of([[1, 1, 0, 0], [0, 0, 3, 0]], [[1, 0, 0, 0], [0, 0, 0, 3]])
    with pytest.raises(HypothesisError, match="not rational"):
        nearest_degenerate(head)


def test_errors():
    with pytest.raises(FieldError, match=r"the head is over GF\(5\), which has no distance"):
        distance_squared(Head.of([[1, 0]], [[0, 1]], field=GF(5)))
    with pytest.raises(HypothesisError, match="n = 0 is never degenerate"):
        is_within(Head.of([], [], N=2), 1)
