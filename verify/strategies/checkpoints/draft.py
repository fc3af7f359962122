"""A checkpoint in the making: what has been drawn, written and promised so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import torch
from hypothesis import strategies as st

from verify.heads import HeadBatch, HeadId

_ENTRIES = st.sampled_from([0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0])


@dataclass
class Draft:
    """A checkpoint in the making.

    Attributes:
        draw: Hypothesis's source of choices.
        dtype: stored dtype.
        tensors, heads, without_heads: as in :class:`verify.strategies.TinyCheckpoint`.
    """

    draw: st.DrawFn
    dtype: torch.dtype
    tensors: dict[str, torch.Tensor] = field(default_factory=dict)
    heads: list[HeadBatch] = field(default_factory=list)
    without_heads: list[tuple[str, int]] = field(default_factory=list)

    def choose(self, *options: Any) -> Any:
        """One of a few values, the first the simplest."""
        return self.draw(st.sampled_from(options))

    def numbers(self, *shape: int) -> torch.Tensor:
        """Small integers in float64, exact in every format."""
        size = prod(shape)
        entries = self.draw(st.lists(_ENTRIES, min_size=size, max_size=size))
        return torch.tensor(entries, dtype=torch.float64).reshape(shape)

    def put(self, stem: str, values: torch.Tensor, *, kind: str = "weight") -> None:
        """Store a tensor as ``stem.kind``."""
        self.tensors[f"{stem}.{kind}"] = values.to(self.dtype).contiguous()

    def promise(self, stack: str, layer: int, Q: torch.Tensor, K: torch.Tensor) -> None:
        """Remember the heads of a layer, ``(heads, n, N)`` and ``(key heads, n, N)``."""
        group = len(Q) // len(K)
        ids = tuple(HeadId(stack, layer, h, h // group) for h in range(len(Q)))
        self.heads.append(HeadBatch(Q, K.repeat_interleave(group, 0), ids))
