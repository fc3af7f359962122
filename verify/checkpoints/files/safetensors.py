"""The safetensors format: an 8-byte little-endian length, a JSON header, then the raw tensors.

The header is parsed here rather than by the format's own library because the library maps the whole file and has no
notion of a remote one: reading exact spans lets a checkpoint behind HTTP be audited for the price of its queries and
keys. The library serves the tests as an oracle. Source of the format: the README of the safetensors project.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from verify.checkpoints.bytes import ByteSource, Span
from verify.checkpoints.files.interface import Identity, Part, TensorInfo
from verify.errors import SourceError

#: The format's own upper bound on the header.
MAX_HEADER = 100_000_000

DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
    "U16": torch.uint16,
    "U32": torch.uint32,
    "U64": torch.uint64,
    "C64": torch.complex64,
}
#: Sizes in bits of number formats that are listed but never read here.
OTHER_BITS = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "F8_E8M0": 8}


@dataclass(frozen=True)
class _Entry:
    info: TensorInfo
    span: Span


class SafetensorsFile:
    """A safetensors file. The whole header is checked when it is opened; no tensor is read.

    Args:
        source: the bytes of the file.

    Raises:
        SourceError: the header is truncated or not JSON, or an entry has an unknown dtype, an absurd shape, an extent
            that does not match its shape, or offsets outside the file, overlapping, or leaving holes.
    """

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self._entries, self._hash = _parse(source)
        self.tensors: Mapping[str, TensorInfo] = {name: entry.info for name, entry in self._entries.items()}
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return self._source.name

    def identity(self) -> Identity:
        """The size of the file and the hash of its header."""
        return Identity(self._source.size, self._hash, "safetensors header", getattr(self._source, "commit", None))

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it."""
        entry = self._entries[name]
        if entry.info.stored not in DTYPES:
            raise SourceError(f"{self.name}: tensor {name} is stored as {entry.info.stored}, which torch cannot hold")
        dtype, shape = DTYPES[entry.info.stored], entry.info.shape
        spans, shape = _spans(entry.span.offset, shape, dtype.itemsize, part)
        data = self._source.read(spans)
        if not data:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(data, dtype=dtype).reshape(shape)


def _spans(offset: int, shape: tuple[int, ...], itemsize: int, part: Part | None) -> tuple[list[Span], tuple[int, ...]]:
    """The byte spans of a part of a row-major tensor, and the shape they fill."""
    if part is None:
        return [Span(offset, math.prod(shape) * itemsize)], shape
    inner = math.prod(shape[part.axis + 1 :]) * itemsize
    outer = math.prod(shape[: part.axis])
    stride = shape[part.axis] * inner
    spans = [
        Span(offset + block * stride + start * inner, (stop - start) * inner)
        for block in range(outer)
        for start, stop in part.spans
    ]
    return spans, (*shape[: part.axis], part.size, *shape[part.axis + 1 :])


def _parse(source: ByteSource) -> tuple[dict[str, _Entry], str]:
    name, remedy = source.name, "the file is damaged: fetch it again"
    if source.size < 8:
        raise SourceError(f"{name}: truncated: {source.size} bytes cannot hold a safetensors header; {remedy}")
    length = int.from_bytes(source.read([Span(0, 8)]), "little")
    if length > MAX_HEADER:
        raise SourceError(f"{name}: not a safetensors file: it announces a header of {length} bytes; {remedy}")
    if 8 + length > source.size:
        raise SourceError(
            f"{name}: truncated: a header of {length} bytes is announced and the file has {source.size}; {remedy}"
        )
    raw = bytes(source.read([Span(8, length)]))
    try:
        header = json.loads(raw, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: its safetensors header is not valid JSON ({error}); {remedy}") from error
    if not isinstance(header, dict):
        raise SourceError(f"{name}: its safetensors header is not a JSON object; {remedy}")
    header.pop("__metadata__", None)
    begin = 8 + length
    entries = {key: _entry(name, key, value, begin) for key, value in header.items()}
    _check_extents(name, entries, begin, source.size)
    return entries, hashlib.sha256(raw).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name appears twice")
    return table


def _entry(file: str, name: str, value: Any, begin: int) -> _Entry:
    where = f"{file}: tensor {name}"
    try:
        stored, shape, (start, stop) = value["dtype"], value["shape"], value["data_offsets"]
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"{where} has no dtype, shape and pair of data_offsets; the file is damaged") from error
    bits = DTYPES[stored].itemsize * 8 if stored in DTYPES else OTHER_BITS.get(stored)
    if bits is None:
        raise SourceError(f"{where} has the unknown dtype {stored!r}; known: {', '.join([*DTYPES, *OTHER_BITS])}")
    numbers = [*shape, start, stop] if isinstance(shape, list) else [None]
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise SourceError(f"{where} has shape {shape!r} and offsets {[start, stop]!r}: natural numbers were expected")
    if math.prod(shape) * bits != (stop - start) * 8:
        raise SourceError(
            f"{where}: shape {shape} of {stored} needs {math.prod(shape) * bits // 8} bytes and its offsets span "
            f"{stop - start}; the file is damaged"
        )
    return _Entry(TensorInfo(tuple(shape), stored), Span(begin + start, stop - start))


def _check_extents(file: str, entries: Mapping[str, _Entry], begin: int, size: int) -> None:
    position, previous = begin, "the header"
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].span.offset, item[1].span.end)):
        if entry.span.offset < position:
            raise SourceError(f"{file}: tensors {previous} and {name} overlap; the file is damaged or hostile")
        if entry.span.offset > position:
            raise SourceError(f"{file}: {entry.span.offset - position} unaccounted bytes between {previous} and {name}")
        position, previous = entry.span.end, name
    if position > size:
        raise SourceError(
            f"{file}: truncated: {size} bytes are there and its header needs {position}; fetch the file again"
        )
    if position < size:
        raise SourceError(f"{file}: {size - position} unaccounted bytes after the last tensor; the file is damaged")
