from flint import fmpq

from proofs.statements.lemma_7 import holds
from proofs.statements.unit_spectra import PairedSpectrum
from tests.proofs.statements.mutation import failures


def test_a_spectrum_by_hand():
    half = fmpq(1, 2)
    assert holds(PairedSpectrum((half, half, -half, -half)))
    assert holds(PairedSpectrum((fmpq(4, 5), fmpq(-3, 5))))


def test_pairing_by_place_instead_of_size_is_caught(monkeypatch):
    monkeypatch.setattr(PairedSpectrum, "lower", property(lambda s: tuple(-x for x in s.values[s.m :])))
    assert failures("lemma-7")
