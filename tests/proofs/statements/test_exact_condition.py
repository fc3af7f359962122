from proofs.heads import Head
from proofs.statements.exact_condition import holds
from tests.proofs.statements.mutation import failures


def test_every_kind_of_head():
    for head in (Head.of([], [], N=2), Head.of([[1]], [[1]]), Head.of([[1, 0]], [[1, 0]]), Head.of([[1, 0]], [[0, 1]])):
        assert holds(head)


def test_a_tied_form_is_caught(monkeypatch):
    monkeypatch.setattr(Head, "L", property(lambda head: head.Q.transpose() * head.Q))
    assert failures("exact-condition")
