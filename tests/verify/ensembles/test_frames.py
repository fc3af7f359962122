"""Frames are orthonormal and uniform; expected values by quadrature."""

from __future__ import annotations

import mpmath
import pytest
import torch

from tests.verify.ensembles.stated import SCORE, SHARE, SYMMETRIC, law
from verify.ensembles import ENSEMBLES
from verify.errors import HypothesisError


@pytest.mark.parametrize(("n", "N"), [(1, 1), (2, 5), (3, 3)])
def test_rows_are_orthonormal(n: int, N: int) -> None:
    batch = ENSEMBLES["orthogonal"].sample(20, n=n, N=N)
    for X in (batch.Q, batch.K):
        assert torch.allclose(X @ X.mT, torch.eye(n, dtype=torch.float64), atol=1e-13)


def test_frames_are_uniform() -> None:
    """First and second moments of a Haar frame; without the sign of R's diagonal the first would not vanish."""
    batch = ENSEMBLES["orthogonal"].sample(20_000, n=2, N=3, seed=8)
    for X in (batch.Q, batch.K):
        assert torch.allclose(X.mean(0), torch.zeros(2, 3, dtype=torch.float64), atol=0.02)
        pairs = X.flatten(1).mT @ X.flatten(1) / batch.heads
        assert torch.allclose(pairs, torch.eye(6, dtype=torch.float64) / 3, atol=0.02)
    assert float((batch.Q * batch.K).mean()) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("decay", [0.0, 0.5, 2.0])
def test_spectra(decay: float) -> None:
    batch = ENSEMBLES["trained-like"].sample(10, n=4, N=9, parameters={"decay": decay})
    expected = torch.arange(1, 5, dtype=torch.float64) ** -decay
    for X in (batch.Q, batch.K):
        assert torch.allclose(torch.linalg.svdvals(X), expected.expand(10, 4), atol=1e-13)


@pytest.mark.parametrize("N", range(2, 6))
def test_one_orthonormal_row_by_quadrature(N: int) -> None:
    """``‖L‖² = 1`` and ``‖S‖² = ½(1 + t²)``, t the cosine between two uniform unit vectors."""
    angles = [-mpmath.pi / 2, mpmath.pi / 2]
    weight = mpmath.quad(lambda x: mpmath.cos(x) ** (N - 2), angles)
    symmetric = mpmath.quad(lambda x: (1 + mpmath.sin(x) ** 2) / 2 * mpmath.cos(x) ** (N - 2), angles) / weight
    found = law("orthogonal", 1, N)
    assert found[SCORE].value == 1
    assert float(found[SYMMETRIC].value) == pytest.approx(float(symmetric), rel=1e-12)
    assert found[SHARE].value == found[SYMMETRIC].value


@pytest.mark.parametrize("decay", [0.0, 1.0, 1.5])
def test_the_energy_of_two_spectra_by_quadrature(decay: float) -> None:
    """n = 2: ``AAᵀ`` and ``BBᵀ`` are diagonal matrices turned by a uniform angle against each other."""
    D = mpmath.diag([1, 2 ** (-2 * decay)])

    def energy(angle: float) -> float:
        c, s = mpmath.cos(angle), mpmath.sin(angle)
        R = mpmath.matrix([[c, -s], [s, c]])
        turned = R * D * R.T * D
        return turned[0, 0] + turned[1, 1]

    mean = mpmath.quad(energy, [0, mpmath.pi, 2 * mpmath.pi]) / (2 * mpmath.pi)
    found = law("trained-like", 2, 7, decay=decay)
    assert float(found[SCORE].value) == pytest.approx(float(mean), rel=1e-12)
    assert found[SYMMETRIC].value == found[SCORE].value * found[SHARE].value


def test_what_there_is_no_room_for() -> None:
    with pytest.raises(HypothesisError, match="the ensemble orthogonal needs n ≤ N, not n = 4, N = 3"):
        ENSEMBLES["orthogonal"].sample(2, n=4, N=3)
    with pytest.raises(HypothesisError, match="4 singular vectors in dimension 3"):
        ENSEMBLES["trained-like"].sample(2, n=4, N=3)
    with pytest.raises(HypothesisError, match=r"a decay in \[0, 8\], not 9"):
        ENSEMBLES["trained-like"].expectations(n=1, N=3, parameters={"decay": 9})
