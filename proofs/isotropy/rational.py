"""Isotropic vectors of rational forms, constructed.

| dimension | construction |
| --- | --- |
| 2 | a square root |
| 3 | a unimodular lattice (:meth:`~proofs.isotropy.lattices.Lattice.clear`), reduced (D. Simon, Math. Comp. 74, 2005) |
| 4 | a hyperplane w^⊥ that is isotropic at every place (:mod:`proofs.isotropy.quaternary`), hence over ℚ; then 3 |
| 5 | a hyperplane w^⊥ that is isotropic at the bad places, hence at all; then 4 |
| 4, 5 | if the determinant cannot be factored: a plane of an extension (:mod:`proofs.isotropy.extensions`) |
| more | an indefinite subspace of dimension 5, isotropic by Hasse–Minkowski |

Only in dimension 3 a determinant has to be factored, and in the others the content of the adjugate, which is small
for most forms. Subspaces and hyperplanes are chosen among those whose determinants factor at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from flint import fmpq_mat, fmpz, fmpz_mat

from proofs.errors import FactorisationError, InconsistencyError
from proofs.factorisation import prime_divisors, quick_prime_divisors
from proofs.forms import Form
from proofs.inertia import signature
from proofs.isotropy.extensions import extended
from proofs.isotropy.lattices import Lattice
from proofs.isotropy.quaternary import quaternary_candidates
from proofs.isotropy.vectors import orthogonal_complement, short_vectors
from proofs.matrices import Matrix, adjugate_content, integral
from proofs.witt import is_isotropic

#: How many subspaces of a kind are tried in dimension 6 and more.
_SUBSPACES = 200


def rational_isotropic_vector(form: Form) -> Matrix | None:
    """A nonzero primitive integer column x with ``q(x) = 0``, or None if the form is anisotropic over ℚ.

    Raises:
        FactorisationError: the answer hangs on the factors of a number too large to factor.
        InconsistencyError: the vector found is none: a defect.

    >>> form = Form.diagonal([1, 1, -2])
    >>> x = rational_isotropic_vector(form)
    >>> form.value(x)
    0
    """
    if form.rank < form.dimension:
        radical = form.radical
        return primitive(fmpq_mat(form.dimension, 1, [radical[i, 0] for i in range(form.dimension)]))
    if not is_isotropic(form):
        return None
    x = primitive(_solve(Lattice.of(form.gram)))
    if form.value(x) != 0 or not any(x.entries()):
        raise InconsistencyError("the vector found is not isotropic")
    return x


def primitive(x: Matrix) -> Matrix:
    """The primitive integer multiple of a nonzero rational column, up to sign."""
    integers, _ = integral(x)
    content = fmpz(0)
    for entry in integers.entries():
        content = content.gcd(entry)
    return fmpq_mat(integers) / content


def _solve(lattice: Lattice, primes: Sequence[int] | None = None) -> fmpq_mat:
    """An isotropic vector of a lattice known to be isotropic, in the coordinates of its space.

    ``primes``, if given, are all that divide twice the determinant.
    """
    if lattice.rank == 2:
        return _solve_binary(lattice)
    lattice = lattice.reduce()
    found = lattice.small_isotropic_vector()
    if found is not None:
        return found
    if lattice.rank > 5:
        return _solve_in_subspace(lattice)
    det = lattice.gram.det()
    if primes is None:
        primes = quick_prime_divisors(det, [2])
    if primes is None and lattice.rank > 3:
        # Only the primes of this content have to be known for an extension.
        known = list(prime_divisors([2, adjugate_content(lattice.gram)]))
        primes = quick_prime_divisors(det, known)
        if primes is None and (found := _solve_in_extension(lattice, known)) is not None:
            return found
    if primes is None:
        primes = list(prime_divisors([2, det]))
    for p in primes:
        lattice = (lattice.clear(p) if lattice.rank == 3 else lattice.enlarge(p)).reduce()
    found = lattice.small_isotropic_vector()
    if found is not None:
        return found
    if lattice.rank == 3:
        raise InconsistencyError("an isotropic ternary form shows no isotropic vector on a unimodular lattice")
    return _solve_in_hyperplane(lattice, primes)


def _solve_binary(lattice: Lattice) -> fmpq_mat:
    a, b, c = lattice.gram[0, 0], lattice.gram[0, 1], lattice.gram[1, 1]
    root = (b * b - a * c).isqrt()
    return lattice.basis * fmpq_mat(2, 1, [1, 0] if a == 0 else [root - b, a])


def _solve_in_hyperplane(lattice: Lattice, primes: Sequence[int]) -> fmpq_mat:
    """Dimension 4 or 5: solve in ``w^⊥`` for the first w for which that is isotropic."""
    for w in quaternary_candidates(lattice, primes) if lattice.rank == 4 else short_vectors(lattice.gram):
        value = lattice.value(w)
        if value == 0:
            return lattice.basis * fmpq_mat(w)
        if not _leaves_indefinite(lattice, value):
            continue
        divisors = quick_prime_divisors(value, primes)
        if divisors is not None:
            hyperplane = lattice.change(fmpq_mat(orthogonal_complement(lattice.gram, w)))
            if hyperplane.is_quasi_split_at(divisors):
                return _solve(hyperplane, divisors)
    bits = max(x.bit_length() for x in lattice.gram.entries())
    raise FactorisationError(
        f"no isotropic hyperplane was found whose determinant factors at once, in a form of dimension {lattice.rank} "
        f"with entries of {bits} bits; an isotropic vector exists"
    )


def _leaves_indefinite(lattice: Lattice, value: fmpz) -> bool:
    """Whether w^⊥ is indefinite for a w of a value that is not 0: the condition at ∞."""
    positive, negative, _ = lattice.signature
    return bool(positive > (value > 0) and negative > (value < 0))


def _solve_in_extension(lattice: Lattice, known: Sequence[int]) -> fmpq_mat | None:
    """Dimension 4 or 5: the vector of last coordinate 0 in a totally isotropic plane of an extension."""
    for p in known:
        lattice = lattice.enlarge(p).reduce()
    extension = extended(lattice, known)
    if extension is None:
        return None
    larger, primes = extension
    for p in primes:
        larger = larger.enlarge(p).reduce()
    x = primitive(_solve(Lattice.of(fmpq_mat(larger.gram)), primes))
    first, _, rest = larger.split(integral(x)[0])
    second = _solve(rest, primes)
    a, b = first[lattice.rank, 0], second[lattice.rank, 0]
    combination = first if a == 0 else first * b - second * a
    return lattice.basis * fmpq_mat(lattice.rank, 1, combination.entries()[:-1])


def _solve_in_subspace(lattice: Lattice) -> fmpq_mat:
    """Dimension 6 and more: solve in an indefinite subspace of dimension 5, of a determinant that factors at once."""
    first = None
    for basis in _indefinite_subspaces(lattice):
        part = lattice.change(basis)
        primes = quick_prime_divisors(part.gram.det(), [2])
        if primes is not None:
            return _solve(part, primes)
        first = first or part
    if first is None:
        raise InconsistencyError("no subspace of dimension 5 of an isotropic form is isotropic")
    return _solve(first)


def _indefinite_subspaces(lattice: Lattice) -> Iterator[fmpq_mat]:
    """Bases of indefinite subspaces of dimension 5: of basis vectors, of sums of them, around an indefinite plane."""
    n, generator = lattice.rank, Random(lattice.rank)
    units = [[int(i == j) for j in range(n)] for i in range(n)]
    plane: list[list[int]] = []
    for attempt in range(3 * _SUBSPACES):
        if attempt < _SUBSPACES:
            rows = generator.sample(units, 5)
        else:
            rows = [*plane, *([generator.choice((-1, 0, 1)) for _ in range(n)] for _ in range(5 - len(plane)))]
        basis = fmpz_mat(rows).transpose()
        positive, negative, zero = signature(basis.transpose() * lattice.gram * basis)
        if zero == 0 and positive and negative:
            yield fmpq_mat(basis)
        if attempt == 2 * _SUBSPACES:
            plane = _indefinite_plane(lattice)


def _indefinite_plane(lattice: Lattice) -> list[list[int]]:
    """Two vectors of a diagonalising basis, with values of both signs."""
    diagonalisation = lattice.form.diagonalisation
    frame, signs = diagonalisation.P.transpose().tolist(), [a > 0 for a in diagonalisation.diagonal]
    return [[int(x) for x in primitive(fmpq_mat([frame[signs.index(sign)]])).entries()] for sign in (True, False)]
