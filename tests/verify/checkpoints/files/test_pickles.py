import pickle
import pickletools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.bytes import Cursor, HeldBytes
from verify.checkpoints.files.pickles import _INSTRUCTIONS, unpickle
from verify.errors import SourceError

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**200), 2**200) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5) | st.integers(0, 9), inner, max_size=4)
    ),
    max_leaves=12,
)


def unpickled(content: bytes) -> Any:
    return unpickle(Cursor(HeldBytes("x.bin", content), "its pickle"))


@given(PLAIN, st.integers(3, 5))
def test_plain_values_are_what_python_unpickles(value: Any, protocol: int) -> None:
    content = pickle.dumps(value, protocol)
    assert unpickled(content) == value
    assert unpickled(pickletools.optimize(content)) == value


@given(PLAIN)
def test_protocol_2_too_but_for_bytes_which_it_writes_as_calls(value: Any) -> None:
    content = pickle.dumps(value, 2)
    found = unpickled(content)
    if not any(name in content for name in (b"_codecs", b"__builtin__")):
        assert found == value


def test_the_cursor_is_left_behind_the_end() -> None:
    cursor = Cursor(HeldBytes("x", pickle.dumps([1], 2) + pickle.dumps("two", 4) + b"rest"), "it")
    assert (unpickle(cursor), unpickle(cursor), cursor.take(4)) == ([1], "two", b"rest")


def test_shared_objects_stay_shared() -> None:
    inner = [1]
    found = unpickled(pickle.dumps([inner, inner], 2))
    assert found[0] is found[1]


def test_no_instruction_imports_calls_or_reads_what_is_not_in_the_pickle() -> None:
    """Those of the text protocol, of extension registries and of buffers outside are not known at all."""
    names = {code.code.encode("latin1"): code.name for code in pickletools.opcodes}
    assert set(_INSTRUCTIONS) <= set(names)
    unknown = {names[code] for code in set(names) - set(_INSTRUCTIONS) - {b"."}}
    assert unknown >= {"INST", "OBJ", "EXT1", "EXT2", "EXT4", "PERSID", "NEXT_BUFFER", "READONLY_BUFFER", "BYTEARRAY8"}


@given(st.binary(max_size=60) | st.lists(st.sampled_from([*_INSTRUCTIONS, b"."]), max_size=40).map(b"".join))
def test_any_bytes_end_in_a_value_or_one_line(content: bytes) -> None:
    try:
        unpickled(content)
    except SourceError as error:
        assert str(error).startswith("x.bin: ")
        assert str(error).isprintable()


@pytest.mark.parametrize("name", ["os.system", "builtins.eval", "torch.load", "torch.nn.modules.module.Module", "a.\n"])
def test_other_names_are_refused_before_anything_is_done_with_them(name: str) -> None:
    module, _, last = name.rpartition(".")
    stacked = b"\x80\x04" + text(module) + text(last) + b"\x93."
    with pytest.raises(SourceError, match="x.bin: a pickle that asks for more than tensors to be built, for "):
        unpickled(stacked)


def text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + len(raw).to_bytes(4, "little") + raw
