"""Ensembles with independent entries, or independent pairs of entries of K and Q."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

import torch

from proofs.moments import head_energies
from verify.ensembles.ensemble import Ensemble, Matrices, Parameters
from verify.ensembles.laws import Expectation, energies, parity, share, signatures
from verify.ensembles.statistics import Frequency, Mean


def _gaussians(heads: int, n: int, N: int, generator: torch.Generator) -> Matrices:
    Q, K = torch.randn(2, heads, n, N, generator=generator, dtype=torch.float64)
    return Q, K


def _independent(
    n: int, N: int, *, variance: Fraction | None = None, by: str = "proof of Proposition 5"
) -> list[Expectation]:
    """Independent entries with one law that is symmetric about 0.

    The ratio of energies does not depend on the variance of that law and so survives rounding; the energies do.
    """
    ratio, *both = energies(head_energies(n, N), "Corollary 2", scale=(variance or Fraction(1)) ** 2)
    return [share(N, by), replace(ratio, rounds=True), parity(), *(both if variance is not None else [])]


class Gaussian(Ensemble):
    """Proposition 5, Corollary 2 and Theorem 3 of the paper."""

    name = "gaussian"
    description = "independent standard Gaussian entries"

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Standard Gaussian Q and K."""
        return _gaussians(heads, n, N, generator)

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """The paper's baselines; and how far from the degeneracy locus, ``σ_2n⁻² ≤ tr (MMᵀ)⁻¹``.

        ``(MMᵀ)⁻¹`` has the diagonal ``1/χ²`` with ``N − 2n + 1`` degrees of freedom, whose mean is ``1/(N − 2n − 1)``;
        it is stated where four of its moments exist, so that a sample of it has a normal interval.
        """
        law = [*_independent(n, N, variance=Fraction(1), by="Proposition 5"), *signatures(n, N)]
        if N - 2 * n >= 8:
            law.append(Expectation(Mean("inverse"), Fraction(2 * n, N - 2 * n - 1), "inverse Wishart law"))
        return law


class Uniform(Ensemble):
    """Corollary 2 asks for centred entries only."""

    name = "uniform"
    description = "independent entries, uniform on [−√3, √3]"

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Uniform entries of variance 1."""
        Q, K = (2 * torch.rand(2, heads, n, N, generator=generator, dtype=torch.float64) - 1) * 3**0.5
        return Q, K

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """As for Gaussian entries."""
        return [*_independent(n, N, variance=Fraction(1)), *signatures(n, N)]


class Rademacher(Ensemble):
    """A discrete law: heads on the degeneracy locus have positive probability."""

    name = "rademacher"
    description = "independent random signs"

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Random signs."""
        Q, K = 2.0 * torch.randint(0, 2, (2, heads, n, N), generator=generator).to(torch.float64) - 1.0
        return Q, K

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """Signs are exact in every floating-point type."""
        return [replace(e, rounds=True) for e in _independent(n, N, variance=Fraction(1))]


class Sparse(Ensemble):
    """Independent centred entries, each of variance ``density``."""

    name = "sparse"
    description = "Gaussian entries, each kept with probability density"
    parameters: ClassVar[Parameters] = {"density": 0.25}

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """Density in (0, 1]."""
        self.need(0 < parameters["density"] <= 1, f"a density in (0, 1], not {parameters['density']:g}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Gaussian entries times a random mask."""
        Q, K = _gaussians(heads, n, N, generator)
        mask = torch.rand(2, heads, n, N, generator=generator, dtype=torch.float64) < parameters["density"]
        return Q * mask[0], K * mask[1]

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """Corollary 2 and Proposition 5."""
        return _independent(n, N, variance=Fraction(parameters["density"]))


class LowPrecision(Ensemble):
    """Rounding to a grid keeps the entries independent and their law symmetric, whatever its variance becomes."""

    name = "low-precision"
    description = "Gaussian entries, rounded to multiples of 2^(1−bits)"
    parameters: ClassVar[Parameters] = {"bits": 2.0}

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """A whole number of bits."""
        bits = parameters["bits"]
        self.need(bits in range(1, 25), f"a whole number of bits from 1 to 24, not {bits:g}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Gaussian entries on a grid."""
        steps = 2.0 ** (parameters["bits"] - 1)
        Q, K = (torch.round(X * steps) / steps for X in _gaussians(heads, n, N, generator))
        return Q, K

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """Corollary 2 and Proposition 5."""
        return _independent(n, N)


class Correlated(Ensemble):
    """Pairs (K_ij, Q_ij) with correlation ρ, independent of each other: between free (0) and tied (±1) weights."""

    name = "correlated"
    description = "Gaussian entries; K_ij and Q_ij have correlation rho"
    parameters: ClassVar[Parameters] = {"rho": 0.5}

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """A correlation."""
        self.need(-1 <= parameters["rho"] <= 1, f"a correlation rho in [−1, 1], not {parameters['rho']:g}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """``K = ρQ + √(1−ρ²) Q'``."""
        rho = parameters["rho"]
        Q, other = _gaussians(heads, n, N, generator)
        return Q, rho * Q + ((1 - rho) * (1 + rho)) ** 0.5 * other

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """Wick's formula, see :func:`proofs.moments.head_energies`; ``E tr L = nNρ``. For ρ = ±1, ``L = ±QᵀQ``."""
        rho = Fraction(parameters["rho"])
        law = energies(head_energies(n, N, correlation=rho), "Wick's formula")
        law.append(Expectation(Mean("trace"), n * N * rho, "E[k_ij q_ij] = ρ"))
        if abs(rho) == 1:
            rank = min(n, N)
            tied = (rank, 0, N - rank) if rho > 0 else (0, rank, N - rank)
            law.append(Expectation(Frequency("signature", tied), Fraction(1), "L = ±QᵀQ"))
        elif 2 * n <= N:
            law += signatures(n, N)
        return law
