"""Exact heads over ℚ and F_p, of every rank pattern, by construction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.heads import Head
from proofs.matrices import Matrix, stack
from verify.strategies.arguments import (
    check_elements,
    check_flags,
    check_sizes,
    elements_argument,
    field_argument,
    lazily,
    require,
    size_argument,
)
from verify.strategies.arithmetic import below, dyadics, numbers
from verify.strategies.patterns import Pattern

_UNITS = st.sampled_from([1, -1, 2])


class _Staircase:
    """Vectors made independent by construction: each has a unit at its own pivot, where all later ones are zero."""

    def __init__(self, length: int, field: Field, elements: SearchStrategy[Any]) -> None:
        self._rest = list(range(length))
        self._length, self._field, self._elements = length, field, elements

    def draw(self, draw: st.DrawFn) -> Matrix:
        """The next vector, as a row."""
        pivot = self._rest.pop(draw(below(len(self._rest))))
        result = self._field.zeros(1, self._length)
        result[0, pivot] = self._field(draw(_UNITS))
        for j in self._rest:
            result[0, j] = self._field(draw(self._elements))
        return result


@st.composite
def _term(draw: st.DrawFn, row: _Staircase, sides: list[_Staircase]) -> list[Matrix]:
    """A row of the common basis, and its coefficients in Q, in K, or in both: one rank-one term of each."""
    basis = row.draw(draw)
    return [side.draw(draw).transpose() * basis for side in sides]


@st.composite
def _structured(draw: st.DrawFn, request: _Request, field: Field, elements: SearchStrategy[Any]) -> Head:
    # One small number after another, ranks before sizes, and then whatever belongs to one term together: each number
    # then shrinks by itself, and takes away the term that no rank needs.
    chosen: tuple[int, ...] = ()
    while len(chosen) < 5:
        chosen = (*chosen, draw(st.sampled_from(request.continuations(chosen))))
    overlap, q, k, n, N = chosen
    rows, in_Q, in_K = (_Staircase(length, field, elements) for length in (N, n, n))
    Q, K = field.zeros(n, N), field.zeros(n, N)
    for i in range(q + k - overlap):
        if i < overlap and not request.pattern.tied:
            query, key = draw(_term(rows, [in_Q, in_K]))
            Q, K = Q + query, K + key
        elif i < q:
            Q += draw(_term(rows, [in_Q]))[0]
        else:
            K += draw(_term(rows, [in_K]))[0]
    return Head(Q, Q if request.pattern.tied else K, field)


@st.composite
def _antisymmetric(draw: st.DrawFn, request: _Request, field: Field, elements: SearchStrategy[Any]) -> Head:
    """S = 0 and L ≠ 0: L = xyᵀ − yxᵀ."""
    n = draw(st.sampled_from(sorted({n for n, _ in request.antisymmetric_sizes})))
    N = draw(st.sampled_from(sorted(N for m, N in request.antisymmetric_sizes if m == n)))
    rows = _Staircase(N, field, elements)
    x, y = rows.draw(draw), rows.draw(draw)
    zeros = field.zeros(n - 2, N)
    return Head(stack(field, stack(field, y, -x), zeros), stack(field, stack(field, x, y), zeros), field)


@dataclass(frozen=True)
class _Request:
    n: Any
    N: Any
    pattern: Pattern
    allow_big: bool
    max_n: int
    max_N: int

    @cached_property
    def _continuations(self) -> dict[tuple[int, ...], list[int]]:
        ns = range(self.max_n + 1) if self.n is None else [self.n]
        Ns = range(1, self.max_N + 1) if self.N is None else [self.N]
        found: dict[tuple[int, ...], set[int]] = {}
        for n in ns:
            for N in Ns:
                if self.allow_big or 2 * n <= N:
                    for q, k, overlap in self.pattern.solutions(n, N):
                        whole = (overlap, q, k, n, N)
                        for i, x in enumerate(whole):
                            found.setdefault(whole[:i], set()).add(x)
        return {prefix: sorted(values) for prefix, values in found.items()}

    def continuations(self, prefix: tuple[int, ...]) -> list[int]:
        """What may follow the first of ``(overlap, rank_query, rank_key, n, N)``, smallest first."""
        return self._continuations[prefix]

    @property
    def is_possible(self) -> bool:
        """Whether there is a head that fits."""
        return bool(self._continuations)

    @cached_property
    def antisymmetric_sizes(self) -> list[tuple[int, int]]:
        """Sizes in which L may be antisymmetric and not zero."""
        ns = range(2, self.max_n + 1) if self.n is None else [self.n]
        Ns = range(2, self.max_N + 1) if self.N is None else [self.N]
        return [(n, N) for n in ns for N in Ns if min(n, N) >= 2 and (self.allow_big or 2 * n <= N)]

    def heads(self, field: Field, elements: SearchStrategy[Any]) -> SearchStrategy[Head]:
        """Heads that fit.

        Where everything is left open, thin strata get shares of their own: among all rank patterns those of
        nondegenerate heads, of corank 1 and of K = Q are few, S = 0 is none of them, and they are what tests are about.
        """
        shares = [_structured(self, field, elements)]
        if self.pattern.is_open:
            of_corank = [replace(self, pattern=Pattern(corank=corank), allow_big=False) for corank in (0, 1)]
            parts = [*of_corank, replace(self, pattern=Pattern(tied=True))]
            shares += [_structured(part, field, elements) for part in parts if part.is_possible]
            shares += [_antisymmetric(self, field, elements)] if self.antisymmetric_sizes else []
        return st.one_of(shares)

    def refuse(self, asked: Pattern, *, allow_degenerate: bool) -> None:
        """Say in the caller's words that there is no such head, and by which rule."""
        wanted = [f"{name}={value}" for name, value in (("n", self.n), ("N", self.N)) if value is not None]
        wanted += [] if asked.is_open else [str(asked)]
        wanted += [] if allow_degenerate else ["allow_degenerate=False"]
        wanted += [] if self.allow_big else ["allow_big=False"]
        if asked.tied:
            rule = (
                "a tied head has rank M = rank_query = rank_key = overlap = 2n − corank ≤ min(n, N), so that its "
                "corank is at least n"
            )
        else:
            rule = "a head has rank M = rank_query + rank_key − overlap = 2n − corank ≤ N with both ranks ≤ min(n, N)"
        rule += "" if allow_degenerate else ", and corank 0 unless it is degenerate"
        raise InvalidArgument(
            f"no head has {', '.join(wanted)} (with n ≤ {self.max_n}, N ≤ {self.max_N} where not given); {rule}: relax "
            "one of these, or raise max_n or max_N"
        )


