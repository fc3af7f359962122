"""A model that is already in memory: a module, or a mapping of names to tensors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import torch

from verify.checkpoints.files.flattening import flattened
from verify.checkpoints.files.interface import Identity, Part, TensorInfo, take
from verify.errors import SourceError
from verify.quoting import shown


class MemoryFile:
    """The tensors of a module or a state dict, read where they are.

    Args:
        model: the module, or a mapping, possibly nested.

    Raises:
        SourceError: it holds no tensor, or two of one name.

    >>> MemoryFile(torch.nn.Linear(2, 3)).tensors["weight"].shape
    (3, 2)
    """

    def __init__(self, model: torch.nn.Module | Mapping[str, object]) -> None:
        state = model.state_dict() if isinstance(model, torch.nn.Module) else model
        self.name = f"<{type(model).__name__} in memory>"
        self._values = flattened(state, torch.Tensor, self.name)
        if not self._values:
            raise SourceError(f"{self.name}: holds no tensor; pass a model or its state dict")
        self.tensors: Mapping[str, TensorInfo] = {
            name: TensorInfo(_shape(value), _absence(value) or str(value.dtype).removeprefix("torch."))
            for name, value in self._values.items()
        }
        config = getattr(model, "config", None)
        table: object = getattr(config, "to_dict", dict)()
        self.metadata: Mapping[str, object] = table if isinstance(table, Mapping) else {}

    def identity(self) -> Identity:
        """The bytes of all tensors, and a hash of their names, shapes and number formats."""
        described = "\n".join(f"{name} {info}" for name, info in self.tensors.items())
        size = sum(value.numel() * value.element_size() for value in self._values.values() if not _absence(value))
        return Identity(size, hashlib.sha256(described.encode()).hexdigest(), "names, shapes and dtypes")

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it, on the CPU."""
        value, where = self._values[name], f"{self.name}: tensor {shown(name)}"
        if absence := _absence(value):
            raise SourceError(f"{where} is {absence}, without numbers that can be read; load or dequantise it first")
        if value.numel() * value.element_size() > value.untyped_storage().nbytes():
            raise SourceError(f"{where} repeats few numbers to make {value.numel()}; pass a copy of it instead")
        return take(value, part).cpu()


def _shape(value: torch.Tensor) -> tuple[int, ...]:
    return () if torch.nn.parameter.is_lazy(value) else tuple(value.shape)


def _absence(value: torch.Tensor) -> str:
    """Why a tensor has no numbers that can be read, or nothing."""
    if type(value) not in {torch.Tensor, torch.nn.Parameter}:
        return f"a {type(value).__name__}"
    if value.is_meta:
        return "meta"
    if value.layout is not torch.strided:
        return "sparse"
    return "quantised" if value.is_quantized else ""
