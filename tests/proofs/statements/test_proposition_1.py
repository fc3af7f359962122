from proofs.fields import GF, QQ
from proofs.statements import proposition_1
from proofs.statements.proposition_1 import REACH, Displacements, holds
from tests.proofs.statements.mutation import failures


def test_powers_of_two():
    forms = {d: QQ.matrix([[QQ(2) ** d * 3]]) for d in range(-REACH, REACH + 1)}
    assert holds(Displacements(forms, QQ))


def test_a_singular_L0_leaves_the_operators_open():
    forms = {d: GF(5).zeros(2, 2) for d in range(-REACH, REACH + 1)}
    assert not holds(Displacements(forms, GF(5)))


def test_forgetting_negative_displacements_is_caught(monkeypatch):
    def upward_only(T, field):
        power = field.identity(T[0].nrows())
        for d in range(REACH + 1):
            if T[d] != power:
                return False
            power = power * T[1]
        return True

    monkeypatch.setattr(proposition_1, "_are_powers", upward_only)
    assert failures("proposition-1")
