"""Ensembles of N × N forms, as heads with n = N and K = I."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import torch

from proofs.moments import square_energies, symmetric_share_moments
from verify.ensembles.ensemble import Ensemble, Matrices, Parameters
from verify.ensembles.laws import Expectation, energies, exact, parity, signatures
from verify.ensembles.statistics import Frequency, Mean, Ratio, Variance


def _identity(heads: int, N: int) -> torch.Tensor:
    return torch.eye(N, dtype=torch.float64).expand(heads, N, N).clone()


class Square(Ensemble):
    """L itself has independent standard Gaussian entries (Corollary 1); ``‖S‖²/‖L‖²`` has a Beta law."""

    name = "square"
    description = "L itself with independent standard Gaussian entries, n = N"
    is_square = True

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """K = I."""
        self.need(n == N, f"n = N (an N × N form L is the head with K = I, Q = L), not n = {n}, N = {N}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """``Q = L``, ``K = I``."""
        return torch.randn(heads, N, N, generator=generator, dtype=torch.float64), _identity(heads, N)

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """The law Beta(N(N+1)/4, N(N−1)/4), see :func:`proofs.moments.symmetric_share_moments`."""
        mean, variance = symmetric_share_moments(N)
        beta = "Beta(N(N+1)/4, N(N−1)/4)"
        return [
            Expectation(Mean("share"), exact(mean), beta, rounds=True),
            *([Expectation(Variance("share"), exact(variance), beta)] if N > 1 else []),
            *energies(square_energies(N), "Corollary 1"),
            parity("L → −L"),
            *signatures(n, N),
        ]


class Accumulation(Ensemble):
    """S with eigenvalues ``Xᵢ`` and ``−ρX'ᵢ``, independent exponential variables, N/2 of each sign (Theorem 5).

    The limit profile for large N is ``(0, 2ρ, (1−ρ)₊², (ρ−1)₊²)/(1+ρ²)``. At m = N/2 the ratios of expected energies
    are known. In decreasing order ``h_i = E X_(i) = 1/i + … + 1/m`` (Rényi), ``Σ h_i² = 2m − H_m``, and the lobes are
    independent: ``E 2⟨α,β⟩ = 2ρ(2m − H_m)`` beside ``E‖S‖² = 2m(1 + ρ²)``. Let ρ ≤ 1. As
    ``α − β = (1−ρ)α + ρ(X_(·) − X'_(·))``, the negative part of ``α − β`` is at most that of ``ρ(X_(·) − X'_(·))``,
    whose mean square is ``½ρ² · 2 Σ Var X_(i) = ρ²H_m``. So ``0 ≤ E‖(α−β)₋‖² ≤ ρ²H_m``, and for ρ ≥ 1, with the
    lobes exchanged, ``0 ≤ E‖(α−β)₊‖² ≤ H_m``.
    """

    name = "accumulation"
    description = "S diagonal, eigenvalues exponential of weights 1 and −ratio, n = N"
    parameters: ClassVar[Parameters] = {"ratio": 0.5}
    is_square = True

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """K = I, lobes of equal length."""
        self.need(n == N and N % 2 == 0, f"n = N even (S is diagonal, K = I), not n = {n}, N = {N}")
        ratio = parameters["ratio"]
        self.need(0 < ratio < 2.0**100, f"a finite ratio > 0, not {ratio:g}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """``Q = S``, ``K = I``."""
        spectrum = torch.empty(heads, N, dtype=torch.float64).exponential_(generator=generator)
        spectrum[:, N // 2 :] *= -parameters["ratio"]
        return torch.diag_embed(spectrum), _identity(heads, N)

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """Ratios of expected energies at this N; they tend to the profile of Theorem 5."""
        rho, m = Fraction(parameters["ratio"]), N // 2
        harmonic = sum((Fraction(1, i) for i in range(1, m + 1)), Fraction(0))
        whole = 2 * m * (1 + rho**2)
        b = 2 * rho * (2 * m - harmonic) / whole
        half = min(Fraction(1), rho) ** 2 * harmonic / whole / 2
        larger, smaller = ("positive", "negative") if rho <= 1 else ("negative", "positive")
        source = "Theorem 5, finite N"
        return [
            Expectation(Ratio("symmetric", "score"), Fraction(1), "T = 0", rounds=True),
            Expectation(Ratio("hyperbolic", "score"), b, source),
            Expectation(Ratio(larger, "score"), 1 - b - half, source, within=half),
            Expectation(Ratio(smaller, "score"), half, source, within=half),
            Expectation(Frequency("signature", (m, m, 0)), Fraction(1), "by construction"),
        ]
