import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.checkpoints.bounded_json import MOST_DIGITS, MOST_VALUES, json_object
from verify.errors import SourceError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=6), st.booleans())
def test_objects_are_read_as_they_were_written_with_or_without_a_byte_order_mark(
    table: dict[str, object], mark: bool
) -> None:
    text = json.dumps(table, ensure_ascii=False).encode()
    assert json_object((b"\xef\xbb\xbf" if mark else b"") + text, "x.json") == table


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", r"not valid JSON \(Expecting value"),
        (b"{", "not valid JSON"),
        (b"[1, 2]", "holds list; a JSON object was expected"),
        (b"3", "holds int; a JSON object was expected"),
        (b'{"a": "\xff"}', r"byte 7 is not UTF-8\); fetch it again"),
        ('{"a": 1}'.encode("utf-16"), "byte 0 is not UTF-8"),
        (b"[" * 1_000_000, "nested too deep"),
        (b'{"a":' * 1_000_000, "nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "holds an integer of 5000 digits"),
        (b'{"a": -' + b"9" * (MOST_DIGITS + 1) + b"}", "holds an integer of 22 digits"),
        (b'{"a\\n": 1, "a\\n": 2}', r"the name 'a\\n' appears twice"),
        (b'{"a": [' + b"[]," * MOST_VALUES + b"1]}", "up to 4000002 values where at most 2000000 are sane"),
    ],
    ids=range(12),
)
def test_what_describes_no_checkpoint(raw: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=f"^folder/x.json: .*{words}") as caught:
        json_object(raw, "folder/x.json")
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 250
    assert "sys." not in message
    assert "utf-8-sig" not in message


def test_brackets_are_counted_before_they_cost_anything() -> None:
    bomb = b'{"__metadata__":[' + b"[]," * 10_000_000 + b"[]]}"
    tracemalloc.start()
    with pytest.raises(SourceError, match="refused as hostile"):
        json_object(bomb, "x")
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
