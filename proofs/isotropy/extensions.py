"""One more dimension, so that a determinant need not be factored.

Let Q be a lattice of rank 4 or 5 with determinant d, too large to factor. A lattice ``Q' = [[Q, x], [xᵀ, z]]`` of one
rank more has determinant ``d(z − xᵀQ⁻¹x)``: for many x, z that is a product of small primes and one large prime, by
which Q' can be solved. If Q' has a totally isotropic subspace of dimension 2, Q has an isotropic vector in it. For
rank 5 this is P. Castel, *Solving quadratic equations in dimension 5 or more without factoring*, Open Book Series 1
(2013).

Q' has that subspace if it is quasi-split at every place, that is, with an anisotropic part of dimension at most
1 for rank 5, at most 2 for rank 6. At infinity the sign of ``z − xᵀQ⁻¹x`` decides, elsewhere only the primes that
divide 2 and the determinant of Q' matter; primes that divide it for all x and z divide the content of the adjugate of
Q, which has to be factored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from flint import fmpq_mat, fmpz, fmpz_mat

from proofs.factorisation import quick_prime_divisors
from proofs.isotropy.lattices import Lattice
from proofs.isotropy.vectors import short_vectors

#: How many candidates are tried, and how many values of z for one x.
_CANDIDATES = 1000
_DIAGONAL_ENTRIES = 4


def extended(lattice: Lattice, primes: Iterable[int]) -> tuple[Lattice, list[int]] | None:
    """A quasi-split lattice that contains an isotropic one of rank 4 or 5 as the vectors of last coordinate 0.

    Args:
        lattice: of rank 4 or 5, isotropic.
        primes: those that divide 2 and the content of the adjugate.

    Returns:
        The larger lattice, in its own coordinates, and all primes that divide twice its determinant, proved or not;
        None if none is found within some seconds.

    >>> larger, primes = extended(Lattice.of(fmpq_mat([[1, 1, 0, 0], [1, -2, 0, 0], [0, 0, 3, 1], [0, 0, 1, -5]])), [2])
    >>> larger.rank, larger.is_quasi_split_at(primes)
    (5, True)
    """
    known = list(primes)
    for gram in islice(_candidates(lattice), _CANDIDATES):
        divisors = quick_prime_divisors(2 * gram.det(), known)
        if divisors is not None:
            larger = Lattice.of(fmpq_mat(gram))
            if larger.is_quasi_split_at(divisors):
                return larger, divisors
    return None


def _candidates(lattice: Lattice) -> Iterator[fmpz_mat]:
    """Gram matrices of one rank more, whose new direction has the sign of which the form has fewer."""
    inverse = fmpq_mat(lattice.gram).inv()
    positive, negative, _ = lattice.signature
    sign = -1 if positive > negative else 1
    for x in short_vectors(lattice.gram):
        bound = (fmpq_mat(x).transpose() * inverse * fmpq_mat(x))[0, 0]
        nearest = bound.floor() if sign < 0 else bound.ceil()
        for distance in range(_DIAGONAL_ENTRIES):
            z = nearest + sign * distance
            if z != bound:
                rows = [[*row, x[i, 0]] for i, row in enumerate(lattice.gram.tolist())]
                yield fmpz_mat([*rows, [*x.entries(), fmpz(z)]])
