"""A checkpoint: plans of its layers, and the reading of one layer at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import torch

from verify.checkpoints.config import Config
from verify.checkpoints.files.interface import Identity, TensorInfo
from verify.checkpoints.inventory import Inventory
from verify.checkpoints.layout import Layout
from verify.checkpoints.plan import LayerPlan, Status
from verify.checkpoints.planning import plan_layers
from verify.checkpoints.reading import Reader
from verify.checkpoints.registry import known_types, layout_file, registered, unregistered
from verify.checkpoints.skeleton import Pattern
from verify.checkpoints.source import Source, resolve, resolve_live
from verify.errors import LayoutError, SourceError
from verify.folding import Fold
from verify.heads import HeadBatch

#: What can be opened: a path or a name, a module, or a mapping of names to tensors.
Named = str | PathLike[str] | torch.nn.Module | Mapping[str, Any]


def open_checkpoint(source: Named, *, layout: str | PathLike[str] | None = None) -> Checkpoint:
    """Open a checkpoint: find its files and check their headers. No tensor is read.

    Args:
        source: a directory with config.json and weights, one weights file, or a model in memory: a module (whose
            ``config``, if it has one, says what it is) or its state dict.
        layout: a TOML file that says how the model stores queries and keys, for model types nobody registered.

    Raises:
        SourceError: the source is missing, damaged, or refused as hostile.
        LayoutError: its model type is not registered, or the layout file is not valid.
    """
    opened = open_source(source)
    return Checkpoint(opened, _layout(opened, layout))


def open_source(source: Named) -> Source:
    """The files and the configuration of a source, before any layout is sought.

    Raises:
        SourceError: the source is missing, damaged, or refused as hostile.
    """
    if isinstance(source, torch.nn.Module | Mapping):
        return resolve_live(source)
    if not isinstance(source, str | PathLike):
        raise SourceError(f"a {type(source).__name__} is no checkpoint; give a path, a name on the hub, or a model")
    return resolve(fspath(source))


def _layout(source: Source, layout: str | PathLike[str] | None) -> Layout:
    if layout is not None:
        return layout_file(Path(layout))
    if source.config is None and source.live:
        raise SourceError(
            f"{source.name}: has no config that would say how many heads there are; pass the model of a library "
            f"that has one, or describe this one in a layout file (layout='my.toml')"
        )
    if source.config is None:
        raise SourceError(
            f"{source.name}: no config.json beside the weights, which would say how many heads there are; "
            f"add it, or describe the model in a layout file (--layout), drafted by "
            f"'headforms inspect {source.name} --skeleton'"
        )
    model_type = source.config.get("model_type")
    if not isinstance(model_type, str):
        raise LayoutError(
            f"{source.config.file}: has no model_type; add it, or describe the model in a layout file (--layout)"
        )
    if model_type not in known_types():
        raise LayoutError(
            f"{source.config.file}: {unregistered(model_type)}; describe this one in a layout file (--layout), drafted "
            f"by 'headforms inspect {source.name} --skeleton'"
        )
    return registered(model_type)


class Checkpoint:
    """An opened checkpoint.

    Args:
        opened: its files and configuration.
        layout: how its queries and keys are stored.
    """

    def __init__(self, opened: Source, layout: Layout) -> None:
        self._opened = opened
        self._layout = layout
        self._reader = Reader(opened, layout.name)

    @property
    def source(self) -> str:
        """What the user named."""
        return self._opened.name

    @property
    def model_type(self) -> str:
        """The name of the layout, which is the model type of config.json."""
        return self._layout.name

    @property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """Every tensor: shape and stored number format."""
        return self._opened.tensors

    @cached_property
    def files(self) -> Mapping[str, Identity]:
        """File → its size and a hash of the part that describes its tensors, for the record."""
        return {file.name: file.identity() for file in self._opened.files}

    @cached_property
    def _inventory(self) -> Inventory:
        return Inventory(self._opened.tensors, self.source)

    @property
    def unclaimed(self) -> list[Pattern]:
        """Tensors that look like projections to queries and belong to no layer, those of different layers together."""
        self.layers()
        return self._inventory.unclaimed()

    @cached_property
    def _plans(self) -> tuple[LayerPlan, ...]:
        config = self._opened.config or Config({}, self.source)
        return tuple(plan_layers(self._layout, config, self._inventory))

    def layers(self) -> list[LayerPlan]:
        """The plan of every layer of every stack; nothing is read.

        Raises:
            LayoutError: the tensors or the configuration do not fit the layout.
        """
        return list(self._plans)

    def read(
        self, plan: LayerPlan, *, device: str | torch.device = "cpu", fold: Collection[Fold | str] = ()
    ) -> HeadBatch:
        """The queries and keys of one layer; no other bytes are read.

        Key heads shared by several query heads are repeated, so that Q and K have one shape. By default they are the
        stored numbers; see :mod:`verify.folding` for the rest. Where float64 does not hold the result exactly, the
        batch carries the exact matrices too.

        Args:
            plan: one of :meth:`layers`.
            device: where the tensors go.
            fold: any of ``gain``, ``center`` (which brings the gain with it) and ``bias``. What does not apply to the
                layer is left out, and a note in the provenance says so.

        Raises:
            LayoutError: the plan says that the layer has no queries and keys to read, or ``fold`` has an unknown word.
            SourceError: the bytes are not there.
        """
        if plan.query is None or plan.key is None:
            raise LayoutError(f"{plan.stack} layer {plan.layer} cannot be read: {plan.reason}")
        if unknown := [word for word in fold if word not in set(Fold)]:
            raise LayoutError(f"{unknown[0]!r} cannot be folded; choose from {', '.join(Fold)}")
        return self._reader.batch(plan, [Fold(word) for word in fold], device)


__all__ = ["Checkpoint", "LayerPlan", "Status", "open_checkpoint"]
