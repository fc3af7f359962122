"""Integral quadratic lattices: reduction of indefinite forms, and enlargement until little of the determinant is left.

Both follow D. Simon, *Solving quadratic equations using reduced unimodular quadratic forms*, Math. Comp. 74 (2005):
an isotropic vector of a ternary form is read off a reduced basis of a unimodular lattice, and the lattice is made
unimodular prime by prime.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product

from flint import fmpq_mat, fmpz, fmpz_mat, nmod_mat

from proofs.errors import HypothesisError
from proofs.fields import GF, QQ
from proofs.forms import Form
from proofs.matrices import Matrix, integral, pivots
from proofs.planes import finite_isotropic_vector


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
        return cls(fmpq_mat(identity), _primitive(integers))

    @property
    def form(self) -> Form:
        """The multiple of the form, in the coordinates of the lattice."""
        return Form(fmpq_mat(self.gram), QQ)

    @property
    def rank(self) -> int:
        """Number of basis vectors."""
        return self.gram.nrows()

    def change(self, U: fmpq_mat) -> Lattice:
        """The lattice with basis ``basis · U``, its Gram matrix made primitive again."""
        numerators, _ = integral(U)
        return Lattice(self.basis * U, _primitive(numerators.transpose() * self.gram * numerators))

    def reduce(self) -> Lattice:
        """The same lattice with an LLL-reduced basis for the indefinite form.

        As in the LLL algorithm, with the absolute values of the orthogonalised norms in Lovász's condition. It stops
        early where an orthogonalised norm is zero: the first vectors then span a degenerate subspace, whose radical
        is isotropic, see :func:`small_isotropic_vector`.
        """
        return self.change(fmpq_mat(_lll(self.gram)))

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
            for coefficients in product((0, 1, -1), repeat=window):
                if not any(coefficients):
                    continue
                x = fmpz_mat(self.rank, 1, [0] * start + list(coefficients) + [0] * (self.rank - window - start))
                if (x.transpose() * self.gram * x)[0, 0] == 0:
                    return self.basis * fmpq_mat(x)
        return None

    def kernel(self, p: int) -> list[list[int]]:
        """Integer vectors that are a basis of the kernel of the form modulo p."""
        residues: Matrix = nmod_mat(self.gram, 2) if p == 2 else GF(p).reduce(self.gram)
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
        lattice = self
        while True:
            kernel = lattice.kernel(p)
            half = _half_kernel_vector(lattice.gram, kernel, p)
            if half is not None:
                lattice = lattice._generated([half], p, 1)
            elif 2 * len(kernel) > lattice.rank > 1:
                lattice = lattice._generated(kernel, 1, p)
            else:
                return lattice

    def clear(self, p: int) -> Lattice:
        """For a ternary form isotropic over ℚ_p: a lattice for a multiple of it without p in its determinant.

        After :meth:`enlarge` the kernel modulo p is a line at most. What is left then has an isotropic vector modulo
        p, and the form on the two and pL can be divided by p.

        Raises:
            HypothesisError: the form is anisotropic over ℚ_p.
        """
        lattice = self.enlarge(p)
        kernel = lattice.kernel(p)
        if not kernel:
            return lattice
        return lattice._generated([*kernel, _isotropic_modulo(lattice.gram, kernel[0], p)], 1, p)

    def _generated(self, vectors: list[list[int]], denominator: int, multiple: int) -> Lattice:
        """The lattice generated by ``vectors / denominator`` and ``multiple · L``, in coordinates of L."""
        n = self.rank
        rows = [x for vector in vectors for x in vector]
        rows += [denominator * multiple * (i == j) for i in range(n) for j in range(n)]
        hermite = fmpz_mat(len(vectors) + n, n, rows).hnf()
        basis = fmpz_mat(n, n, [hermite[i, j] for i in range(n) for j in range(n)])
        return self.change(fmpq_mat(basis.transpose()) / denominator)


def _primitive(gram: fmpz_mat) -> fmpz_mat:
    content = reduce(lambda a, b: a.gcd(b), gram.entries(), fmpz(0))
    if content <= 1:
        return gram
    return fmpz_mat(gram.nrows(), gram.ncols(), [x // content for x in gram.entries()])


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
        x = finite_isotropic_vector(Form.of(gram, field=GF(p)))
        return None if x is None else [int(c) for c in x.entries()]
    # Modulo 2 the form is the linear form of its diagonal entries.
    odd = [i for i in range(len(gram)) if gram[i][i] % 2]
    even = next((i for i in range(len(gram)) if i not in odd), None)
    if even is not None:
        return [int(i == even) for i in range(len(gram))]
    return [int(i in odd[:2]) for i in range(len(gram))] if len(odd) > 1 else None


def _lll(gram: fmpz_mat) -> fmpz_mat:
    """The transformation to an LLL-reduced basis, as columns; the integral algorithm with leading minors d.

    ``d[i]`` is the i-th leading minor, ``λ[i][j] = d[j+1] μ_ij`` (H. Cohen, *A Course in Computational Algebraic Number
    Theory*, algorithm 2.6.7).
    """
    n = gram.nrows()
    A = [[int(x) for x in row] for row in gram.tolist()]
    B = [[int(i == j) for j in range(n)] for i in range(n)]
    d, lam = [1] + [0] * n, [[0] * n for _ in range(n)]

    def orthogonalise(k: int) -> None:
        for j in range(k + 1):
            u = A[k][j]
            for i in range(j):
                u = (d[i + 1] * u - lam[k][i] * lam[j][i]) // d[i]
            lam[k][j] = u
        d[k + 1] = lam[k][k]

    def subtract(k: int, j: int) -> None:
        q = _nearest(lam[k][j], d[j + 1])
        if q:
            A[k] = [x - q * y for x, y in zip(A[k], A[j], strict=True)]
            for row in A:
                row[k] -= q * row[j]
            B[k] = [x - q * y for x, y in zip(B[k], B[j], strict=True)]
            for i in range(j + 1):
                lam[k][i] -= q * lam[j][i]

    k = 0
    while k < n:
        orthogonalise(k)
        if k > 0:
            subtract(k, k - 1)
            swapped = d[k + 1] * d[k - 1] + lam[k][k - 1] ** 2
            if 4 * abs(swapped) < 3 * d[k] ** 2:
                A[k], A[k - 1] = A[k - 1], A[k]
                for row in A:
                    row[k], row[k - 1] = row[k - 1], row[k]
                B[k], B[k - 1] = B[k - 1], B[k]
                if swapped == 0:
                    break
                k -= 1
                continue
            for j in range(k - 2, -1, -1):
                subtract(k, j)
        if d[k + 1] == 0:
            break
        k += 1
    return fmpz_mat(B).transpose()


def _nearest(a: int, b: int) -> int:
    """An integer nearest to a/b."""
    return (2 * a + b) // (2 * b)
