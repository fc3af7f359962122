import pytest

from proofs.fields import GF, QQ
from proofs.heads import Head, symplectic_form
from proofs.statements import factor_lemma
from proofs.statements.factor_lemma import Factorisation, holds
from tests.proofs.statements.mutation import failures


def test_a_tied_head_by_hand():
    """K = Q = (1, 2): C = (1, 1)ᵀ, B = (1, 2), core [1]."""
    head = Head.of([[1, 2]], [[1, 2]])
    subject = Factorisation(head, QQ.matrix([[1], [1]]), QQ.matrix([[1, 2]]))
    assert subject.core.gram == QQ.matrix([[1]])
    assert holds(subject)
    # The core [2] has the right rank and signature but another discriminant over ℚ.
    assert not holds(Factorisation(head, QQ.matrix([[1], [2]]), QQ.matrix([[1, 2]])))


@pytest.mark.parametrize("field", [QQ, GF(7)])
def test_a_core_that_is_too_large_is_no_isometry(field):
    head = Head.of([[1]], [[1]], field=field)
    assert not holds(Factorisation(head, field.identity(2), field.matrix([[1], [1]])))


def test_the_wrong_form_is_caught(monkeypatch):
    def wrong(field, n):
        form = symplectic_form(field, n)
        return form * form

    monkeypatch.setattr(factor_lemma, "split_form", wrong)
    assert failures("factor-lemma")
