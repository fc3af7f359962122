"""PyTorch's own files (.bin, .pt, .pth): read with ``weights_only=True``, memory-mapped, never unpickling code."""

from __future__ import annotations

import hashlib
import pickle
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from verify.checkpoints.files.interface import Identity, Part, TensorInfo
from verify.errors import SourceError

#: The nesting of a state dict inside a training checkpoint; deeper than this is not a state dict.
MAX_DEPTH = 8


class PytorchFile:
    """A pickled state dict, possibly nested in a training checkpoint; names are joined by dots.

    A zip archive (torch ≥ 1.6) is memory-mapped, so that only the tensors asked for are read; the older format has no
    index and is loaded whole.

    Args:
        path: the file.

    Raises:
        SourceError: it is not a PyTorch file, is truncated, asks for code to be run, or holds no tensor.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values, self._hash, self._what = _load(path)
        if not self._values:
            raise SourceError(f"{path}: holds no tensor; name the file with the model's weights")
        self.tensors: Mapping[str, TensorInfo] = {
            name: TensorInfo(tuple(value.shape), str(value.dtype).removeprefix("torch."))
            for name, value in self._values.items()
        }
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return str(self._path)

    def identity(self) -> Identity:
        """The size of the file and the hash of the pickle that describes its tensors."""
        return Identity(self._path.stat().st_size, self._hash, self._what)

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it."""
        return take(self._values[name], part)


def take(value: torch.Tensor, part: Part | None) -> torch.Tensor:
    """A contiguous copy of a part of a tensor.

    >>> take(torch.arange(8).reshape(4, 2), Part(((0, 1), (3, 4))))
    tensor([[0, 1],
            [6, 7]])
    """
    value = value.detach()
    if part is None:
        return value.clone(memory_format=torch.contiguous_format)
    return torch.cat([value.narrow(part.axis, start, stop - start) for start, stop in part.spans], dim=part.axis)


def flatten(value: object, *, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, torch.Tensor]]:
    """Every dense tensor of nested mappings and sequences, its name joined by dots.

    >>> [name for name, _ in flatten({"epoch": 3, "model": {"a.weight": torch.zeros(1)}})]
    ['model.a.weight']
    """
    if isinstance(value, torch.Tensor):
        if value.layout is torch.strided and not value.is_quantized:
            yield prefix, value
    elif isinstance(value, Mapping) and depth < MAX_DEPTH:
        for key, item in value.items():
            yield from flatten(item, prefix=f"{prefix}.{key}" if prefix else str(key), depth=depth + 1)


def _load(path: Path) -> tuple[dict[str, torch.Tensor], str, str]:
    is_zip = zipfile.is_zipfile(path)
    if is_zip:
        digest, what = _check_archive(path), "data.pkl"
    else:
        with path.open("rb") as file:
            digest, what = hashlib.sha256(file.read(1 << 20)).hexdigest(), "first MiB"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded: Any = torch.load(path, map_location="cpu", mmap=True if is_zip else None, weights_only=True)
    except pickle.UnpicklingError as error:
        raise SourceError(f"{path}: {_refusal(error)}") from error
    except Exception as error:  # torch raises half a dozen types for damaged files
        raise SourceError(
            f"{path}: not readable as a PyTorch file ({_first_line(error)}); fetch it again or save it as safetensors"
        ) from error
    return dict(flatten(loaded)), digest, what


def _check_archive(path: Path) -> str:
    """Refuse archives that would unpack to more than their own size; return the hash of the pickle."""
    size = path.stat().st_size
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > size:
                raise SourceError(f"{path}: its members unpack to more than its {size} bytes; refused as hostile")
            pickles = [member for member in members if member.filename.endswith("data.pkl")]
            if len(pickles) != 1:
                raise SourceError(f"{path}: a zip archive without one data.pkl: not a file saved by PyTorch")
            return hashlib.sha256(archive.read(pickles[0])).hexdigest()
    except (zipfile.BadZipFile, OSError, RuntimeError) as error:
        raise SourceError(f"{path}: a damaged zip archive ({_first_line(error)}); fetch it again") from error


def _refusal(error: Exception) -> str:
    text = str(error)
    if "GLOBAL" in text or "Unsupported class" in text:
        return (
            "a pickle that asks for more than tensors to be built; headforms never runs code from a file: "
            "save its state dict alone, or as safetensors"
        )
    return "a pickle that holds no weights, or a damaged one; name a file saved by torch.save, or a safetensors file"


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(". ")[:160]
