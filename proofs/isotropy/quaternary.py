"""Hyperplanes of quaternary forms that are isotropic at every place.

Let Q be an isotropic form of dimension 4 and determinant d, and q(w) ≠ 0. By the formulas for ternary forms
(J.-P. Serre, *A Course in Arithmetic*, chapter IV) the hyperplane w^⊥ is isotropic at a place v if and only if

    (q(w), d)_v = h_v(Q) (−1, −d)_v,

h the Hasse invariant: a condition on the square class of q(w), void where d is a square. It holds wherever Q is
unimodular and q(w) a unit. So the primes that divide 2d are looked at, and ∞, and those that divide q(w): if that is,
up to the former, one prime ℓ, then the product formula for Hilbert symbols settles ℓ. Dirichlet's theorem is why the
search ends.

For odd p with d of odd valuation about half of all w satisfy the condition. If d has even valuation and is no square,
the condition is on the parity of the valuation of q(w): an odd one is found among the w of the kernel modulo p.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from proofs.factorisation import remove
from proofs.fields import PadicField, unproved
from proofs.hilbert import hilbert_symbol
from proofs.isotropy.lattices import Lattice
from proofs.isotropy.vectors import short_vectors
from proofs.matrices import integral

#: How many conditions are left to chance; with more of them residues of w modulo the smaller primes are prescribed.
_CONDITIONS = 8

#: They are as well as long as their modulus has at most this share of the bits of the form.
_SHARE = fmpq(1, 8)


def quaternary_candidates(lattice: Lattice, primes: Sequence[int]) -> Iterator[fmpz_mat]:
    """Columns w in the coordinates of the lattice, short ones first, that satisfy the conditions at the given primes.

    Args:
        lattice: of rank 4, isotropic, enlarged at the primes.
        primes: all that divide twice the determinant, proved or not.

    >>> lattice = Lattice.of(fmpq_mat([[3, 0, 0, 0], [0, 5, 0, 0], [0, 0, -7, 0], [0, 0, 0, 2]]))
    >>> next(quaternary_candidates(lattice, [2, 3, 5, 7])).transpose()
    [1, 0, 0, 0]
    """
    det = lattice.gram.det()
    conditions = _conditions(lattice, primes)
    basis = _sublattice(lattice, [Q.p for Q, symbol in conditions.items() if symbol < 0 and _is_even(Q, det)])
    offset, modulus = _residues(lattice, basis, {Q: s for Q, s in conditions.items() if not _is_even(Q, det)})
    for x in short_vectors(basis.transpose() * lattice.gram * basis):
        w = basis * (offset + modulus * x)
        value = lattice.value(w)
        if value == 0 or all(hilbert_symbol(value, det, Q) == symbol for Q, symbol in conditions.items()):
            yield w


def _is_even(place: PadicField, det: fmpz) -> bool:
    return remove(det, place.p)[0] % 2 == 0


def _conditions(lattice: Lattice, primes: Sequence[int]) -> dict[PadicField, int]:
    """What ``(q(w), d)_p`` has to be at the given primes; if d has odd valuation at the largest the others tell."""
    det, form = lattice.gram.det(), lattice.form
    places = [unproved(PadicField, p) for p in sorted(primes)]
    if len(places) > 1 and not _is_even(places[-1], det):
        places.pop()
    return {place: form.hasse(place) * hilbert_symbol(-1, -det, place) for place in places}


def _sublattice(lattice: Lattice, primes: Sequence[int]) -> fmpz_mat:
    """A reduced basis, as columns, of the vectors that lie in the kernel of the form modulo every given odd prime."""
    sublattice = Lattice.of(fmpq_mat(lattice.gram))
    for p in primes:
        if p > 2:
            sublattice = sublattice.generated(sublattice.kernel(p), 1, p)
    return integral(sublattice.reduce().basis)[0]


def _residues(lattice: Lattice, basis: fmpz_mat, conditions: Mapping[PadicField, int]) -> tuple[fmpz_mat, fmpz]:
    """Coordinates in the basis and a modulus m: any congruent modulo m satisfy the conditions at primes of m."""
    offset, modulus, generator = fmpz_mat(4, 1), fmpz(1), Random(4)
    det = lattice.gram.det()
    odd = sorted((place for place in conditions if place.p > 2), key=lambda place: place.p)
    cheap = _SHARE * max(x.bit_length() for x in lattice.gram.entries())
    for index, place in enumerate(odd):
        p = place.p
        if len(conditions) - index <= _CONDITIONS and (modulus * p).bit_length() > cheap:
            break
        while True:
            residues = [generator.randrange(p) for _ in range(4)]
            value = lattice.value(basis * fmpz_mat(4, 1, residues))
            if value % p != 0 and hilbert_symbol(value, det, place) == conditions[place]:
                break
        inverse = pow(int(modulus), -1, p)
        steps = [(r - x) * inverse % p for r, x in zip(residues, offset.entries(), strict=True)]
        offset += modulus * fmpz_mat(4, 1, steps)
        modulus *= p
    return offset, modulus
