import random
from itertools import islice

import pytest
from flint import fmpq_mat

from proofs.factorisation import factorisation
from proofs.fields import Qp
from proofs.forms import Form
from proofs.isotropy.lattices import Lattice
from proofs.isotropy.quaternary import quaternary_candidates
from proofs.isotropy.vectors import orthogonal_complement, short_vectors
from proofs.witt import is_isotropic, padic_anisotropic_dimension


def _enlarged(form):
    lattice = Lattice.of(form.gram).reduce()
    for p in sorted({2, *factorisation(lattice.gram.det())}):
        lattice = lattice.enlarge(p).reduce()
    return lattice, sorted({2, *factorisation(lattice.gram.det())})


def _is_isotropic_at(lattice, w, p):
    hyperplane = lattice.form.restrict(fmpq_mat(orthogonal_complement(lattice.gram, w)))
    return padic_anisotropic_dimension(hyperplane, Qp(p)) < 3


def _check(form, *, number=5):
    lattice, primes = _enlarged(form)
    left_out = primes[-1] if factorisation(lattice.gram.det())[primes[-1]] % 2 else None
    found = list(islice(quaternary_candidates(lattice, primes), number))
    for w in found:
        if lattice.value(w) != 0:
            assert all(_is_isotropic_at(lattice, w, p) for p in primes if p != left_out)
    return len(found)


def test_candidates_leave_isotropic_hyperplanes():
    generator, tried = random.Random(4), 0
    while tried < 25:
        entries = [generator.choice((-1, 1)) * generator.randint(1, 200) for _ in range(4)]
        form = Form.diagonal(entries)
        if is_isotropic(form):
            tried += 1
            assert _check(form) == 5


def test_no_vector_that_satisfies_the_conditions_is_passed_over():
    """Among all short vectors exactly those come first that leave a hyperplane isotropic at 2, 3, 5 and 7."""
    lattice, primes = _enlarged(Form.diagonal([3, 5, -7, 2]))
    assert primes == [2, 3, 5, 7]
    good = {tuple(map(int, w.entries())) for w in islice(quaternary_candidates(lattice, primes), 400)}
    for w in islice(short_vectors(lattice.gram), 40):
        expected = lattice.value(w) == 0 or all(_is_isotropic_at(lattice, w, p) for p in primes[:-1])
        assert (tuple(map(int, w.entries())) in good) == expected


@pytest.mark.parametrize("p", [10007, 2**31 - 1, 2**61 - 1])
def test_values_of_odd_valuation_at_a_large_prime(p):
    """⟨1, 1, p, p⟩-like forms: a random vector has a value divisible by p with probability 1/p only."""
    form = Form.diagonal([1, -2, -p, 3 * p])
    if not is_isotropic(form):
        form = Form.diagonal([1, 1, -p, 3 * p])
    assert is_isotropic(form)
    assert _check(form) == 5


def test_more_conditions_than_chance_can_meet():
    """Twenty primes, each with a condition that half of all vectors satisfy."""
    form = Form.diagonal([3010838, -26983781, -3392795, 2024139])
    assert len(_enlarged(form)[1]) == 20
    assert _check(form, number=2) == 2
