"""Numbers, fields, matrices and spectra: what the other strategies are built from."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import GF, QQ, Field
from proofs.matrices import Matrix
from verify.strategies.arguments import (
    check_elements,
    check_field,
    check_flags,
    check_sizes,
    elements_argument,
    lazily,
    require,
    size_argument,
)

T = TypeVar("T")

#: Entries stay within ±BOUND unless the caller asks for more: products of a few matrices remain readable.
BOUND = 3


def fields(*, finite: bool | None = None) -> SearchStrategy[Field]:
    """Ground fields: ℚ and prime fields of small, word-sized and larger order.

    Args:
        finite: True for prime fields only, False for ℚ only.

    Raises:
        InvalidArgument: ``finite`` is something else.

    >>> fields().example()  # doctest: +SKIP
    GF(3)
    """

    def build() -> SearchStrategy[Field]:
        if finite is not None:
            check_flags(finite=finite)
        primes = [GF(3), GF(5), GF(7), GF(101), GF(2**61 - 1), GF(2**89 - 1)]
        return st.sampled_from([*([] if finite else [QQ]), *(primes if finite is not False else [])])

    return lazily(build)


def numbers(*, field: Field = QQ, bound: int = BOUND, fractions: bool = True) -> SearchStrategy[Any]:
    """Exact numbers that ``field`` admits: small integers, over ℚ fractions too, over F_p also large residues.

    Args:
        field: the ground field.
        bound: of absolute values, for integers.
        fractions: over ℚ, draw fractions of small denominator too.

    Raises:
        InvalidArgument: no field, or a negative bound.
    """

    def build() -> SearchStrategy[Any]:
        check_field(field)
        check_sizes(bound=bound)
        check_flags(fractions=fractions)
        return _numbers(field, int(bound), fractions)

    return lazily(build)


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
        elements: strategy of entries, of numbers that the field admits and no floats; :func:`numbers` by default.

    Raises:
        InvalidArgument: a size is negative, no field, elements that are no strategy, or one that is not in the field.
    """

    def build() -> SearchStrategy[Matrix]:
        check_sizes(rows=rows, columns=columns)
        check_field(field)
        check_elements(elements)
        chosen = numbers(field=field) if elements is None else elements_argument(elements, field)
        return rows_of(int(rows), int(columns), chosen).map(lambda table: field.matrix(table, columns=int(columns)))

    return lazily(build)


@st.composite
def _spectra(draw: st.DrawFn, positive: int, negative: int, zero: int, symmetric: bool) -> tuple[Fraction, ...]:
    values = st.builds(Fraction, st.integers(1, 12), st.integers(1, 4))
    alpha = sorted((draw(values) for _ in range(positive)), reverse=True)
    beta = alpha if symmetric else sorted((draw(values) for _ in range(negative)), reverse=True)
    return (*alpha, *[Fraction(0)] * zero, *[-x for x in reversed(beta)])


def spectra(
    *,
    positive: int | SearchStrategy[int] | None = None,
    negative: int | SearchStrategy[int] | None = None,
    zero: int | SearchStrategy[int] | None = None,
    symmetric: bool = False,
    max_size: int = 8,
) -> SearchStrategy[tuple[Fraction, ...]]:
    """Spectra of symmetric forms: rational eigenvalues in decreasing order.

    Args:
        positive: how many positive eigenvalues; drawn if not given.
        negative: how many negative ones; drawn if not given.
        zero: how many zeros; drawn if not given.
        symmetric: make the spectrum symmetric about 0, as that of a head of pairing score 1.
        max_size: bound of the number of eigenvalues where some of the three numbers are drawn.

    Raises:
        InvalidArgument: a number is negative, a symmetric spectrum with different numbers of both signs, or given
            numbers that exceed ``max_size`` while others are to be drawn.

    >>> from hypothesis import find
    >>> len(find(spectra(max_size=5), lambda values: len(values) == 5))
    5
    """

    def build() -> SearchStrategy[tuple[Fraction, ...]]:
        check_sizes(max_size=max_size)
        check_flags(symmetric=symmetric)
        given = (("positive", positive), ("negative", negative), ("zero", zero))
        return st.tuples(*(size_argument(name, value, default=st.none()) for name, value in given)).flatmap(
            lambda x: of(*x)
        )

    def of(plus: int | None, minus: int | None, zeros: int | None) -> SearchStrategy[tuple[Fraction, ...]]:
        if symmetric:
            require(
                None in (plus, minus) or plus == minus,
                f"a symmetric spectrum has as many negative as positive eigenvalues, not {minus} and {plus}; "
                "pass one of them, or symmetric=False",
            )
            plus = minus = minus if plus is None else plus
        known = (plus, minus, zeros)
        taken = sum(x for x in known if x is not None)
        require(
            None not in known or taken <= max_size,
            f"positive={plus}, negative={minus}, zero={zeros} are {taken} eigenvalues already, more than "
            f"max_size={max_size}; raise max_size",
        )
        return _counts(known, symmetric, int(max_size) - taken).flatmap(lambda sizes: _spectra(*sizes, symmetric))

    return lazily(build)


@st.composite
def _counts(
    draw: st.DrawFn, known: tuple[int | None, int | None, int | None], symmetric: bool, left: int
) -> tuple[int, int, int]:
    """The numbers of positive, negative and zero eigenvalues: those that are not known share what is left."""
    plus, minus, zeros = known
    if plus is None:
        plus = draw(st.integers(0, left // 2 if symmetric else left))
        left -= 2 * plus if symmetric else plus
    if symmetric:
        minus = plus
    elif minus is None:
        minus = draw(st.integers(0, left))
        left -= minus
    return plus, minus, draw(st.integers(0, left)) if zeros is None else zeros
