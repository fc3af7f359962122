import pytest

from proofs.fields import QQ
from proofs.heads import Head
from proofs.inertia import signature
from proofs.spectra import agree_all, norm_squared, profile
from proofs.statements import coordinates
from proofs.statements.coordinates import Moved, holds
from tests.cases import case, cases
from tests.proofs.statements.mutation import failures


def test_by_hand():
    head = Head.of([[1, 0]], [[0, 1]])
    assert holds(Moved(head, QQ.matrix([[2, 1], [0, "1/3"]])))
    assert not holds(Moved(head, QQ.matrix([[1, 0], [0, 0]])))


def test_the_invariances_of_the_case():
    """Each clause of the case, on the heads of the other cases: the gauge, the exchange, a sign, coordinates."""
    assert case("S22-gauge-invariance")["expected"] == {"true": True}
    changed = 0
    for case_ in (parameter.values[0] for parameter in cases("attention_head")):
        head = Head.of(case_["input"]["Q"], case_["input"]["K"])
        if head.N > 8:
            continue
        n, N = head.n, head.N
        g = QQ.matrix([[int(i <= j) for j in range(n)] for i in range(n)], columns=n)
        assert Head(g.inv().transpose() * head.Q, g * head.K).L == head.L
        exchanged, negated = Head(head.K, head.Q), Head(head.Q, -head.K)
        assert (exchanged.L, exchanged.S, exchanged.T) == (head.L.transpose(), head.S, -head.T)
        p, q, zero = signature(head.S)
        assert signature(negated.S) == (q, p, zero)
        U = QQ.matrix([[int(i <= j) * (1 + (i == j == 0)) for j in range(N)] for i in range(N)])
        moved = head.change_coordinates(U)
        assert signature(moved.S) == (p, q, zero)
        if norm_squared(head.L):
            before = profile(head.L)
            assert agree_all(profile(exchanged.L).components(), before.components())
            assert agree_all(profile(negated.L).components(), [before.a, before.b, before.d, before.c])
            changed += profile(moved.L).a != before.a
    assert changed > 5


@pytest.mark.parametrize("wrong", [lambda one, other: False, lambda one, other: one.gram == other.gram])
def test_a_wrong_isometry_test_is_caught(monkeypatch, wrong):
    monkeypatch.setattr(coordinates, "is_isometric", wrong)
    assert failures("coordinates")
