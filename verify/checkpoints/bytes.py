"""Random access to the bytes of a file, wherever it lies.

A reader of a format asks for spans of bytes and never for a whole file, so that a local file and a file behind HTTP
range requests are read by the same code, and an audit costs the query and key bytes and no more.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from verify.errors import SourceError


@dataclass(frozen=True)
class Span:
    """``size`` bytes beginning at ``offset``."""

    offset: int
    size: int

    @property
    def end(self) -> int:
        """The offset just past the last byte."""
        return self.offset + self.size


class ByteSource(Protocol):
    """What every format reader reads from."""

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        ...

    @property
    def size(self) -> int:
        """Length in bytes."""
        ...

    def read(self, spans: Sequence[Span]) -> bytearray:
        """The bytes of the spans, one after another.

        Raises:
            SourceError: fewer bytes are there than the spans ask for, or the file cannot be read.
        """
        ...


def merged(spans: Iterable[Span], *, gap: int = 0) -> list[Span]:
    """The fewest spans that cover the given ones, joining neighbours at most ``gap`` bytes apart.

    The given spans must be in increasing order and must not overlap.

    >>> merged([Span(0, 4), Span(4, 4), Span(10, 2)])
    [Span(offset=0, size=8), Span(offset=10, size=2)]
    >>> merged([Span(0, 4), Span(6, 2)], gap=2)
    [Span(offset=0, size=8)]
    """
    joined: list[Span] = []
    for span in spans:
        if joined and 0 <= span.offset - joined[-1].end <= gap:
            joined[-1] = Span(joined[-1].offset, span.end - joined[-1].offset)
        else:
            joined.append(span)
    return joined


class Cursor:
    """Reads a stretch of a source front to back, a chunk at a time.

    Args:
        source: the bytes.
        what: how messages name the part that is being read, for example "its GGUF header".
        begin: where to begin.
        end: where the stretch ends; the end of the source by default.
        most: refuse to read more bytes than this in all, those passed over not counted.
        chunk: how many bytes are fetched at a time.
    """

    def __init__(
        self,
        source: ByteSource,
        what: str,
        *,
        begin: int = 0,
        end: int | None = None,
        most: int = 1 << 28,
        chunk: int = 1 << 20,
    ) -> None:
        self.source = source
        self.position = begin
        self.end = source.size if end is None else end
        self._what = what
        self._left = most
        self._chunk = chunk
        self._buffer, self._start = b"", begin

    def take(self, size: int) -> bytes:
        """The next bytes.

        Raises:
            SourceError: the stretch ends before, or more was read than is sane.
        """
        begin = self.position - self._start
        if begin + size > len(self._buffer):
            begin = self._fetch(size)
        self.position += size
        self._left -= size
        return self._buffer[begin : begin + size]

    def skip(self, size: int) -> Span:
        """Pass over the next bytes without reading them; where they stand.

        Raises:
            SourceError: the stretch ends before.
        """
        span = Span(self.position, size)
        self._check(size)
        self.position = span.end
        return span

    def number(self, kind: str) -> Any:
        """The next number, by the letter that :mod:`struct` has for it, in little-endian order."""
        return struct.unpack("<" + kind, self.take(struct.calcsize("<" + kind)))[0]

    def line(self) -> bytes:
        """The bytes up to the next line end, without it."""
        found = bytearray()
        while (byte := self.take(1)) != b"\n":
            found += byte
        return bytes(found)

    def _check(self, size: int) -> None:
        if self.position + size > self.end:
            raise SourceError(
                f"{self.source.name}: truncated or damaged: {self._what} asks for {size} bytes at byte "
                f"{self.position} of {self.end}; fetch it again"
            )

    def _fetch(self, size: int) -> int:
        self._check(size)
        if size > self._left:
            raise SourceError(f"{self.source.name}: {self._what} is longer than any; refused as hostile")
        fetched = min(max(size, self._chunk), self.end - self.position)
        self._buffer, self._start = bytes(self.source.read([Span(self.position, fetched)])), self.position
        return 0


@dataclass(frozen=True)
class HeldBytes:
    """Bytes in memory as a source.

    >>> HeldBytes("x", b"12345").read([Span(0, 2), Span(4, 1)])
    bytearray(b'125')
    """

    name: str
    content: bytes

    @property
    def size(self) -> int:
        """Length in bytes."""
        return len(self.content)

    def read(self, spans: Sequence[Span]) -> bytearray:
        """The bytes of the spans, one after another."""
        if any(span.end > self.size for span in spans):
            raise SourceError(f"{self.name}: truncated: {self.size} bytes are there and more are needed")
        return bytearray(b"".join(self.content[span.offset : span.end] for span in spans))


class LocalBytes:
    """A file on this machine, read by positioned reads and never mapped whole.

    Args:
        path: the file.

    Raises:
        SourceError: the file is missing or not a regular file.
    """

    def __init__(self, path: Path) -> None:
        try:
            status = path.stat()
        except OSError as error:
            raise SourceError(f"{path}: {error.strerror or error}; check the path") from error
        if not path.is_file():
            raise SourceError(f"{path}: not a regular file; name a weights file or a directory that holds one")
        self.path = path
        self._size = status.st_size

    @property
    def name(self) -> str:
        """The path as given."""
        return str(self.path)

    @property
    def size(self) -> int:
        """Length in bytes when it was opened."""
        return self._size

    def read(self, spans: Sequence[Span]) -> bytearray:
        """The bytes of the spans, one after another."""
        beyond = max((span.end for span in spans), default=0)
        if beyond > self._size:
            raise SourceError(
                f"{self.path}: truncated: {self._size} bytes are there and byte {beyond} is needed; fetch it again"
            )
        buffer = bytearray(sum(span.size for span in spans))
        view, filled = memoryview(buffer), 0
        try:
            descriptor = os.open(self.path, os.O_RDONLY)
        except OSError as error:
            raise SourceError(f"{self.path}: {error.strerror or error}; check its permissions") from error
        try:
            for span in merged(spans):
                end = filled + span.size
                offset = span.offset
                while filled < end:
                    got = os.preadv(descriptor, [view[filled:end]], offset)
                    if got == 0:
                        raise SourceError(f"{self.path}: became shorter while it was read; fetch the file again")
                    filled, offset = filled + got, offset + got
        finally:
            os.close(descriptor)
        return buffer
