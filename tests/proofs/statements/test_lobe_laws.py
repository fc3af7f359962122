from itertools import product

import pytest
from flint import fmpq

from proofs.errors import HypothesisError
from proofs.statements.lobe_laws import Lobes, LongTail, Mixture, Sums, hypotheses, instances, long_tail_bound


def _enumerated(lobes, size, bad):
    """The probability of a bad event from all outcomes of both samples."""
    total = fmpq(0)
    (((_, a),), ((_, b),)) = lobes.alpha.laws, lobes.beta.laws
    for xs in product((0, 1), repeat=size):
        for ys in product((0, 1), repeat=size):
            alpha = sorted((a.high if x else a.low for x in xs), reverse=True)
            beta = sorted((lobes.rho * (b.high if y else b.low) for y in ys), reverse=True)
            chance = fmpq(1)
            for law, flags in ((a, xs), (b, ys)):
                for flag in flags:
                    chance *= law.p if flag else 1 - law.p
            if bad(Sums.of((1, x, y) for x, y in zip(alpha, beta, strict=True))):
                total += chance
    return total


def far(sums):
    return sums.sine_squared > fmpq(1, 20)


def unequal(sums):
    return sums.above > 1


@pytest.mark.parametrize("bad", [far, unequal])
def test_probabilities_against_enumeration(bad):
    for p, rho in ((fmpq(1, 2), fmpq(1)), (fmpq(1, 3), fmpq(1, 2))):
        lobes = Lobes(Mixture.iid(1, 3, p), Mixture.iid(1, 3, p), rho)
        for size in (1, 2, 4):
            assert lobes.probability(size, bad, tail=fmpq(0)) == _enumerated(lobes, size, bad)


def test_sums_by_hand():
    sums = Sums.of([(2, fmpq(3), fmpq(1)), (1, fmpq(1), fmpq(2))])
    assert sums == (19, 8, 6, 8, 1)
    assert sums.sine_squared == 1 - fmpq(64, 114)
    assert Sums.of([(1, fmpq(0), fmpq(1))]).sine_squared is None


def test_a_mixture_is_averaged():
    one, two = Mixture.iid(1, 1), Mixture.iid(1, 3)
    half = fmpq(1, 2)
    both = Mixture(((half, one.laws[0][1]), (half, two.laws[0][1])))
    parts = [Lobes(a, b, fmpq(1)).probability(4, far, tail=fmpq(0)) for a in (one, two) for b in (one, two)]
    assert Lobes(both, both, fmpq(1)).probability(4, far, tail=fmpq(0)) == sum(parts, fmpq(0)) / 4


def test_the_long_tail_bound_against_its_events():
    """m = 16: the two events, from the probabilities of the levels themselves (levels beyond 60 are neglected)."""
    m, t = 16, 4
    level = {k: fmpq(1, 2**k) for k in range(1, 60)}
    below = sum((p for k, p in level.items() if k < t), fmpq(0))
    one = m * sum((p for k, p in level.items() if k >= t), fmpq(0)) * below ** (m - 1)
    two = fmpq(m * (m - 1), 2) * level[t] ** 2 * below ** (m - 2)
    assert abs(one * two - long_tail_bound(m)) < fmpq(1, 10**9)
    assert Lobes(LongTail(), LongTail(), fmpq(1)).probability(m, far, tail=fmpq(1)) == long_tail_bound(m)
    assert Lobes(LongTail(), LongTail(), fmpq(1)).probability(m, far, tail=fmpq(1, 2)) == 0
    for size in (8, 17):
        with pytest.raises(HypothesisError, match="sizes 2ᵗ with t ≥ 4"):
            long_tail_bound(size)


def test_the_geometry_of_the_long_tail():
    """The worst cosine the event allows, with the largest members of lower level, for several t."""
    for t in range(4, 8):
        m = 2**t
        for K in range(t, t + 3):
            top, rest = fmpq(2) ** (K * K), fmpq(2) ** ((K - 1) ** 2)
            assert (m - 1) * rest * rest / (top * top) <= fmpq(1, 2**10)
        alpha_top, rest = fmpq(2) ** (t * t), fmpq(2) ** ((t - 1) ** 2)
        runs = [(1, alpha_top, alpha_top), (1, rest, alpha_top), (m - 2, rest, rest)]
        sums = Sums.of(runs)
        assert 1 - sums.sine_squared < fmpq(3, 4) ** 2


def test_instances_satisfy_every_hypothesis():
    assert all(h.satisfied(lobes) for lobes in instances() for h in hypotheses())
