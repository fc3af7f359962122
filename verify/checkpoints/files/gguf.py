"""The GGUF format: a header of typed metadata, a table of tensors, then their blocks, quantised or not.

The header is parsed here, over spans of bytes, so that a remote file costs its header and the rows that are read.
Values of quantised blocks are those of the reference dequantiser, the ``gguf`` package (an extra). Source of the
format: the GGUF document of the ggml project.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import torch

from verify.checkpoints.bytes import ByteSource, Cursor, Span
from verify.checkpoints.files.interface import Identity, Part, TensorInfo, take
from verify.errors import SourceError
from verify.quoting import shown

MAGIC = b"GGUF"
#: More of any of these is in no published file: a vocabulary has at most a million words, and as many merges.
MOST_HEADER, MOST_STRINGS, MOST_TENSORS, MOST_VALUES = 1 << 28, 2_000_000, 100_000, 1000
#: Lengths of axes are less.
LARGEST = 1 << 48
#: Metadata type number → struct format; 8 is a string and 9 an array.
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
#: Arrays longer than this (vocabularies) are passed over.
MAX_KEPT = 4096
#: Number formats that need no dequantiser.
PLAIN = {0: torch.float32, 1: torch.float16, 30: torch.bfloat16, 28: torch.float64}
MAX_DIMENSIONS = 8


@dataclass(frozen=True)
class _Entry:
    info: TensorInfo
    kind: int
    span: Span
    row_bytes: int


class GgufFile:
    """A GGUF file; its header is parsed and checked when it is opened.

    Args:
        source: the bytes of the file.

    Raises:
        SourceError: the header is damaged, a tensor has an unknown format or lies outside the file, or the ``gguf``
            package is not installed.
    """

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self._library = _library()
        header = _Header(source)
        self._header_size = header.size
        self._entries = {name: self._entry(name, *row, header.data) for name, row in header.table.items()}
        self._refuse_overlaps()
        self.tensors: Mapping[str, TensorInfo] = {name: entry.info for name, entry in self._entries.items()}
        self.metadata: Mapping[str, object] = _configuration(header.metadata, self.name)

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return self._source.name

    def identity(self) -> Identity:
        """The size of the file and the hash of its header."""
        digest = hashlib.sha256(bytes(self._source.read([Span(0, self._header_size)]))).hexdigest()
        return Identity(self._source.size, digest, "GGUF header", getattr(self._source, "commit", None))

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of some of its rows, dequantised to float32 where they are quantised."""
        entry = self._entries[name]
        shape = entry.info.shape
        by_rows = part is not None and part.axis == 0 and len(shape) > 1
        per_index = math.prod(shape[1:-1])
        spans = part.spans if part is not None and by_rows else ((0, shape[0] if len(shape) > 1 else 1),)
        size = per_index * entry.row_bytes
        data = self._source.read([Span(entry.span.offset + a * size, (b - a) * size) for a, b in spans])
        values = self._decoded(name, data, sum(b - a for a, b in spans) * per_index, shape[-1])
        if part is not None and by_rows:
            return values.reshape(part.size, *shape[1:])
        return take(values.reshape(shape), part)

    def _decoded(self, name: str, data: bytearray, rows: int, columns: int) -> torch.Tensor:
        entry = self._entries[name]
        if not data:
            return torch.empty(rows, columns)
        if entry.kind in PLAIN:
            return torch.frombuffer(data, dtype=PLAIN[entry.kind]).reshape(rows, columns)
        blocks = np.frombuffer(data, dtype=np.uint8).reshape(rows, entry.row_bytes)
        kind = self._library.GGMLQuantizationType(entry.kind)
        try:
            with np.errstate(
                all="ignore"
            ):  # scales that are no numbers give weights that are none, which is said later
                values = self._library.quants.dequantize(blocks, kind)
        except NotImplementedError as error:
            raise SourceError(
                f"{self.name}: tensor {shown(name)}: nobody dequantises {kind.name} here; convert the file to F16"
            ) from error
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32)).reshape(rows, columns)

    def _entry(self, name: str, shape: tuple[int, ...], kind: int, offset: int, begin: int) -> _Entry:
        where = f"{self.name}: tensor {shown(name)}"
        try:
            block, size = self._library.GGML_QUANT_SIZES[self._library.GGMLQuantizationType(kind)]
            stored = self._library.GGMLQuantizationType(kind).name
        except (ValueError, KeyError) as error:
            raise SourceError(f"{where} has the unknown number format {kind}; update the gguf package") from error
        if any(length >= LARGEST for length in shape):
            raise SourceError(f"{where} has shape {shown(list(shape))}; the file is damaged or hostile")
        columns = shape[-1] if shape else 1
        if columns % block:
            raise SourceError(f"{where} has rows of {columns} numbers, which {stored} stores in blocks of {block}")
        row_bytes = columns // block * size
        span = Span(begin + offset, math.prod(shape[:-1]) * row_bytes)
        if span.end > self._source.size:
            raise SourceError(
                f"{where} ends at byte {span.end} and the file has {self._source.size}: truncated; fetch it again"
            )
        return _Entry(TensorInfo(shape or (1,), stored, quantised=kind not in PLAIN), kind, span, row_bytes)

    def _refuse_overlaps(self) -> None:
        ordered = sorted(self._entries.items(), key=lambda item: (item[1].span.offset, item[1].span.end))
        for (name, entry), (other, following) in pairwise(ordered):
            if entry.span.end > following.span.offset:
                raise SourceError(
                    f"{self.name}: tensors {shown(name)} and {shown(other)} overlap; the file is damaged or hostile"
                )


