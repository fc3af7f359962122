"""Isotropic vectors of rational forms, constructed.

| dimension | construction |
| --- | --- |
| 2 | a square root |
| 3 | a unimodular lattice (:meth:`~proofs.lattices.Lattice.enlarge`), reduced (D. Simon, Math. Comp. 74, 2005) |
| 4 | a hyperplane w^⊥ that is isotropic at every place, hence over ℚ; then 3 |
| 5 | a hyperplane w^⊥ that is isotropic at the bad places, hence at all; then 4 |
| more | an indefinite subspace of dimension 5, isotropic by Hasse–Minkowski |

In dimension 4 such w exist. At a place v let the form be ``H ⊥ ⟨a, −ad⟩``; then ``w^⊥`` is isotropic at v exactly if
the binary form ``⟨a, −ad⟩`` represents ``q(w)``: a condition on the square class of q(w). Where the form is
unimodular and q(w) a unit it holds. A w that satisfies it at the bad places, with q(w) a product of bad primes and one
further prime ℓ, satisfies it at ℓ too, by the product formula for Hilbert symbols; Dirichlet's theorem is why the
search ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, count, islice, product
from random import Random

from flint import fmpq_mat, fmpz, fmpz_mat

from proofs.errors import FactorisationError, InconsistencyError
from proofs.factorisation import factorisation, prime_divisors
from proofs.fields import RR, Qp
from proofs.forms import Form
from proofs.inertia import signature
from proofs.lattices import Lattice
from proofs.matrices import Matrix, integral
from proofs.witt import is_isotropic, padic_anisotropic_dimension

#: How many short vectors are tried in dimension 4 before vectors are made to measure.
_SHORT = 200


def rational_isotropic_vector(form: Form) -> Matrix | None:
    """A nonzero primitive integer column x with ``q(x) = 0``, or None if the form is anisotropic over ℚ.

    Raises:
        FactorisationError: the answer hangs on the factors of a number too large to factor.
        InconsistencyError: the local conditions hold, but no vector was found.

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


def orthogonal_complement(gram: fmpz_mat, vectors: fmpz_mat) -> fmpz_mat:
    """A basis (columns) of the lattice of integer vectors orthogonal to the given columns.

    >>> orthogonal_complement(fmpz_mat([[0, 1], [1, 0]]), fmpz_mat([[1], [1]])).transpose()
    [-1, 1]
    """
    n, columns = gram.nrows(), vectors.ncols()
    hermite, transform = (gram * vectors).hnf(True)
    zero_rows = [i for i in range(n) if all(hermite[i, j] == 0 for j in range(columns))]
    return fmpz_mat(len(zero_rows), n, [transform[i, j] for i in zero_rows for j in range(n)]).transpose()


def _solve(lattice: Lattice, primes: Iterable[int] | None = None) -> fmpq_mat:
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
    for p in prime_divisors([2, lattice.gram.det()]) if primes is None else primes:
        lattice = (lattice.clear(p) if lattice.rank == 3 else lattice.enlarge(p)).reduce()
    found = lattice.small_isotropic_vector()
    if found is not None:
        return found
    if lattice.rank == 3:
        raise InconsistencyError("an isotropic ternary form shows no isotropic vector on a unimodular lattice")
    return _solve_in_hyperplane(lattice)


def _solve_binary(lattice: Lattice) -> fmpq_mat:
    a, b, c = lattice.gram[0, 0], lattice.gram[0, 1], lattice.gram[1, 1]
    root = (b * b - a * c).isqrt()
    return lattice.basis * fmpq_mat(2, 1, [1, 0] if a == 0 else [root - b, a])


def _solve_in_hyperplane(lattice: Lattice) -> fmpq_mat:
    """Dimension 4 or 5: solve in ``w^⊥`` for the first w for which that is isotropic."""
    bad = prime_divisors([2, lattice.gram.det()])
    vectors = (w for w in _short_vectors(lattice.rank) if _leaves_indefinite(lattice, w))
    candidates = vectors if lattice.rank == 5 else chain(islice(vectors, _SHORT), _made_to_measure(lattice, bad))
    for w in candidates:
        if _value(lattice, w) == 0:
            return lattice.basis * fmpq_mat(w)
        hyperplane = lattice.change(fmpq_mat(orthogonal_complement(lattice.gram, w)))
        primes = _primes(2 * hyperplane.gram.det(), bad)
        if primes is not None and _isotropic_at(hyperplane, primes):
            return _solve(hyperplane, primes)
    raise InconsistencyError("no hyperplane of an isotropic form is isotropic")


def _value(lattice: Lattice, w: fmpz_mat) -> fmpz:
    return (w.transpose() * lattice.gram * w)[0, 0]


def _leaves_indefinite(lattice: Lattice, w: fmpz_mat) -> bool:
    """Whether w^⊥ is indefinite (or w isotropic): the condition at ∞, known from the sign of q(w)."""
    positive, negative, _ = signature(lattice.gram)
    value = _value(lattice, w)
    return value == 0 or (positive > (value > 0) and negative > (value < 0))


