from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.bytes import Cursor, HeldBytes, LocalBytes, Span, merged
from verify.errors import SourceError


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=12), st.integers(0, 4))
def test_merged_spans_cover_the_same_bytes_and_only_bridge_small_gaps(steps: list[tuple[int, int]], gap: int) -> None:
    spans, at = [], 0
    for skip, size in steps:
        spans.append(Span(at + skip, size))
        at += skip + size
    joined = merged(spans, gap=gap)
    wanted = {byte for span in spans for byte in range(span.offset, span.end)}
    covered = {byte for span in joined for byte in range(span.offset, span.end)}
    assert wanted <= covered
    assert len(covered) == sum(span.size for span in joined)
    assert all(b.offset - a.end > gap for a, b in pairwise(joined))
    if gap == 0:
        assert wanted == covered


@given(st.binary(max_size=200), st.data())
def test_reads_are_slices(tmp_path_factory: pytest.TempPathFactory, content: bytes, data: st.DataObject) -> None:
    bounds = sorted(data.draw(st.lists(st.integers(0, len(content)), min_size=2, max_size=8)))
    spans = [Span(a, b - a) for a, b in zip(bounds[::2], bounds[1::2], strict=False)]
    path = tmp_path_factory.mktemp("bytes") / "weights"
    path.write_bytes(content)
    assert bytes(LocalBytes(path).read(spans)) == b"".join(content[s.offset : s.end] for s in spans)


def test_reading_past_the_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_bytes(b"12345")
    with pytest.raises(SourceError, match=r"weights: truncated: 5 bytes are there and byte 9 is needed"):
        LocalBytes(path).read([Span(4, 5)])


def test_a_file_that_shrinks_while_open_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_bytes(b"12345")
    source = LocalBytes(path)
    path.write_bytes(b"1")
    with pytest.raises(SourceError, match="became shorter"):
        source.read([Span(0, 5)])


@pytest.mark.parametrize(("make", "words"), [(False, "No such file"), (True, "not a regular file")])
def test_what_is_no_file_is_refused(tmp_path: Path, make: bool, words: str) -> None:
    path = tmp_path / "model"
    if make:
        path.mkdir()
    with pytest.raises(SourceError, match=words):
        LocalBytes(path)


@given(st.binary(max_size=300), st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=9), st.integers(1, 50))
def test_a_cursor_reads_and_passes_over_what_is_there(
    content: bytes, steps: list[tuple[bool, int]], chunk: int
) -> None:
    cursor, at = Cursor(HeldBytes("x", content), "its header", chunk=chunk), 0
    for passed, size in steps:
        if at + size > len(content):
            with pytest.raises(SourceError, match=f"x: truncated or damaged: its header asks for {size} bytes at byte"):
                cursor.skip(size) if passed else cursor.take(size)
            return
        if passed:
            assert cursor.skip(size) == Span(at, size)
        else:
            assert cursor.take(size) == content[at : at + size]
        at += size
        assert cursor.position == at


def test_a_cursor_stays_in_its_stretch_and_ends_its_patience() -> None:
    source = HeldBytes("x", b"0123456789\n" + bytes(99))
    assert Cursor(source, "it", begin=2, end=4).take(2) == b"23"
    with pytest.raises(SourceError, match="it asks for 3 bytes at byte 2 of 4"):
        Cursor(source, "it", begin=2, end=4).take(3)
    patient = Cursor(source, "it", most=5, chunk=1)
    patient.skip(50)
    assert patient.take(5) == bytes(5)
    with pytest.raises(SourceError, match="it is longer than any; refused as hostile"):
        patient.take(1)
    assert Cursor(source, "it").line() == b"0123456789"
    assert Cursor(source, "it").number("H") == int.from_bytes(b"01", "little")


def test_bytes_in_memory_end_where_they_end() -> None:
    with pytest.raises(SourceError, match="x: truncated: 2 bytes are there"):
        HeldBytes("x", b"ab").read([Span(1, 2)])
