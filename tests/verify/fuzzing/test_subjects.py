from collections import Counter

import pytest
from hypothesis import given, settings

from proofs.fields import GF
from proofs.statements import all_statements, statement
from verify.fuzzing.subjects import Size, has_strategy, subjects


@pytest.mark.parametrize("claim", [s for s in all_statements() if has_strategy(s)], ids=lambda s: s.id)
def test_both_sides_of_every_hypothesis_are_drawn(claim):
    """Enough subjects satisfy everything, and each hypothesis alone is violated by some."""
    seen = Counter()

    @settings(max_examples=300, database=None)
    @given(subjects(claim, Size()))
    def draw(subject):
        assert isinstance(subject, claim.subject)
        seen["drawn"] += 1
        seen["admitted"] += claim.admits(subject)
        for h in claim.hypotheses:
            seen[h.name] += claim.admits(subject, drop=h.name) and not h.satisfied(subject)

    draw()
    assert seen["admitted"] > seen["drawn"] / 20
    assert all(seen[h.name] for h in claim.hypotheses), seen


@given(subjects(statement("exact-condition"), Size(GF(5), 2, 4)))
def test_sizes_and_fields_are_kept(head):
    assert (head.n, head.N, head.field) == (2, 4, GF(5))


@given(subjects(statement("exact-condition"), Size(n=2, N=3)))
def test_big_heads_only(head):
    assert head.is_big