def _primes(number: fmpz, known: Iterable[int]) -> list[int] | None:
    """The prime divisors of a number of which some are known; None if the rest is too large to factor."""
    for p in known:
        while number % p == 0:
            number //= p
    try:
        return sorted({*known, *factorisation(number)})
    except FactorisationError:
        return None


def _isotropic_at(lattice: Lattice, primes: Iterable[int]) -> bool:
    """Whether the form of the lattice is isotropic at the given primes."""
    form = lattice.form
    return all(padic_anisotropic_dimension(form, Qp(p)) < form.dimension for p in primes)


def _short_vectors(n: int) -> Iterator[fmpz_mat]:
    """Integer columns, shorter ones first: all with entries up to 1, then random ones in growing boxes."""
    for support in range(1, n + 1):
        for places in combinations(range(n), support):
            for signs in product((1, -1), repeat=support - 1):
                entries = [0] * n
                for place, sign in zip(places, (1, *signs), strict=True):
                    entries[place] = sign
                yield fmpz_mat(n, 1, entries)
    generator = Random(n)
    for bound in range(2, 2000):
        for _ in range(20):
            yield fmpz_mat(n, 1, [generator.randint(-bound, bound) for _ in range(n)])


def _made_to_measure(lattice: Lattice, bad: Sequence[int]) -> Iterator[fmpz_mat]:
    """Vectors w of a quaternary lattice with w^⊥ isotropic at the bad primes and one more prime in q(w)."""
    modulus, w = fmpz(1), fmpz_mat(4, 1)
    known = fmpz(1)
    for p in bad:
        local, valuation = _local_vector(lattice, p)
        power = fmpz(p) ** (valuation + (2 if p == 2 else 1))
        # w = w + modulus · x with w ≡ local modulo the power of p.
        inverse = pow(int(modulus), -1, int(power))
        w = fmpz_mat(4, 1, [a + modulus * ((b - a) * inverse % power) for a, b in zip(w, local, strict=True)])
        modulus *= power
        known *= fmpz(p) ** valuation
    centre = fmpz_mat(4, 1, [a - modulus if 2 * a > modulus else a for a in w.entries()])
    # Far out in a direction of the right sign all vectors leave an indefinite complement.
    direction = next(c for c in _short_vectors(4) if _value(lattice, c) != 0 and _leaves_indefinite(lattice, c))
    for distance in count():
        for shift in product((0, 1, -1), repeat=4):
            vector = centre + modulus * (distance * direction + fmpz_mat(4, 1, shift))
            if _leaves_indefinite(lattice, vector):
                rest = abs(_value(lattice, vector) // known)
                if rest == 1 or rest.is_probable_prime():
                    yield vector


def _local_vector(lattice: Lattice, p: int) -> tuple[list[int], int]:
    """A w whose orthogonal complement is isotropic over ℚ_p, and the valuation of q(w), as small as it can be.

    Whether it is depends on the square class of q(w) alone, hence on w modulo p^{valuation + 1}, or
    2^{valuation + 2}.
    """
    form, kernel = lattice.form, lattice.kernel(p)
    generator, best = Random(p), None
    for attempt in range(400):
        w = [generator.randrange(p * p) for _ in range(4)]
        if attempt % 2 and kernel:
            # Near the kernel of the form modulo p, where q(w) has odd valuation.
            w = [p * x for x in w]
            for e in kernel:
                c = generator.randrange(p)
                w = [x + c * y for x, y in zip(w, e, strict=True)]
        s = form.value(fmpq_mat(4, 1, w))
        if s == 0:
            continue
        valuation, _ = Qp(p).unit_part(s)
        if best is not None and valuation >= best[1]:
            continue
        complement = orthogonal_complement(lattice.gram, fmpz_mat(4, 1, w))
        if padic_anisotropic_dimension(form.restrict(fmpq_mat(complement)), Qp(p)) < 3:
            best = w, valuation
            if valuation <= (1 if kernel else 0):
                break
    if best is None:
        raise InconsistencyError(f"no vector with an isotropic complement over Qp({p}) in an isotropic form")
    return best


def _solve_in_subspace(lattice: Lattice) -> fmpq_mat:
    """Dimension 6 and more: solve in an indefinite subspace of dimension 5, of a determinant that can be factored."""
    n = lattice.rank
    form = lattice.form
    frame, values = form.diagonalisation.P, form.diagonal_entries
    positive = next(i for i, a in enumerate(values) if a > 0)
    negative = next(i for i, a in enumerate(values) if a < 0)
    pair = [[frame[j, i] for j in range(n)] for i in (positive, negative)]
    units = [[int(i == j) for j in range(n)] for i in range(n)]
    choices = chain(combinations(units, 5), ((*pair, *three) for three in combinations(units, 3)))
    refusal: FactorisationError | None = None
    for rows in choices:
        basis = fmpq_mat(5, n, [x for row in rows for x in row]).transpose()
        part = form.restrict(basis)
        if basis.rank() < 5 or not is_isotropic(part.at(RR)):
            continue
        try:
            x = rational_isotropic_vector(part)
        except FactorisationError as error:
            refusal = error
            continue
        if x is not None:
            return lattice.basis * basis * fmpq_mat(x.tolist())
    raise refusal or InconsistencyError("no subspace of dimension 5 of an isotropic form is isotropic")
