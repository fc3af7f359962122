"""Random forms and heads with finitely many outcomes, and random lobes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.statements.finite_laws import EntryLaw, RandomEntries, RandomForm, RandomHead
from proofs.statements.lobe_laws import Lobes, LongTail, Mixture, TwoValued
from proofs.statements.proposition_5 import orbit
from verify.fuzzing.subjects.kinds import Kind, Size

#: Every outcome is enumerated, 2 to the number of entries: so many are drawn, and so many are admitted.
FEW_ENTRIES, MOST_ENTRIES = 4, 9


def _law(a: int, b: int, p: fmpq) -> EntryLaw:
    """The value a with probability p, else b."""
    return ((a, p), (b, 1 - p)) if a != b else ((a, fmpq(1)),)


_CENTRED = st.tuples(st.integers(1, 9), st.integers(1, 9)).map(lambda x: _law(x[0], -x[1], fmpq(x[1], sum(x))))
_CONSTANT = st.integers(-3, 3).map(lambda a: _law(a, a, fmpq(1)))
_OTHER = st.builds(_law, st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([fmpq(1, k) for k in (2, 3, 4)]))
_LAWS: SearchStrategy[EntryLaw] = st.one_of(_CONSTANT, _CENTRED, _OTHER)
_ENTRIES = st.sampled_from([0, 1, -1, 2, -2, 3])


def _joint(vectors: Sequence[tuple[int, ...]]) -> RandomEntries:
    return RandomEntries(tuple((fmpq(1, len(vectors)), vector) for vector in vectors))


@lru_cache
def _entries(count: int) -> SearchStrategy[RandomEntries]:
    """Independent entries of one law, mostly of mean 0, or of a law each; and the two signs of one vector."""
    one = st.one_of(_CENTRED, _LAWS)
    vector = st.lists(st.sampled_from([1, -1, 2, 0]), min_size=count, max_size=count)
    return st.one_of(
        one.map(lambda law: RandomEntries.independent([law] * count)),
        st.lists(_LAWS, min_size=count, max_size=count).map(RandomEntries.independent),
        vector.map(lambda x: _joint([tuple(x), tuple(-y for y in x)])),
    )


@st.composite
def _random_forms(draw: st.DrawFn, size: Size) -> RandomForm:
    N = draw(st.sampled_from(size.columns(2)))
    return RandomForm(draw(_entries(N * N)), N)


@st.composite
def _random_heads(draw: st.DrawFn, size: Size) -> RandomHead:
    """Entries as above, or uniform on the images of one head under the signed permutations."""
    shapes = [(n, N) for n in size.rows(least=1) for N in size.columns(2) if 2 * n * N <= _bound(size)]
    is_orbit = draw(st.booleans())
    n, N = draw(st.sampled_from(shapes))
    if not is_orbit:
        return RandomHead(draw(_entries(2 * n * N)), n, N)
    return orbit(tuple(draw(st.lists(_ENTRIES, min_size=2 * n * N, max_size=2 * n * N))), n, N)


def _bound(size: Size) -> int:
    return FEW_ENTRIES if size.n is None and size.N is None else MOST_ENTRIES


# Lemma 6 and Theorem 5 are limits, checked at up to 128 members: over any law the fuzzer would find that 128 are too
# few for it, which refutes nothing. These two laws, alone and scaled, are known to have come close to the limit there;
# what is drawn freely is how samples are put together from laws.
_ALMOST_THERE = [TwoValued(fmpq(1), fmpq(2), fmpq(1, 2)), TwoValued(fmpq(2), fmpq(3), fmpq(1, 2))]
_CONSTANTS = [TwoValued(fmpq(c), fmpq(c), fmpq(1)) for c in (1, 2, 0)]
_MEMBERS = st.sampled_from([*_CONSTANTS, *_ALMOST_THERE])


@st.composite
def _lobes(draw: st.DrawFn, _: Size) -> Lobes:
    """Both samples of one law or of two; a law or a mixture; tails without a moment; ρ = 0."""
    is_same = draw(st.integers(0, 3)) < 3
    alpha = draw(_samples())
    beta = alpha if is_same else draw(_samples())
    return Lobes(alpha, beta, fmpq(draw(st.sampled_from([1, 2, 0]))))


@lru_cache
def _samples() -> SearchStrategy[Mixture | LongTail]:
    single = _MEMBERS.map(lambda law: Mixture(((fmpq(1), law),)))
    double = st.tuples(_MEMBERS, _MEMBERS).map(lambda laws: Mixture(tuple((fmpq(1, 2), law) for law in laws)))
    return st.one_of(single, double, st.just(LongTail()))


RANDOM_FORMS = Kind(
    "random forms",
    _random_forms,
    lambda form: (None, form.N),
    "a width N ≤ 3 and no head dimension n, since every outcome is enumerated",
    lambda size: size.n is None and (size.N or 1) ** 2 <= MOST_ENTRIES,
)

RANDOM_HEADS = Kind(
    "random heads",
    _random_heads,
    lambda head: (head.n, head.N),
    f"a head dimension n and a width N with 2nN ≤ {MOST_ENTRIES}, since every outcome is enumerated",
    lambda size: any(2 * n * N <= _bound(size) for n in size.rows(least=1) for N in size.columns(2)),
)

LOBES = Kind(
    "random lobes (of laws that come close to the limit within 128 members)",
    _lobes,
    lambda _: (None, None),
    "neither n nor N",
    lambda size: size.n is None and size.N is None,
    "none",
)
