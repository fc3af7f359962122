"""PyTorch's own files (.bin, .pt, .pth), in both generations, without PyTorch's unpickler.

The newer generation is a zip archive with a pickle that describes the tensors and one member for each storage; the
older one is a row of pickles and then the storages, each behind its length. Both are read by spans of bytes, so that
only the tensors asked for are read, here or over HTTP. Source of the formats: ``torch.serialization``; PyTorch itself
serves the tests as an oracle.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch

from verify.checkpoints.bytes import ByteSource, Cursor, Span
from verify.checkpoints.files.archives import MAGIC, Archive
from verify.checkpoints.files.flattening import flattened
from verify.checkpoints.files.interface import Identity, Part, TensorInfo, row_major, take
from verify.checkpoints.files.pickles import Described, Storage, unpickle
from verify.errors import SourceError
from verify.quoting import shown

#: The number and the version that the older generation begins with.
LEGACY, LEGACY_VERSION = 0x1950A86A20F9469CFC6C, 1001
#: No pickle of a state dict is longer.
MOST_PICKLE = 64 << 20
PICKLE = "data.pkl"
#: A tensor whose numbers lie among so many times as many others is not read.
MOST_SCATTERED = 64


class PytorchFile:
    """A pickled state dict, possibly nested in a training checkpoint; names are joined by dots.

    Args:
        source: the bytes of the file.
        archive: its members, if it is a zip archive that has been opened already.

    Raises:
        SourceError: it is not a PyTorch file, is damaged or hostile, asks for code to be run, or holds no tensor.
    """

    def __init__(self, source: ByteSource, archive: Archive | None = None) -> None:
        self._source = source
        if archive is None and bytes(source.read([Span(0, min(len(MAGIC), source.size))])) == MAGIC:
            archive = Archive(source)
        self._generation: _Generation = _Legacy(source) if archive is None else _Zipped(source, archive)
        self._entries = flattened(self._generation.value, Described, source.name)
        if not self._entries:
            raise SourceError(f"{source.name}: holds no tensor; name the file with the model's weights")
        self.tensors: Mapping[str, TensorInfo] = {
            name: TensorInfo(entry.shape, entry.unreadable or str(entry.dtype).removeprefix("torch."))
            for name, entry in self._entries.items()
        }
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return self._source.name

    def identity(self) -> Identity:
        """The size of the file and the hash of the pickle that describes its tensors."""
        digest = hashlib.sha256(bytes(self._source.read([self._generation.description]))).hexdigest()
        return Identity(self._source.size, digest, "pickle", getattr(self._source, "commit", None))

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it."""
        entry = self._entries[name]
        where = f"{self.name}: tensor {shown(name)}"
        if entry.unreadable or entry.storage is None or entry.dtype is None:
            raise SourceError(
                f"{where} is {entry.unreadable}, without numbers that can be read; save it as a dense tensor first"
            )
        extent = _extent(entry, where)
        begin = self._generation.place(entry.storage, where).offset + entry.offset * entry.dtype.itemsize
        if entry.strides == _row_major_strides(entry.shape) or extent == 1:
            spans = row_major(begin, entry.shape, entry.dtype.itemsize, part)
            return self._numbers(spans, entry.dtype).reshape(part.shape(entry.shape) if part else entry.shape)
        whole = self._numbers([Span(begin, extent * entry.dtype.itemsize)], entry.dtype)
        return take(whole.as_strided(entry.shape, entry.strides), part)

    def _numbers(self, spans: list[Span], dtype: torch.dtype) -> torch.Tensor:
        data = self._source.read(spans)
        if not data:
            return torch.empty(0, dtype=dtype)
        if self._generation.big_endian:
            word = dtype.itemsize // (2 if dtype.is_complex else 1)
            data = bytearray(np.frombuffer(data, np.uint8).reshape(-1, word)[:, ::-1].tobytes())
        return torch.frombuffer(data, dtype=dtype)