_request = lru_cache(_Request)


def heads(
    *,
    n: int | SearchStrategy[int] | None = None,
    N: int | SearchStrategy[int] | None = None,
    field: Field | SearchStrategy[Field] = QQ,
    corank: int | SearchStrategy[int] | None = None,
    rank_query: int | SearchStrategy[int] | None = None,
    rank_key: int | SearchStrategy[int] | None = None,
    overlap: int | SearchStrategy[int] | None = None,
    tied: bool = False,
    allow_degenerate: bool = True,
    allow_big: bool = True,
    dyadic: bool = False,
    elements: SearchStrategy[Any] | None = None,
    max_n: int = 3,
    max_N: int = 7,
) -> SearchStrategy[Head]:
    """Exact heads, generic and degenerate.

    Args:
        n: head dimension; drawn up to ``max_n`` if not given.
        N: width; drawn up to ``max_N`` if not given.
        field: ground field, or a strategy of fields such as :func:`fields`.
        corank: ``2n − rank M``.
        rank_query: rank of Q.
        rank_key: rank of K.
        overlap: dimension of the intersection of the row spaces of Q and K.
        tied: ``K = Q``, weight tying.
        allow_degenerate: False for heads with ``rank M = 2n`` only.
        allow_big: False for heads with ``2n ≤ N`` only.
        dyadic: entries m/2ᵏ only, which floating point represents.
        elements: strategy of the numbers the matrices are built from (products of three of them are entries): what
            the field admits, and no floats.
        max_n: bound of n where it is drawn.
        max_N: bound of N where it is drawn.

    Raises:
        InvalidArgument: no head satisfies the arguments, a size is not one, or an element is not in the field.

    >>> from hypothesis import find
    >>> find(heads(corank=1, n=1, N=2), lambda head: True).M.rank()
    1
    """

    def build() -> SearchStrategy[Head]:
        check_sizes(max_n=max_n)
        check_sizes(max_N=max_N, least=1)
        check_flags(tied=tied, allow_degenerate=allow_degenerate, allow_big=allow_big, dyadic=dyadic)
        check_elements(elements)
        require(
            not (dyadic and elements is not None), "dyadic=True chooses the elements itself; pass only one of the two"
        )
        ranks = (("corank", corank), ("rank_query", rank_query), ("rank_key", rank_key), ("overlap", overlap))
        return st.tuples(
            field_argument(field),
            size_argument("n", n, default=st.none()),
            size_argument("N", N, default=st.none(), least=1),
            st.builds(
                Pattern, *(size_argument(name, value, default=st.none()) for name, value in ranks), st.just(tied)
            ),
        ).flatmap(lambda drawn: over(*drawn))

    def over(known: Field, n: int | None, N: int | None, pattern: Pattern) -> SearchStrategy[Head]:
        require(not (dyadic and known.characteristic), f"dyadic=True needs the rational numbers, not {known}")
        require(
            allow_degenerate or pattern.corank in (None, 0),
            f"corank={pattern.corank} is degenerate; pass allow_degenerate=True",
        )
        built = pattern if allow_degenerate else replace(pattern, corank=0)
        request = _request(n, N, built, allow_big, max_n, max_N)
        if not request.is_possible:
            request.refuse(pattern, allow_degenerate=allow_degenerate)
        return request.heads(known, chosen(known))

    def chosen(known: Field) -> SearchStrategy[Any]:
        if elements is not None:
            return elements_argument(elements, known)
        return dyadics() if dyadic else numbers(field=known)

    return lazily(build)
