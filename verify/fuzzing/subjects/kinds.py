"""What the subjects of one class have in common: how they are drawn, and what of them a caller can fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.heads import Head
from verify.fuzzing.searching import sizes_below
from verify.strategies import heads

#: Bounds of the head dimension and of the width where the caller fixes none: what is small is told soonest.
MOST_ROWS, MOST_COLUMNS = 2, 5

#: Over which fields the subjects of a kind exist: over every one, over ℚ only, or there is no field in them.
Ground: TypeAlias = Literal["any", "rational", "none"]


@dataclass(frozen=True)
class Size:
    """What the caller fixes of the subjects: field, head dimension, width; None for what the fuzzer chooses.

    Attributes:
        field: the ground field.
        n: head dimension.
        N: width.
    """

    field: Field | None = None
    n: int | None = None
    N: int | None = None

    @property
    def ground(self) -> Field:
        """The ground field, ℚ if the caller fixes none."""
        return QQ if self.field is None else self.field

    def rows(self, most: int = MOST_ROWS, *, least: int = 0) -> range:
        """The head dimensions that may be drawn."""
        return range(least, most + 1) if self.n is None else range(self.n, self.n + 1)

    def columns(self, most: int = MOST_COLUMNS) -> range:
        """The widths that may be drawn."""
        return range(1, most + 1) if self.N is None else range(self.N, self.N + 1)

    @property
    def has_room(self) -> bool:
        """Whether there are heads of this size with ``2n ≤ N``."""
        return 2 * self.rows()[0] <= self.columns()[-1]

    def heads(self, **pattern: Any) -> SearchStrategy[Head]:
        """:func:`verify.strategies.heads` of this size."""
        rows, columns = self.rows(), self.columns()
        return heads(n=self.n, N=self.N, field=self.ground, max_n=rows[-1], max_N=columns[-1], **pattern)


@dataclass(frozen=True)
class Kind:
    """The subjects of one class.

    Attributes:
        words: what they are, in the plural.
        draw: a strategy of subjects of a size, on both sides of every hypothesis.
        size: head dimension and width of a subject, None for what it does not have.
        sizes: what they have of both, and its bounds, in words: "they have …".
        within: whether there are subjects of a size; a caller's None is any.
        ground: over which fields they exist.
    """

    words: str
    draw: Callable[[Size], SearchStrategy[Any]]
    size: Callable[[Any], tuple[int | None, int | None]]
    sizes: str
    within: Callable[[Size], bool]
    ground: Ground = "rational"

    def below(self, subject: Any, asked: Size) -> Iterator[Size]:
        """Sizes below that of a subject, smallest first, with what the caller fixes."""
        n, N = self.size(subject)
        if N is None:
            return
        rows = 1 if n is None else asked.n
        for a, b in sizes_below(1 if n is None else n, N, rows=rows, columns=asked.N):
            smaller = Size(asked.field, None if n is None else a, b)
            if self.within(smaller):
                yield smaller


def any_size(size: Size) -> bool:
    """Both sizes are free."""
    return True