def _row_major_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _extent(entry: Described, where: str) -> int:
    """How many numbers lie from the first of a tensor to its last, which must all lie in its storage."""
    assert entry.storage is not None
    assert entry.dtype is not None
    numel = math.prod(entry.shape)
    if numel == 0:
        return 0
    extent = 1 + sum((length - 1) * step for length, step in zip(entry.shape, entry.strides, strict=True))
    there = entry.storage.numel * entry.storage.dtype.itemsize
    if (entry.offset + extent) * entry.dtype.itemsize > there:
        raise SourceError(f"{where} reaches beyond the {there} bytes of its storage; the file is damaged or hostile")
    if numel > extent:
        raise SourceError(f"{where} repeats {extent} numbers to make {numel}; save a copy of it instead")
    if extent > MOST_SCATTERED * numel:
        raise SourceError(f"{where} is scattered over {extent} numbers of its storage; save a copy of it instead")
    return extent


class _Generation(Protocol):
    """What the two generations have in common."""

    value: Any
    description: Span
    big_endian: bool

    def place(self, storage: Storage, where: str) -> Span:
        """Where a storage stands in the file."""
        ...


class _Zipped:
    """The newer generation: a zip archive."""

    def __init__(self, source: ByteSource, archive: Archive) -> None:
        self._archive = archive
        pickles = [name for name in archive.members if name.rpartition("/")[2] == PICKLE]
        if len(pickles) != 1:
            raise SourceError(f"{source.name}: a zip archive without one {PICKLE}: not a file saved by PyTorch")
        self.description = archive.stored(pickles[0])
        if self.description.size > MOST_PICKLE:
            raise SourceError(
                f"{source.name}: a pickle of {self.description.size} bytes, longer than that of any checkpoint; "
                f"refused as hostile"
            )
        self._root = pickles[0].removesuffix(PICKLE)
        order = f"{self._root}byteorder"
        self.big_endian = order in archive.members and bytes(source.read([archive.stored(order)])[:3]) == b"big"
        begin, end = self.description.offset, self.description.end
        self.value = unpickle(Cursor(source, "its pickle", begin=begin, end=end))

    def place(self, storage: Storage, where: str) -> Span:
        member = f"{self._root}data/{storage.key}"
        if member not in self._archive.members:
            raise SourceError(f"{where} lies in {shown(member)}, which is not in the archive; the file is damaged")
        span = self._archive.stored(member)
        return _within(span, storage, where)


class _Legacy:
    """The older generation: pickles one after another, then each storage behind its length."""

    def __init__(self, source: ByteSource) -> None:
        cursor = Cursor(source, "its pickle", most=MOST_PICKLE)
        if unpickle(cursor) != LEGACY or unpickle(cursor) != LEGACY_VERSION:
            raise SourceError(
                f"{source.name}: a pickle that holds no weights, or a damaged one; name a file saved by torch.save, "
                f"or a safetensors file"
            )
        self._source = source
        system, storages = unpickle(cursor), dict[str, Storage]()
        self.big_endian = isinstance(system, Mapping) and system.get("little_endian") is False
        self.value, keys = unpickle(cursor, storages), unpickle(cursor)
        self.description = Span(0, cursor.position)
        if not isinstance(keys, list) or {str(key) for key in keys} != set(storages):
            raise SourceError(f"{source.name}: its list of storages is another than its tensors need; fetch it again")
        self._spans: dict[str, Span] = {}
        position = cursor.position
        for storage in (storages[str(key)] for key in keys):
            self._spans[storage.key] = Span(position + 8, storage.numel * storage.dtype.itemsize)
            position = self._spans[storage.key].end
        if position > source.size:
            raise SourceError(
                f"{source.name}: truncated: its storages end at byte {position}, and {source.size} are there; "
                f"fetch it again"
            )

    def place(self, storage: Storage, where: str) -> Span:
        span = self._spans[storage.key]
        length = int.from_bytes(self._source.read([Span(span.offset - 8, 8)]), "big" if self.big_endian else "little")
        if length * storage.dtype.itemsize != span.size:
            raise SourceError(f"{where} lies in a storage of {length} numbers instead of the announced; damaged")
        return _within(span, storage, where)


def _within(span: Span, storage: Storage, where: str) -> Span:
    """The part of a span that a storage, perhaps a part of what the span holds, takes up."""
    begin, size = storage.offset * storage.dtype.itemsize, storage.numel * storage.dtype.itemsize
    if begin + size > span.size:
        raise SourceError(f"{where} needs {begin + size} bytes of a storage of {span.size}; the file is damaged")
    return Span(span.offset + begin, size)
