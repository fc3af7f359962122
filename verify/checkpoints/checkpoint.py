"""A checkpoint: plans of its layers, and the reading of one layer at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path

import torch

from verify.checkpoints.config import Config
from verify.checkpoints.files.interface import Identity, Part
from verify.checkpoints.layout import Layout, Orientation
from verify.checkpoints.plan import LayerPlan, Rows, Status
from verify.checkpoints.planning import Inventory, plan_layers
from verify.checkpoints.registry import known_types, layout_file, registered
from verify.checkpoints.source import Source, resolve
from verify.errors import LayoutError, SourceError
from verify.heads import FLOATING, HeadBatch


def open_checkpoint(source: str | PathLike[str], *, layout: str | PathLike[str] | None = None) -> Checkpoint:
    """Open a checkpoint: find its files and check their headers. No tensor is read.

    Args:
        source: a directory with config.json and weights, or one weights file.
        layout: a TOML file that says how the model stores queries and keys, for model types nobody registered.

    Raises:
        SourceError: the source is missing, damaged, or refused as hostile.
        LayoutError: its model type is not registered, or the layout file is not valid.
    """
    opened = resolve(fspath(source))
    return Checkpoint(opened, _layout(opened, layout))


def _layout(source: Source, layout: str | PathLike[str] | None) -> Layout:
    if layout is not None:
        return layout_file(Path(layout))
    if source.config is None:
        raise SourceError(
            f"{source.name}: no config.json beside the weights, which would say how many heads there are; "
            f"add it, or describe the model in a layout file (--layout)"
        )
    model_type = source.config.get("model_type")
    if not isinstance(model_type, str):
        raise LayoutError(
            f"{source.config.file}: has no model_type; add it, or describe the model in a layout file (--layout)"
        )
    if model_type not in known_types():
        raise LayoutError(
            f"{source.config.file}: model type {model_type!r} is not registered; describe it in a layout file "
            f"(--layout); known: {', '.join(known_types())}"
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

    @property
    def source(self) -> str:
        """What the user named."""
        return self._opened.name

    @property
    def model_type(self) -> str:
        """The name of the layout, which is the model type of config.json."""
        return self._layout.name

    @cached_property
    def files(self) -> Mapping[str, Identity]:
        """File → its size and a hash of the part that describes its tensors, for the record."""
        return {file.name: file.identity() for file in self._opened.files}

    @cached_property
    def _plans(self) -> tuple[LayerPlan, ...]:
        config = self._opened.config or Config({}, self.source)
        return tuple(plan_layers(self._layout, config, Inventory(self._opened.tensors, self.source)))

    def layers(self) -> list[LayerPlan]:
        """The plan of every layer of every stack; nothing is read.

        Raises:
            LayoutError: the tensors or the configuration do not fit the layout.
        """
        return list(self._plans)

    def read(self, plan: LayerPlan, *, device: str | torch.device = "cpu") -> HeadBatch:
        """The queries and keys of one layer; no other bytes are read.

        Key heads shared by several query heads are repeated, so that Q and K have one shape.

        Raises:
            LayoutError: the plan says that the layer has no queries and keys to read.
            SourceError: the bytes are not there.
        """
        if plan.query is None or plan.key is None:
            raise LayoutError(f"{plan.stack} layer {plan.layer} cannot be read: {plan.reason}")
        query, key = self._matrices(plan.query), self._matrices(plan.key)
        dtype = torch.promote_types(query.dtype, key.dtype)
        if dtype not in FLOATING:
            raise LayoutError(
                f"tensors {' and '.join(plan.tensors)} are stored as {self._stored(plan)}; packed or integer "
                f"weights must be turned into floating point first"
            )
        pairing = torch.tensor([head.kv_head for head in plan.ids])
        Q, K = query.to(dtype), key.to(dtype).index_select(0, pairing)
        return HeadBatch(Q.to(device), K.to(device), plan.ids, self._provenance(plan))

    def _matrices(self, rows: Rows) -> torch.Tensor:
        """The heads of one projection, ``(heads, n, N)``."""
        part = Part(tuple((s, s + rows.size) for s in rows.starts), axis=int(rows.orientation is Orientation.CONV1D))
        values = self._values(rows.tensor, part)
        if rows.orientation is Orientation.CONV1D:
            values = values.T
        heads = values.reshape(len(rows.starts), rows.size, -1)
        if rows.through is None:
            return heads
        right = self._values(rows.through.tensor, Part((rows.through.rows,))).double()
        if rows.through.gain:
            right = self._values(rows.through.gain).double()[:, None] * right
        return heads.double() @ right

    def _values(self, name: str, part: Part | None = None) -> torch.Tensor:
        file, stored = self._opened.location[name]
        return file.read(stored, part)

    def _stored(self, plan: LayerPlan) -> str:
        return ", ".join(dict.fromkeys(self._opened.tensors[name].stored for name in plan.tensors))

    def _provenance(self, plan: LayerPlan) -> dict[str, object]:
        assert plan.query is not None
        assert plan.key is not None
        tensors = {"query": plan.query.tensor, "key": plan.key.tensor}
        notes = list(plan.notes)
        if plan.kv_heads != plan.heads:
            notes.append(f"grouped-query attention: {plan.heads // plan.kv_heads} query heads share each key head")
        return {
            "files": sorted({self._opened.location[name][0].name for name in plan.tensors}),
            "tensors": tensors,
            "stored_dtype": self._stored(plan),
            "layout": self._layout.name,
            "folding": [],
            "scale": plan.scale,
            "rotary": asdict(plan.rotary) if plan.rotary else None,
            "notes": notes,
        }


__all__ = ["Checkpoint", "LayerPlan", "Status", "open_checkpoint"]
