from proofs.fields import QQ
from proofs.heads import Head
from proofs.statements.gauge import Gauge, holds
from tests.proofs.statements.mutation import failures


def test_transformed():
    gauge = Gauge(Head.of([[1, 2]], [[0, 1]]), QQ.matrix([[2]]), QQ.matrix([["1/2"]]))
    assert gauge.transformed.M == QQ.matrix([[0, "1/2"], [2, 4]])
    assert holds(gauge)
    assert not holds(Gauge(gauge.head, gauge.A, gauge.A))


def test_a_form_that_is_not_gauge_invariant_is_caught(monkeypatch):
    monkeypatch.setattr(Head, "L", property(lambda head: head.Q.transpose() * head.Q))
    assert failures("gauge")
