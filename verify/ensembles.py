"""Random ensembles of heads and what theory expects of them.

Of each ensemble the distribution of the signature is known, at least in part, and the mean share ``‖S‖²/‖L‖²`` of the
symmetric part or the ratio ``E‖S‖²/E‖L‖²``. Sources: A. O'Desky, arXiv 2609.22990 (Corollaries 1 and 2, Proposition 5,
Theorem 5); where nothing is cited, the docstring proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import torch

from proofs.fields import GF
from proofs.moments import head_energies, square_energies, symmetric_share_moments
from verify.errors import HypothesisError
from verify.heads import HeadBatch

#: Draws ``(Q, K)``, each ``(heads, n, N)`` float64.
Draw = Callable[[int, int, int, torch.Generator, Mapping[str, float]], tuple[torch.Tensor, torch.Tensor]]


@dataclass(frozen=True)
class Expectation:
    """Something theory says about an ensemble.

    Attributes:
        quantity: ``share``: the mean of ``‖S‖²/‖L‖²``; ``share_variance``: its variance; ``ratio``: ``E‖S‖²/E‖L‖²``;
            ``score``, ``symmetric``: ``E‖L‖²``, ``E‖S‖²``; ``trace``: ``E tr L``; ``a`` … ``d``: a coordinate of the
            mean profile; ``nondegenerate``: ``P(rank M = 2n)``; or ``signature (p, q, z)``: its probability.
        value: the expected value.
        source: where it is stated.
        limit: whether it is the limit of large n, of which a sample is only near.
    """

    quantity: str
    value: Fraction
    source: str
    limit: bool = False


@dataclass(frozen=True)
class Ensemble:
    """A random ensemble of heads.

    Attributes:
        name: as on the command line.
        description: how its matrices are drawn.
        draw: draws Q and K.
        expect: what is known for heads of a size.
        parameters: names and default values.
    """

    name: str
    description: str
    draw: Draw
    expect: Callable[[int, int, Mapping[str, float]], list[Expectation]]
    parameters: Mapping[str, float] = field(default_factory=dict)

    def sample(self, heads: int, n: int, N: int, *, seed: int = 0, **parameters: float) -> HeadBatch:
        """Draw a batch, the same for the same seed.

        Args:
            heads: number of heads.
            n: head dimension.
            N: width.
            seed: of torch's generator on the CPU.
            parameters: of the ensemble; those left out have their defaults.

        Raises:
            HypothesisError: an unknown parameter, or sizes that the ensemble does not have.

        >>> ENSEMBLES["gaussian"].sample(3, 2, 5).Q.shape
        torch.Size([3, 2, 5])
        """
        chosen = self.with_defaults(parameters)
        Q, K = self.draw(heads, n, N, torch.Generator().manual_seed(seed), chosen)
        return HeadBatch(Q, K, provenance={"ensemble": self.name, "seed": seed, "parameters": dict(chosen)})

    def expectations(self, n: int, N: int, **parameters: float) -> list[Expectation]:
        """What theory says about heads of this size.

        >>> [(e.quantity, str(e.value)) for e in ENSEMBLES["gaussian"].expectations(1, 3)][:2]
        [('share', '2/3'), ('ratio', '2/3')]
        """
        return self.expect(n, N, self.with_defaults(parameters))

    def with_defaults(self, parameters: Mapping[str, float]) -> dict[str, float]:
        """The parameters, completed.

        Raises:
            HypothesisError: a name the ensemble does not have.
        """
        unknown = set(parameters) - set(self.parameters)
        if unknown:
            names = ", ".join(self.parameters) or "none"
            raise HypothesisError(f"{self.name} has no parameter {min(unknown)!r}; its parameters: {names}")
        return {**self.parameters, **parameters}


def _signatures(n: int, N: int) -> list[Expectation]:
    """Of heads whose law is absolutely continuous and symmetric under ``K → −K``, which swaps n₊ and n₋.

    For 2n ≤ N the degenerate heads are a null set, and the theorem leaves one signature. For 2n > N almost surely
    ``rank S = N``, and ``n₊, n₋ ≤ n`` (Lemma 3); if N = 2n − 1, this leaves (n, n−1) and (n−1, n), by symmetry with
    probability ½ each.
    """
    if 2 * n <= N:
        return [Expectation(f"signature ({n}, {n}, {N - 2 * n})", Fraction(1), "Theorem 3")]
    if N == 2 * n - 1:
        chambers = ((n, n - 1), (n - 1, n))
        return [Expectation(f"signature ({p}, {q}, 0)", Fraction(1, 2), "Lemma 3 and K → −K") for p, q in chambers]
    return []


def _gaussians(heads: int, n: int, N: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    Q, K = torch.randn(2, heads, n, N, generator=generator, dtype=torch.float64)
    return Q, K


def _frames(heads: int, n: int, N: int, generator: torch.Generator) -> torch.Tensor:
    """``(heads, n, N)`` with orthonormal rows, uniformly distributed: QR of a Gaussian matrix, positive diagonal."""
    basis, R = torch.linalg.qr(torch.randn(heads, N, n, generator=generator, dtype=torch.float64))
    columns: torch.Tensor = basis * torch.diagonal(R, dim1=-2, dim2=-1).sign().unsqueeze(-2)
    return columns.mT


def _need(condition: bool, name: str, what: str) -> None:
    if not condition:
        raise HypothesisError(f"the ensemble {name} needs {what}")


def _share(N: int, source: str) -> Expectation:
    return Expectation("share", Fraction(N + 1, 2 * N), source)


def _energies(
    n: int, N: int, source: str, variance: Fraction = Fraction(1), correlation: Fraction = Fraction(0)
) -> list[Expectation]:
    energies = head_energies(n, N, correlation=correlation)
    score, symmetric = (Fraction(int(x.p), int(x.q)) * variance**2 for x in (energies.score, energies.symmetric))
    return [
        *([Expectation("ratio", symmetric / score, source)] if score else []),
        Expectation("score", score, source),
        Expectation("symmetric", symmetric, source),
    ]


def _gaussian(
    heads: int, n: int, N: int, generator: torch.Generator, _: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    return _gaussians(heads, n, N, generator)


def _expect_gaussian(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    return [_share(N, "Proposition 5"), *_energies(n, N, "Corollary 2"), *_signatures(n, N)]


def _uniform(
    heads: int, n: int, N: int, generator: torch.Generator, _: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    Q, K = (2 * torch.rand(2, heads, n, N, generator=generator, dtype=torch.float64) - 1) * 3**0.5
    return Q, K


def _expect_uniform(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    return [*_energies(n, N, "Corollary 2"), *_signatures(n, N)]


def _rademacher(
    heads: int, n: int, N: int, generator: torch.Generator, _: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    Q, K = 2.0 * torch.randint(0, 2, (2, heads, n, N), generator=generator).to(torch.float64) - 1.0
    return Q, K


def _expect_rademacher(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    return _energies(n, N, "Corollary 2")


def _orthogonal(
    heads: int, n: int, N: int, generator: torch.Generator, _: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    _need(n <= N, "orthogonal", f"n ≤ N, not n = {n}, N = {N}: no {n} orthonormal rows of length {N}")
    return _frames(heads, n, N, generator), _frames(heads, n, N, generator)


def _expect_orthogonal(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    """``‖L‖² = n`` exactly. ``W = QKᵀ`` is a block of a Haar orthogonal matrix, ``E w_ij w_kl = δ_ik δ_jl/N``, so
    ``E tr L² = E tr W² = n/N``.
    """
    score = Fraction(n)
    return [
        _share(N, "‖S‖² = ½‖L‖² + ½tr L² (Lemma 5)"),
        Expectation("score", score, "KKᵀ = QQᵀ = I"),
        *_signatures(n, N),
    ]


def _correlated(
    heads: int, n: int, N: int, generator: torch.Generator, p: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    rho = p["rho"]
    _need(-1 <= rho <= 1, "correlated", f"a correlation rho in [−1, 1], not {rho}")
    Q, other = _gaussians(heads, n, N, generator)
    return Q, rho * Q + (1 - rho * rho) ** 0.5 * other


def _expect_correlated(n: int, N: int, p: Mapping[str, float]) -> list[Expectation]:
    """Wick's formula; see :func:`proofs.moments.head_energies`. ``E tr L = nNρ``."""
    rho = Fraction(p["rho"])
    law = _energies(n, N, "Wick's formula", correlation=rho)
    law.append(Expectation("trace", n * N * rho, "E k_ij q_ij = ρ"))
    if 2 * n <= N and abs(rho) < 1:
        law += _signatures(n, N)
    if abs(rho) == 1:
        rank = min(n, N)
        positive, negative = (rank, 0) if rho > 0 else (0, rank)
        law.append(Expectation(f"signature ({positive}, {negative}, {N - rank})", Fraction(1), "L = ±QᵀQ"))
    return law


