"""Profiles at a distance against turning the stored queries, and what a distance cannot change."""

from __future__ import annotations

import math
import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from verify.distances import profiles_at
from verify.heads import HeadBatch
from verify.verdicts import assess, profile


def turns(n: int, count: int) -> torch.Tensor:
    """Rotations of (0, 1), (2, 3) … by one radian a step and ever less."""
    found = torch.eye(n, dtype=torch.float64).repeat(count, 1, 1)
    for delta in range(count):
        for i in range(0, n - 1, 2):
            angle = delta * 10.0 ** (-i)
            c, s = math.cos(angle), math.sin(angle)
            found[delta, i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return found


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(0, 6), st.integers(-200, 200))
def test_turning_the_compressed_queries_is_turning_the_stored_ones(seed: int, n: int, extra: int, up: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    Q, K = torch.randn(2, 2, n, n + extra, generator=generator, dtype=torch.float64)
    Q = Q * 2.0**up
    R = turns(n, 3)
    found = profiles_at(HeadBatch(Q, K), R)
    assert found.shape == (2, 3, 4)
    for delta in range(3):
        assert torch.allclose(found[:, delta], profile(HeadBatch(R[delta] @ Q, K)), rtol=0, atol=1e-11)


def test_distance_zero_is_the_stored_profile_and_the_verdict_never_changes() -> None:
    Q, K = torch.randn(2, 3, 4, 12, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    K[1] = Q[1]
    R = turns(4, 50)
    found = profiles_at(HeadBatch(Q, K), R)
    assert torch.allclose(found[:, 0], profile(HeadBatch(Q, K)), rtol=0, atol=1e-12)
    assert found[0, :, 0].std() > 1e-3
    # Turned in floating point K = Q is degenerate no more, but for the quarter turn, which is exact.
    exact = torch.eye(4, dtype=torch.float64)[[1, 0, 3, 2]] * torch.tensor([[-1.0], [1.0], [-1.0], [1.0]])
    for turned in (Q, exact @ Q, exact @ exact @ Q):
        assert [v.verdict for v in assess(HeadBatch(turned, K))] == ["proved", "refuted", "proved"]


def test_zero_forms_have_no_profile() -> None:
    assert profiles_at(HeadBatch(torch.zeros(1, 2, 4), torch.ones(1, 2, 4)), turns(2, 2)).isnan().all()


@pytest.mark.slow
def test_the_cost_of_a_distance_does_not_depend_on_the_width() -> None:
    """CPU time of one more distance for 4 heads of n = 64, at N = 512 and at N = 4096."""
    R = turns(64, 65)

    def seconds(N: int) -> float:
        Q, K = torch.randn(2, 4, 64, N, generator=torch.Generator().manual_seed(0))
        batch = HeadBatch(Q, K)

        def spent(count: int) -> float:
            start = time.process_time()
            profiles_at(batch, R[:count])
            return time.process_time() - start

        return (min(spent(65) for _ in range(5)) - min(spent(1) for _ in range(5))) / 64

    small, large = seconds(512), seconds(4096)
    print(f"one distance: {1e3 * small:.2f} ms at N = 512, {1e3 * large:.2f} ms at N = 4096, ratio {large / small:.2f}")
    assert large / small < 3  # 8 if it grew with N


@pytest.mark.parametrize("shape", [(0, 2, 4), (2, 0, 4)])
def test_nothing_to_turn(shape: tuple[int, ...]) -> None:
    Q = torch.zeros(shape)
    assert profiles_at(HeadBatch(Q, Q), turns(shape[1], 3)).shape == (shape[0], 3, 4)
