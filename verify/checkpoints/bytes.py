"""Random access to the bytes of a file, wherever it lies.

A reader of a format asks for spans of bytes and never for a whole file, so that a local file and a file behind HTTP
range requests are read by the same code, and an audit costs the query and key bytes and no more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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
