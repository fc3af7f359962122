from dataclasses import replace

from flint import fmpq

from proofs.heads import Head
from proofs.spectra import profile
from proofs.statements import lemma_4
from proofs.statements.lemma_4 import holds
from tests.proofs.statements.mutation import failures


def test_where_it_says_nothing():
    antisymmetric = Head.of([[0, 1], [-1, 0]], [[1, 0], [0, 1]])
    assert antisymmetric.L.rank() == 2 and not holds(antisymmetric)
    assert holds(Head.of([[1, 2]], [[0, 1]]))


def test_a_wrong_share_is_caught(monkeypatch):
    monkeypatch.setattr(lemma_4, "profile", lambda L: replace(profile(L), a=fmpq(0)))
    assert failures("lemma-4")
