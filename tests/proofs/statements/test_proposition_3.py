from dataclasses import replace

from flint import fmpq

from proofs.heads import Head
from proofs.statements.proposition_3 import _scalar, holds
from tests.proofs.statements.mutation import failures


def test_by_hand():
    plain = _scalar(rotations=(1, 1), normalised=True)
    biased = replace(plain, query_bias=(fmpq(2),), key_bias=(fmpq(-1),), value_bias=(fmpq(7),))
    assert holds(plain) and holds(biased)
    assert biased.homogeneous().L.tolist() == [[1, 2], [-1, -2]]
    assert not holds(replace(biased, normalised=False))


def test_a_forgotten_bias_is_caught(monkeypatch):
    plain = Head.with_bias
    monkeypatch.setattr(Head, "with_bias", lambda head, q, k: plain(head, [0] * head.n, k))
    assert failures("proposition-3")
