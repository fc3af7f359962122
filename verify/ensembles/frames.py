"""Ensembles whose row spaces are uniformly distributed, with given singular values."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import torch

from verify.ensembles.ensemble import Ensemble, Matrices, Parameters
from verify.ensembles.laws import Expectation, parity, share, signatures
from verify.ensembles.statistics import Mean


def _frames(heads: int, n: int, N: int, generator: torch.Generator) -> torch.Tensor:
    """``(heads, n, N)`` with orthonormal rows, uniform: QR of a Gaussian matrix, the diagonal of R made positive."""
    basis, R = torch.linalg.qr(torch.randn(heads, N, n, generator=generator, dtype=torch.float64))
    columns: torch.Tensor = basis * torch.diagonal(R, dim1=-2, dim2=-1).sign().unsqueeze(-2)
    return columns.mT


def _expect(n: int, N: int, score: Fraction) -> list[Expectation]:
    """``K = AV``, ``Q = BV'`` with uniform frames V, V', independent of each other and of A and B.

    ``‖L‖² = tr(AAᵀBBᵀ)`` does not depend on the frames, and ``(Q, KU)`` has the law of ``(Q, K)`` for orthogonal U,
    so that the mean share is that of Proposition 5 whatever A and B are, and ``E‖S‖²`` is that times ``E‖L‖²``.
    """
    source = "uniform frames"
    return [
        share(N, source),
        Expectation(Mean("score"), score, source),
        Expectation(Mean("symmetric"), score * Fraction(N + 1, 2 * N), source),
        parity(),
        *signatures(n, N),
    ]


class Orthogonal(Ensemble):
    """``KKᵀ = QQᵀ = I``, so that ``‖L‖² = n``."""

    name = "orthogonal"
    description = "orthonormal rows, uniformly distributed"

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """Room for n orthonormal rows."""
        self.need(n <= N, f"n ≤ N, not n = {n}, N = {N}: there are no {n} orthonormal rows of length {N}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Two independent frames."""
        return _frames(heads, n, N, generator), _frames(heads, n, N, generator)

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """With A = B = I."""
        return _expect(n, N, Fraction(n))


class TrainedLike(Ensemble):
    """Singular values ``i^(−decay)``, as those of trained heads decay; singular vectors uniform.

    With ``A = U D``, ``B = U'D``, U and U' uniform orthogonal: ``E‖L‖² = E tr(AAᵀBBᵀ) = (tr D²)²/n``.
    """

    name = "trained-like"
    description = "singular values i^(−decay), uniform singular vectors"
    parameters: ClassVar[Parameters] = {"decay": 1.0}

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """Room for n orthonormal rows, and a decay that float64 can bear."""
        self.need(n <= N, f"n ≤ N, not n = {n}, N = {N}: it has {n} singular vectors in dimension {N}")
        self.need(0 <= parameters["decay"] <= 8, f"a decay in [0, 8], not {parameters['decay']:g}")

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """``U D V`` for queries and for keys."""
        spectrum = torch.arange(1, n + 1, dtype=torch.float64) ** -parameters["decay"]
        Q, K = (
            _frames(heads, n, n, generator) * spectrum @ _frames(heads, n, N, generator) for _side in ("query", "key")
        )
        return Q, K

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """With random A and B."""
        squares = sum(Fraction(i ** (-2 * parameters["decay"])) for i in range(1, n + 1))
        return _expect(n, N, Fraction(squares) ** 2 / n)
