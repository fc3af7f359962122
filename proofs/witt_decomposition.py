"""The Witt decomposition with its basis: every existential answer together with a witness to multiply out.

| function | its twin without witness, in :mod:`proofs.witt` |
| --- | --- |
| :func:`witt_decomposition` | ``witt_index``, ``anisotropic_dimension`` |
| :func:`is_isotropic_with_witness` | ``is_isotropic`` |
| :func:`is_hyperbolic_plus_zero_with_witness` | ``is_hyperbolic_plus_zero`` |
| :func:`is_isometric_with_witness` (in :mod:`proofs.isometry`) | ``is_isometric`` |
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from flint import fmpq, fmpq_mat, fmpz

from proofs.errors import FieldError, InconsistencyError
from proofs.factorisation import partial_factorisation
from proofs.fields import QQ, Field, PrimeField, Scalar
from proofs.forms import Form
from proofs.heads import split_form
from proofs.isotropy.lattices import Lattice
from proofs.isotropy.planes import FrameVector, split_planes
from proofs.isotropy.rational import rational_isotropic_vector
from proofs.matrices import Matrix, beside, block_diagonal, integral, submatrix
from proofs.witt import anisotropic_dimension, anisotropic_dimension_with_place


@dataclass(frozen=True)
class WittDecomposition:
    """``PᵀAP`` is a sum of w hyperbolic planes, a diagonal anisotropic form, and zero.

    Args:
        form: the form decomposed.
        transform: P, invertible, columns: w vectors, their w partners, the anisotropic frame, the radical.
        hyperbolic: 2w × 2w, the planes: vectors i and w + i span one. Over ℚ and F_p it is ``J = [[0, I], [I, 0]]``.
            Over ℝ and ℚ_p, where the basis of J may have irrational coordinates, it is diagonal, with
            ``−a_i a_{w+i}`` a nonzero square of the field for every i.
        anisotropic: the diagonal entries of the anisotropic part; over ℚ integers, squarefree where they factor at
            once.
        radical: dimension of the radical.
        place: why the rest is anisotropic: the field itself, or for a form over ℚ the place, RR or Qp(p), over which
            it still is; None if nothing is left.
    """

    form: Form
    transform: Matrix
    hyperbolic: Matrix
    anisotropic: tuple[Scalar, ...]
    radical: int
    place: Field | None

    @property
    def witt_index(self) -> int:
        """Number of hyperbolic planes."""
        return self.hyperbolic.nrows() // 2

    @property
    def isotropic_subspace(self) -> Matrix:
        """A totally isotropic subspace of the largest dimension, radical + w, as columns.

        Raises:
            FieldError: over ℝ and ℚ_p, where it need not have rational coordinates.

        >>> form = Form.diagonal([1, -4, 0])
        >>> x = witt_decomposition(form).isotropic_subspace
        >>> x.transpose() * form.gram * x
        [0, 0]
        [0, 0]
        """
        field, w, n = self.form.field, self.witt_index, self.form.dimension
        if self.hyperbolic != split_form(field, w):
            raise FieldError(f"a totally isotropic subspace over {field} need not have rational coordinates")
        return submatrix(field, self.transform, range(n), [*range(w), *range(n - self.radical, n)])

    def check(self) -> None:
        """Multiply out ``PᵀAP``, check the planes, and check the rest at its place by the invariants.

        Raises:
            InconsistencyError: it is not a Witt decomposition of the form.
        """
        form, field, w = self.form, self.form.field, self.witt_index
        zero = field.zeros(self.radical, self.radical)
        blocks = block_diagonal(field, [self.hyperbolic, field.diagonal(self.anisotropic), zero])
        if form.restrict(self.transform).gram != blocks:
            raise InconsistencyError("PᵀAP is not the sum of the three parts")
        if self.transform.rank() != form.dimension:
            raise InconsistencyError("the transform P is not invertible")
        for i in range(2 * w):
            for j in range(2 * w):
                if (i - j) % w and self.hyperbolic[i, j] != 0:
                    raise InconsistencyError(f"vectors {i} and {j} belong to different planes and are not orthogonal")
        for i in range(w):
            plane = submatrix(field, self.hyperbolic, [i, w + i], [i, w + i])
            if plane.det() == 0 or not field.is_square(-plane.det()):
                raise InconsistencyError(f"vectors {i} and {w + i} do not span a hyperbolic plane over {field}")
        if self.anisotropic:
            rest = Form.diagonal(self.anisotropic, field=field)
            if self.place is None or anisotropic_dimension(rest.at(self.place)) != len(self.anisotropic):
                raise InconsistencyError(f"the rest is not anisotropic over {self.place}")


def witt_decomposition(form: Form) -> WittDecomposition:
    """The Witt decomposition of a form over QQ, RR, GF(p) or Qp(p), re-checked by multiplication.

    Raises:
        FactorisationError: over ℚ, if the answer hangs on the factors of a number too large to factor.

    >>> d = witt_decomposition(Form.of([[1, 0, 0], [0, -4, 0], [0, 0, 3]]))
    >>> d.witt_index, d.anisotropic, d.hyperbolic
    (1, (3,), [0, 1]
    [1, 0])
    """
    field = form.field
    result = _over_rationals(form) if field == QQ else _through_planes(form)
    result.check()
    return result


def is_hyperbolic_plus_zero_with_witness(form: Form) -> tuple[bool, WittDecomposition | None]:
    """Whether the form is ``wH ⊥ 0ᵗ``, with the decomposition that shows it.

    Raises:
        FactorisationError: over ℚ, if the answer or its witness hangs on the factors of a number too large to factor.

    >>> is_hyperbolic_plus_zero_with_witness(Form.diagonal([1, -4, 0]))[1].witt_index
    1
    """
    if anisotropic_dimension(form) > 0:
        return False, None
    return True, witt_decomposition(form)


def _through_planes(form: Form) -> WittDecomposition:
    field = form.field
    planes, rest = split_planes(field, form.diagonal_entries)
    w = len(planes)
    if isinstance(field, PrimeField):
        planes = [_hyperbolic_basis(field, x, y) for x, y in planes]
        hyperbolic = split_form(field, w)
    else:
        hyperbolic = field.diagonal([x.value for x, _ in planes] + [y.value for _, y in planes])
    frame = [x for x, _ in planes] + [y for _, y in planes] + rest
    coordinates = field.matrix([v.coordinates for v in frame], columns=form.rank).transpose()
    diagonalising = form.diagonalisation.P
    basis = submatrix(field, diagonalising, range(form.dimension), range(form.rank)) * coordinates
    return WittDecomposition(
        form,
        beside(field, basis, form.radical),
        hyperbolic,
        tuple(v.value for v in rest),
        form.dimension - form.rank,
        field if rest else None,
    )


def _hyperbolic_basis(field: Field, x: FrameVector, y: FrameVector) -> tuple[FrameVector, FrameVector]:
    """Isotropic u, v with ``b(u, v) = 1`` in the plane of orthogonal x, y with ``−q(x)/q(y) = c²``."""
    c = field.sqrt(-x.value / y.value)
    scale = 1 / (2 * x.value)
    u = tuple(a + c * b for a, b in zip(x.coordinates, y.coordinates, strict=True))
    v = tuple((a - c * b) * scale for a, b in zip(x.coordinates, y.coordinates, strict=True))
    return FrameVector(u, field(0)), FrameVector(v, field(0))


def _over_rationals(form: Form) -> WittDecomposition:
    """Split off one plane after the other inside a lattice as large as can be: then its determinant stays the same."""
    n, support = form.dimension, form.support
    units = fmpq_mat(submatrix(QQ, QQ.identity(n), range(n), support).tolist()) if support else fmpq_mat(n, 0)
    lattice = _enlarged(Lattice.of(submatrix(QQ, form.gram, support, support)).reduce())
    first, second = QQ.zeros(n, 0), QQ.zeros(n, 0)
    while (x := rational_isotropic_vector(lattice.form)) is not None:
        u, v, rest = lattice.split(integral(x)[0])
        first, second = beside(QQ, first, units * u), beside(QQ, second, units * v / form.value(units * u, units * v))
        lattice = rest.reduce()
    basis = QQ.matrix(units * lattice.basis)
    left = form.restrict(basis)
    frame, values = _squarefree(basis * left.diagonalisation.P, left.diagonal_entries)
    return WittDecomposition(
        form,
        beside(QQ, beside(QQ, beside(QQ, first, second), frame), form.radical),
        split_form(QQ, first.ncols()),
        values,
        n - len(support),
        anisotropic_dimension_with_place(left)[1],
    )


def _enlarged(lattice: Lattice) -> Lattice:
    """Enlarged at the primes that are found at once; a smaller lattice does as well, with longer numbers."""
    for p in sorted(partial_factorisation(2 * lattice.gram.det(), quick=True)[0]):
        lattice = lattice.enlarge(p).reduce()
    return lattice


def _squarefree(frame: Matrix, values: tuple[Scalar, ...]) -> tuple[Matrix, tuple[Scalar, ...]]:
    """Scale orthogonal columns so that their values become integers, squarefree where they factor at once."""
    scales = []
    for a in values:
        found, _ = partial_factorisation(a.numerator * a.denominator, quick=True)
        square = prod((fmpz(p) ** (e // 2) for p, e in found.items()), start=fmpz(1))
        scales.append(fmpq(a.denominator, square))
    scaled: Matrix = frame * QQ.diagonal(scales)
    return scaled, tuple(a * s * s for a, s in zip(values, scales, strict=True))


@dataclass(frozen=True)
class IsotropyWitness:
    """An isotropic vector ``x + cy`` with ``c² = −q(x)/q(y)``, or x itself where there is no y.

    Args:
        form: the form.
        x: a nonzero column.
        y: a column orthogonal to x, independent of it, with ``−q(x)q(y)`` a nonzero square of the field; or None.
    """

    form: Form
    x: Matrix
    y: Matrix | None = None

    def check(self) -> None:
        """Multiply out.

        Raises:
            InconsistencyError: the vector is zero or not isotropic.
        """
        form, x, y = self.form, self.x, self.y
        if all(a == 0 for a in x.entries()):
            raise InconsistencyError("the vector of the witness is zero")
        if y is None:
            if form.value(x) != 0:
                raise InconsistencyError(f"q(x) = {form.value(x)}; expected 0")
            return
        a, b = form.value(x), form.value(y)
        if form.value(x, y) != 0 or a * b == 0 or not form.field.is_square(-a * b):
            raise InconsistencyError(f"values {a} and {b} do not make a hyperbolic plane over {form.field}")


def is_isotropic_with_witness(form: Form) -> tuple[bool, IsotropyWitness | None]:
    """Whether ``q(x) = 0`` for some x ≠ 0, the radical counted, with such an x.

    >>> is_isotropic_with_witness(Form.diagonal([1, -4]))[1].x.transpose()
    [2, 1]
    """
    field, n = form.field, form.dimension
    if form.rank < n:
        radical = form.radical
        witness = IsotropyWitness(form, submatrix(field, radical, range(n), [0]))
    elif field == QQ:
        x = rational_isotropic_vector(form)
        if x is None:
            return False, None
        witness = IsotropyWitness(form, x)
    else:
        decomposition = witt_decomposition(form)
        if decomposition.witt_index == 0:
            return False, None
        columns = [submatrix(field, decomposition.transform, range(n), [i]) for i in (0, decomposition.witt_index)]
        exact = isinstance(field, PrimeField)
        witness = IsotropyWitness(form, columns[0], None if exact else columns[1])
    witness.check()
    return True, witness
