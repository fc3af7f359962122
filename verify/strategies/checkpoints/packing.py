"""Projections as checkpoints store them, put together head by head where the reader computes with offsets."""

from __future__ import annotations

import torch

from verify.checkpoints.layout import Orientation
from verify.checkpoints.orders import CODEGEN_SHARDS, Order

#: Stands for every number that a reader has no use for: values, gates, biases of norms.
FILLER = 7.0


def fused(order: Order, Q: torch.Tensor, K: torch.Tensor) -> torch.Tensor:
    """Queries, keys and values in one tensor, output dimension first.

    Args:
        order: of its rows.
        Q: ``(heads, n, N)``.
        K: ``(key heads, n, N)``.

    >>> Q, K = torch.tensor([[[1.0]], [[2.0]]]), torch.tensor([[[3.0]], [[4.0]]])
    >>> fused(Order.CAT, Q, K).flatten().tolist(), fused(Order.HEAD, Q, K).flatten().tolist()
    ([1.0, 2.0, 3.0, 4.0, 7.0, 7.0], [1.0, 3.0, 7.0, 2.0, 4.0, 7.0])
    """
    V = torch.full_like(K, FILLER)
    group = len(Q) // max(len(K), 1)
    match order:
        case Order.CAT:
            blocks = [*Q, *K, *V]
        case Order.HEAD | Order.GROUP:
            blocks = [X for g in range(len(K)) for X in (*Q[g * group : (g + 1) * group], K[g], V[g])]
        case Order.MP4_QVK:
            share = len(Q) // CODEGEN_SHARDS
            shards = [slice(i * share, (i + 1) * share) for i in range(CODEGEN_SHARDS)]
            blocks = [X for shard in shards for X in (*Q[shard], *V[shard], *K[shard])]
    return torch.cat(blocks)


def separate(X: torch.Tensor, *, gated: bool = False) -> torch.Tensor:
    """The rows of all heads, output dimension first; with ``gated`` as many rows of a gate behind each head.

    >>> separate(torch.tensor([[[1.0]], [[2.0]]]), gated=True).flatten().tolist()
    [1.0, 7.0, 2.0, 7.0]
    """
    return torch.cat([block for head in X for block in ((head, torch.full_like(head, FILLER)) if gated else (head,))])


def oriented(rows: torch.Tensor, orientation: Orientation, heads: int) -> torch.Tensor:
    """A projection as its orientation stores it."""
    if orientation is Orientation.STACKED:
        return rows.reshape(heads, -1, rows.shape[-1]).mT.contiguous()
    return rows.T.contiguous() if orientation is Orientation.CONV1D else rows