def _library() -> ModuleType:
    try:
        import gguf  # noqa: PLC0415 — an extra
        import gguf.quants  # noqa: PLC0415
    except ImportError as error:
        raise SourceError("reading GGUF files needs the gguf package: pip install 'headforms[gguf]'") from error
    module: ModuleType = gguf
    return module


Table = dict[str, tuple[tuple[int, ...], int, int]]


class _Header:
    """Metadata and table of tensors, as they stand in the file."""

    def __init__(self, source: ByteSource) -> None:
        self._file = source.name
        self._cursor = Cursor(source, "its GGUF header", most=MOST_HEADER)
        self._strings = 0
        version = self._opened()
        if version not in {2, 3}:
            raise SourceError(f"{self._file}: GGUF version {version}; versions 2 and 3 in little-endian order are read")
        tensors, values = self._number("Q"), self._number("Q")
        if tensors > MOST_TENSORS or values > MOST_VALUES:
            raise SourceError(
                f"{self._file}: announces {tensors} tensors and {values} metadata; at most {MOST_TENSORS} and "
                f"{MOST_VALUES} were expected; the file is damaged or hostile"
            )
        self.metadata = self._metadata(values)
        self.table = self._table(tensors)
        alignment = self.metadata.get("general.alignment", 32)
        if type(alignment) is not int or not 1 <= alignment <= MOST_HEADER:
            raise SourceError(f"{self._file}: an alignment of {shown(alignment)}; the file is damaged")
        self.size = self._cursor.position
        self.data = -(-self.size // alignment) * alignment

    def _opened(self) -> int:
        if self._cursor.take(4) != MAGIC:
            raise SourceError(f"{self._file}: does not begin with {MAGIC.decode()}: not a GGUF file")
        version: int = self._number("I")
        return version

    def _metadata(self, count: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in range(count):
            key = self._text()
            if key in found:
                raise SourceError(f"{self._file}: the metadata {shown(key)} appear twice; the file is damaged")
            found[key] = self._value(self._number("I"))
        return found

    def _table(self, count: int) -> Table:
        found: Table = {}
        for _ in range(count):
            key, dimensions = self._text(), self._number("I")
            if dimensions > MAX_DIMENSIONS or key in found:
                raise SourceError(
                    f"{self._file}: tensor {shown(key)} appears twice or has {dimensions} dimensions; "
                    f"the file is damaged"
                )
            shape = tuple(reversed([self._number("Q") for _ in range(dimensions)]))
            found[key] = (shape, self._number("I"), self._number("Q"))
        return found

    def _number(self, kind: str) -> Any:
        return self._cursor.number(kind)

    def _bytes(self) -> bytes:
        self._strings += 1
        if self._strings > MOST_STRINGS:
            raise SourceError(f"{self._file}: more than {MOST_STRINGS} strings in its GGUF header; refused as hostile")
        return self._cursor.take(self._number("Q"))

    def _text(self) -> str:
        return self._bytes().decode("utf-8", errors="replace")

    def _value(self, kind: int) -> Any:
        """One metadata value; long arrays are passed over."""
        if kind in SCALARS:
            return self._number(SCALARS[kind])
        if kind == STRING:
            return self._text()
        if kind != ARRAY:
            raise SourceError(f"{self._file}: metadata of the unknown type {kind}; the file is damaged")
        inner, count = self._number("I"), self._number("Q")
        if inner in SCALARS:
            raw = self._cursor.take(count * struct.calcsize("<" + SCALARS[inner]))
            return list(struct.unpack(f"<{count}{SCALARS[inner]}", raw)) if count <= MAX_KEPT else None
        if inner != STRING:
            raise SourceError(f"{self._file}: an array of arrays in the metadata; the file is damaged")
        if count <= MAX_KEPT:
            return [self._text() for _ in range(count)]
        for _ in range(count):
            self._bytes()
        return None


def _configuration(metadata: Mapping[str, Any], file: str) -> dict[str, object]:
    """The metadata as a configuration: the architecture's prefix taken off its own keys."""
    prefix = f"{metadata.get('general.architecture', '')}."
    found: dict[str, object] = {"model_type": "gguf"}
    for key, value in metadata.items():
        plain = key.removeprefix(prefix)
        if plain in found:
            raise SourceError(f"{file}: the metadata {shown(plain)} appear twice, once with the prefix {shown(prefix)}")
        found[plain] = value
    return found
