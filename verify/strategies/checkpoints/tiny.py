"""A checkpoint small enough to be drawn, with the heads it was written from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from verify.heads import HeadBatch


@dataclass(frozen=True)
class TinyCheckpoint:
    """A configuration and a state dict, and what a reader has to find in them.

    Attributes:
        model_type: a registered model type, or ``gguf`` for the names and metadata of GGUF files.
        config: what stands in config.json.
        tensors: tensor name → values, in the stored dtype.
        heads: one batch for each layer of each stack with queries and keys on one stream, whose ids say which; Q and K
            are the stored numbers (of latent attention: the products of the stored factors), key heads repeated for
            the query heads that share them.
        without_heads: stack and layer of layers that are no attention.
    """

    model_type: str
    config: dict[str, Any]
    tensors: dict[str, torch.Tensor]
    heads: tuple[HeadBatch, ...]
    without_heads: tuple[tuple[str, int], ...]

    def model(self) -> torch.nn.Module:
        """A module with this state dict and this ``config``, which :func:`verify.audit` takes as it is."""
        return _Model(self.config, self.tensors)

    def save(self, folder: Path) -> Path:
        """Write ``config.json`` and ``pytorch_model.bin`` into a folder, and return it."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(self.config), encoding="utf-8")
        torch.save(self.tensors, folder / "pytorch_model.bin")
        return folder


class _Configuration:
    """What model libraries hang on a model: something that becomes a dict."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def to_dict(self) -> dict[str, Any]:
        return dict(self._values)


class _Model(torch.nn.Module):
    """Nested modules that hold the tensors under their names."""

    def __init__(self, config: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
        super().__init__()
        self.config = _Configuration(config)
        for name, values in tensors.items():
            *path, last = name.split(".")
            place: torch.nn.Module = self
            for part in path:
                if part not in place._modules:
                    place.add_module(part, torch.nn.Module())
                place = place.get_submodule(part)
            place.register_buffer(last, values)
