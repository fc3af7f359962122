from flint import fmpq

from proofs.statements.unit_spectra import PairedSpectrum, balanced, dot, instances, is_sorted, unit_norm

EXAMPLE = PairedSpectrum((fmpq(3), fmpq(2), fmpq(-1), fmpq(-5)))


def test_places():
    assert EXAMPLE.m == 2
    assert EXAMPLE.upper == (3, 2)
    assert EXAMPLE.lower == (5, 1)
    assert EXAMPLE.reversed == (5, 1, -2, -3)
    assert dot(EXAMPLE.values) == 39
    assert dot(EXAMPLE.upper, EXAMPLE.lower) == 17


def test_unpaired_goes_by_sign_not_by_place():
    assert EXAMPLE.unpaired() == fmpq(4 + 1, 39)
    assert PairedSpectrum((fmpq(2), fmpq(1))).unpaired() == 1


def test_standing_assumption():
    assert is_sorted(EXAMPLE)
    assert not is_sorted(PairedSpectrum((fmpq(1), fmpq(2))))
    assert not is_sorted(PairedSpectrum((fmpq(1),)))
    assert not is_sorted(PairedSpectrum((fmpq(0), fmpq(0))))


def test_instances():
    found = list(instances())
    assert len(found) > 50
    assert {s.m for s in found} >= {1, 2, 3, 4}
    for hypothesis in (unit_norm(EXAMPLE), balanced(EXAMPLE)):
        assert all(hypothesis.satisfied(s) for s in found)
    assert not unit_norm(EXAMPLE).satisfied(EXAMPLE)