def _sparse(
    heads: int, n: int, N: int, generator: torch.Generator, p: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    _need(0 <= p["density"] <= 1, "sparse", f"a density in [0, 1], not {p['density']}")
    Q, K = _gaussians(heads, n, N, generator)
    mask = torch.rand(2, heads, n, N, generator=generator, dtype=torch.float64) < p["density"]
    return Q * mask[0], K * mask[1]


def _expect_sparse(n: int, N: int, p: Mapping[str, float]) -> list[Expectation]:
    """Independent centred entries, each of variance ``density``."""
    return _energies(n, N, "Corollary 2", Fraction(p["density"]))


def _low_precision(
    heads: int, n: int, N: int, generator: torch.Generator, p: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    bits = int(p["bits"])
    _need(1 <= bits <= 24, "low-precision", f"between 1 and 24 bits, not {bits}")
    Q, K = (torch.round(X * 2.0 ** (bits - 1)) / 2.0 ** (bits - 1) for X in _gaussians(heads, n, N, generator))
    return Q, K


def _expect_low_precision(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    """Rounding to a grid keeps the entries independent, centred, and of one variance, whatever it is."""
    return [e for e in _energies(n, N, "Corollary 2") if e.quantity == "ratio"]


def _trained_like(
    heads: int, n: int, N: int, generator: torch.Generator, p: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    _need(n <= N, "trained-like", f"n ≤ N, not n = {n}, N = {N}")
    decay = torch.arange(1, n + 1, dtype=torch.float64) ** -p["decay"]
    sides = []
    for _ in range(2):
        left, right = _frames(heads, n, n, generator), _frames(heads, n, N, generator)
        sides.append(left * decay @ right)
    return sides[0], sides[1]


def _expect_trained_like(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    """``K = AV``, ``Q = BV'`` with independent uniform frames V, V'. Given A and B, ``‖L‖² = tr(AᵀA·BᵀB)``-like is
    fixed, ``‖L‖² = tr(QQᵀKKᵀ) = tr(BBᵀAAᵀ)``, and with ``W = V'Vᵀ``, ``E w_ij w_kl = δ_ik δ_jl/N``,

        E tr L² = E tr(BWAᵀBWAᵀ) = tr(BBᵀAAᵀ)/N = ‖L‖²/N,

    so the mean share is ``½ + 1/(2N)`` whatever the spectra are. The same argument gives Proposition 5.
    """
    return [_share(N, "independent uniform frames"), *_signatures(n, N)]


def _square(
    heads: int, n: int, N: int, generator: torch.Generator, _: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    _need(n == N, "square", f"n = N (an N × N matrix L is a head with K = I), not n = {n}, N = {N}")
    Q = torch.randn(heads, N, N, generator=generator, dtype=torch.float64)
    return Q, torch.eye(N, dtype=torch.float64).expand(heads, N, N).clone()


def _expect_square(n: int, N: int, _: Mapping[str, float]) -> list[Expectation]:
    energies, (mean, variance) = square_energies(N), symmetric_share_moments(N)
    law = [
        Expectation("ratio", _fraction(energies.ratio), "Corollary 1"),
        Expectation("score", _fraction(energies.score), "Corollary 1"),
        Expectation("symmetric", _fraction(energies.symmetric), "Corollary 1"),
        Expectation("share", _fraction(mean), "Beta(N(N+1)/4, N(N−1)/4)"),
    ]
    if N > 1:
        law.append(Expectation("share_variance", _fraction(variance), "Beta(N(N+1)/4, N(N−1)/4)"))
    return law


def _fraction(x: object) -> Fraction:
    return Fraction(str(x))


def _accumulation(
    heads: int, n: int, N: int, generator: torch.Generator, p: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    _need(n == N and N % 2 == 0, "accumulation", f"n = N even (S is diagonal, K = I), not n = {n}, N = {N}")
    _need(p["ratio"] >= 0, "accumulation", f"a ratio ≥ 0, not {p['ratio']}")
    spectrum = torch.empty(heads, N, dtype=torch.float64).exponential_(generator=generator)
    spectrum[:, N // 2 :] *= -p["ratio"]
    return torch.diag_embed(spectrum), torch.eye(N, dtype=torch.float64).expand(heads, N, N).clone()


def _expect_accumulation(n: int, N: int, p: Mapping[str, float]) -> list[Expectation]:
    rho = Fraction(p["ratio"])
    total = 1 + rho * rho
    limit = {"a": Fraction(0), "b": 2 * rho, "c": max(1 - rho, Fraction(0)) ** 2, "d": max(rho - 1, Fraction(0)) ** 2}
    return [Expectation(name, value / total, "Theorem 5", limit=True) for name, value in limit.items()]


def _finite_field(
    heads: int, n: int, N: int, generator: torch.Generator, p: Mapping[str, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    q = GF(int(p["q"])).p  # refuses what is no odd prime
    Q, K = torch.randint(0, q, (2, heads, n, N), generator=generator).to(torch.float64)
    return Q, K


def _expect_finite_field(n: int, N: int, p: Mapping[str, float]) -> list[Expectation]:
    """``∏_{i<2n} (1 − q^{i−N})``: row i of M lies outside the span of the i independent ones before it."""
    q, probability = Fraction(int(p["q"])), Fraction(1)
    for i in range(2 * n):
        probability *= 1 - q ** (i - N)
    return [Expectation("nondegenerate", max(probability, Fraction(0)), "rows outside the span of those before")]


#: The ensembles by name.
ENSEMBLES: dict[str, Ensemble] = {
    ensemble.name: ensemble
    for ensemble in (
        Ensemble("gaussian", "independent standard Gaussian entries", _gaussian, _expect_gaussian),
        Ensemble("uniform", "independent entries, uniform with variance 1", _uniform, _expect_uniform),
        Ensemble("rademacher", "independent random signs", _rademacher, _expect_rademacher),
        Ensemble("orthogonal", "orthonormal rows, uniformly distributed", _orthogonal, _expect_orthogonal),
        Ensemble("correlated", "Gaussian; K_ij and Q_ij correlated", _correlated, _expect_correlated, {"rho": 0.5}),
        Ensemble("sparse", "Gaussian entries kept with a probability", _sparse, _expect_sparse, {"density": 0.25}),
        Ensemble("low-precision", "Gaussian, rounded to a grid", _low_precision, _expect_low_precision, {"bits": 2}),
        Ensemble("trained-like", "spectra i^(−decay)", _trained_like, _expect_trained_like, {"decay": 1.0}),
        Ensemble("square", "L itself Gaussian, n = N", _square, _expect_square),
        Ensemble("accumulation", "exponential lobes, n = N", _accumulation, _expect_accumulation, {"ratio": 0.5}),
        Ensemble("finite-field", "uniform over F_q", _finite_field, _expect_finite_field, {"q": 3}),
    )
}
