import pytest

from proofs.distances import is_within, nearest_degenerate
from proofs.heads import Head
from proofs.statements import distance
from proofs.statements.distance import Approach, holds
from tests.proofs.statements.mutation import failures


def test_approach():
    head = Head.of([[0, 3]], [[2, 0]])
    assert Approach(head, Head.of([[0, 3]], [[0, 0]])).distance_squared == 4
    assert holds(Approach(head, Head.of([[0, 3]], [[0, 0]])))
    assert not holds(Approach(head, Head.of([[0, 3]], [[1, 0]])))


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("is_within", lambda head, squared: is_within(head, squared / 2)),
        ("is_within", lambda head, squared: is_within(head, squared * 2)),
        ("nearest_degenerate", lambda head: (head, nearest_degenerate(head)[1])),
    ],
)
def test_a_wrong_distance_is_caught(monkeypatch, name, wrong):
    monkeypatch.setattr(distance, name, wrong)
    assert failures("distance")
