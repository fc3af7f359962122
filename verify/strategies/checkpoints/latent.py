"""Latent attention: its stored factors, and the two forms of every head as their products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch

from verify.checkpoints.layout import Latent
from verify.checkpoints.naming import Template
from verify.strategies.checkpoints.draft import Draft
from verify.strategies.checkpoints.packing import FILLER
from verify.strategies.checkpoints.variants import settle

#: Rows that positions turn, and rows of a value, where the layout lets one choose.
_SHARED, _VALUE = 2, 3

#: The name of the tensor of the layer that some templates name.
Naming: TypeAlias = Callable[[Sequence[Template]], str]


def write_latent(
    draft: Draft, latent: Latent, config: dict[str, Any], name: Naming, place: tuple[str, int], heads: int, N: int
) -> None:
    """Write one layer and promise its forms.

    Args:
        draft: what is written to.
        latent: the layout's factors.
        config: the part of the configuration that is about them.
        name: names the layer's tensors.
        place: stack and layer.
        heads: number of heads.
        N: width.
    """
    rank, shared = settle(config, latent.rank, draft.choose(2, 1)), settle(config, latent.shared, _SHARED)
    plain = settle(config, latent.plain, draft.choose(2, 1)) or 2
    value = settle(config, latent.value, _VALUE) or _VALUE
    down, gain, up = draft.numbers(rank + shared, N), draft.numbers(rank), draft.numbers(heads, plain, rank)
    if latent.key_up_stacked and draft.choose(False, True):
        draft.put(name(latent.key_up_stacked), up.mT)
    else:
        draft.put(name(latent.key_up), torch.cat([up, up.new_full((heads, value, rank), FILLER)], 1).flatten(0, 1))
    draft.put(name(latent.key_down), down)
    draft.put(name(latent.key_norm), gain)
    queries = _queries(draft, latent, name, heads, plain + shared, N)
    stack, layer = place
    draft.promise(f"{stack} content", layer, queries[:, :plain], up @ (gain.unsqueeze(-1) * down[:rank]))
    draft.promise(f"{stack} rotary", layer, queries[:, plain:], down[rank:].unsqueeze(0))


def _queries(draft: Draft, latent: Latent, name: Naming, heads: int, size: int, N: int) -> torch.Tensor:
    """The queries, projected in one step or through a latent."""
    if latent.query and (not latent.query_up or draft.choose(True, False)):
        Q = draft.numbers(heads, size, N)
        draft.put(name(latent.query), Q.flatten(0, 1))
        return Q
    inside = draft.choose(2, 1)
    up, down, gain = draft.numbers(heads, size, inside), draft.numbers(inside, N), draft.numbers(inside)
    draft.put(name(latent.query_up), up.flatten(0, 1))
    draft.put(name(latent.query_down), down)
    draft.put(name(latent.query_norm), gain)
    return up @ (gain.unsqueeze(-1) * down)
