from flint import fmpq

from proofs.fields import QQ
from proofs.heads import Head, symplectic_form
from proofs.statements import lemma_10
from proofs.statements.lemma_10 import holds, small_matrix
from tests.cases import case
from tests.proofs.statements.mutation import failures


def test_the_numbers_of_the_case():
    given = case("S08-traces-numeric")
    head = Head.of(given["input"]["Q"], given["input"]["K"])
    expected = given["expected"]
    B = small_matrix(head)
    for matrix in (head.S, B):
        power, traces = QQ.identity(matrix.nrows()), []
        for _ in given["input"]["k"]:
            power = power * matrix
            traces.append(sum((power[i, i] for i in range(power.nrows())), fmpq(0)))
        assert traces == [QQ(x) for x in expected["tr_S_k"]]
    assert B.charpoly().coeffs()[::-1] == [QQ(x) for x in expected["charpoly_JG_over_2"]]
    assert holds(head)


def test_the_wrong_form_is_caught(monkeypatch):
    monkeypatch.setattr(lemma_10, "split_form", symplectic_form)
    assert failures("lemma-10")
