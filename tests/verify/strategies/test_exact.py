from random import Random

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from proofs.decomposition import decompose
from proofs.fields import GF, QQ
from proofs.heads import Head
from verify.strategies import fields, heads


def ranks(head):
    q, k, m = head.Q.rank(), head.K.rank(), head.M.rank()
    return q, k, q + k - m, 2 * head.n - m


@given(heads(field=fields()))
def test_shapes(head):
    assert isinstance(head, Head)
    assert 0 <= head.n <= 3
    assert 1 <= head.N <= 7


@given(st.integers(0, 3), fields(), st.data())
def test_corank(corank, field, data):
    assert ranks(data.draw(heads(corank=corank, field=field)))[3] == corank


@given(st.integers(0, 2), st.integers(0, 2), st.data())
def test_ranks_and_overlap(q, k, data):
    overlap = data.draw(st.integers(0, min(q, k)))
    assert ranks(data.draw(heads(rank_query=q, rank_key=k, overlap=overlap)))[:3] == (q, k, overlap)


@given(heads(n=np.int64(2), N=st.sampled_from([np.int32(4), np.uint8(5)]), max_n=np.int64(2)))
def test_sizes_may_be_numpys(head):
    assert head.n == 2
    assert head.N in (4, 5)


@given(heads(allow_degenerate=False, field=fields()))
def test_nondegenerate(head):
    assert head.M.rank() == 2 * head.n


@given(heads(allow_big=False))
def test_heads_that_fit(head):
    assert 2 * head.n <= head.N


@given(heads(tied=True, rank_key=2))
def test_tied(head):
    assert head.Q == head.K
    assert head.K.rank() == 2


@given(heads(dyadic=True))
def test_dyadic(head):
    assert all(x.denominator & (x.denominator - 1) == 0 for x in head.M.entries())


@given(heads(n=st.integers(1, 2), N=4, elements=st.integers(0, 1)))
def test_sizes_as_strategies_and_given_elements(head):
    assert head.n in (1, 2)
    assert head.N == 4


@settings(max_examples=10)
@given(heads(n=8, N=40, corank=3))
def test_larger_heads(head):
    assert ranks(head)[3] == 3


def smallest(condition, **arguments):
    return find(heads(**arguments), condition, settings=settings(max_examples=3000, database=None), random=Random(0))


def table(head):
    return [[int(x) for x in row] for row in head.Q.tolist()], [[int(x) for x in row] for row in head.K.tolist()]


@pytest.mark.parametrize(
    ("arguments", "condition", "minimal"),
    [
        ({"allow_big": False}, lambda d: not d.hyperbolic_plus_zero, ([[1, 0]], [[1, 0]])),
        ({"allow_big": False}, lambda d: d.signature.negative > d.signature.positive, ([[1, 0]], [[-1, 0]])),
        ({}, lambda d: not d.nondegenerate, ([[0]], [[0]])),
        ({"corank": 0}, lambda d: d.n > 0, ([[1, 0]], [[0, 1]])),
        ({}, lambda d: d.anisotropic_dimension == 2, ([[1, 0], [0, 1]], [[1, 0], [0, 1]])),
        ({"field": GF(3)}, lambda d: d.anisotropic_dimension == 2, ([[1, 0], [0, 1]], [[1, 0], [0, 1]])),
    ],
)
def test_they_shrink(arguments, condition, minimal):
    assert table(smallest(lambda head: condition(decompose(head)), **arguments)) == minimal


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, "n=-1 is not a size; expected an integer of at least 0"),
        ({"N": 0}, "N=0 is not a size"),
        ({"corank": -1}, "corank=-1 is not a size"),
        ({"n": 2, "N": 3, "corank": 0}, "no head has n=2, N=3, corank=0 .*; a head has rank M"),
        ({"n": 2, "N": 3, "allow_big": False}, "no head has n=2, N=3, allow_big=False"),
        ({"rank_query": 1, "rank_key": 1, "overlap": 2}, "overlap=2"),
        (
            {"corank": 1, "tied": True, "n": 2},
            r"no head has n=2, corank=1, tied=True .*; a tied head has .* so that its corank is at least n: relax",
        ),
        (
            {"n": 2, "N": 3, "allow_degenerate": False},
            r"no head has n=2, N=3, allow_degenerate=False \(.* min\(n, N\), and corank 0 unless it is degenerate: ",
        ),
        ({"n": np.bool_(True)}, "n=np.True_ is not a size"),
        ({"tied": True, "overlap": 0, "rank_query": 1}, "tied=True"),
        ({"corank": 1, "allow_degenerate": False}, "corank=1 is degenerate; pass allow_degenerate=True"),
        ({"dyadic": True, "field": GF(3)}, r"dyadic=True needs the rational numbers, not GF\(3\)"),
        ({"dyadic": True, "elements": st.just(1)}, "pass only one"),
        ({"rank_query": 5}, "raise max_n or max_N"),
        ({"rank_query": "1"}, "rank_query='1' is not a size"),
        ({"N": st.just(0)}, "N=0 is not a size; expected an integer of at least 1"),
        ({"n": st.just(2.5)}, "n=2.5 is not a size"),
        ({"n": st.none()}, "n=None is not a size"),
        ({"corank": st.just(-1)}, "corank=-1 is not a size"),
        ({"corank": st.just(1), "allow_degenerate": False}, "corank=1 is degenerate"),
        ({"field": 3}, "field=3 is not a field; pass QQ, RR, GF"),
        ({"field": st.just("QQ")}, "field='QQ' is not a field"),
        ({"tied": 1}, "tied=1 is not a flag; pass True or False"),
        ({"allow_big": None}, "allow_big=None is not a flag"),
        ({"elements": 1}, "elements=1 is not a strategy"),
        (
            {"n": 1, "N": 2, "corank": 0, "elements": st.text()},
            "elements drew '', which is no element of QQ: '' is not an exact number",
        ),
        (
            {"n": 1, "N": 2, "corank": 0, "elements": st.floats()},
            r"elements drew 0.0, which is no element of QQ: 0.0 is a float; pass",
        ),
        (
            {"field": GF(3), "n": 1, "N": 2, "corank": 0, "elements": st.just("1/3")},
            r"'1/3', which is no element of GF\(3\)",
        ),
        ({"max_n": -1}, "max_n=-1 is not a size"),
        ({"max_N": 0}, "max_N=0 is not a size; expected an integer of at least 1"),
    ],
)
def test_impossible_arguments(arguments, message):
    lazy = heads(**arguments)
    with pytest.raises(InvalidArgument, match=message):
        find(lazy, lambda _: True)


def test_nothing_is_filtered():
    """One choice of ranks out of many, and yet every draw is an example."""
    drawn: list[Head] = []

    @settings(max_examples=100, database=None)
    @given(heads(n=3, N=7, corank=5, overlap=1))
    def remember(head):
        drawn.append(head)

    remember()
    assert len(drawn) == 100
    assert {(head.Q.rank(), head.K.rank()) for head in drawn} == {(1, 1)}
    assert QQ == drawn[0].field
