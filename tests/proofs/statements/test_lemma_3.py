import pytest

from proofs.fields import QQ
from proofs.inertia import signature
from proofs.statements import lemma_3
from proofs.statements.lemma_3 import BoundedForm, head_of_signature, holds
from tests.cases import case
from tests.proofs.statements.mutation import failures


def test_which_symmetric_matrices_are_symmetric_parts():
    """The rule of the case: exactly those with at most n eigenvalues of each sign."""
    given = case("S20-rank2-not-enough")
    for example, answer in zip(given["input"]["examples"], given["expected"]["answers"], strict=True):
        positive, negative, _ = signature(QQ.matrix(example["S"]))
        assert (max(positive, negative) <= example["n"]) == answer
        assert holds(BoundedForm(QQ.matrix(example["S"]), example["n"])) == answer
        if answer:
            head = head_of_signature(positive, negative, QQ.identity(3))
            assert head.n <= example["n"]
            assert head.S == QQ.matrix(example["S"])


@pytest.mark.parametrize("p, q", [(0, 0), (2, 0), (1, 2), (3, 1)])
def test_head_of_signature_uses_as_few_rows_as_possible(p, q):
    head = head_of_signature(p, q, QQ.identity(5))
    assert head.n == max(p, q)
    assert signature(head.S) == (p, q, 5 - p - q)


def test_a_wrong_converse_is_caught(monkeypatch):
    monkeypatch.setattr(lemma_3, "head_of_signature", lambda p, q, P: head_of_signature(q, p, P))
    assert failures("lemma-3")


def test_a_wrong_count_is_caught(monkeypatch):
    monkeypatch.setattr(lemma_3, "signature", lambda S: signature(S)._replace(positive=S.nrows()))
    assert failures("lemma-3")
