"""The profile of a rotary head at relative positions.

A rotary embedding turns the query at position i and the key at position j, so the form between them is
``Kᵀ R(i−j) Q``: at distance Δ, Q becomes ``R(Δ)Q``. R is orthogonal on the head space and leaves the row space of
``M = [K; Q]`` as it is; one verdict therefore holds at every distance, while the profile changes. It is computed in
the orthonormal basis of the row space that does not change either, so that the cost of a distance does not depend on N.
"""

from __future__ import annotations

import torch

from verify.gram import scaled_gram, symmetric_part
from verify.heads import HeadBatch
from verify.profiles import profiles_of
from verify.rounding import shift


def profiles_at(batch: HeadBatch, turns: torch.Tensor) -> torch.Tensor:
    """The profiles of every head with its queries turned.

    Args:
        batch: finite heads, ``(heads, n, N)``.
        turns: ``(distances, n, n)`` float64, what Q is multiplied by at each distance.

    Returns:
        ``(heads, distances, 4)`` float64 on the CPU; NaN where the form is zero.

    >>> quarter = torch.tensor([[[0.0, -1.0], [1.0, 0.0]]], dtype=torch.float64)
    >>> head = torch.eye(2).unsqueeze(0)
    >>> profiles_at(HeadBatch(head, head), torch.cat([torch.eye(2).double().unsqueeze(0), quarter]))[0].tolist()
    [[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]]
    """
    n, distances = batch.n, turns.shape[0]
    if n == 0 or batch.heads == 0:
        return torch.full((batch.heads, distances, 4), torch.nan, dtype=torch.float64)
    gram = scaled_gram(batch.stacked(), batch.rounding)
    factor = torch.linalg.qr(gram.A.mT, mode="r").R.mT.cpu()
    exponents = gram.exponents.cpu()
    keys, queries = (_unscaled(factor[:, half], exponents[:, half]) for half in (slice(0, n), slice(n, None)))
    found = []
    for key, query in zip(keys, queries, strict=True):
        forms = key.mT @ (turns.to(query) @ query)
        found.append(profiles_of(forms, torch.linalg.eigvalsh(symmetric_part(forms))).profile)
    return torch.stack(found)


def _unscaled(factor: torch.Tensor, exponents: torch.Tensor) -> torch.Tensor:
    """Undo the row scaling up to one power of two per head, which a profile does not see."""
    relative = exponents - exponents.amax(-1, keepdim=True)
    return shift(factor, relative.clamp(min=-1000).unsqueeze(-1))
