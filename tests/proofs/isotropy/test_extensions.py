import random

import pytest
from flint import fmpq_mat

import proofs.isotropy.extensions
from proofs.factorisation import factorisation
from proofs.isotropy.extensions import extended
from proofs.isotropy.lattices import Lattice
from proofs.witt import anisotropic_dimension, is_isotropic


def _random(generator, size):
    rows = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rows[i][j] = rows[j][i] = generator.randint(-30, 30)
    return Lattice.of(fmpq_mat(rows))


@pytest.mark.parametrize("size", [4, 5])
def test_an_extension_has_a_totally_isotropic_plane(size):
    generator, tried = random.Random(size), 0
    while tried < 10:
        lattice = _random(generator, size)
        if lattice.gram.det() == 0 or not is_isotropic(lattice.form):
            continue
        tried += 1
        larger, primes = extended(lattice, [2, *factorisation(lattice.gram.det())])
        assert larger.rank == size + 1
        assert set(factorisation(2 * larger.gram.det())) <= set(primes)
        # By the invariants over ℚ, at all places: rank 5 with index 2, rank 6 with index at least 2.
        assert anisotropic_dimension(larger.form) <= larger.rank - 4
        minor = fmpq_mat([[larger.gram[i, j] for j in range(size)] for i in range(size)])
        assert minor == fmpq_mat(lattice.gram) * (minor[0, 0] / lattice.gram[0, 0] if lattice.gram[0, 0] else 1)


def test_the_search_ends(monkeypatch):
    monkeypatch.setattr(proofs.isotropy.extensions, "_CANDIDATES", 0)
    assert extended(_random(random.Random(1), 4), [2]) is None
