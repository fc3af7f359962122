"""Ranks over a finite field, many matrices at once."""

from __future__ import annotations

import torch


def rank_modulo(matrices: torch.Tensor, p: int) -> torch.Tensor:
    """The ranks of integer matrices modulo a prime, by Gaussian elimination on all of them in step.

    Args:
        matrices: ``(count, rows, columns)`` int64.
        p: a prime below 2³¹, so that products of residues fit.

    Returns:
        ``(count,)`` int64.

    >>> rank_modulo(torch.tensor([[[1, 2], [2, 4]], [[1, 2], [2, 5]], [[3, 6], [6, 3]]]), 3).tolist()
    [1, 2, 0]
    """
    rest = matrices.remainder(p)
    count, rows, columns = rest.shape
    rank = torch.zeros(count, dtype=torch.int64)
    every = torch.arange(count)
    for _ in range(min(rows, columns)):
        # The first nonzero entry of each matrix; where there is none, the step below changes nothing.
        place = (rest != 0).flatten(1).to(torch.int8).argmax(-1)
        row, column = place // columns, place % columns
        pivot = rest[every, row, column]
        rank += pivot != 0
        scaled = rest[every, row] * _inverse(pivot, p).unsqueeze(-1) % p
        rest = (rest - rest[every, :, column].unsqueeze(-1) * scaled.unsqueeze(-2)).remainder(p)
    return rank


def _inverse(x: torch.Tensor, p: int) -> torch.Tensor:
    """``x^(p−2)``: the inverse of a residue, 0 for 0 (p > 2)."""
    result, power, exponent = torch.ones_like(x), x, p - 2
    while exponent:
        if exponent & 1:
            result = result * power % p
        power = power * power % p
        exponent >>= 1
    return result
