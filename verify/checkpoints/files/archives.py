"""Zip archives by spans of bytes: where each member stands, checked before anything is unpacked.

The directory at the end of the file is parsed here, because a member that is stored as it is can then be read in part,
here or behind HTTP, and because an archive from a stranger may lie: about sizes, about where members begin, and about
how many there are. Source of the format: APPNOTE.TXT of PKWARE, sections 4.3 and 4.5.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from verify.checkpoints.bytes import ByteSource, Cursor, Span
from verify.errors import SourceError
from verify.quoting import shown

MAGIC = b"PK"
#: How far from the end the directory's own record may begin: it ends with a comment of at most 2¹⁶ − 1 bytes.
END_RECORD, LONGEST_COMMENT = 22, 0xFFFF
#: Members and bytes of a directory; a member of a checkpoint is one tensor and takes about 100 bytes.
MOST_MEMBERS, MOST_DIRECTORY = 200_000, 32 << 20
#: A member unpacks to at most this many times its size: deflate itself cannot do more.
MOST_EXPANSION = 1032
STORED, DEFLATED = 0, 8
ENCRYPTED = 1
#: Values that say that the number stands in the record for large files.
LARGE_16, LARGE_32 = 0xFFFF, 0xFFFFFFFF
EXTRA_LARGE = 1


@dataclass(frozen=True)
class Member:
    """One file of an archive.

    Args:
        name: its name in the archive.
        offset: where its own header begins.
        packed: its bytes in the archive.
        size: its bytes once unpacked.
        method: how it is packed.
        checksum: the CRC-32 of the unpacked bytes.
    """

    name: str
    offset: int
    packed: int
    size: int
    method: int
    checksum: int


class Archive:
    """The members of a zip archive.

    Args:
        source: the bytes of the archive.

    Raises:
        SourceError: the directory is missing, damaged or longer than any, a name appears twice, or members overlap.
    """

    def __init__(self, source: ByteSource) -> None:
        self.source = source
        self._found: dict[str, Span] = {}
        self.members: Mapping[str, Member] = self._directory()

    def read(self, name: str, most: int) -> bytes:
        """The unpacked bytes of one member, which must have the announced size and checksum.

        Raises:
            SourceError: they have not, they are more than ``most``, or the member is packed in a way nobody unpacks.
        """
        member = self.members[name]
        if member.size > most:
            raise SourceError(f"{self._where(member)} unpacks to {member.size} bytes; at most {most} were expected")
        raw = bytes(self.source.read([self.span(name)]))
        if member.method == DEFLATED:
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                raw = unpacker.decompress(raw, member.size + 1)
            except zlib.error as error:
                raise SourceError(f"{self._where(member)} is damaged ({error}); fetch the file again") from error
        if len(raw) != member.size or zlib.crc32(raw) != member.checksum:
            raise SourceError(f"{self._where(member)} is damaged: its checksum is another; fetch the file again")
        return raw

    def beginning(self, name: str, most: int) -> bytes:
        """The first so many unpacked bytes of a member, or all of them if they are fewer, unchecked.

        Raises:
            SourceError: the member is damaged.
        """
        member, span = self.members[name], self.span(name)
        # Deflate can make a short text longer, but by no more than a few bytes for each block of it.
        raw = bytes(self.source.read([Span(span.offset, min(span.size, most + 1024))]))
        if member.method == DEFLATED:
            try:
                raw = zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw, most)
            except zlib.error as error:
                raise SourceError(f"{self._where(member)} is damaged ({error}); fetch the file again") from error
        return raw[:most]

    def span(self, name: str) -> Span:
        """Where the bytes of a member stand, packed as they are.

        Raises:
            SourceError: its own header is damaged, or its bytes would lie outside the archive or in another member.
        """
        if name not in self._found:
            self._found[name] = self._located(self.members[name])
        return self._found[name]

    def stored(self, name: str) -> Span:
        """The same, of a member that is not packed at all.

        Raises:
            SourceError: it is packed.
        """
        member = self.members[name]
        if member.method != STORED or member.packed != member.size:
            raise SourceError(f"{self._where(member)} is compressed, so that no part of it can be read; save it again")
        return self.span(name)

    def _where(self, member: Member) -> str:
        return f"{self.source.name}: member {shown(member.name)}"

    def _located(self, member: Member) -> Span:
        begin = member.offset
        head = bytes(self.source.read([Span(begin, 30)]))
        name, extra = struct.unpack("<HH", head[26:30])
        span = Span(begin + 30 + name + extra, member.packed)
        if head[:4] != b"PK\x03\x04" or span.end > self._limits[begin]:
            raise SourceError(f"{self._where(member)} is not where the directory says; the archive is damaged")
        return span

    def _directory(self) -> dict[str, Member]:
        count, begin, size = self._end()
        name = self.source.name
        if count > MOST_MEMBERS or size > MOST_DIRECTORY:
            raise SourceError(
                f"{name}: a zip archive of {count} members with a directory of {size} bytes; at most {MOST_MEMBERS} "
                f"and {MOST_DIRECTORY} were expected; refused as hostile"
            )
        if begin + size > self.source.size:
            raise self._damaged("its directory lies outside the file")
        cursor = Cursor(self.source, "the directory of a zip archive", begin=begin, end=begin + size)
        members: dict[str, Member] = {}
        for _ in range(count):
            member = self._member(cursor)
            if member.name in members:
                raise SourceError(f"{name}: member {shown(member.name)} appears twice; the archive is hostile")
            members[member.name] = member
        self._limits = self._extents(members, begin)
        return members

    def _member(self, cursor: Cursor) -> Member:
        head = cursor.take(46)
        if head[:4] != b"PK\x01\x02":
            raise self._damaged("an entry of its directory is none")
        flags, method = struct.unpack("<HH", head[8:12])
        checksum, packed, size, named, extra, comment = struct.unpack("<IIIHHH", head[16:34])
        (offset,) = struct.unpack("<I", head[42:46])
        raw, more, _ = cursor.take(named), cursor.take(extra), cursor.take(comment)
        if LARGE_32 in {packed, size, offset}:
            size, packed, offset = self._large(more, size, packed, offset)
        member = Member(raw.decode("utf-8", errors="replace"), offset, packed, size, method, checksum)
        if flags & ENCRYPTED or method not in {STORED, DEFLATED}:
            raise SourceError(f"{self._where(member)} is encrypted, or packed by another method than deflate")
        if size > packed * MOST_EXPANSION + 1024 or (method == STORED and size != packed):
            raise SourceError(f"{self._where(member)} unpacks to {size} bytes from {packed}; refused as hostile")
        return member

    def _large(self, extra: bytes, *numbers: int) -> list[int]:
        """The numbers that do not fit in 32 bits, from the record for large files."""
        while len(extra) >= 4:
            kind, length = struct.unpack("<HH", extra[:4])
            body, extra = extra[4 : 4 + length], extra[4 + length :]
            wanted = [number == LARGE_32 for number in numbers]
            if kind == EXTRA_LARGE and len(body) >= 8 * sum(wanted):
                given = iter(struct.unpack(f"<{sum(wanted)}Q", body[: 8 * sum(wanted)]))
                return [next(given) if large else number for number, large in zip(numbers, wanted, strict=True)]
        raise self._damaged("an entry lacks its record for large files")

    def _extents(self, members: Mapping[str, Member], end: int) -> dict[int, int]:
        """For each member's beginning the beginning of what follows it."""
        limits: dict[int, int] = {}
        ordered = sorted(members.values(), key=lambda member: member.offset)
        for member, following in zip(ordered, [*[m.offset for m in ordered], end][1:], strict=True):
            if member.offset + 30 + member.packed > following:
                raise SourceError(f"{self._where(member)} overlaps with what follows it; the archive is hostile")
            limits[member.offset] = following
        return limits

    def _end(self) -> tuple[int, int, int]:
        """Number of members, offset and size of the directory."""
        size = self.source.size
        reach = min(size, END_RECORD + LONGEST_COMMENT)
        tail = bytes(self.source.read([Span(size - reach, reach)]))
        at = tail.rfind(b"PK\x05\x06", 0, reach - END_RECORD + 4)
        if at < 0:
            raise self._damaged("it has no directory at its end")
        count, length, begin = struct.unpack("<HII", tail[at + 10 : at + 20])
        if LARGE_16 == count or LARGE_32 in {length, begin}:
            locator = size - reach + at - 20
            if locator < 0:
                raise self._damaged("it has no directory at its end")
            head = bytes(self.source.read([Span(locator, 20)]))
            (record,) = struct.unpack("<Q", head[8:16])
            if head[:4] != b"PK\x06\x07" or record + 56 > size:
                raise self._damaged("it has no directory for large files")
            head = bytes(self.source.read([Span(record, 56)]))
            if head[:4] != b"PK\x06\x06":
                raise self._damaged("it has no directory for large files")
            count, length, begin = struct.unpack("<QQQ", head[32:56])
        return count, begin, length

    def _damaged(self, what: str) -> SourceError:
        return SourceError(f"{self.source.name}: a damaged zip archive: {what}; fetch it again")
