import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import AttributeProto, StringStringEntryProto, TensorProto

from verify.checkpoints.bytes import HeldBytes, Span
from verify.checkpoints.files.protobuf import Message, Window, Wire
from verify.errors import SourceError

LONG = st.integers(-(2**63), 2**63 - 1)


def parsed(raw: bytes) -> tuple[Wire, Message]:
    wire = Wire(Window(HeldBytes("x", raw)), "the graph")
    return wire, wire.message(Span(0, len(raw)))


@given(st.lists(LONG, max_size=5), LONG, st.text(max_size=5), st.binary(max_size=9))
def test_fields_are_what_the_library_wrote(dims: list[int], data_type: int, name: str, raw: bytes) -> None:
    data_type %= 2**31
    proto = TensorProto(dims=dims, data_type=data_type, name=name, raw_data=raw, int64_data=dims)
    wire, message = parsed(proto.SerializeToString())
    assert wire.integers(message, 1, 9) == dims
    assert wire.varints(message, 7).tolist() == dims
    assert wire.integer(message, 2) == data_type
    assert wire.text(message, 8) == name
    assert b"".join(bytes(wire.source.read([span])) for span in wire.spans(message, 9)) == raw


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=9))
def test_packed_and_single_numbers_are_the_same(numbers: list[int]) -> None:
    packed = TensorProto(int32_data=numbers).SerializeToString()
    single = AttributeProto(ints=numbers).SerializeToString()
    assert parsed(packed)[0].varints(parsed(packed)[1], 5).tolist() == numbers
    assert parsed(single)[0].varints(parsed(single)[1], 8).tolist() == numbers
    assert parsed(single)[0].integers(parsed(single)[1], 8, 9) == numbers


def test_absent_fields() -> None:
    wire, message = parsed(b"")
    assert (wire.text(message, 1), wire.texts(message, 1), wire.integer(message, 1, 7)) == ("", [], 7)
    assert wire.varints(message, 1).tolist() == wire.spans(message, 1) == wire.integers(message, 1, 0) == []


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"\x0a\x05abc", "the graph asks for 5 bytes at byte 2 of 5"),
        (b"\x0a", "the graph asks for 1 bytes"),
        (b"\x0b", "a field of an unknown kind"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "a number of more than 64 bits"),
        (b"\x09123", "the graph asks for 8 bytes"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "the graph asks for 9223372036854775807 bytes"),
    ],
)
def test_what_is_no_message(raw: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=f"x: .*{words}"):
        parsed(raw)


@pytest.mark.parametrize(
    ("raw", "words"), [(b"\x3a\x02\x01\xff", "breaks off"), (b"\x3a\x0b" + b"\xff" * 10 + b"\x01", "more than 64 bits")]
)
def test_lists_of_no_numbers(raw: bytes, words: str) -> None:
    wire, message = parsed(raw)
    with pytest.raises(SourceError, match=words):
        wire.varints(message, 7)


def test_names_and_lists_are_bounded() -> None:
    wire, message = parsed(StringStringEntryProto(key="k" * 9000).SerializeToString())
    with pytest.raises(SourceError, match="a name of more than 8192 bytes"):
        wire.text(message, 1)
    wire, message = parsed(TensorProto(dims=[1] * 100).SerializeToString())
    with pytest.raises(SourceError, match="a list of more than 64 numbers"):
        wire.integers(message, 1, 64)


@given(st.lists(st.tuples(st.integers(0, 400_000), st.integers(0, 30_000)), max_size=6))
def test_a_window_shows_what_is_there(places: list[tuple[int, int]]) -> None:
    content = bytes(range(256)) * 1700
    window = Window(HeldBytes("x", content))
    for offset, size in places:
        assert bytes(window.read([Span(offset, size)])) == content[offset : offset + size]
    with pytest.raises(SourceError):
        window.read([Span(len(content) - 1, 2)])
