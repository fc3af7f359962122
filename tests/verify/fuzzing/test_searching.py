"""Seeds reproduce, folders remember, conditions that change their mind find nothing."""

from random import Random

from hypothesis import strategies as st

from verify.fuzzing.searching import remembered_in, search, sizes_below


def drawn(seed, *, shrinks=False, examples=30):
    seen = []
    search(st.integers(), lambda x: bool(seen.append(x)), examples=examples, random=Random(seed), shrinks=shrinks)
    return seen


def test_a_seed_reproduces_what_is_drawn():
    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(drawn(1)) == 30


def test_what_is_found_is_the_smallest_and_without_shrinking_the_first():
    assert search(st.integers(), lambda x: x > 100, examples=100, random=Random(0)) == 101
    seen = []
    found = search(st.integers(), lambda x: seen.append(x) or x > 100, examples=100, random=Random(0), shrinks=False)
    assert found == next(x for x in seen if x > 100)
    assert search(st.integers(0, 9), lambda x: x > 100, examples=20, random=Random(0)) is None


def test_a_folder_remembers_with_any_seed(tmp_path):
    """One value in 2⁶⁴: no second draw would meet it."""
    target = st.integers(0, 2**64)
    first = search(target, lambda x: x % 977 == 5, examples=10000, random=Random(0), memory=tmp_path, shrinks=False)
    for seed in (1, 2):
        again = search(target, lambda x: x == first, examples=1, random=Random(seed), memory=tmp_path, draws=False)
        assert again == first
    assert search(target, lambda x: x == first, examples=50, random=Random(1)) is None


def test_an_empty_folder_remembers_nothing(tmp_path):
    look = st.integers()
    assert search(look, lambda _: True, examples=5, random=Random(0), memory=tmp_path, draws=False) is None


def test_a_condition_that_changes_its_mind():
    answers = iter(range(10**6))
    assert search(st.integers(), lambda _: next(answers) == 3, examples=20, random=Random(0)) is None


def test_every_search_has_a_folder_of_its_own(tmp_path):
    assert remembered_in(None, "a") is None
    folders = {remembered_in(tmp_path, *key) for key in (("a", None), ("a", 1), ("a", 12), ("a 1", 2))}
    assert len(folders) == 4
    assert {folder.parent for folder in folders} == {tmp_path}


def test_sizes_below():
    assert list(sizes_below(2, 2)) == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1)]
    assert list(sizes_below(2, 2, rows=2)) == [(2, 1)]
    assert list(sizes_below(2, 2, columns=2)) == [(0, 2), (1, 2)]
    assert list(sizes_below(0, 1)) == []
