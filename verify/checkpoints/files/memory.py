"""A model that is already in memory: a module, or a mapping of names to tensors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import torch

from verify.checkpoints.files.interface import Identity, Part, TensorInfo
from verify.checkpoints.files.pytorch import flatten, take
from verify.errors import SourceError


class MemoryFile:
    """The tensors of a module or a state dict, read where they are.

    Args:
        model: the module, or a mapping, possibly nested.

    Raises:
        SourceError: it holds no tensor.

    >>> MemoryFile(torch.nn.Linear(2, 3)).tensors["weight"].shape
    (3, 2)
    """

    def __init__(self, model: torch.nn.Module | Mapping[str, object]) -> None:
        state = model.state_dict() if isinstance(model, torch.nn.Module) else model
        self._values = dict(flatten(state))
        kind = type(model).__name__
        self.name = f"<{kind} in memory>"
        if not self._values:
            raise SourceError(f"{self.name}: holds no tensor; pass a model or its state dict")
        self.tensors: Mapping[str, TensorInfo] = {
            name: TensorInfo(tuple(value.shape), str(value.dtype).removeprefix("torch."))
            for name, value in self._values.items()
        }
        config = getattr(model, "config", None)
        table: object = getattr(config, "to_dict", dict)()
        self.metadata: Mapping[str, object] = table if isinstance(table, Mapping) else {}

    def identity(self) -> Identity:
        """The bytes of all tensors, and a hash of their names, shapes and number formats."""
        described = "\n".join(f"{name} {info}" for name, info in self.tensors.items())
        size = sum(value.numel() * value.element_size() for value in self._values.values())
        return Identity(size, hashlib.sha256(described.encode()).hexdigest(), "names, shapes and dtypes")

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it, on the CPU."""
        if self._values[name].is_meta:
            raise SourceError(f"{self.name}: tensor {name} has no values (device 'meta'); load the weights first")
        return take(self._values[name], part).cpu()
