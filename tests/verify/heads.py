"""Heads that the tests of the numbers share: adversarial by construction, with exact answers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import torch
from flint import fmpq, fmpq_mat

from verify.heads import HeadBatch


def batch_of(Q: object, K: object, dtype: torch.dtype = torch.float64) -> HeadBatch:
    """One head from nested lists of floats or exact strings."""
    return HeadBatch(tensor_of(Q, dtype).unsqueeze(0), tensor_of(K, dtype).unsqueeze(0))


def tensor_of(rows: object, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """A tensor whose entries are exactly the given dyadic numbers."""
    table = [[Fraction(x) for x in row] for row in rows]  # type: ignore[attr-defined]
    tensor = torch.tensor([[float(x) for x in row] for row in table], dtype=torch.float64).to(dtype)
    for i, row in enumerate(table):
        for j, x in enumerate(row):
            assert Fraction(float(tensor[i, j])) == x, f"{x} is not a {dtype}"
    return tensor


def exact(M: np.ndarray | torch.Tensor) -> fmpq_mat:
    """The stored numbers as rationals, by way of Python's own fractions: independent of the product's conversion."""
    rows = [[Fraction(float(x)) for x in row] for row in np.asarray(M, dtype=np.float64)]
    return fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in rows])


def singular_stack(rng: np.random.Generator, rows: int, N: int, *, bits: int = 20, depth: int = 1) -> np.ndarray:
    """Integer rows of which the last ``depth`` are exact combinations of the others, hidden by the sums."""
    M = rng.integers(-(2**bits), 2**bits, size=(rows, N)).astype(np.float64)
    for i in range(rows - depth, rows):
        weights = rng.integers(-4, 5, size=rows - depth)
        weights[0] = weights[0] or 1
        M[i] = weights @ M[: rows - depth]
    return M
