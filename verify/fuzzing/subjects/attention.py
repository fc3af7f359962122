"""Attention with positions, blocks of a transformer, polynomials in two groups of variables."""

from __future__ import annotations

from typing import Any

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.matrices import Matrix, submatrix
from proofs.statements.lemma_1 import TwoGroups, polynomial
from proofs.statements.proposition_1 import REACH, Displacements
from proofs.statements.proposition_2 import Block
from proofs.statements.proposition_3 import Attention
from verify.fuzzing.subjects.kinds import Kind, Size, any_size
from verify.fuzzing.subjects.matrices import dependent_rows, free, heads_like, invertible, orthogonal
from verify.strategies import numbers

_NUMBERS = numbers()
_SMALL = st.integers(1, 2)
_PARTS = st.integers(0, 3)


def _powers(field: Field, S: Matrix, first: int, last: int) -> dict[int, Matrix]:
    """``Sᵈ`` for d = first … last, first ≤ 0."""
    powers, inverse = {0: field.identity(S.nrows())}, S.inv()
    for d in range(1, last + 1):
        powers[d] = powers[d - 1] * S
    for d in range(-1, first - 1, -1):
        powers[d] = powers[d + 1] * inverse
    return powers


@st.composite
def _displacements(draw: st.DrawFn, size: Size) -> Displacements:
    """L₀ invertible or singular; the others L₀ times the powers of one S, one of them changed, or any forms."""
    is_singular, change = draw(st.booleans()), draw(st.sampled_from(["none", "one", "all"]))
    field, N = size.ground, draw(st.sampled_from(size.columns(2)))
    L0 = draw(dependent_rows(N, N, field) if is_singular else invertible(N, field))
    if change == "all":
        forms = {d: L0 if d == 0 else draw(free(N, N, field)) for d in range(-REACH, REACH + 1)}
        return Displacements(forms, field)
    forms = {d: L0 * P for d, P in _powers(field, draw(invertible(N, field)), -REACH, REACH).items()}
    if change == "one":
        forms[draw(st.sampled_from([1, -1, 2, -2, 3, -3]))] = draw(free(N, N, field))
    return Displacements(dict(sorted(forms.items())), field)


def _norm(A: Matrix) -> fmpq:
    """The largest sum of absolute values in a row."""
    return max(sum((abs(x) for x in row), fmpq(0)) for row in A.tolist())


def _divided(total: fmpq, parts: list[int]) -> list[fmpq]:
    """A total divided among the tokens, the first of which has a part more."""
    weights = [x + (j == 0) for j, x in enumerate(parts)]
    return [total * x / sum(weights) for x in weights]


@st.composite
def _blocks(draw: st.DrawFn, size: Size) -> Block:
    """A block with the bounds that its matrices have, or more; and one of the hypotheses left to chance.

    Numbers are drawn for the largest size and cut to size: so the size shrinks without a change of their meaning.
    """
    loose = draw(st.sampled_from(["none", "weights", "value", "lipschitz", "offset"]))
    has_relu = loose == "lipschitz" or draw(st.booleans())
    tokens, hidden, N = draw(_SMALL), draw(_SMALL), draw(st.sampled_from(size.columns(2)))
    most = max(2, N)

    def table(rows: int, columns: int) -> Matrix:
        return submatrix(QQ, draw(free(most, most)), range(rows), range(columns))

    W, W1, W2 = table(N, N), table(hidden, N), table(N, hidden) if has_relu else QQ.zeros(N, hidden)
    bounds = [_norm(W), _norm(W1) * _norm(W2)]
    for i, name in enumerate(("value", "lipschitz")):
        bounds[i] *= QQ(draw(st.sampled_from([0, "1/2"] if loose == name else [1, 2])))
    total = QQ(draw(st.sampled_from([2, 3, -1, -2, 0] if loose == "weights" else [1])))
    parts = draw(st.lists(st.lists(_PARTS, min_size=most, max_size=most), min_size=most, max_size=most))
    return Block(
        x=table(tokens, N),
        A=QQ.matrix([_divided(total, row[:tokens]) for row in parts[:tokens]]),
        W=W,
        W1=W1,
        W2=W2,
        offset=tuple(QQ(draw(_NUMBERS)) if loose == "offset" else QQ(0) for _ in range(N)),
        value_bound=bounds[0],
        lipschitz=bounds[1],
    )


def _column(length: int) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(_NUMBERS, min_size=length, max_size=length).map(lambda xs: tuple(QQ(x) for x in xs))


@st.composite
def _attentions(draw: st.DrawFn, size: Size) -> Attention:
    """Position operators that are powers of one rotation, or any matrices; weights normalised or not."""
    is_relative, is_normalised = draw(st.booleans()), not draw(st.booleans())
    tokens, n, N = draw(_SMALL), draw(st.sampled_from(size.rows())), draw(st.sampled_from(size.columns(2)))
    head = draw(heads_like(n, N))
    if is_relative:
        rotations = _powers(QQ, draw(orthogonal(n)), 0, tokens - 1)
    else:
        rotations = {i: draw(free(n, n)) for i in range(tokens)}
    query_bias, key_bias, value_bias = (draw(_column(length)) for length in (n, n, N))
    V, x = draw(free(N, N)), draw(free(tokens, N))
    return Attention(head, query_bias, key_bias, V, value_bias, rotations, x, is_normalised)


@st.composite
def _polynomials(draw: st.DrawFn, _: Size) -> TwoGroups:
    """Of degree at most 1 in x and in y, but for one term of degree 2 in one of them."""
    square = draw(st.sampled_from(["none", "x", "y"]))
    p, q = draw(st.integers(square == "x", 2)), draw(st.integers(square == "y", 2))
    exponents = [
        tuple(int(i == j) for j in range(p)) + tuple(int(k == j) for j in range(q))
        for i in range(-1, p)
        for k in range(-1, q)
    ]
    terms = {e: draw(st.integers(-3, 3)) for e in exponents}
    if square != "none":
        first, length = (0, p) if square == "x" else (p, q)
        high = list(draw(st.sampled_from([e for e in exponents if any(e[first : first + length])])))
        high[first + draw(st.integers(0, length - 1))] += 1
        terms[tuple(high)] = draw(st.sampled_from([1, -1, 2]))
    return polynomial(p, q, terms)


DISPLACEMENTS = Kind(
    "families of forms",
    _displacements,
    lambda subject: (None, subject.forms[0].nrows()),
    "a width N and no head dimension n",
    lambda size: size.n is None,
    "any",
)

BLOCKS = Kind(
    "blocks",
    _blocks,
    lambda block: (None, block.x.ncols()),
    "a width N and no head dimension n",
    lambda size: size.n is None,
)

ATTENTIONS = Kind(
    "attention layers",
    _attentions,
    lambda attention: (attention.head.n, attention.head.N),
    "a head dimension n and a width N",
    any_size,
)

POLYNOMIALS = Kind(
    "polynomials in two groups of variables",
    _polynomials,
    lambda _: (None, None),
    "neither n nor N",
    lambda size: size.n is None and size.N is None,
)
