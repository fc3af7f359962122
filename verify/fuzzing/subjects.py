"""Strategies for the subjects of statements: heads, and heads with a gauge, a move, a spectrum.

Each covers both sides of the hypotheses of the statements it serves, by construction where a side is thin: a random
head never has norm exactly 1, so heads of norm 1 are built from rational points of a sphere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.heads import Head
from proofs.statements import Statement
from verify.strategies import gauge_transforms, heads, matrices, numbers, orthogonal_matrices


@dataclass(frozen=True)
class Size:
    """What the caller fixes of the heads: field, head dimension, width; None for what the statement is tested with."""

    field: Field | None = None
    n: int | None = None
    N: int | None = None

    @property
    def ground(self) -> Field:
        """The ground field, ℚ if the caller fixes none."""
        return QQ if self.field is None else self.field

    def heads(self, **pattern: Any) -> SearchStrategy[Head]:
        """:func:`verify.strategies.heads` of this size."""
        return heads(
            n=self.n, N=self.N, field=self.ground, max_n=max(2, self.n or 0), max_N=max(5, self.N or 0), **pattern
        )

    def in_reach(self, **pattern: Any) -> bool:
        """Whether there are such heads of this size at all."""
        ns = range(3) if self.n is None else [self.n]
        Ns = range(1, 6) if self.N is None else [self.N]
        return any(2 * n <= N for n in ns for N in Ns) or pattern.get("allow_big", True)


def _any_head(size: Size) -> SearchStrategy[Head]:
    """All rank patterns; those of full rank and those of norm 1 have a share of their own."""
    choices = [size.heads()]
    if size.in_reach(allow_big=False):
        choices.append(size.heads(allow_degenerate=False, allow_big=False))
    if not size.ground.characteristic:
        choices.append(_unit_norm_heads(size))
    return st.one_of(choices)


def _sphere_point(parameters: list[Any]) -> list[fmpq]:
    """A rational point of the unit sphere, from stereographic coordinates; the origin gives (1, 0, …)."""
    u = [QQ(x) for x in parameters]
    square = sum((x * x for x in u), fmpq(0))
    return [(1 - square) / (1 + square), *(2 * x / (1 + square) for x in u)]


@st.composite
def _unit_norm_heads(draw: st.DrawFn, size: Size) -> Head:
    """Heads with ``‖L‖ = 1``: L is an orthogonal change of basis of a diagonal whose entries lie on a sphere."""
    n = draw(st.integers(1, 2)) if size.n is None else size.n
    N = draw(st.integers(1, 4)) if size.N is None else size.N
    if min(n, N) == 0:
        return Head.of([[0] * N] * n, [[0] * N] * n, N=N)
    values = _sphere_point(draw(st.lists(numbers(), min_size=min(n, N) - 1, max_size=min(n, N) - 1)))
    left, right = draw(orthogonal_matrices(N)).tolist(), draw(orthogonal_matrices(N)).tolist()
    zeros = [[0] * N] * (n - len(values))
    queries = [[h * x for x in row] for h, row in zip(values, right, strict=False)]
    return Head.of([*queries, *zeros], [*left[: len(values)], *zeros], N=N)


# What decides about the kind of a subject is drawn before its matrices: then it stays while they shrink.
@st.composite
def _gauges(draw: st.DrawFn, kind: Callable[..., Any], size: Size) -> Any:
    free = draw(st.booleans())
    head = draw(size.heads())
    if free:
        return kind(head, *(draw(matrices(head.n, head.n, field=head.field)) for _ in range(2)))
    A = draw(gauge_transforms(head.n, field=head.field))
    return kind(head, A, A.inv().transpose())


@st.composite
def _moves(draw: st.DrawFn, kind: Callable[..., Any], size: Size) -> Any:
    free, scale = draw(st.booleans()), QQ(draw(st.sampled_from([1, 2, "1/2", -1, 0])))
    head = draw(_any_head(size))
    U = draw(matrices(head.N, head.N, elements=st.sampled_from([0, 1, -1, 2])) if free else orthogonal_matrices(head.N))
    return kind(head, U, scale)


@st.composite
def _bounded_forms(draw: st.DrawFn, kind: Callable[..., Any], size: Size) -> Any:
    bound = draw(st.integers(0, 3))
    return kind(draw(size.heads()).L, bound)


@st.composite
def _paired_spectra(draw: st.DrawFn, kind: Callable[..., Any], size: Size) -> Any:
    m = draw(st.integers(1, 2))
    if draw(st.booleans()):
        point = _sphere_point(draw(st.lists(numbers(), min_size=2 * m - 1, max_size=2 * m - 1)))
        signs = draw(st.sampled_from([[1] * m + [-1] * m, [1] * (2 * m)]))
        values = [sign * abs(x) for sign, x in zip(signs, point, strict=True)]
    else:
        values = [QQ(x) for x in draw(st.lists(numbers(), min_size=2 * m, max_size=2 * m))]
    return kind(tuple(sorted(values, reverse=True)))


@st.composite
def _rotated(draw: st.DrawFn, kind: Callable[..., Any], size: Size) -> Any:
    values = tuple(QQ(x) for x in draw(st.lists(numbers(), min_size=1, max_size=3)))
    return kind(values, draw(orthogonal_matrices(len(values))))


_BY_NAME: dict[str, Callable[[Any, Size], SearchStrategy[Any]]] = {
    "Head": lambda _, size: _any_head(size),
    "Gauge": _gauges,
    "Move": _moves,
    "BoundedForm": _bounded_forms,
    "PairedSpectrum": _paired_spectra,
    "Rotated": _rotated,
}


def has_strategy(statement: Statement[Any]) -> bool:
    """Whether the subjects of a statement are drawn; if not they are chosen from its own instances."""
    return statement.subject.__name__ in _BY_NAME


def _fields(statement: Statement[Any]) -> tuple[Field, ...]:
    """ℚ, and where a hypothesis fails over another field only, that field."""
    homes = [getattr(h.counterexample(), "field", QQ) for h in statement.hypotheses]
    return (QQ, *dict.fromkeys(field for field in homes if field != QQ))


def subjects(statement: Statement[Any], size: Size) -> SearchStrategy[Any]:
    """A strategy of subjects of a statement, whether or not they satisfy its hypotheses."""
    if has_strategy(statement):
        strategy = _BY_NAME[statement.subject.__name__]
        fields = _fields(statement) if size.field is None else (size.field,)
        return st.one_of([strategy(statement.subject, replace(size, field=field)) for field in fields])
    # The registered counterexamples come first, so that they are what such a search shrinks to.
    known = [h.counterexample() for h in statement.hypotheses]
    return st.sampled_from([*known, *statement.instances()])
