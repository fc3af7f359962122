from proofs.heads import Head
from proofs.lemmas import core
from proofs.statements import corank_bound
from proofs.statements.corank_bound import holds
from tests.proofs.statements.mutation import failures


def test_extreme_heads():
    assert holds(Head.of([[1, 0]], [[0, 1]]))
    assert holds(Head.of([[1, 0], [0, 1]], [[1, 0], [0, 1]]))
    assert holds(Head.of([], [], N=3))


def test_a_radical_that_is_too_large_is_caught(monkeypatch):
    monkeypatch.setattr(corank_bound, "core", lambda head: core(head) * 0)
    assert failures("corank-bound")


def test_an_anisotropic_part_that_is_too_large_is_caught(monkeypatch):
    plain = corank_bound.anisotropic_dimension
    monkeypatch.setattr(corank_bound, "anisotropic_dimension", lambda form: plain(form) + (1 if form.rank else 0))
    assert failures("corank-bound")
