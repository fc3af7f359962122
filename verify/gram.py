"""The Gram matrix of a batch of heads, and the small matrices from which everything else follows.

With ``M = [K; Q]`` (2n × N) and ``M = diag(2^e) L̂ Q̂ᵀ``, Q̂ having orthonormal columns and L̂ lower triangular of order
2n, the bilinear form in the orthonormal basis Q̂ is ``Q̂ᵀ(KᵀQ)Q̂ = L̂_Kᵀ diag(2^(e_K+e_Q)) L̂_Q``, the *compressed form*
of the head. Its symmetric part has the nonzero spectrum of S, its norm is that of L, and N never appears again.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from verify.rounding import SMALLEST_NORMAL, add_up, gamma, scale_rows, scale_up, shift, up

#: Rows whose largest entry is below this are left to the exact proof, so that an entry lost to underflow while its
#: row is scaled up is below ``SMALLEST_NORMAL / SMALLEST_ROW`` in scaled units.
SMALLEST_ROW = 2.0**-500


@dataclass(frozen=True)
class ScaledGram:
    """Gram matrix of the row-scaled stacked matrix, with what its rounding error needs.

    ``M = diag(2^exponents) · A``, ``G ≈ A Aᵀ``.

    Attributes:
        A: ``(heads, 2n, N)`` float64, each row's largest entry in [½, 1) (or a zero row).
        exponents: ``(heads, 2n)`` int64.
        G: ``(heads, 2n, 2n)`` float64, exactly symmetric.
        underflow: entrywise bound for what underflow may have taken from an entry of ``A Aᵀ``.
        eligible: ``(heads,)`` bool, False where a row is too small for the underflow bound to hold.
        columns: N.
        rounding: ``(heads,)``: a row of the exact ``diag(2^-e)M`` is within ``rounding · ‖a_i‖`` of the row a_i of A.
    """

    A: torch.Tensor
    exponents: torch.Tensor
    G: torch.Tensor
    underflow: float
    eligible: torch.Tensor
    columns: int
    rounding: torch.Tensor

    def select(self, heads: list[int], *, rows: bool) -> ScaledGram:
        """The given heads, on the CPU; without the N-dimensional rows A unless asked for."""
        A = self.A[heads].cpu() if rows else self.A.new_empty(len(heads), self.rows, 0).cpu()
        return ScaledGram(
            A,
            self.exponents[heads].cpu(),
            self.G[heads].cpu(),
            self.underflow,
            self.eligible[heads].cpu(),
            self.columns,
            self.rounding[heads].cpu(),
        )

    @property
    def rows(self) -> int:
        """2n."""
        return self.G.shape[-1]

    @property
    def product_error(self) -> float:
        """``γ_N``: ``|G − A Aᵀ| ≤ γ_N |A||A|ᵀ + underflow`` entrywise (Higham 3.5), whatever the order of summation."""
        return gamma(max(self.columns, 1))

    @property
    def live_pairs(self) -> torch.Tensor:
        """``(heads, n)`` bool, True where key row i and query row i are both nonzero: the terms of ``KᵀQ``."""
        nonzero = torch.diagonal(self.G, dim1=-2, dim2=-1) > 0
        n = self.rows // 2
        return nonzero[:, :n] & nonzero[:, n:]

    @property
    def relative_error(self) -> torch.Tensor:
        """``(heads,)``, ε with ``|G − Â Âᵀ| ≤ ε g gᵀ + underflow`` entrywise, Â the exact rows, g the row norms of A.

        It is ``γ_N + 2ρ + ρ²`` with ρ the rounding of the rows, by Cauchy–Schwarz.
        """
        rho = self.rounding
        return add_up(torch.full_like(rho, self.product_error), 2.0 * rho, up(rho.square()))

    def row_norms(self) -> torch.Tensor:
        """Upper bounds of the Euclidean norms of the rows of ``A``, ``(heads, 2n)``.

        From the computed diagonal: ``G_ii ≥ (1 − γ_N)‖a_i‖² − underflow``.
        """
        diagonal = torch.diagonal(self.G, dim1=-2, dim2=-1)
        squares = add_up(diagonal, torch.full_like(diagonal, self.underflow))
        return up(torch.sqrt(scale_up(squares, 1.0 + 2.0 * self.product_error)))


def scaled_gram(M: torch.Tensor, rounding: torch.Tensor | None = None) -> ScaledGram:
    """Scale the rows of ``M`` by powers of two and form the Gram matrix in float64.

    Args:
        M: stacked matrices ``[K; Q]``, ``(heads, 2n, N)`` float64, finite.
        rounding: ``(heads,)``, the relative distance of the exact rows from those of M; zero by default.
    """
    A, exponents = scale_rows(M)
    product = A @ A.mT
    # A library may return a product that is not symmetric in the last bit; each triangle obeys the same bound.
    G = product.tril() + product.tril(-1).mT
    largest = M.abs().amax(-1) if M.shape[-1] else M.new_zeros(M.shape[:-1])
    eligible = ((largest == 0) | (largest >= SMALLEST_ROW)).all(-1)
    # An entry of A is off by at most η = 2⁻¹⁰²²/2⁻⁵⁰⁰ and below 1 otherwise, so one product is off by 2η + η² < 3η,
    # and by one more smallest normal number if it underflows itself: less than 4η for each of the N products.
    underflow = 4.0 * max(M.shape[-1], 1) * (SMALLEST_NORMAL / SMALLEST_ROW)
    rho = M.new_zeros(M.shape[0]) if rounding is None else rounding.to(M)
    return ScaledGram(A, exponents, G, underflow, eligible, M.shape[-1], rho)


def pairing(exponents: torch.Tensor, live: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The weights by which row scaling multiplies J: ``diag(2^e) J diag(2^e) = 2^s [[0, diag d], [diag d, 0]]``.

    Args:
        exponents: ``(heads, 2n)`` int64, from :class:`ScaledGram`.
        live: ``(heads, n)`` bool, :attr:`ScaledGram.live_pairs`. A pair with a zero row contributes nothing to
            ``KᵀQ`` whatever its weight; it gets the weight 1 and does not choose s.

    Returns:
        ``d`` ``(heads, n)`` float64 powers of two, the largest 1, and ``s`` ``(heads,)`` int64. A weight below
        2⁻¹⁰⁰⁰ becomes zero: such a row pair is lost to float64, and only the exact route sees it.

    >>> d, s = pairing(torch.tensor([[3, 0, 900, 1, 2, 900]]), torch.tensor([[True, True, False]]))
    >>> d.tolist(), s.tolist()
    ([[1.0, 0.25, 1.0]], [4])
    """
    n = exponents.shape[-1] // 2
    sums = exponents[:, :n] + exponents[:, n:]
    if n == 0:
        return sums.to(torch.float64), sums.sum(-1)
    lowest = sums.amin(-1, keepdim=True)
    top = torch.where(live, sums, lowest).amax(-1)
    relative = torch.where(live, sums - top.unsqueeze(-1), 0)
    ones = torch.ones_like(relative, dtype=torch.float64)
    return torch.where(relative < -1000, 0.0, shift(ones, relative.clamp(min=-1000))), top


def compressed_form(factor: torch.Tensor, d: torch.Tensor) -> torch.Tensor:
    """The compressed form of each head, ``L̂_Kᵀ diag(d) L̂_Q``: its bilinear form in an orthonormal basis of M's rows.

    Args:
        factor: ``(heads, 2n, r)``, L̂ with K's rows on top.
        d: ``(heads, n)`` from :func:`pairing`.

    Returns:
        ``(heads, r, r)``; the bilinear form is ``2^s`` times it.
    """
    n = d.shape[-1]
    return factor[:, :n].mT @ (d.unsqueeze(-1) * factor[:, n:])


def symmetric_part(form: torch.Tensor) -> torch.Tensor:
    """``(X + Xᵀ)/2`` over the last two dimensions."""
    return (form + form.mT) / 2


def antisymmetric_part(form: torch.Tensor) -> torch.Tensor:
    """``(X − Xᵀ)/2`` over the last two dimensions."""
    return (form - form.mT) / 2
