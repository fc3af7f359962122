"""Symmetric bilinear forms whose Witt decomposition is known because they were built from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from proofs.errors import HeadformsError
from proofs.fields import QQ, RR, Field
from proofs.forms import Form
from proofs.matrices import Matrix
from proofs.witt import anisotropic_dimension as anisotropic_dimension_of
from verify.strategies.arguments import check_sizes, field_argument, lazily, require, size_argument
from verify.strategies.groups import invertible_matrices
from verify.strategies.kernels import anisotropic_diagonals, largest_dimension


@dataclass(frozen=True)
class KnownForm:
    """A symmetric matrix and its Witt decomposition.

    Attributes:
        matrix: the Gram matrix, ``Pᵀ(wH ⊥ A ⊥ 0)P``.
        field: the ground field.
        witt_index: w, of the non-degenerate part.
        anisotropic: the diagonal of A.
        radical: dimension of the radical.
        P: the invertible matrix it was moved by.
    """

    matrix: Matrix
    field: Field
    witt_index: int
    anisotropic: tuple[Any, ...]
    radical: int
    P: Matrix

    @property
    def dimension(self) -> int:
        """Size of the matrix."""
        return self.matrix.nrows()

    @property
    def rank(self) -> int:
        """``2w + dim A``."""
        return 2 * self.witt_index + len(self.anisotropic)

    @property
    def signature(self) -> tuple[int, int, int] | None:
        """``(n₊, n₋, n₀)`` over ℝ of a form over ℚ or ℝ; None over other fields."""
        if self.field not in (QQ, RR):
            return None
        positive = sum(a > 0 for a in self.anisotropic)
        return self.witt_index + positive, self.rank - self.witt_index - positive, self.radical


@st.composite
def _forms(
    draw: st.DrawFn, field: Field, w: int, radical: int, dimension: int | None, diagonal: Sequence[Any] | None
) -> KnownForm:
    anisotropic = draw(anisotropic_diagonals(field, dimension)) if diagonal is None else diagonal
    size = 2 * w + len(anisotropic) + radical
    normal = field.zeros(size, size)
    for i in range(w):
        normal[2 * i, 2 * i + 1] = normal[2 * i + 1, 2 * i] = field(1)
    for i, a in enumerate(anisotropic):
        normal[2 * w + i, 2 * w + i] = field(a)
    P = draw(invertible_matrices(size, field=field))
    entries = tuple(field(a) for a in anisotropic)
    return KnownForm(P.transpose() * normal * P, field, w, entries, radical, P)


def symmetric_forms(
    *,
    field: Field | SearchStrategy[Field] = QQ,
    witt_index: int | SearchStrategy[int] | None = None,
    radical: int | SearchStrategy[int] | None = None,
    anisotropic_dimension: int | SearchStrategy[int] | None = None,
    anisotropic: Sequence[Any] | None = None,
    max_planes: int = 2,
    max_radical: int = 2,
) -> SearchStrategy[KnownForm]:
    """Symmetric forms ``wH ⊥ A ⊥ 0ᵗ`` in drawn coordinates, over ℚ, ℝ, ℚ_p and F_p.

    Over ℚ the anisotropic part is often indefinite, anisotropic at a prime only: the Witt index w is then smaller than
    that over ℝ. See :mod:`verify.strategies.kernels`.

    Args:
        field: ground field, or a strategy of fields.
        witt_index: w; drawn if not given.
        radical: t; drawn if not given.
        anisotropic_dimension: dimension of A, at most 2 over F_p and 4 over ℚ_p; drawn up to 4 if not given.
        anisotropic: the diagonal of A itself.
        max_planes: bound of a drawn w.
        max_radical: bound of a drawn t.

    Raises:
        InvalidArgument: a negative number, an anisotropic dimension that does not exist over the field, or a given
            anisotropic part that is isotropic.

    >>> from hypothesis import find
    >>> find(symmetric_forms(witt_index=1, radical=0, anisotropic_dimension=0), lambda form: True).matrix
    [0, 1]
    [1, 0]
    """

    def build() -> SearchStrategy[KnownForm]:
        check_sizes(max_planes=max_planes, max_radical=max_radical)
        require(
            anisotropic is None or anisotropic_dimension is None,
            "anisotropic and anisotropic_dimension both say how large the anisotropic part is; pass only one of them",
        )
        return st.tuples(
            field_argument(field),
            size_argument("witt_index", witt_index, default=st.integers(0, int(max_planes))),
            size_argument("radical", radical, default=st.integers(0, int(max_radical))),
            size_argument("anisotropic_dimension", anisotropic_dimension, default=st.none()),
        ).flatmap(lambda drawn: over(*drawn))

    def over(known: Field, w: int, t: int, dimension: int | None) -> SearchStrategy[KnownForm]:
        most = largest_dimension(known)
        require(
            most is None or dimension is None or dimension <= most,
            f"anisotropic_dimension={dimension} does not exist over {known}, where every form of more than {most} "
            f"dimensions is isotropic; pass at most {most}",
        )
        if anisotropic is not None:
            _check_anisotropic(known, anisotropic)
        return _forms(known, w, t, dimension, anisotropic)

    return lazily(build)


def _check_anisotropic(field: Field, diagonal: Sequence[Any]) -> None:
    try:
        dimension = anisotropic_dimension_of(Form.diagonal(diagonal, field=field))
    except (HeadformsError, TypeError) as error:
        raise InvalidArgument(
            f"anisotropic={diagonal!r} is not known to be an anisotropic diagonal over {field}: {error}"
        ) from None
    require(
        dimension == len(diagonal),
        f"anisotropic={diagonal!r} is isotropic over {field}: the anisotropic part of this diagonal form has dimension "
        f"{dimension}, not {len(diagonal)}; pass an anisotropic one, or anisotropic_dimension={dimension}",
    )
