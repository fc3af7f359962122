"""Symmetric bilinear forms whose Witt decomposition is known because they were built from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.matrices import Matrix
from verify.strategies.arithmetic import as_strategy, check_size, lazily, require
from verify.strategies.groups import invertible_matrices


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
        """``(n₊, n₋, n₀)`` over ℝ of a rational form; None over a finite field."""
        if self.field.characteristic:
            return None
        positive = sum(a > 0 for a in self.anisotropic)
        return self.witt_index + positive, self.rank - self.witt_index - positive, self.radical


def _anisotropic(field: Field, dimension: int | None) -> SearchStrategy[list[Any]]:
    """Diagonals of anisotropic forms: definite over ℚ; over F_p ``⟨a, −ga⟩``, g a non-square, or a part of it."""
    if not field.characteristic:
        numbers = st.integers(1, 6) | st.fractions(1, 6, max_denominator=4)
        values = st.lists(numbers, min_size=dimension or 0, max_size=3 if dimension is None else dimension)
        return st.builds(lambda xs, sign: [sign * x for x in xs], values, st.sampled_from([1, -1]))
    non_square = next(g for g in range(2, field.characteristic) if not field.is_square(g))
    units = st.integers(1, min(field.characteristic - 1, 50))
    return st.builds(
        lambda a, d: [field(a), -field(non_square) * field(a)][:d], units, as_strategy(dimension, st.integers(0, 2))
    )


@st.composite
def _forms(
    draw: st.DrawFn, field: Field, w: int, radical: int, dimension: int | None, diagonal: Sequence[Any] | None
) -> KnownForm:
    anisotropic = draw(_anisotropic(field, dimension)) if diagonal is None else list(diagonal)
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
    witt_index: int | None = None,
    radical: int | None = None,
    anisotropic_dimension: int | None = None,
    anisotropic: Sequence[Any] | None = None,
    max_planes: int = 2,
    max_radical: int = 2,
) -> SearchStrategy[KnownForm]:
    """Symmetric forms ``wH ⊥ A ⊥ 0ᵗ`` in drawn coordinates.

    Over ℚ the anisotropic part is definite, so that the decomposition is the same over ℚ and over ℝ.

    Args:
        field: ground field, or a strategy of fields.
        witt_index: w; drawn if not given.
        radical: t; drawn if not given.
        anisotropic_dimension: dimension of A; at most 2 over F_p; drawn if not given.
        anisotropic: the diagonal of A itself, which the caller knows to be anisotropic.
        max_planes: bound of a drawn w.
        max_radical: bound of a drawn t.

    Raises:
        InvalidArgument: a negative number, or an anisotropic dimension that does not exist over the field.

    >>> from hypothesis import find
    >>> find(symmetric_forms(witt_index=1, radical=0, anisotropic_dimension=0), lambda form: True).matrix
    [0, 1]
    [1, 0]
    """

    def build() -> SearchStrategy[KnownForm]:
        arguments = (("witt_index", witt_index), ("radical", radical), ("anisotropic_dimension", anisotropic_dimension))
        for name, value in arguments:
            check_size(name, value)
        require(
            anisotropic is None or anisotropic_dimension in (None, len(anisotropic)),
            "anisotropic and anisotropic_dimension disagree; pass only one of them",
        )
        return st.tuples(
            as_strategy(field, st.just(QQ)),
            as_strategy(witt_index, st.integers(0, max_planes)),
            as_strategy(radical, st.integers(0, max_radical)),
        ).flatmap(lambda drawn: over(*drawn))

    def over(ground: Field, w: int, t: int) -> SearchStrategy[KnownForm]:
        require(
            not ground.characteristic or anisotropic_dimension is None or anisotropic_dimension <= 2,
            f"anisotropic_dimension={anisotropic_dimension} does not exist over {ground}, where every form of "
            "dimension 3 is isotropic; pass 0, 1 or 2",
        )
        return _forms(ground, w, t, anisotropic_dimension, anisotropic)

    return lazily(build)
