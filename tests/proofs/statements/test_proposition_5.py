from proofs.spectra import antisymmetric_part
from proofs.statements import proposition_5
from proofs.statements.proposition_5 import _is_invariant, holds, orbit, signed_permutations
from tests.proofs.statements.mutation import failures


def test_signed_permutations():
    group = [tuple(map(int, U.entries())) for U in signed_permutations(3)]
    assert len(group) == len(set(group)) == 48
    assert all(U.transpose() * U == U * U.transpose() for U in signed_permutations(3))


def test_an_orbit_is_invariant_and_has_the_share():
    law = orbit((1, 2, 0, 0, 1, 3), 1, 3)
    assert _is_invariant(law) and holds(law)
    assert len(law.entries.outcomes) == 48


def test_the_other_part_is_caught(monkeypatch):
    monkeypatch.setattr(proposition_5, "symmetric_part", antisymmetric_part)
    assert failures("proposition-5")
