from dataclasses import replace

from proofs import families
from proofs.families import NOT_BILINEAR
from proofs.heads import Head
from proofs.statements import families as statement_module
from tests.proofs.statements.mutation import failures


def test_heads_that_are_tied_by_mistake_are_caught(monkeypatch):
    exact = families._exact
    monkeypatch.setattr(families, "_exact", lambda head: Head(exact(head).Q, exact(head).Q))
    assert failures("families")


def test_a_bilinear_score_in_the_list_is_caught(monkeypatch):
    plain = replace(NOT_BILINEAR[0], value=lambda x, y: x * y)
    monkeypatch.setattr(statement_module, "NOT_BILINEAR", (plain,))
    assert failures("families")
