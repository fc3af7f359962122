"""Isometries with their witness: two Witt decompositions whose anisotropic parts are brought to the same values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from proofs.errors import FieldError, InconsistencyError
from proofs.fields import QQ, Field, PadicField, PrimeField, Scalar
from proofs.forms import Form
from proofs.matrices import Matrix, block_diagonal, submatrix
from proofs.planes import FrameVector, represented, unit_frame
from proofs.witt import is_isometric
from proofs.witt_decomposition import WittDecomposition, witt_decomposition


@dataclass(frozen=True)
class Isometry:
    """Two forms with as many hyperbolic planes, and anisotropic parts whose entries agree.

    Args:
        first: a Witt decomposition of the first form.
        second: one of the second form; its anisotropic entries are those of the first, over ℝ and ℚ_p up to nonzero
            squares of the field.
    """

    first: WittDecomposition
    second: WittDecomposition

    def check(self) -> None:
        """Check both decompositions, and that their parts agree.

        Raises:
            InconsistencyError: this does not prove an isometry.
        """
        one, other, field = self.first, self.second, self.first.form.field
        one.check()
        other.check()
        if (one.witt_index, one.radical) != (other.witt_index, other.radical):
            raise InconsistencyError("the forms have different Witt indices or radicals")
        if len(one.anisotropic) != len(other.anisotropic):
            raise InconsistencyError("the anisotropic parts have different dimensions")
        exact = field == QQ or isinstance(field, PrimeField)
        for a, b in zip(one.anisotropic, other.anisotropic, strict=True):
            if a != b if exact else not field.is_square(a / b):
                raise InconsistencyError(f"the anisotropic parts have entries {a} and {b}")

    @property
    def transform(self) -> Matrix:
        """The matrix T with ``TᵀAT = B``, A and B the Gram matrices.

        Raises:
            FieldError: over ℝ and ℚ_p, where T need not have rational entries.

        >>> T = is_isometric_with_witness(Form.diagonal([1, 2]), Form.diagonal([3, 6]))[1].transform
        >>> T.transpose() * QQ.diagonal([1, 2]) * T
        [3, 0]
        [0, 6]
        """
        field = self.first.form.field
        if field != QQ and not isinstance(field, PrimeField):
            raise FieldError(f"an isometry over {field} need not have rational entries")
        result: Matrix = self.first.transform * self.second.transform.inv()
        return result


def is_isometric_with_witness(one: Form, other: Form) -> tuple[bool, Isometry | None]:
    """Whether two forms over one field are isometric, with an isometry that is re-checked.

    Raises:
        FieldError: the forms live over different fields.
        FactorisationError: over ℚ, a number too large to factor.

    >>> is_isometric_with_witness(Form.diagonal([1, 1]), Form.diagonal([3, 3]))
    (False, None)
    """
    if not is_isometric(one, other):
        return False, None
    first, second = witt_decomposition(one), witt_decomposition(other)
    frame, values = _match(one.field, first.anisotropic, second.anisotropic)
    w, m, field = second.witt_index, len(values), one.field
    change = block_diagonal(field, [field.identity(2 * w), frame, field.identity(second.radical)])
    result = Isometry(first, replace(second, transform=second.transform * change, anisotropic=values))
    if len(first.anisotropic) != m:
        raise InconsistencyError("isometric forms with anisotropic parts of different dimensions")
    result.check()
    return True, result


def _match(field: Field, wanted: tuple[Scalar, ...], given: tuple[Scalar, ...]) -> tuple[Matrix, tuple[Scalar, ...]]:
    """Columns that bring the anisotropic form ``⟨given⟩`` to the isometric ``⟨wanted⟩``, and the entries reached."""
    if field == QQ or isinstance(field, PrimeField):
        return _exact_match(field, wanted, given), wanted
    frame, reached = unit_frame(field, given), []
    for target in wanted:
        vector, frame = _represent(field, frame, target)
        reached.append(vector)
    columns = field.matrix([v.coordinates for v in reached], columns=len(given)).transpose()
    return columns, tuple(v.value for v in reached)


def _exact_match(field: Field, wanted: tuple[Scalar, ...], given: tuple[Scalar, ...]) -> Matrix:
    """The isometry whose graph is a totally isotropic subspace of ``⟨wanted⟩ ⊥ −⟨given⟩``.

    A maximal one meets neither summand, both being anisotropic, so that its two projections X and Y are invertible.
    """
    m = len(wanted)
    W = witt_decomposition(Form.diagonal([*wanted, *(-b for b in given)], field=field)).isotropic_subspace
    X, Y = (submatrix(field, W, rows, range(m)) for rows in (range(m), range(m, 2 * m)))
    result: Matrix = Y * X.inv()
    return result


def _represent(field: Field, frame: list[FrameVector], target: Scalar) -> tuple[FrameVector, list[FrameVector]]:
    """A vector with value in the square class of the target, and an orthogonal frame of the rest."""
    for size in range(1, len(frame) + 1):
        for chosen in combinations(frame, size):
            for vector, left in _values(field, list(chosen)):
                if field.is_square(vector.value / target):
                    return vector, left + [v for v in frame if not any(v is u for u in chosen)]
    raise InconsistencyError(f"{target} is not represented by an isometric form over {field}")


def _values(field: Field, chosen: list[FrameVector]) -> Iterator[tuple[FrameVector, list[FrameVector]]]:
    """Vectors in the span of a frame, with a frame of the rest; over ℝ the first alone, the others having its sign."""
    if isinstance(field, PadicField):
        return represented(field, chosen)
    return iter([(chosen[0], chosen[1:])])
