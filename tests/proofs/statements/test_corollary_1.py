from proofs.statements import finite_laws
from proofs.statements.corollary_1 import holds
from proofs.statements.finite_laws import SIGN, SPARSE, RandomEntries, RandomForm
from tests.proofs.statements.mutation import failures


def test_mixed_laws_of_one_variance_would_do():
    """Only the second moments enter: entries of different laws with mean 0 and variance 1 give the same ratio."""
    doubled = tuple((2 * x, p) for x, p in SIGN)
    assert holds(RandomForm(RandomEntries.independent([SIGN, SIGN, SIGN, SIGN]), 2))
    assert not holds(RandomForm(RandomEntries.independent([SIGN, SPARSE, doubled, SIGN]), 2))


def test_the_whole_form_for_its_symmetric_part_is_caught(monkeypatch):
    monkeypatch.setattr(finite_laws, "symmetric_part", lambda L: L)
    assert failures("corollary-1")
