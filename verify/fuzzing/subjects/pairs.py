"""Heads with what is done to them: a gauge, a change of coordinates, a factorisation, a second head, a certificate.

What decides about the kind of a subject is drawn before its matrices: then it stays while they shrink.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ
from proofs.heads import Head
from proofs.lemmas import annihilator
from proofs.matrices import stack
from proofs.pencils import Pencil
from proofs.statements.annihilator import Annihilated
from proofs.statements.certificate import Certificate
from proofs.statements.coordinates import Moved
from proofs.statements.definition_6 import Move
from proofs.statements.distance import Approach
from proofs.statements.factor_lemma import Factorisation
from proofs.statements.gauge import Gauge
from verify.fuzzing.subjects.kinds import Kind, Size, any_size
from verify.fuzzing.subjects.matrices import (
    degenerate,
    dependent_rows,
    free,
    heads_like,
    independent_rows,
    invertible,
    nondegenerate,
    orthogonal,
)
from verify.strategies import matrices

_SCALES = st.sampled_from([QQ(x) for x in (1, 2, "1/2", -1, 0)])
_FEW = st.sampled_from([0, 1, -1, 2])
_PRIMES = st.sampled_from([3, 5, 101, 2**61 - 1])


@st.composite
def _gauges(draw: st.DrawFn, heads: SearchStrategy[Head]) -> Gauge:
    """A and B free, or inverse to each other."""
    is_free = draw(st.booleans())
    head = draw(heads)
    if is_free:
        return Gauge(head, *(draw(free(head.n, head.n, head.field)) for _ in range(2)))
    A = draw(invertible(head.n, head.field))
    return Gauge(head, A, A.inv().transpose())


@st.composite
def _moves(draw: st.DrawFn, heads: SearchStrategy[Head]) -> Move:
    """U free or orthogonal."""
    is_free, scale = draw(st.booleans()), draw(_SCALES)
    head = draw(heads)
    U = matrices(head.N, head.N, elements=_FEW) if is_free else orthogonal(head.N)
    return Move(head, draw(U), scale)


@st.composite
def _moved(draw: st.DrawFn, heads: SearchStrategy[Head]) -> Moved:
    """U invertible or singular."""
    is_singular = draw(st.booleans())
    head = draw(heads)
    U = dependent_rows(head.N, head.N, head.field) if is_singular else invertible(head.N, head.field)
    return Moved(head, draw(U))


@st.composite
def _factorisations(draw: st.DrawFn, size: Size) -> Factorisation:
    """B of full row rank or not; the head their product or any other."""
    is_dependent, is_other = draw(st.booleans()), draw(st.booleans())
    field, n, N = size.ground, draw(st.sampled_from(size.rows())), draw(st.sampled_from(size.columns()))
    r = draw(st.integers(1, N + 1) if is_dependent else st.integers(0, N))
    B = draw((dependent_rows if is_dependent else independent_rows)(r, N, field))
    C = draw(free(2 * n, r, field))
    if is_other:
        return Factorisation(draw(heads_like(n, N, field)), C, B)
    rows = (C * B).tolist()
    return Factorisation(Head.of(rows[n:], rows[:n], field=field, N=N), C, B)


@st.composite
def _annihilated(draw: st.DrawFn, heads: SearchStrategy[Head]) -> Annihilated:
    """A basis of the left kernel in any coordinates, one row of it less, a row too many, or other rows."""
    change = draw(st.sampled_from(["none", "less", "more", "other"]))
    head = draw(heads)
    field, basis = head.field, annihilator(head)
    k = basis.nrows()
    if change == "other":
        return Annihilated(head, draw(independent_rows(k, 2 * head.n, field)))
    if change == "less" and k > 0:
        return Annihilated(head, draw(independent_rows(k - 1, k, field)) * basis)
    U = draw(invertible(k, field)) * basis
    if change == "more":
        U = stack(field, U, draw(free(1, k, field)) * basis)
    return Annihilated(head, U)


@st.composite
def _approaches(draw: st.DrawFn, size: Size) -> Approach:
    """The other head is degenerate, or on the way to a degenerate one: it may be the head itself."""
    share = draw(st.sampled_from([QQ(x) for x in (1, 0, "1/2", "1/8")]))
    n, N = draw(st.sampled_from(size.rows(least=1))), draw(st.sampled_from(size.columns()))
    head, goal = draw(nondegenerate(n, N) if 2 * n <= N else heads_like(n, N)), draw(degenerate(n, N))
    return Approach(head, Pencil(head, goal).at(share))


@st.composite
def _pencils(draw: st.DrawFn, heads: SearchStrategy[Head]) -> Pencil:
    """The target nondegenerate where there is room for it, or any head."""
    is_free = draw(st.booleans())
    base = draw(heads)
    target = heads_like if is_free or base.is_big else nondegenerate
    return Pencil(base, draw(target(base.n, base.N, base.field)))


@st.composite
def _certificates(draw: st.DrawFn, heads: SearchStrategy[Head]) -> Certificate:
    """Columns that differ or not."""
    is_free = draw(st.booleans())
    prime = draw(_PRIMES)
    head = draw(heads)
    if is_free or head.is_big:
        columns = draw(st.lists(st.integers(0, head.N - 1), min_size=2 * head.n, max_size=2 * head.n))
    else:
        columns = draw(st.permutations(range(head.N)))[: 2 * head.n]
    return Certificate(head, prime, tuple(columns))


def _of_head(subject: Gauge | Move | Moved | Factorisation | Annihilated | Approach | Certificate) -> tuple[int, int]:
    return subject.head.n, subject.head.N


_BOTH = "a head dimension n and a width N"

GAUGES = Kind("heads with two matrices A and B", lambda size: _gauges(size.heads()), _of_head, _BOTH, any_size, "any")
MOVES = Kind("heads with a matrix U and a scale", lambda size: _moves(size.heads()), _of_head, _BOTH, any_size)
MOVED = Kind("heads with a matrix U", lambda size: _moved(size.heads()), _of_head, _BOTH, any_size, "any")
FACTORISATIONS = Kind("heads with matrices C and B", _factorisations, _of_head, _BOTH, any_size, "any")
ANNIHILATED = Kind("heads with rows U", lambda size: _annihilated(size.heads()), _of_head, _BOTH, any_size, "any")
APPROACHES = Kind(
    "pairs of heads",
    _approaches,
    _of_head,
    "a head dimension n ≥ 1 and a width N",
    lambda size: size.n != 0,
)
PENCILS = Kind(
    "lines of heads",
    lambda size: _pencils(size.heads()),
    lambda pencil: (pencil.base.n, pencil.base.N),
    _BOTH,
    any_size,
    "any",
)
CERTIFICATES = Kind(
    "heads with a prime and columns", lambda size: _certificates(size.heads()), _of_head, _BOTH, any_size
)
