"""The profile against its definition in many digits, and the laws it obeys."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.heads import batch_of
from verify import laws
from verify.heads import HeadBatch
from verify.profiles import head_type, lobes, profiles_of
from verify.strategies import float_heads
from verify.verdicts import assess, profile

seeds = st.integers(0, 2**32)


def definition(Q: np.ndarray, K: np.ndarray) -> list[float]:
    """Definition 6 on the N × N matrix, in 60 digits."""
    with mpmath.workdps(60):
        L = mpmath.matrix(K.tolist()).T * mpmath.matrix(Q.tolist())
        S, T = (L + L.T) / 2, (L - L.T) / 2
        eigenvalues = list(mpmath.eigsy(S, eigvals_only=True))
        alpha = sorted((x for x in eigenvalues if x > 0), reverse=True)
        beta = sorted((-x for x in eigenvalues if x < 0), reverse=True)
        size = max(len(alpha), len(beta))
        alpha += [mpmath.mpf(0)] * (size - len(alpha))
        beta += [mpmath.mpf(0)] * (size - len(beta))
        L2 = sum(x * x for x in L)
        return [
            float(sum(x * x for x in T) / L2),
            float(2 * sum(a * b for a, b in zip(alpha, beta, strict=True)) / L2),
            float(sum(max(a - b, 0) ** 2 for a, b in zip(alpha, beta, strict=True)) / L2),
            float(sum(min(a - b, 0) ** 2 for a, b in zip(alpha, beta, strict=True)) / L2),
        ]


@given(seeds, st.integers(1, 4), st.integers(0, 4))
def test_the_profile_is_the_definition(seed: int, n: int, extra: int) -> None:
    rng = np.random.default_rng(seed)
    Q, K = rng.standard_normal((2, n, n + extra))
    found = profile(batch_of(Q.tolist(), K.tolist()))[0]
    assert np.allclose(found, definition(Q, K), rtol=0, atol=1e-12)


@pytest.mark.parametrize("cancel", [1e-3, 1e-6, 1e-9, 1e-12])
def test_cancellation_in_the_form_costs_no_digits(cancel: float) -> None:
    """K and Q large, L small: k₁ ≈ k₂ and q₁ ≈ −q₂."""
    rng = np.random.default_rng(7)
    Q, K = rng.standard_normal((2, 2, 6))
    K[1] = K[0] + cancel * K[1]
    Q[1] = -Q[0] + cancel * Q[1]
    found = profile(batch_of(Q.tolist(), K.tolist()))[0]
    assert np.allclose(found, definition(Q, K), rtol=0, atol=1e-12)


@pytest.mark.parametrize("law", laws.of("profile"), ids=str)
def test_the_laws_of_the_profile(law) -> None:
    """Simplex, faces, rank one, every invariance: see :mod:`verify.laws`."""
    law(profile)


@given(float_heads(), st.integers(-300, 300), st.integers(-300, 300))
def test_factors_across_the_whole_range(batch: HeadBatch, up_q: int, up_k: int) -> None:
    """Where scaling stays exact, the profile does not change in any digit that counts."""
    scaled = HeadBatch(batch.Q.double() * 2.0**up_q, batch.K.double() * 2.0**up_k)
    if torch.equal(scaled.Q * 2.0**-up_q, batch.Q.double()) and torch.equal(scaled.K * 2.0**-up_k, batch.K.double()):
        assert torch.allclose(profile(batch), profile(scaled), rtol=0, atol=1e-12, equal_nan=True)


def test_lobes_are_sorted_each_on_its_own() -> None:
    alpha, beta = lobes(torch.tensor([[1.0, -5.0, 3.0, -2.0, 0.0]]))
    assert alpha.tolist() == [[3, 1, 0, 0, 0]]
    assert beta.tolist() == [[5, 2, 0, 0, 0]]


def test_c_and_d_can_both_be_positive() -> None:
    form = torch.diag(torch.tensor([3.0, 1.0, -2.0, -2.0], dtype=torch.float64))
    _, b, c, d = profiles_of(form[None], torch.linalg.eigvalsh(form)[None]).profile[0].tolist()
    assert (b * 18, c * 18, d * 18) == pytest.approx((2 * (6 + 2), 1, 1))


def statistics_by_definition(Q: np.ndarray, K: np.ndarray) -> dict[str, float]:
    L = K.T @ Q
    S = (L + L.T) / 2
    eigenvalues = np.linalg.eigvalsh(S)
    alpha = np.sort(eigenvalues[eigenvalues > 1e-9])[::-1]
    beta = np.sort(-eigenvalues[eigenvalues < -1e-9])[::-1]
    size = max(len(alpha), len(beta))
    alpha, beta = np.pad(alpha, (0, size - len(alpha))), np.pad(beta, (0, size - len(beta)))
    rho = np.linalg.norm(beta) / np.linalg.norm(alpha)
    h = np.linalg.svd(L, compute_uv=False)
    return {
        "symmetric_energy": np.sum(S**2) / np.sum(L**2),
        "pairing": 1 - np.linalg.norm(alpha - beta) / np.linalg.norm(S),
        "rho": rho,
        "pairing_bound": 1 - abs(1 - rho) / math.sqrt(1 + rho**2),
        "lobe_departure": np.linalg.norm(beta - rho * alpha) / np.linalg.norm(beta),
        "trace_ratio": abs(np.trace(L)) / np.linalg.norm(L),
        "participation": np.sum(h**2) ** 2 / np.sum(h**4),
        "stable_rank": np.sum(h**2) / h[0] ** 2,
        "leading_share": h[0] ** 2 / np.sum(h**2),
        "balance": 1.0,
    }


@given(seeds)
def test_statistics_are_their_definitions(seed: int) -> None:
    Q, K = np.random.default_rng(seed).standard_normal((2, 3, 8))
    (verdict,) = assess(batch_of(Q.tolist(), K.tolist()))
    assert verdict.statistics == pytest.approx(statistics_by_definition(Q, K), rel=1e-9)
    assert verdict.statistics["pairing"] <= verdict.statistics["pairing_bound"] + 1e-12


@pytest.mark.parametrize(("sign", "rho"), [(1.0, 0.0), (-1.0, None)])
def test_noise_where_the_signature_has_zeros_reaches_no_statistic(sign: float, rho: float | None) -> None:
    """K = ±Q is semidefinite exactly: one lobe is empty, whatever eigvalsh says of the zeros."""
    Q = torch.tensor([[[1.0, 0.3, 0.7], [0.1, 1.0, 0.2]]])
    (verdict,) = assess(HeadBatch(Q, sign * Q))
    assert verdict.statistics is not None and verdict.profile is not None
    assert verdict.statistics["rho"] == rho
    assert verdict.statistics["lobe_departure"] is None
    assert verdict.profile["b"] == 0
    assert verdict.profile["d" if sign > 0 else "c"] == 0


@pytest.mark.parametrize(
    ("profile_", "type_"),
    [
        ((0.5, 0.485, 0.015, 0.0), "I+"),  # 3 % of S, though 1.5 % of L
        ((0.5, 0.491, 0.0, 0.009), "II"),
        ((0.0, 0.5, 0.25, 0.25), "I-"),  # as the paper defines it: I⁺ only if c_S > d_S
        ((0.0, 0.98, 0.01, 0.01), "II"),
    ],
)
def test_types_at_their_borders(profile_: tuple[float, float, float, float], type_: str) -> None:
    assert head_type(profile_) == type_


def test_types_of_the_paper() -> None:
    """The published rows classify themselves: parity from c − d, Type II within 1/50 of the symmetric simplex."""
    with (Path(__file__).parents[1] / "data" / "paper_rows.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11
    for row in rows:
        a, b, c, d = (float(row[x]) for x in "abcd")
        near = float(row["c_sym"]) + float(row["d_sym"]) <= 1 / 50
        assert head_type((a, b, c, d)) == ("II" if near else "I+" if c > d else "I-")
