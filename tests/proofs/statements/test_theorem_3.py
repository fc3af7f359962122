from proofs.heads import Head
from proofs.statements.theorem_3 import holds
from tests.cases import case
from tests.proofs.statements.mutation import failures


def test_the_hasse_invariants_of_the_case():
    """The closed formula the check compares with, against the values of the case."""
    expected = case("S16-invariants-of-nH")["expected"]["hasse"]
    for n, values in expected.items():
        sign = (-1) ** (int(n) * (int(n) - 1) // 2)
        assert values == {"2": sign, "inf": sign, "3": 1}


def test_degenerate_and_big_heads():
    assert holds(Head.of([[0, 1]], [[1, 0]]))
    assert not holds(Head.of([[1]], [[1]]))
    assert not holds(Head.of([[1, 0]], [[1, 0]]))
    # A degenerate head with a hyperbolic S of fewer planes is not nH either.
    assert not holds(Head.of([[0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]]))


def test_a_definite_form_is_caught(monkeypatch):
    monkeypatch.setattr(Head, "L", property(lambda head: head.Q.transpose() * head.Q))
    assert failures("theorem-3")
