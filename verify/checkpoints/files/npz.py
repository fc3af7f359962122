"""NumPy archives (.npz): a zip of arrays. Their headers are parsed here; arrays of Python objects are never loaded.

Source of the format: the document ``numpy.lib.format``; NumPy itself serves the tests as an oracle.
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch

from verify.checkpoints.bytes import ByteSource
from verify.checkpoints.files.archives import Archive
from verify.checkpoints.files.interface import Identity, Part, TensorInfo, take
from verify.errors import SourceError
from verify.quoting import shown

ENDING, MAGIC = ".npy", b"\x93NUMPY"
#: An archive may unpack to this many times its size, plus a floor for small ones.
MAX_EXPANSION, FLOOR = 100, 64 << 20
#: The header of an array of plain numbers takes about 120 bytes.
MOST_HEADER = 4096
MOST_AXES, LARGEST = 64, 1 << 62
HEADER = re.compile(
    r"\{\s*'descr':\s*(?P<descr>.*?),\s*'fortran_order':\s*(?P<fortran>True|False),"
    r"\s*'shape':\s*\((?P<shape>[0-9L,\s]*)\),?\s*\}\s*",
    re.DOTALL,
)
#: Integers, floating-point numbers and truth values of up to eight bytes, in either order of bytes.
PLAIN = re.compile(r"'([<>|=]?(?:[iu][1248]|f[248]|b1))'")


@dataclass(frozen=True)
class _Array:
    member: str
    info: TensorInfo
    dtype: np.dtype[np.generic]
    fortran: bool
    begin: int


class NpzFile:
    """A NumPy archive; each array is read whole, and checked, when it is asked for.

    Args:
        source: the bytes of the file.
        archive: its members, if it has been opened already.

    Raises:
        SourceError: it is damaged, unpacks to far more than its size, or holds an array that is not of numbers.
    """

    def __init__(self, source: ByteSource, archive: Archive | None = None) -> None:
        self._source = source
        self._archive = Archive(source) if archive is None else archive
        members = [member for member in self._archive.members.values() if member.name.endswith(ENDING)]
        if sum(member.size for member in members) > MAX_EXPANSION * source.size + FLOOR:
            raise SourceError(f"{source.name}: unpacks to far more than its {source.size} bytes; refused as hostile")
        self._arrays = {member.name.removesuffix(ENDING): self._header(member.name) for member in members}
        if not self._arrays:
            raise SourceError(f"{source.name}: holds no array; name the file with the model's weights")
        self.tensors: Mapping[str, TensorInfo] = {name: array.info for name, array in self._arrays.items()}
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return self._source.name

    def identity(self) -> Identity:
        """The size of the file and a hash of names, shapes and checksums."""
        digest = hashlib.sha256()
        for name, array in self._arrays.items():
            described = f"{name} {array.info} {self._archive.members[array.member].checksum}\n"
            digest.update(described.encode(errors="surrogatepass"))
        commit = getattr(self._source, "commit", None)
        return Identity(self._source.size, digest.hexdigest(), "names, shapes and checksums", commit)

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one array or of a part of it."""
        array = self._arrays[name]
        raw = self._archive.read(array.member, self._archive.members[array.member].size)
        shape = array.info.shape
        values = np.frombuffer(raw, array.dtype, offset=array.begin)
        values = values.reshape(shape[::-1]).T if array.fortran else values.reshape(shape)
        return take(torch.from_numpy(values.astype(array.dtype.newbyteorder("="), order="C")), part)

    def _header(self, member: str) -> _Array:
        """Shape and number format of one array, checked against its size."""
        where, size = f"{self.name}: array {shown(member)}", self._archive.members[member].size
        raw = self._archive.beginning(member, MOST_HEADER)
        wide = raw[6:7] > b"\x01"
        begin = 12 if wide else 10
        if raw[:6] != MAGIC or raw[6:7] not in {b"\x01", b"\x02", b"\x03"} or len(raw) < begin:
            raise SourceError(f"{where} has no valid header: it does not begin like an array; save it again")
        (length,) = struct.unpack("<I" if wide else "<H", raw[8:begin])
        found = HEADER.fullmatch(raw[begin : begin + length].decode("utf-8", errors="replace"))
        if found is None or begin + length > len(raw):
            raise SourceError(f"{where} has no valid header: no table of descr, fortran_order and shape; save it again")
        plain = PLAIN.fullmatch(found["descr"])
        if plain is None:
            raise SourceError(
                f"{where} holds {shown(found['descr'])}, not numbers that torch can hold; headforms never unpickles: "
                f"save the weights as arrays of float32, say"
            )
        dtype = np.dtype(plain[1])
        lengths = [length.strip().removesuffix("L") for length in found["shape"].split(",")]
        shape = tuple(int(length) if len(length) < 19 else LARGEST for length in lengths if length.isdigit())
        if len(shape) > MOST_AXES or math.prod(shape) * dtype.itemsize != size - begin - length:
            raise SourceError(
                f"{where}: shape {shown(list(shape))} of {dtype} needs {shown(math.prod(shape) * dtype.itemsize)} "
                f"bytes and {size - begin - length} are there; the file is damaged"
            )
        return _Array(member, TensorInfo(shape, str(dtype)), dtype, found["fortran"] == "True", begin + length)
