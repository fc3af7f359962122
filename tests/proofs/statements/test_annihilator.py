from proofs.fields import QQ
from proofs.heads import Head, split_form
from proofs.statements import annihilator
from proofs.statements.annihilator import Annihilated, holds
from tests.proofs.statements.mutation import failures


def test_a_tied_head_by_hand():
    """K = Q: U = (1, −1), A = [−2], −½A = [1]: S ≅ [1] ⊥ 0."""
    head = Head.of([[1, 0]], [[1, 0]])
    subject = Annihilated(head, QQ.matrix([[1, -1]]))
    assert subject.form.gram == QQ.matrix([[-2]])
    assert holds(subject)
    # A basis may be scaled by a square only up to isometry of A: (2, −2) gives [−8], the same class.
    assert holds(Annihilated(head, QQ.matrix([[2, -2]])))


def test_planes_on_the_left():
    """K = Q = 0 has k = 2n > n: S ⊥ nH ≅ −½A."""
    head = Head.of([[0, 0]], [[0, 0]])
    assert holds(Annihilated(head, QQ.identity(2)))
    assert not holds(Annihilated(head, QQ.matrix([[1, 0], [2, 0]])))


def test_the_opposite_form_is_caught(monkeypatch):
    monkeypatch.setattr(annihilator, "split_form", lambda field, n: -split_form(field, n))
    assert failures("annihilator")
