"""The score that a layout predicts, written out in float64 from the checkpoint's numbers."""

from __future__ import annotations

import torch

from verify.checkpoints import Checkpoint, LayerPlan
from verify.checkpoints.files import Part
from verify.checkpoints.layout import Orientation
from verify.checkpoints.plan import Rows


def bias(checkpoint: Checkpoint, rows: Rows | None) -> torch.Tensor:
    """The bias of every head of a projection, ``(heads, n)``, zero where none is stored."""
    assert rows is not None
    if rows.bias is None:
        return torch.zeros(len(rows.starts), rows.size, dtype=torch.float64)
    spans = tuple((start, start + rows.size) for start in rows.starts)
    file, stored = checkpoint._opened.location[rows.bias]
    return file.read(stored, Part(spans)).reshape(len(rows.starts), rows.size).double()


def content(checkpoint: Checkpoint, plan: LayerPlan, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Queries and keys of every query head and token, ``(B, H, T, n)``, before rotation; x is ``(B, T, N)``."""
    batch = checkpoint.read(plan)
    pairing = torch.tensor([head.kv_head for head in batch.ids])
    b_q, b_k = bias(checkpoint, plan.query), bias(checkpoint, plan.key)[pairing]
    x = x.double()
    q = torch.einsum("hnd,btd->bhtn", batch.Q.double(), x) + b_q[:, None]
    k = torch.einsum("hnd,btd->bhtn", batch.K.double(), x) + b_k[:, None]
    return q, k


def rotated(plan: LayerPlan, values: torch.Tensor) -> torch.Tensor:
    """Queries or keys turned by their positions 0, 1, 2 …"""
    if plan.rotary is None:
        return values
    turned = plan.rotary.offset + torch.arange(plan.rotary.dims)
    factor = torch.ones(plan.n, dtype=torch.float64)
    factor[turned] = plan.rotary.factor
    turns = torch.stack([plan.rotary.matrix(t, plan.n) for t in range(values.shape[2])])
    return torch.einsum("tmn,bhtn->bhtm", turns, values) * factor


def predicted(checkpoint: Checkpoint, plan: LayerPlan, x: torch.Tensor) -> torch.Tensor:
    """The scores before softmax, ``(B, H, T, T)``, query token first."""
    q, k = content(checkpoint, plan, x)
    return plan.scale * rotated(plan, q) @ rotated(plan, k).transpose(-1, -2)


__all__ = ["Orientation", "bias", "content", "predicted", "rotated"]
