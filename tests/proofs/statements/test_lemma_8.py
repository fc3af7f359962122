from flint import fmpq

from proofs.statements.lemma_8 import holds
from proofs.statements.unit_spectra import PairedSpectrum
from tests.proofs.statements.mutation import failures


def test_fixed_points():
    assert holds(PairedSpectrum((fmpq(1, 2), fmpq(1, 2), fmpq(-1, 2), fmpq(-1, 2))))
    assert holds(PairedSpectrum((fmpq(4, 5), fmpq(-3, 5))))


def test_reversal_without_negation_is_caught(monkeypatch):
    monkeypatch.setattr(PairedSpectrum, "reversed", property(lambda s: tuple(reversed(s.values))))
    assert failures("lemma-8")
