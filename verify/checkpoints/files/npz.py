"""NumPy archives (.npz): a zip of arrays; arrays of Python objects are never loaded."""

from __future__ import annotations

import hashlib
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

from verify.checkpoints.files.interface import Identity, Part, TensorInfo
from verify.checkpoints.files.pytorch import take
from verify.errors import SourceError

#: An archive may unpack to this many times its size, plus a floor for small ones.
MAX_EXPANSION, FLOOR = 100, 64 << 20


class NpzFile:
    """A NumPy archive; each array is read when it is asked for.

    Args:
        path: the file.

    Raises:
        SourceError: it is damaged, unpacks to far more than its size, or holds an array that is not of numbers.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._members: dict[str, str] = {}
        tensors: dict[str, TensorInfo] = {}
        digest = hashlib.sha256()
        size = path.stat().st_size
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(member.file_size for member in archive.infolist()) > MAX_EXPANSION * size + FLOOR:
                    raise SourceError(f"{path}: unpacks to far more than its {size} bytes; refused as hostile")
                for member in archive.infolist():
                    if member.filename.endswith(".npy"):
                        name = member.filename.removesuffix(".npy")
                        self._members[name] = member.filename
                        tensors[name] = _header(path, archive, member)
                        digest.update(f"{name} {tensors[name]} {member.CRC}\n".encode())
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
            raise SourceError(f"{path}: a damaged zip archive ({error}); save it again") from error
        if not tensors:
            raise SourceError(f"{path}: holds no array; name the file with the model's weights")
        self._digest, self._size = digest.hexdigest(), size
        self.tensors: Mapping[str, TensorInfo] = tensors
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return str(self._path)

    def identity(self) -> Identity:
        """The size of the file and a hash of names, shapes and checksums."""
        return Identity(self._size, self._digest, "names, shapes and checksums")

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one array or of a part of it."""
        try:
            with zipfile.ZipFile(self._path) as archive, archive.open(self._members[name]) as file:
                array = np.lib.format.read_array(file, allow_pickle=False)
        except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
            raise SourceError(f"{self.name}: array {name} is damaged ({error}); save it again") from error
        return take(torch.from_numpy(np.ascontiguousarray(array)), part)


def _header(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> TensorInfo:
    """Shape and number format of one array, checked against its size."""
    where = f"{path}: array {member.filename}"
    try:
        with archive.open(member) as file:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, _, dtype = read(file)
            position = file.tell()
    except ValueError as error:
        raise SourceError(f"{where} has no valid header ({str(error).splitlines()[0][:120]}); save it again") from error
    if dtype.hasobject or dtype.kind not in "fiub":
        raise SourceError(f"{where} holds {dtype}, not numbers; headforms never unpickles: save the weights as arrays")
    if math.prod(shape) * dtype.itemsize != member.file_size - position:
        raise SourceError(
            f"{where}: shape {list(shape)} of {dtype} needs {math.prod(shape) * dtype.itemsize} bytes and "
            f"{member.file_size - position} are there; the file is damaged"
        )
    return TensorInfo(tuple(shape), str(dtype))
