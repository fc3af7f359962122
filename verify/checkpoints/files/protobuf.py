"""The wire format of protocol buffers: the fields of a message, one after another, large ones passed over.

Only where a field stands is noted, so that the weights of a graph cost nothing until they are read, and a message that
unfolds into millions of small ones is refused before it is held. Source: the encoding guide of protocol buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from verify.checkpoints.bytes import ByteSource, Cursor, Span
from verify.errors import SourceError

#: Fields of all messages of a file together; the largest published graphs have some 10⁵.
MOST_FIELDS = 2_000_000
#: Bytes of a name.
MOST_NAME = 8192
VARINT, EIGHT, STRETCH, FOUR = 0, 1, 2, 5
#: Bytes of a message looked at one after another, and bytes fetched at a time for that.
CHUNK, WINDOW = 1 << 14, 1 << 18

#: Field number → its values in order: numbers, or where the bytes of a text, a message or an array stand.
Message = Mapping[int, list["int | Span"]]


class Window:
    """A source that keeps the stretch it read last, for messages that are small and stand together.

    Args:
        source: the bytes.
    """

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self.name, self.size = source.name, source.size
        self._kept, self._begin = bytearray(), 0

    def read(self, spans: Sequence[Span]) -> bytearray:
        """The bytes of the spans, one after another."""
        if len(spans) != 1 or spans[0].size > CHUNK or spans[0].end > self.size:
            return self._source.read(spans)
        begin = spans[0].offset - self._begin
        if begin < 0 or begin + spans[0].size > len(self._kept):
            self._begin, begin = spans[0].offset, 0
            self._kept = self._source.read([Span(self._begin, min(WINDOW, self.size - self._begin))])
        return self._kept[begin : begin + spans[0].size]


@dataclass
class Wire:
    """A file of messages.

    Args:
        source: its bytes.
        what: how messages for the user name what is being read.
    """

    source: ByteSource
    what: str
    fields: int = field(default=0, init=False)

    def message(self, span: Span) -> dict[int, list[int | Span]]:
        """The fields of the message that a span holds.

        Raises:
            SourceError: the span holds no message, or the file more fields than any.
        """
        found: dict[int, list[int | Span]] = {}
        for number, value in self._walk(span):
            found.setdefault(number, []).append(value)
        return found

    def _walk(self, span: Span) -> Iterator[tuple[int, int | Span]]:
        cursor = Cursor(self.source, self.what, begin=span.offset, end=span.end, chunk=min(CHUNK, max(span.size, 1)))
        while cursor.position < span.end:
            self.fields += 1
            if self.fields > MOST_FIELDS:
                raise SourceError(
                    f"{self.source.name}: {self.what} has more than {MOST_FIELDS} fields; refused as hostile"
                )
            tag = _varint(cursor)
            number, kind = tag >> 3, tag & 7
            if kind == VARINT:
                yield number, _varint(cursor)
            elif kind == STRETCH:
                yield number, cursor.skip(_varint(cursor))
            elif kind in {EIGHT, FOUR}:
                yield number, cursor.skip(8 if kind == EIGHT else 4)
            else:
                raise SourceError(f"{self.source.name}: {self.what} has a field of an unknown kind; it is damaged")

    def text(self, message: Message, number: int) -> str:
        """A text field, or the empty text.

        Raises:
            SourceError: it is far longer than a name.
        """
        found = self.texts(message, number)
        return found[-1] if found else ""

    def texts(self, message: Message, number: int) -> list[str]:
        """All values of a repeated text field.

        Raises:
            SourceError: one is far longer than a name.
        """
        spans = self.spans(message, number)
        if any(span.size > MOST_NAME for span in spans):
            raise SourceError(f"{self.source.name}: {self.what} has a name of more than {MOST_NAME} bytes; damaged")
        return [bytes(self.source.read([span])).decode("utf-8", errors="replace") for span in spans]

    def spans(self, message: Message, number: int) -> list[Span]:
        """Where the values of a field stand, if it is one of texts, messages, arrays, or numbers of fixed length."""
        return [value for value in message.get(number, []) if isinstance(value, Span)]

    def integer(self, message: Message, number: int, otherwise: int = 0) -> int:
        """A field of a signed integer."""
        found = [value for value in message.get(number, []) if isinstance(value, int)]
        return _signed(found[-1]) if found else otherwise

    def integers(self, message: Message, number: int, most: int) -> list[int]:
        """All values of a repeated field of signed integers, packed or not.

        Raises:
            SourceError: there are more than ``most``.
        """
        found: list[int] = []
        for value in message.get(number, []):
            if isinstance(value, int):
                found.append(_signed(value))
            else:
                cursor = Cursor(self.source, self.what, begin=value.offset, end=value.end, chunk=max(value.size, 1))
                while cursor.position < value.end and len(found) <= most:
                    found.append(_signed(_varint(cursor)))
        if len(found) > most:
            raise SourceError(f"{self.source.name}: {self.what} has a list of more than {most} numbers; damaged")
        return found

    def varints(self, message: Message, number: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """All values of a repeated field of integers that may be long, as an array.

        Raises:
            SourceError: they do not end where their field ends.
        """
        single = [_signed(value) for value in message.get(number, []) if isinstance(value, int)]
        raw = np.frombuffer(self.source.read(self.spans(message, number)), np.uint8)
        if not raw.size:
            return np.array(single, np.int64)
        last = np.flatnonzero(raw < 0x80)
        if single or not last.size or last[-1] != raw.size - 1:
            raise SourceError(f"{self.source.name}: {self.what} has a list of numbers that breaks off; damaged")
        first = np.concatenate([[0], last[:-1] + 1])
        place = np.arange(raw.size) - np.repeat(first, last - first + 1)
        if int(place.max()) > 9:
            raise SourceError(f"{self.source.name}: {self.what} has a number of more than 64 bits; it is damaged")
        parts = (raw & 0x7F).astype(np.uint64) << (7 * place).astype(np.uint64)
        return np.add.reduceat(parts, first).astype(np.int64)


def _varint(cursor: Cursor) -> int:
    value = shift = 0
    while True:
        byte = cursor.take(1)[0]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF
        shift += 7
        if shift > 63:
            raise SourceError(f"{cursor.source.name}: a number of more than 64 bits; the file is damaged")


def _signed(value: int) -> int:
    """The signed integer that 64 bits hold."""
    return value - (1 << 64) if value >= 1 << 63 else value
