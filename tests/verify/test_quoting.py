import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.errors import LayoutError, RecordError, SourceError
from verify.quoting import BEGINNING, END, one_line, shown

ANYTHING = st.text(st.characters(exclude_categories=[]))


@given(ANYTHING | st.lists(ANYTHING) | st.integers() | st.floats() | st.dictionaries(ANYTHING, st.none()))
def test_whatever_is_shown_is_one_short_printable_line(value: object) -> None:
    text = shown(value)
    assert text.isprintable()
    assert 0 < len(text) <= 12 * (BEGINNING + END) + 30


@given(ANYTHING)
def test_nothing_unprintable_is_left_and_nothing_printable_is_changed(text: str) -> None:
    assert one_line(text).isprintable()
    assert one_line("".join(c for c in text if c.isprintable())) == "".join(c for c in text if c.isprintable())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("bert.encoder.layer.0", "bert.encoder.layer.0"),
        ("with space", "'with space'"),
        ("\x1b[31mred", r"'\x1b[31mred'"),
        ("\ud800", r"'\ud800'"),
        ("\u202eright to left", r"'\u202eright to left'"),
        (None, "None"),
        ({"a": [1]}, "{'a': [1]}"),
    ],
)
def test_examples(value: object, text: str) -> None:
    assert shown(value) == text


def test_what_python_cannot_spell_is_named_by_its_type() -> None:
    assert shown([10**5000]) == "a list too long to show"


def test_both_ends_of_a_long_name_are_kept() -> None:
    text = shown("begin" + "x" * 10_000 + "end")
    assert text.startswith("begin")
    assert text.endswith("end (10008 characters)")


@pytest.mark.parametrize("error", [SourceError, LayoutError, RecordError])
def test_errors_about_files_are_one_line_whatever_they_are_made_of(error: type[Exception]) -> None:
    assert str(error("folder/two\nlines\x1b[31m: damaged")) == r"folder/two\nlines\x1b[31m: damaged"
