from proofs.heads import Head
from tests.proofs.statements.mutation import failures


def test_a_missing_half_is_caught(monkeypatch):
    monkeypatch.setattr(Head, "T", property(lambda head: head.L - head.L.transpose()))
    assert failures("lemma-5")
