from dataclasses import replace

from flint import fmpq

from proofs.fields import QQ
from proofs.heads import Head
from proofs.spectra import agree_all, profile
from proofs.statements import definition_6
from proofs.statements.definition_6 import Move, holds
from tests.proofs.statements.mutation import failures


def test_moved():
    move = Move(Head.of([[1, 0]], [[0, 1]]), QQ.matrix([[0, 1], [1, 0]]), fmpq(3))
    assert move.moved == QQ.matrix([[0, 3], [0, 0]])
    assert holds(move)


def test_negative_scale_swaps_the_parities():
    L = QQ.matrix([[3, 1], [-1, -1]])
    a, b, c, d = profile(L).components()
    assert agree_all(profile(-L).components(), (a, b, d, c))
    assert not agree_all(profile(-L).components(), (a, b, c, d))


def test_a_profile_that_depends_on_coordinates_is_caught(monkeypatch):
    monkeypatch.setattr(
        definition_6, "profile", lambda L: replace(profile(L), a=profile(L).a + L[0, 0] * L[0, 0] / 1000)
    )
    assert failures("definition-6")
