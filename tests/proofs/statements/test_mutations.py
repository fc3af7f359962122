"""Four slips that each would make the package wrong: the registry notices every one, and where."""

import proofs.forms
import proofs.heads
from proofs.heads import Head
from proofs.hilbert import hilbert_symbol
from tests.proofs.statements.mutation import failures

#: The statements that know J, S, T or Hasse invariants. That they hold without a slip is tested with the registry.
IDS = ("identities", "theorem-3", "lemma-5", "lemma-10", "exact-condition", "factor-lemma", "annihilator")


def caught() -> set[str]:
    return {identifier for identifier in IDS if failures(identifier)}


def test_a_sign_in_J(monkeypatch):
    plain = proofs.heads._antidiagonal
    monkeypatch.setattr(proofs.heads, "_antidiagonal", lambda field, n, *, lower: plain(field, n, lower=-abs(lower)))
    assert caught() >= {"identities", "theorem-3", "lemma-10"}


def test_a_half_dropped(monkeypatch):
    monkeypatch.setattr(Head, "_half", property(lambda head: head.field(1)))
    assert caught() >= {"identities", "theorem-3", "lemma-5", "lemma-10"}


def test_key_and_query_exchanged_on_one_side(monkeypatch):
    """L = QᵀK leaves S, the norms and the profile as they are; T has the wrong sign, entries their places changed."""
    monkeypatch.setattr(Head, "L", property(lambda head: head.Q.transpose() * head.K))
    assert caught() >= {"identities"}


def test_the_diagonal_counted_in_the_hasse_product(monkeypatch):
    def with_diagonal(diagonal, field):
        result = 1
        for i, a in enumerate(diagonal):
            for b in diagonal[i:]:
                result *= hilbert_symbol(a, b, field)
        return result

    monkeypatch.setattr(proofs.forms, "hasse_invariant", with_diagonal)
    assert "theorem-3" in caught()
