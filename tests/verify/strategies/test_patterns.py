import itertools

import pytest

from proofs.heads import Head
from verify.strategies.patterns import Pattern


def ranks(head):
    q, k, m = head.Q.rank(), head.K.rank(), head.M.rank()
    return q, k, q + k - m


@pytest.mark.parametrize("n,N", [(1, 1), (1, 2), (2, 3), (2, 4)])
def test_patterns_are_exactly_the_possible_ones(n, N):
    """Against exhaustion: all heads over F₃ with entries in {0, 1}, ranks over ℚ."""
    rows = list(itertools.product([0, 1], repeat=N))
    found = set()
    for M in itertools.combinations_with_replacement(rows, 2 * n):
        for K in itertools.permutations(M, 2 * n) if n == 1 else [M, M[::-1], (M[0], M[2], M[1], M[3])]:
            head = Head.of([list(r) for r in K[n:]], [list(r) for r in K[:n]], N=N)
            found.add(ranks(head))
    assert found <= set(Pattern().solutions(n, N))
    assert set(Pattern().solutions(n, N)) - found == set()


def test_a_pattern_is_told_by_what_it_prescribes():
    assert Pattern().is_open
    assert not Pattern(corank=0).is_open
    assert str(Pattern(corank=0, tied=True)) == "corank=0, tied=True"
