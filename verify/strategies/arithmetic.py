"""Numbers, fields, matrices and spectra: what the other strategies are built from."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from proofs.fields import GF, QQ, Field
from proofs.matrices import Matrix

T = TypeVar("T")

#: Entries stay within ±BOUND unless the caller asks for more: products of a few matrices remain readable.
BOUND = 3


def lazily(build: Callable[[], SearchStrategy[T]]) -> SearchStrategy[T]:
    """A strategy whose arguments are checked when it is first used, as Hypothesis does it."""
    return st.deferred(build)


def require(condition: bool, message: str) -> None:
    """Raise ``InvalidArgument`` with the message unless the condition holds."""
    if not condition:
        raise InvalidArgument(message)


def as_strategy(argument: Any, default: SearchStrategy[T]) -> SearchStrategy[T]:
    """An argument that may be missing, a value, or a strategy of values."""
    if argument is None:
        return default
    return argument if isinstance(argument, SearchStrategy) else st.just(argument)


def check_size(name: str, value: object, *, least: int = 0) -> None:
    """A size given as a number must be an integer of at least ``least``; strategies are checked when drawn from."""
    if value is None or isinstance(value, SearchStrategy):
        return
    require(
        isinstance(value, int) and not isinstance(value, bool) and value >= least,
        f"{name}={value!r} is not a size; expected an integer of at least {least}, or a strategy of such integers",
    )


def fields(*, finite: bool | None = None) -> SearchStrategy[Field]:
    """Ground fields: ℚ and prime fields of small, word-sized and larger order.

    Args:
        finite: True for prime fields only, False for ℚ only.

    >>> fields().example()  # doctest: +SKIP
    GF(3)
    """
    primes = [GF(3), GF(5), GF(7), GF(101), GF(2**61 - 1), GF(2**89 - 1)]
    return st.sampled_from([*([] if finite else [QQ]), *(primes if finite is not False else [])])


def numbers(field: Field = QQ, *, bound: int = BOUND, fractions: bool = True) -> SearchStrategy[Any]:
    """Exact numbers that ``field`` admits: small integers, over ℚ fractions too, over F_p also large residues.

    Args:
        field: the ground field.
        bound: of absolute values, for integers.
        fractions: over ℚ, draw fractions of small denominator too.
    """
    return _numbers(field, bound, fractions)


@lru_cache
def _numbers(field: Field, bound: int, fractions: bool) -> SearchStrategy[Any]:
    # One choice a number keeps drawing fast; simplest first makes it shrink to 0, then to ±1.
    simple: list[Any] = [0, *(sign * x for x in range(1, bound + 1) for sign in (1, -1))]
    if field.characteristic:
        return st.sampled_from(simple) | st.integers(0, field.characteristic - 1)
    if fractions and bound:
        simple += [
            sign * Fraction(x, y) for y in (2, 3, 4) for x in (1, 2 * y + 1) for sign in (1, -1) if x <= bound * y
        ]
    return st.sampled_from(simple)


def dyadics(*, bound: int = BOUND, bits: int = 8) -> SearchStrategy[Fraction]:
    """Fractions ``m/2ᵏ`` with ``k ≤ bits`` and absolute value at most ``bound``: exact in floating point."""
    few = [Fraction(m, 4) for m in range(1, 8)]
    return st.sampled_from([Fraction(0), *(sign * x for x in sorted(few, key=_size) for sign in (1, -1))]) | st.builds(
        Fraction, st.integers(-bound * 2**bits, bound * 2**bits), st.just(2**bits)
    )


def _size(x: Fraction) -> tuple[int, Fraction]:
    return x.denominator, x


@lru_cache
def below(k: int) -> SearchStrategy[int]:
    """Integers from 0 to k − 1."""
    return st.integers(0, k - 1)


def rows_of(rows: int, columns: int, elements: SearchStrategy[T]) -> SearchStrategy[list[list[T]]]:
    """Nested lists of the given shape."""
    return st.lists(st.lists(elements, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def matrices(
    rows: int, columns: int, *, field: Field = QQ, elements: SearchStrategy[Any] | None = None
) -> SearchStrategy[Matrix]:
    """Matrices over a field.

    Args:
        rows: number of rows.
        columns: number of columns.
        field: the ground field.
        elements: strategy of entries; :func:`numbers` by default.

    Raises:
        InvalidArgument: a size is negative.
    """

    def build() -> SearchStrategy[Matrix]:
        check_size("rows", rows)
        check_size("columns", columns)
        chosen = numbers(field) if elements is None else elements
        return rows_of(rows, columns, chosen).map(lambda table: field.matrix(table, columns=columns))

    return lazily(build)


@st.composite
def _spectra(draw: st.DrawFn, positive: int, negative: int, zero: int, symmetric: bool) -> tuple[Fraction, ...]:
    size = st.builds(Fraction, st.integers(1, 12), st.integers(1, 4))
    alpha = sorted((draw(size) for _ in range(positive)), reverse=True)
    beta = alpha if symmetric else sorted((draw(size) for _ in range(negative)), reverse=True)
    return (*alpha, *[Fraction(0)] * zero, *[-x for x in reversed(beta)])


def spectra(
    *,
    positive: int | None = None,
    negative: int | None = None,
    zero: int | None = None,
    symmetric: bool = False,
    max_size: int = 8,
) -> SearchStrategy[tuple[Fraction, ...]]:
    """Spectra of symmetric forms: rational eigenvalues in decreasing order.

    Args:
        positive: how many positive eigenvalues; drawn if not given.
        negative: how many negative ones; drawn if not given.
        zero: how many zeros; drawn if not given.
        symmetric: make the spectrum symmetric about 0, as that of a head of pairing score 1.
        max_size: bound of what is drawn.

    Raises:
        InvalidArgument: a number is negative, or a symmetric spectrum with different numbers of both signs.
    """

    def build() -> SearchStrategy[tuple[Fraction, ...]]:
        for name, value in (("positive", positive), ("negative", negative), ("zero", zero)):
            check_size(name, value)
        require(
            not symmetric or None in (positive, negative) or positive == negative,
            f"a symmetric spectrum has as many negative as positive eigenvalues, not {negative} and {positive}; "
            "pass one of them, or symmetric=False",
        )
        third = max_size // 3
        plus, minus = (negative, negative) if symmetric and positive is None else (positive, negative)
        return st.tuples(
            as_strategy(plus, st.integers(0, third)),
            as_strategy(minus, st.integers(0, third)),
            as_strategy(zero, st.integers(0, third)),
        ).flatmap(lambda sizes: _spectra(sizes[0], sizes[0] if symmetric else sizes[1], sizes[2], symmetric))

    return lazily(build)
