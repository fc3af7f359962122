from flint import fmpq

from proofs.fields import QQ
from proofs.statements import lemma_9
from proofs.statements.lemma_9 import Rotated, holds
from tests.proofs.statements.mutation import failures


def test_by_hand():
    assert holds(Rotated((fmpq(1, 2), fmpq(-1, 3)), QQ.identity(2)))
    for bad in (fmpq(1), fmpq(-1), fmpq(2), fmpq(-3, 2)):
        assert not holds(Rotated((bad,), QQ.identity(1)))


def test_a_sum_of_all_entries_for_a_trace_is_caught(monkeypatch):
    monkeypatch.setattr(lemma_9, "_trace", lambda matrix: sum(matrix.entries(), fmpq(0)))
    assert failures("lemma-9")
