"""Stored heads as messages show them: Python that makes the same numbers again."""

from __future__ import annotations

from fractions import Fraction

import torch

from verify.heads import HeadBatch

#: What is written as a fraction has no more characters than this.
_MOST = 16


def shown_head(batch: HeadBatch) -> str:
    """Q and K of a batch of one head, every entry an integer, a fraction or a float in Python, and exact.

    The width is shown where the rows do not show it.

    >>> shown_head(HeadBatch(torch.tensor([[[0.5, 2.0**100]]]), torch.tensor([[[-3.0, 0.0]]])))
    'Q = [[1/2, 1.2676506002282294e+30]], K = [[-3, 0]], stored as torch.float32'
    >>> shown_head(HeadBatch(torch.zeros(1, 0, 3), torch.zeros(1, 0, 3)))
    'Q = [], K = [], N = 3, stored as torch.float32'
    """
    width = "" if batch.n else f", N = {batch.N}"
    return f"Q = {_table(batch.Q[0])}, K = {_table(batch.K[0])}{width}, stored as {batch.Q.dtype}"


def _table(matrix: torch.Tensor) -> str:
    rows = matrix.to(torch.float64).tolist()
    return "[" + ", ".join("[" + ", ".join(map(_number, row)) + "]" for row in rows) + "]"


def _number(x: float) -> str:
    fraction = str(Fraction(x))
    return fraction if len(fraction) <= _MOST else repr(x)
