"""Integral quadratic lattices: reduction of indefinite forms, and enlargement until little of the determinant is left.

Both follow D. Simon, *Solving quadratic equations using reduced unimodular quadratic forms*, Math. Comp. 74 (2005):
an isotropic vector of a ternary form is read off a reduced basis of a unimodular lattice, and the lattice is made
unimodular prime by prime.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat

from proofs.errors import HypothesisError
from proofs.factorisation import remove
from proofs.fields import QQ, PadicField, PrimeField, unproved
from proofs.forms import Form
from proofs.inertia import Signature, signature
from proofs.isotropy.planes import finite_isotropic_vector
from proofs.isotropy.reduction import lll
from proofs.isotropy.vectors import orthogonal_complement, shortened
from proofs.matrices import Matrix, integral, pivots, primitive_part
from proofs.witt import padic_anisotropic_dimension


@dataclass(frozen=True)
class Lattice:
    """A lattice in a rational quadratic space, with a multiple of the form that is integral on it.

    Args:
        basis: columns in the coordinates of the space, rational.
        gram: a positive multiple of the Gram matrix of the basis, integral, non-degenerate.
    """

    basis: fmpq_mat
    gram: fmpz_mat

    @classmethod
    def of(cls, gram: Matrix) -> Lattice:
        """The standard lattice of a rational Gram matrix.

        >>> Lattice.of(fmpq_mat([[1, 0], [0, 2]]) / 3).gram
        [1, 0]
        [0, 2]
        """
        integers, _ = integral(gram)
        n = gram.nrows()
        identity = fmpz_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
        return cls(fmpq_mat(identity), primitive_part(integers))

    @property
    def form(self) -> Form:
        """The multiple of the form, in the coordinates of the lattice."""
        return Form(fmpq_mat(self.gram), QQ)

    @property
    def rank(self) -> int:
        """Number of basis vectors."""
        return self.gram.nrows()

    @cached_property
    def signature(self) -> Signature:
        """The signature of the form."""
        return signature(self.gram)

    def change(self, U: fmpq_mat) -> Lattice:
        """The lattice with basis ``basis · U``, its Gram matrix made primitive again."""
        numerators, _ = integral(U)
        return Lattice(self.basis * U, primitive_part(numerators.transpose() * self.gram * numerators))

    def reduce(self) -> Lattice:
        """The same lattice with an LLL-reduced basis for the indefinite form.

        As in the LLL algorithm, with the absolute values of the orthogonalised norms in Lovász's condition. It stops
        early where an orthogonalised norm is zero: the first vectors then span a degenerate subspace, whose radical
        is isotropic, see :func:`small_isotropic_vector`.
        """
        return self.change(fmpq_mat(lll(self.gram)))

    def small_isotropic_vector(self) -> fmpq_mat | None:
        """An isotropic column in the coordinates of the space, if the reduced basis shows one.

        That is: a radical vector of a leading block, or a combination with coefficients −1, 0, 1 of at most four basis
        vectors.
        """
        for size in range(1, self.rank + 1):
            block = fmpz_mat(size, size, [self.gram[i, j] for i in range(size) for j in range(size)])
            if block.det() == 0:
                kernel, _ = block.nullspace()
                return self.basis * fmpq_mat(self.rank, 1, [kernel[i, 0] if i < size else 0 for i in range(self.rank)])
        window = min(self.rank, 4)
        for start in range(self.rank - window + 1):
            places = range(start, start + window)
            block = fmpz_mat(window, window, [self.gram[i, j] for i in places for j in places])
            for coefficients in product((0, 1, -1), repeat=window):
                x = fmpz_mat(window, 1, list(coefficients))
                if any(coefficients) and (x.transpose() * block * x)[0, 0] == 0:
                    column = [0] * start + list(coefficients) + [0] * (self.rank - window - start)
                    return self.basis * fmpq_mat(self.rank, 1, column)
        return None

    def value(self, w: fmpz_mat) -> fmpz:
        """The value of the multiple of the form at a column in the coordinates of the lattice."""
        return (w.transpose() * self.gram * w)[0, 0]

    def split(self, u: fmpz_mat) -> tuple[fmpq_mat, fmpq_mat, Lattice]:
        """A hyperbolic plane, and the lattice of the vectors orthogonal to it.

        Args:
            u: an isotropic column in the coordinates of the lattice.

        Returns:
            u and an isotropic v with ``b(u, v) ≠ 0``, in the coordinates of the space, and the lattice.

        >>> u, v, rest = Lattice.of(fmpq_mat([[1, 0, 0], [0, -1, 0], [0, 0, 5]])).split(fmpz_mat([[1], [1], [0]]))
        >>> rest.basis.transpose(), rest.gram
        ([0, 0, 1], [1])
        """
        n = self.rank
        _, transform = (self.gram * u).hnf(True)
        # The first row of the transform takes the pairing with u to its greatest common divisor; so does what is nearer
        # to zero by vectors orthogonal to u.
        partner = fmpz_mat(n, 1, [transform[0, j] for j in range(n)])
        partner = shortened(partner, orthogonal_complement(self.gram, u))
        pairing = (u.transpose() * self.gram * partner)[0, 0]
        v = fmpq_mat(partner) - fmpq_mat(u) * fmpq(self.value(partner), 2 * pairing)
        both = fmpz_mat(2, n, u.entries() + partner.entries()).transpose()
        complement = fmpq_mat(orthogonal_complement(self.gram, both))
        return self.basis * fmpq_mat(u), self.basis * v, self.change(complement)

    def is_quasi_split_at(self, primes: Iterable[int]) -> bool:
        """Whether the anisotropic part over ℚ_p has dimension at most 1, or 2 for even rank, for all given primes p.

        They must include all that divide twice the determinant, and the form must be quasi-split over ℝ. Then some
        need not be looked at: for odd rank the largest, since by the product formula for Hilbert symbols the number of
        places where a form is not quasi-split is even; for even rank those where the discriminant has odd valuation.
        """
        form, det = self.form, self.gram.det()
        chosen = sorted(primes)[:-1] if self.rank % 2 else [p for p in primes if remove(det, p)[0] % 2 == 0]
        return all(padic_anisotropic_dimension(form, unproved(PadicField, p)) <= 2 for p in chosen)

    def kernel(self, p: int) -> list[list[int]]:
        """Integer vectors that are a basis of the kernel of the form modulo p."""
        residues: Matrix = nmod_mat(self.gram, 2) if p == 2 else unproved(PrimeField, p).reduce(self.gram)
        echelon, rank = residues.rref()
        support, vectors = pivots(echelon, rank), []
        for free in (j for j in range(self.rank) if j not in set(support)):
            vector = [int(j == free) for j in range(self.rank)]
            for i, j in enumerate(support):
                vector[j] = -int(echelon[i, free]) % p
            vectors.append(vector)
        return vectors

    def enlarge(self, p: int) -> Lattice:
        """A larger lattice, or one for a multiple of the form, with few factors p left in its determinant.

        For e in L that pairs into pℤ with all of L and has ``q(e) ∈ p²ℤ``, ``L + ℤe/p`` is integral and p² leaves the
        determinant. If the kernel K of the form modulo p is more than half of L/pL, the form on ``K + pL`` divided by
        p has fewer factors. Afterwards there is no such e; in particular a primitive isotropic vector does not pair
        into pℤ with all of L.
        """
        lattice = self._divided(p)
        while lattice.gram.det() % (p * p) == 0:
            kernel = lattice.kernel(p)
            half = _half_kernel_vector(lattice.gram, kernel, p)
            if half is not None:
                lattice = lattice.generated([half], p, 1)
            elif 2 * len(kernel) > lattice.rank > 1:
                lattice = lattice.generated(kernel, 1, p)
            else:
                break
        return lattice

    def _divided(self, p: int) -> Lattice:
        """The lattice with one basis vector after the other divided by p as often as the form stays integral."""
        lattice, n = self, self.rank
        for i in range(n):
            row = [(lattice.gram[i, j], 2 if i == j else 1) for j in range(n)]
            exponent = min(remove(x, p)[0] // times for x, times in row if x != 0)
            if exponent:
                scales = [fmpq(1, fmpz(p) ** exponent) if j == i else fmpq(1) for j in range(n)]
                lattice = lattice.change(fmpq_mat(QQ.diagonal(scales).tolist()))
        return lattice

    def clear(self, p: int) -> Lattice:
        """For a ternary form isotropic over ℚ_p: a lattice for a multiple of it without p in its determinant.

        After :meth:`enlarge` the kernel modulo p is a line at most. What is left then has an isotropic vector modulo
        p, and the form on the two and pL can be divided by p.

        Raises:
            HypothesisError: the form is anisotropic over ℚ_p.
        """
        lattice = self.enlarge(p)
        if lattice.gram.det() % p != 0:
            return lattice
        kernel = lattice.kernel(p)
        return lattice.generated([*kernel, _isotropic_modulo(lattice.gram, kernel[0], p)], 1, p)

    def generated(self, vectors: list[list[int]], denominator: int, multiple: int) -> Lattice:
        """The lattice generated by ``vectors / denominator`` and ``multiple · L``, in coordinates of L."""
        n = self.rank
        rows = [x for vector in vectors for x in vector]
        rows += [denominator * multiple * (i == j) for i in range(n) for j in range(n)]
        hermite = fmpz_mat(len(vectors) + n, n, rows).hnf()
        basis = fmpz_mat(n, n, [hermite[i, j] for i in range(n) for j in range(n)])
        return self.change(fmpq_mat(basis.transpose()) / denominator)


def _half_kernel_vector(gram: fmpz_mat, kernel: list[list[int]], p: int) -> list[int] | None:
    """A vector e of the kernel modulo p, not in pL, with ``q(e) ∈ p²ℤ``; q/p is a quadratic form on the kernel."""
    K = fmpz_mat(len(kernel), gram.nrows(), [x for e in kernel for x in e])
    inner = K * gram * K.transpose()
    coefficients = _isotropic_residues([[inner[i, j] // p for j in range(len(kernel))] for i in range(len(kernel))], p)
    if coefficients is None:
        return None
    return [int(x) for x in (fmpz_mat(1, len(kernel), coefficients) * K).entries()]


def _isotropic_modulo(gram: fmpz_mat, line: list[int], p: int) -> list[int]:
    """A vector with ``q(v) ∈ pℤ`` outside the kernel line of a ternary form modulo p.

    Raises:
        HypothesisError: there is none; then the form is anisotropic over ℚ_p.
    """
    skip = next(i for i in range(3) if line[i] % p)
    frame = [i for i in range(3) if i != skip]
    coefficients = _isotropic_residues([[gram[i, j] for j in frame] for i in frame], p)
    if coefficients is None:
        raise HypothesisError(f"the form is anisotropic over Qp({p}); expected an isotropic one")
    result = [0, 0, 0]
    for i, c in zip(frame, coefficients, strict=True):
        result[i] = c
    return result


def _isotropic_residues(gram: list[list[fmpz]], p: int) -> list[int] | None:
    """A nonzero solution of ``xᵀAx = 0`` modulo p, if there is one."""
    if p > 2:
        x = finite_isotropic_vector(Form.of(gram, field=unproved(PrimeField, p)))
        return None if x is None else [int(c) for c in x.entries()]
    # Modulo 2 the form is the linear form of its diagonal entries.
    odd = [i for i in range(len(gram)) if gram[i][i] % 2]
    even = next((i for i in range(len(gram)) if i not in odd), None)
    if even is not None:
        return [int(i == even) for i in range(len(gram))]
    return [int(i in odd[:2]) for i in range(len(gram))] if len(odd) > 1 else None
