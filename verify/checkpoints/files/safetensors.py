"""The safetensors format: an 8-byte little-endian length, a JSON header, then the raw tensors.

The header is parsed here rather than by the format's own library because the library maps the whole file and has no
notion of a remote one: reading exact spans lets a checkpoint behind HTTP be audited for the price of its queries and
keys. The library serves the tests as an oracle. Source of the format: the README of the safetensors project.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from verify.checkpoints.bounded_json import json_object
from verify.checkpoints.bytes import ByteSource, Span
from verify.checkpoints.files.interface import Identity, Part, TensorInfo, row_major
from verify.errors import SourceError
from verify.quoting import shown

#: Longer headers are not read. The format's own bound is 10⁸; 10⁵ tensors, more than any published file, need 1.5·10⁷.
MAX_HEADER = 32 << 20
#: torch holds tensors of at most so many axes.
MOST_AXES = 64

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
BITS = {name: dtype.itemsize * 8 for name, dtype in DTYPES.items()} | OTHER_BITS


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
            raise SourceError(
                f"{self.name}: tensor {shown(name)} is stored as {entry.info.stored}, which torch cannot hold; "
                f"convert the checkpoint to a floating-point format of 16 bits or more"
            )
        dtype, shape = DTYPES[entry.info.stored], entry.info.shape
        spans = row_major(entry.span.offset, shape, dtype.itemsize, part)
        if part is not None:
            shape = part.shape(shape)
        data = self._source.read(spans)
        if not data:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(data, dtype=dtype).reshape(shape)


def _parse(source: ByteSource) -> tuple[dict[str, _Entry], str]:
    name, remedy = source.name, "the file is damaged: fetch it again"
    if source.size < 8:
        raise SourceError(f"{name}: truncated: {source.size} bytes cannot hold a safetensors header; {remedy}")
    length = int.from_bytes(source.read([Span(0, 8)]), "little")
    if length > MAX_HEADER:
        raise SourceError(
            f"{name}: not a safetensors file: it announces a header of {length} bytes, and {MAX_HEADER} is the most "
            f"that is sane; {remedy}"
        )
    if 8 + length > source.size:
        raise SourceError(
            f"{name}: truncated: a header of {length} bytes is announced and the file has {source.size}; {remedy}"
        )
    raw = bytes(source.read([Span(8, length)]))
    if not raw.startswith(b"{"):
        raise SourceError(f"{name}: its safetensors header does not begin with '{{'; {remedy}")
    header = json_object(raw, f"{name}: its safetensors header", remedy=remedy)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise SourceError(f"{name}: its __metadata__ is not a table of strings; {remedy}")
    begin = 8 + length
    entries = {key: _entry(name, key, value, begin) for key, value in header.items()}
    _check_extents(name, entries, begin, source.size)
    return entries, hashlib.sha256(raw).hexdigest()


def _entry(file: str, name: str, value: Any, begin: int) -> _Entry:
    where = f"{file}: tensor {shown(name)}"
    try:
        stored, shape, (start, stop) = value["dtype"], value["shape"], value["data_offsets"]
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"{where} has no dtype, shape and pair of data_offsets; the file is damaged") from error
    bits = BITS.get(stored) if isinstance(stored, str) else None
    if bits is None:
        raise SourceError(f"{where} has the unknown dtype {shown(stored)}; known: {', '.join(BITS)}")
    numbers = [*shape, start, stop] if isinstance(shape, list) else [None]
    if not all(type(number) is int and 0 <= number < 1 << 63 for number in numbers):
        raise SourceError(
            f"{where} has shape {shown(shape)} and offsets {shown([start, stop])}: natural numbers were expected"
        )
    if len(shape) > MOST_AXES:
        raise SourceError(f"{where} has {len(shape)} axes; at most {MOST_AXES} were expected; the file is damaged")
    if math.prod(shape) * bits != (stop - start) * 8:
        raise SourceError(
            f"{where}: shape {shown(shape)} of {stored} needs {math.prod(shape) * bits // 8} bytes and its offsets "
            f"span {stop - start}; the file is damaged"
        )
    return _Entry(TensorInfo(tuple(shape), stored), Span(begin + start, stop - start))


def _check_extents(file: str, entries: Mapping[str, _Entry], begin: int, size: int) -> None:
    position, previous = begin, "the header"
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].span.offset, item[1].span.end)):
        if entry.span.offset < position:
            raise SourceError(f"{file}: tensors {previous} and {shown(name)} overlap; the file is damaged or hostile")
        if entry.span.offset > position:
            hole = entry.span.offset - position
            raise SourceError(
                f"{file}: {hole} unaccounted bytes between {previous} and {shown(name)}; the file is damaged"
            )
        position, previous = entry.span.end, shown(name)
    if position > size:
        raise SourceError(
            f"{file}: truncated: {size} bytes are there and its header needs {position}; fetch the file again"
        )
    if position < size:
        raise SourceError(f"{file}: {size - position} unaccounted bytes after the last tensor; the file is damaged")
