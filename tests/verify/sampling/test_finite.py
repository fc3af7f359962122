"""Ranks of many matrices at once against FLINT's, one by one."""

from __future__ import annotations

import pytest
import torch
from flint import nmod_mat
from hypothesis import given
from hypothesis import strategies as st

from verify.sampling.finite import rank_modulo


@given(
    st.sampled_from([3, 5, 101, 2**31 - 1]),
    st.integers(1, 5),
    st.integers(1, 5),
    st.integers(0, 4),
    st.integers(0, 2**32 - 1),
)
def test_against_flint(p: int, rows: int, columns: int, rank: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    left = torch.randint(0, p, (20, rows, rank), generator=generator)
    right = torch.randint(0, p, (20, rank, columns), generator=generator)
    matrices = torch.zeros(20, rows, columns, dtype=torch.int64)
    for k in range(rank):
        matrices = (matrices + left[:, :, k : k + 1] * right[:, k : k + 1] % p) % p
    shifted = matrices - p * torch.randint(0, 2, matrices.shape, generator=generator)
    expected = [nmod_mat(rows, columns, M.flatten().tolist(), p).rank() for M in matrices]
    assert rank_modulo(shifted, p).tolist() == expected


@pytest.mark.parametrize("shape", [(0, 2, 3), (3, 1, 1)])
def test_small_shapes(shape: tuple[int, int, int]) -> None:
    assert rank_modulo(torch.ones(shape, dtype=torch.int64), 3).tolist() == [1] * shape[0]
