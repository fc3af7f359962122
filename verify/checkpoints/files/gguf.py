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
from types import ModuleType
from typing import Any

import numpy as np
import torch

from verify.checkpoints.bytes import ByteSource, Span
from verify.checkpoints.files.interface import Identity, Part, TensorInfo
from verify.checkpoints.files.pytorch import take
from verify.errors import SourceError

MAGIC = b"GGUF"
#: Bytes fetched at a time while the header is parsed.
CHUNK = 1 << 20
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
        cursor = _Cursor(source)
        metadata, table, alignment = _header(cursor)
        begin = -(-cursor.position // alignment) * alignment
        self._entries = {name: self._entry(name, *row, begin) for name, row in table.items()}
        self._hash = cursor.digest.hexdigest()
        self.tensors: Mapping[str, TensorInfo] = {name: entry.info for name, entry in self._entries.items()}
        self.metadata: Mapping[str, object] = _configuration(metadata)

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return self._source.name

    def identity(self) -> Identity:
        """The size of the file and the hash of its header."""
        return Identity(self._source.size, self._hash, "GGUF header", getattr(self._source, "commit", None))

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of some of its rows, dequantised to float32 where they are quantised."""
        entry = self._entries[name]
        shape = entry.info.shape
        by_rows = part is not None and part.axis == 0 and len(shape) > 1
        per_index = math.prod(shape[1:-1])
        spans = part.spans if part is not None and by_rows else ((0, math.prod(shape[:-1]) // per_index),)
        size = per_index * entry.row_bytes
        data = self._source.read([Span(entry.span.offset + a * size, (b - a) * size) for a, b in spans])
        values = self._decoded(entry, data, sum(b - a for a, b in spans) * per_index, shape[-1])
        if part is not None and by_rows:
            return values.reshape(part.size, *shape[1:])
        return take(values.reshape(shape), part)

    def _decoded(self, entry: _Entry, data: bytearray, rows: int, columns: int) -> torch.Tensor:
        if entry.kind in PLAIN:
            return torch.frombuffer(data, dtype=PLAIN[entry.kind]).reshape(rows, columns)
        blocks = np.frombuffer(data, dtype=np.uint8).reshape(rows, entry.row_bytes)
        kind = self._library.GGMLQuantizationType(entry.kind)
        try:
            values = self._library.quants.dequantize(blocks, kind)
        except NotImplementedError as error:
            raise SourceError(f"{self.name}: nobody dequantises {kind.name} here; convert the file to F16") from error
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32)).reshape(rows, columns)

    def _entry(self, name: str, shape: tuple[int, ...], kind: int, offset: int, begin: int) -> _Entry:
        where = f"{self.name}: tensor {name}"
        try:
            block, size = self._library.GGML_QUANT_SIZES[self._library.GGMLQuantizationType(kind)]
            stored = self._library.GGMLQuantizationType(kind).name
        except (ValueError, KeyError) as error:
            raise SourceError(f"{where} has the unknown number format {kind}; update the gguf package") from error
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


def _library() -> ModuleType:
    try:
        import gguf  # noqa: PLC0415 — an extra
        import gguf.quants  # noqa: PLC0415
    except ImportError as error:
        raise SourceError("reading GGUF files needs the gguf package: pip install 'headforms[gguf]'") from error
    module: ModuleType = gguf
    return module


class _Cursor:
    """Reads a header front to back, a chunk at a time, and hashes what it has read."""

    def __init__(self, source: ByteSource) -> None:
        self.source = source
        self.position = 0
        self.digest = hashlib.sha256()
        self._buffer, self._start = b"", 0

    def take(self, size: int) -> bytes:
        if size > self.source.size - self.position:
            raise SourceError(
                f"{self.source.name}: truncated or damaged: its GGUF header asks for {size} bytes at byte "
                f"{self.position} of {self.source.size}; fetch it again"
            )
        begin = self.position - self._start
        if begin + size > len(self._buffer):
            fetched = min(max(size, CHUNK), self.source.size - self.position)
            self._buffer, self._start, begin = bytes(self.source.read([Span(self.position, fetched)])), self.position, 0
        taken = self._buffer[begin : begin + size]
        self.digest.update(taken)
        self.position += size
        return taken

    def number(self, kind: str) -> Any:
        return struct.unpack("<" + kind, self.take(struct.calcsize("<" + kind)))[0]

    def text(self) -> str:
        return self.take(self.number("Q")).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        """One metadata value; long arrays are passed over."""
        if kind in SCALARS:
            return self.number(SCALARS[kind])
        if kind == STRING:
            return self.text()
        if kind != ARRAY:
            raise SourceError(f"{self.source.name}: metadata of the unknown type {kind}; the file is damaged")
        inner, count = self.number("I"), self.number("Q")
        keep = count <= MAX_KEPT
        if inner in SCALARS:
            size = struct.calcsize("<" + SCALARS[inner])
            raw = self.take(count * size)
            return list(struct.unpack(f"<{count}{SCALARS[inner]}", raw)) if keep else None
        if inner != STRING:
            raise SourceError(f"{self.source.name}: an array of arrays in the metadata; the file is damaged")
        if keep:
            return [self.text() for _ in range(count)]
        for _ in range(count):
            self.take(self.number("Q"))
        return None


Table = dict[str, tuple[tuple[int, ...], int, int]]


def _header(cursor: _Cursor) -> tuple[dict[str, Any], Table, int]:
    name = cursor.source.name
    if cursor.take(4) != MAGIC:
        raise SourceError(f"{name}: does not begin with {MAGIC.decode()}: not a GGUF file")
    version = cursor.number("I")
    if version not in {2, 3}:
        raise SourceError(f"{name}: GGUF version {version}; versions 2 and 3 in little-endian order are read")
    tensors, values = cursor.number("Q"), cursor.number("Q")
    metadata: dict[str, Any] = {}
    for _ in range(values):
        key = cursor.text()
        metadata[key] = cursor.value(cursor.number("I"))
    table: Table = {}
    for _ in range(tensors):
        key, dimensions = cursor.text(), cursor.number("I")
        if dimensions > MAX_DIMENSIONS or key in table:
            raise SourceError(f"{name}: tensor {key} appears twice or has {dimensions} dimensions; the file is damaged")
        shape = tuple(reversed([cursor.number("Q") for _ in range(dimensions)]))
        table[key] = (shape, cursor.number("I"), cursor.number("Q"))
    alignment = metadata.get("general.alignment", 32)
    if type(alignment) is not int or alignment < 1:
        raise SourceError(f"{name}: an alignment of {alignment!r}; the file is damaged")
    return metadata, table, alignment


def _configuration(metadata: Mapping[str, Any]) -> dict[str, object]:
    """The metadata as a configuration: the architecture's prefix taken off its own keys."""
    prefix = f"{metadata.get('general.architecture', '')}."
    return {"model_type": "gguf", **{key.removeprefix(prefix): value for key, value in metadata.items()}}
