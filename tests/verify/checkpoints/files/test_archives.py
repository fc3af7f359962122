import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.bytes import HeldBytes
from verify.checkpoints.files.archives import DEFLATED, MOST_DIRECTORY, STORED, Archive
from verify.errors import SourceError

METHODS = st.sampled_from([STORED, DEFLATED])


def written(*members: tuple[str, bytes, int], comment: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = comment
        for name, content, method in members:
            with archive.open(_info(name, method), "w") as file:
                file.write(content)
    return buffer.getvalue()


def _info(name: str, method: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = method
    return info


def opened(content: bytes) -> Archive:
    return Archive(HeldBytes("x.zip", content))


@given(
    st.dictionaries(st.text(min_size=1, max_size=5), st.tuples(st.binary(max_size=3000), METHODS), max_size=5),
    st.binary(max_size=30),
)
def test_members_are_what_python_reads(members: dict[str, tuple[bytes, int]], comment: bytes) -> None:
    content = written(*((name, *member) for name, member in members.items()), comment=comment)
    theirs, ours = zipfile.ZipFile(io.BytesIO(content)), opened(content)
    assert list(ours.members) == theirs.namelist()
    for member in theirs.infolist():
        name = member.filename
        assert ours.read(name, 3000) == theirs.read(name)
        assert ours.beginning(name, 10) == theirs.read(name)[:10]
        if member.compress_type == STORED:
            span = ours.stored(name)
            assert content[span.offset : span.end] == theirs.read(name)
        elif member.file_size:
            with pytest.raises(SourceError, match="is compressed"):
                ours.stored(name)


def test_records_for_large_files() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("a", "w", force_zip64=True) as file:
        file.write(b"content")
    small = buffer.getvalue()
    directory = small.index(b"PK\x01\x02")
    end = small.index(b"PK\x05\x06")
    # The same, with every number of the directory in the record for large files.
    offset, size = 0, 7
    entry = bytearray(small[directory:end])
    entry[20:28] = entry[42:46] * 0 + b"\xff" * 8
    entry[42:46] = b"\xff" * 4
    entry[30:32] = struct.pack("<H", 28)
    entry = entry[:47] + struct.pack("<HHQQQ", 1, 24, size, size, offset)
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(entry), directory)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, directory + len(entry), 1)
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    content = small[:directory] + bytes(entry) + record + locator + tail
    assert zipfile.ZipFile(io.BytesIO(content)).read("a") == b"content"
    assert opened(content).read("a", 7) == b"content"
    with pytest.raises(SourceError, match="lacks its record for large files"):
        opened(content.replace(struct.pack("<HHQQQ", 1, 24, size, size, offset), struct.pack("<HHQQQ", 2, 24, 7, 7, 0)))
    with pytest.raises(SourceError, match="no directory for large files"):
        opened(content.replace(b"PK\x06\x06", b"PK\x06\x05"))


A = written(("a", b"content", STORED))
DIRECTORY = A.index(b"PK\x01\x02")
END = A.index(b"PK\x05\x06")
TWO = written(("a", b"x" * 50, STORED), ("b", b"y" * 50, STORED))
SECOND = TWO.rindex(b"PK\x01\x02")


def spoiled(content: bytes, at: int, new: bytes) -> bytes:
    return content[:at] + new + content[at + len(new) :]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04", "a damaged zip archive: it has no directory at its end"),
        (A[:-1], "it has no directory at its end"),
        (spoiled(A, END + 10, struct.pack("<H", 0xFFFE)), "the directory of a zip archive asks for|is none"),
        (spoiled(A, END + 12, struct.pack("<I", MOST_DIRECTORY + 1)), "with a directory of .* bytes; .* hostile"),
        (spoiled(A, END + 16, struct.pack("<I", 1 << 31)), "its directory lies outside the file"),
        (spoiled(A, DIRECTORY, b"XX"), "an entry of its directory is none"),
        (spoiled(A, DIRECTORY + 8, b"\x01"), "member a is encrypted, or packed by another method"),
        (spoiled(A, DIRECTORY + 10, b"\x0e"), "member a is encrypted, or packed by another method"),
        (
            spoiled(A, DIRECTORY + 24, struct.pack("<I", 1 << 30)),
            "member a unpacks to 1073741824 bytes from 7",
        ),
        (spoiled(A, DIRECTORY + 20, struct.pack("<II", 1 << 20, 1 << 20)), "member a overlaps with what follows it"),
        (spoiled(A, DIRECTORY + 42, struct.pack("<I", 1 << 30)), "member a overlaps with what follows it"),
        (spoiled(TWO, SECOND + 42, struct.pack("<I", 0)), "overlaps with what follows it; the archive is hostile"),
        (spoiled(TWO, SECOND + 46, b"a"), "member a appears twice; the archive is hostile"),
        (spoiled(spoiled(A, DIRECTORY + 46, b"\n"), 30, b"\n"), ""),
    ],
    ids=range(14),
)
def test_directories_that_lie(content: bytes, words: str) -> None:
    if not words:
        assert list(opened(content).members) == ["\n"]
        return
    with pytest.raises(SourceError, match=f"x.zip: .*{words}") as caught:
        opened(content)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (spoiled(A, 0, b"XX"), "member a is not where the directory says"),
        (spoiled(A, 28, struct.pack("<H", 5000)), "member a is not where the directory says"),
        (spoiled(A, A.index(b"content"), b"C"), "member a is damaged: its checksum is another"),
        (spoiled(A, DIRECTORY + 16, b"1234"), "member a is damaged: its checksum is another"),
    ],
)
def test_members_that_are_not_what_the_directory_says(content: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        opened(content).read("a", 100)


def test_members_that_unpack_to_something_else() -> None:
    content = written(("a", b"0" * 10_000, DEFLATED))
    at = content.index(b"PK\x01\x02")
    with pytest.raises(SourceError, match="unpacks to 10000 bytes; at most 9999 were expected"):
        opened(content).read("a", 9999)
    with pytest.raises(SourceError, match="member a is damaged"):
        opened(spoiled(content, at + 24, struct.pack("<I", 5000))).read("a", 9999)
    with pytest.raises(SourceError, match="member a is damaged"):
        opened(spoiled(content, 31, b"\xff" * 9)).read("a", 10_000)
    with pytest.raises(SourceError, match="member a is damaged"):
        opened(spoiled(content, 31, b"\xff" * 9)).beginning("a", 100)
