from flint import fmpq

from proofs.statements.finite_laws import (
    ONE,
    SIGN,
    SKEWED,
    SPARSE,
    ZERO,
    RandomEntries,
    RandomForm,
    RandomHead,
    expected_energies,
)


def test_laws_are_probabilities():
    for law in (SIGN, SKEWED, SPARSE, ONE, ZERO):
        assert sum((p for _, p in law), fmpq(0)) == 1


def test_independent_entries():
    entries = RandomEntries.independent([SIGN, SKEWED])
    assert len(entries.outcomes) == 4
    assert entries.are_independent() and entries.are_centred()
    assert not entries.are_identical() and not entries.are_zero()
    assert not RandomEntries.independent([ONE]).are_centred()
    assert RandomEntries.independent([ZERO, ZERO]).are_zero()


def test_dependent_entries():
    half = fmpq(1, 2)
    equal = RandomEntries(((half, (1, 1)), (half, (-1, -1))))
    assert not equal.are_independent() and equal.are_identical()
    # The joint support misses combinations although every outcome it has fits the product.
    assert not RandomEntries(((fmpq(1, 4), (1, 1)), (fmpq(3, 4), (-1, -1)))).are_independent()
    # The same outcome listed twice is one outcome.
    assert RandomEntries(((half, (1,)), (half, (1,)))).are_independent()


def test_energies_by_hand():
    form = RandomForm(RandomEntries(((fmpq(1), (0, 1, 0, 0)),)), 2)
    assert expected_energies(form) == (fmpq(1, 2), 1)
    head = RandomHead(RandomEntries(((fmpq(1, 3), (0, 1, 1, 0)), (fmpq(2, 3), (0, 0, 1, 1)))), 1, 2)
    assert expected_energies(head) == (fmpq(1, 6), fmpq(1, 3))
