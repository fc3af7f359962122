"""Splitting hyperbolic planes off diagonal forms over ℝ, ℚ_p and F_p.

Over ℝ and ℚ_p an isotropic vector need not have rational coordinates: ``(√2, 1)`` for ``⟨1, −2⟩``. A plane is given
instead by orthogonal vectors x, y with coordinates one can write down, such that ``−q(x)q(y)`` is a nonzero square
c² of the field; then ``q(x + cy/q(y)) = 0``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product

from proofs.errors import InconsistencyError
from proofs.fields import Field, PadicField, PrimeField, Qp, Scalar
from proofs.forms import Form
from proofs.matrices import Matrix
from proofs.witt import anisotropic_dimension


@dataclass(frozen=True)
class FrameVector:
    """A vector of an orthogonal frame, in the coordinates of the first frame, and its value ``q(x) ≠ 0``."""

    coordinates: tuple[Scalar, ...]
    value: Scalar


def split_planes(
    field: Field, values: Iterable[Scalar]
) -> tuple[list[tuple[FrameVector, FrameVector]], list[FrameVector]]:
    """Hyperbolic planes of a non-degenerate diagonal form over RR, Qp(p) or GF(p), and an anisotropic rest.

    >>> from proofs.fields import RR
    >>> planes, rest = split_planes(RR, [1, 2, -3])
    >>> [(x.value, y.value) for x, y in planes], [z.value for z in rest]
    ([(1, -3)], [2])
    """
    frame, planes = unit_frame(field, values), []
    while (found := _plane(field, frame)) is not None:
        x, y, frame = found
        planes.append((x, y))
    return planes, frame


def unit_frame(field: Field, values: Iterable[Scalar]) -> list[FrameVector]:
    """The unit vectors of a diagonal form; over ℚ_p multiplied by a power of p, so that values have valuation 0 or 1.

    >>> from proofs.fields import Qp
    >>> [v.value for v in unit_frame(Qp(3), [9, "1/3"])]
    [1, 3]
    """
    entries = [field(a) for a in values]
    unit = [tuple(field(int(i == j)) for j in range(len(entries))) for i in range(len(entries))]
    return [_normalised(field, FrameVector(e, a)) for e, a in zip(unit, entries, strict=True)]


def finite_isotropic_vector(form: Form) -> Matrix | None:
    """A nonzero column x with ``q(x) = 0`` over F_p, or None if the form is anisotropic.

    >>> from proofs.fields import GF
    >>> form = Form.diagonal([1, 1, 1], field=GF(7))
    >>> form.value(finite_isotropic_vector(form))
    0
    """
    field = form.field
    if form.rank < form.dimension:
        return _column(form.radical, 0, field)
    planes, _ = split_planes(field, form.diagonal_entries)
    if not planes:
        return None
    x, y = planes[0]
    root = field.sqrt(-x.value / y.value)
    coordinates = [[a + root * b] for a, b in zip(x.coordinates, y.coordinates, strict=True)]
    result: Matrix = form.diagonalisation.P * field.matrix(coordinates)
    return result


def _column(matrix: Matrix, j: int, field: Field) -> Matrix:
    return field.matrix([[matrix[i, j]] for i in range(matrix.nrows())])


def _plane(field: Field, frame: list[FrameVector]) -> tuple[FrameVector, FrameVector, list[FrameVector]] | None:
    """A plane spanned by two frame vectors, or by combinations of a few.

    Over F_p and ℚ_p with p odd a form is isotropic if and only if two or three of its normalised entries are. Over ℚ₂
    four may be needed, and five: ``⟨1, 1, 1, 1⟩`` is anisotropic. No form in five variables is.
    """
    for x, y in combinations(frame, 2):
        if field.is_square(-x.value * y.value):
            return x, y, _without(frame, x, y)
    if isinstance(field, (PrimeField, PadicField)):
        for size in (3, 4, 5):
            for chosen in combinations(frame, size):
                if _isotropic(field, [v.value for v in chosen]):
                    x, y, left = _combine(field, list(chosen))
                    return x, y, _without(frame, *chosen) + left
    return None


def _isotropic(field: Field, values: list[Scalar]) -> bool:
    return anisotropic_dimension(Form.diagonal(values, field=field)) < len(values)


def _combine(field: Field, chosen: list[FrameVector]) -> tuple[FrameVector, FrameVector, list[FrameVector]]:
    """A hyperbolic plane in an isotropic span of three to five vectors of which fewer span none.

    An isotropic vector is then the sum of two of opposite value, one in the span of each half.
    """
    half = (len(chosen) + 1) // 2
    seconds = list(represented(field, chosen[half:]))
    for (x, left), (y, right) in product(represented(field, chosen[:half]), seconds):
        if field.is_square(-x.value * y.value):
            return x, y, left + right
    raise InconsistencyError(f"no plane found in an isotropic form over {field}")


def represented(field: Field, frame: list[FrameVector]) -> Iterator[tuple[FrameVector, list[FrameVector]]]:
    """Vectors in the span of a frame over F_p or ℚ_p, each with an orthogonal frame of the rest.

    At least one for each square class that the span represents, if it is anisotropic.
    """
    first, *others = frame
    if not others:
        yield first, []
        return
    for vector, left in represented(field, others):
        for x, y in binary_bases(field, first, vector):
            yield x, [y, *left]


def binary_bases(field: Field, u: FrameVector, v: FrameVector) -> Iterator[tuple[FrameVector, FrameVector]]:
    """Orthogonal bases (x, y) of the plane of u and v over F_p or ℚ_p, one for each square class that x reaches.

    If the plane is anisotropic, x runs through all square classes it represents: those are met modulo p (for p = 2
    modulo 16), the values of u and v having valuation 0 or 1.
    """
    classes = set()
    if field == Qp(2):
        coefficients: Iterable[tuple[int, ...]] = product(range(16), repeat=2)
        most = 8
    else:
        p = field.p if isinstance(field, (PadicField, PrimeField)) else 1
        coefficients, most = chain([(1, 0), (0, 1)], ((1, t) for t in range(1, p))), 2
    for s, t in coefficients:
        x, y = _linear(s, u, t, v), _linear(-t * v.value, u, s * u.value, v)
        if x.value != 0 and (square_class := int(field.square_class(x.value))) not in classes:
            classes.add(square_class)
            yield _normalised(field, x), _normalised(field, y)
            if len(classes) == most:
                return


def _linear(s: Scalar, u: FrameVector, t: Scalar, v: FrameVector) -> FrameVector:
    coordinates = tuple(s * a + t * b for a, b in zip(u.coordinates, v.coordinates, strict=True))
    return FrameVector(coordinates, s * s * u.value + t * t * v.value)


def _normalised(field: Field, v: FrameVector) -> FrameVector:
    """Over ℚ_p, the multiple by a power of p whose value has valuation 0 or 1."""
    if not isinstance(field, PadicField):
        return v
    scale = field(field.p) ** -(field.unit_part(v.value)[0] // 2)
    return FrameVector(tuple(scale * a for a in v.coordinates), scale * scale * v.value)


def _without(frame: list[FrameVector], *used: FrameVector) -> list[FrameVector]:
    return [v for v in frame if not any(v is u for u in used)]
