"""The floating-point proof that a head is nondegenerate, and a rigorous count of eigenvalue signs.

Both rest on one batched matrix product, the Gram matrix, and on bounds of its rounding error. Neither uses a
tolerance, and neither trusts a factorisation: what LAPACK or a GPU library returns is only a *proposal*, verified
afterwards by one more matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from verify.gram import ScaledGram, compressed_form, symmetric_part
from verify.rounding import SMALLEST_NORMAL, UNIT_ROUNDOFF, add_up, frobenius_up, gamma, scale_up, shift, sum_up, up


@dataclass(frozen=True)
class CholeskyProof:
    """The outcome of the floating-point proof, batched.

    Attributes:
        proved: ``(heads,)`` bool; True means ``rank M = 2n`` is a theorem about the stored numbers.
        shift: ``(heads,)``, the shift c taken off the diagonal before the factorisation.
        bound: ``(heads,)``, upper bound of all rounding errors and the residual, in the spectral norm. The proof is
            ``shift > bound``; ``shift − bound`` bounds the least eigenvalue of the scaled Gram matrix from below.
    """

    proved: torch.Tensor
    shift: torch.Tensor
    bound: torch.Tensor


def prove_full_rank(gram: ScaledGram) -> CholeskyProof:
    r"""Prove ``rank M = 2n`` in floating point, for every head of a batch at once.

    After S. M. Rump, *Verification of positive definiteness*, BIT 46 (2006), with the factorisation checked a
    posteriori instead of analysed a priori. Let m = 2n, A the row-scaled matrix, G its computed Gram matrix and
    L̂ any real m × m matrix (we take what the library returns for the Cholesky factor of G − cI). Then, exactly,

        A Aᵀ = cI + L̂ L̂ᵀ + E₁ + E₂ + D,

    - ``E₁ = A Aᵀ − G``, and ``|E₁| ≤ γ_N |A||A|ᵀ + η`` entrywise for any order of the N-term sums, so
      ``‖E₁‖₂ ≤ γ_N Σ‖a_i‖² + mη``, the norm of ``|A||A|ᵀ`` being at most its trace; where A is only the rounding of
      the exact rows, within ρ of them, γ_N becomes ``γ_N + 2ρ + ρ²``;
    - ``E₂ = P − L̂ L̂ᵀ`` with P the computed product, ``‖E₂‖₂ ≤ γ_m ‖L̂‖²_F + m²·2⁻¹⁰²²``;
    - ``D = G − cI − P``, a computed residual: ``‖D‖₂ ≤ (1+u)‖D̂‖_F + u·max|G_ii − c|``.

    Since ``L̂ L̂ᵀ`` is positive semidefinite whatever L̂ is, ``λ_min(A Aᵀ) ≥ c − (‖E₁‖ + ‖E₂‖ + ‖D‖)``: if this is
    positive then A, hence M, has independent rows. c is chosen as twice what the a priori analysis expects of the
    three terms; the choice decides whether the proof succeeds, never whether it is right.

    Args:
        gram: from :func:`verify.gram.scaled_gram`.

    >>> from verify.gram import scaled_gram
    >>> M = torch.tensor([[[1.0, 0, 0], [0, 1, 0]], [[1.0, 2, 3], [1, 2, 3]]], dtype=torch.float64)
    >>> prove_full_rank(scaled_gram(M)).proved.tolist()
    [True, False]
    """
    G, m = gram.G, gram.rows
    if m == 0:
        nothing = G.new_zeros(G.shape[0])
        return CholeskyProof(torch.ones_like(nothing, dtype=torch.bool), nothing + 1.0, nothing)
    squares = gram.row_norms().square()
    trace = sum_up(up(squares))
    product_error = add_up(up(trace * gram.relative_error), torch.full_like(trace, m * gram.underflow))
    expected = add_up(product_error, scale_up(trace, 2.0 * gamma(m + 1)))
    c = 2.0 * expected
    shifted = G.clone()
    diagonal = torch.diagonal(shifted, dim1=-2, dim2=-1)
    diagonal -= c.unsqueeze(-1)
    factor, info = torch.linalg.cholesky_ex(shifted)
    factor = factor.tril()
    product = factor @ factor.mT
    factor_error = add_up(
        scale_up(up(frobenius_up(factor).square()), gamma(m)), torch.full_like(trace, m * m * SMALLEST_NORMAL)
    )
    residual = add_up(
        scale_up(frobenius_up(shifted - product), 1.0 + 2.0 * UNIT_ROUNDOFF),
        scale_up(diagonal.abs().amax(-1), UNIT_ROUNDOFF),
    )
    bound = add_up(product_error, factor_error, residual)
    # NaN from a failed factorisation compares false, which is the safe side.
    proved = (info == 0) & gram.eligible & (bound < c)
    return CholeskyProof(proved, c, bound)


@dataclass(frozen=True)
class CertainSigns:
    """Lower bounds for ``n₊`` and ``n₋`` of S that hold whatever LAPACK returned, each ``(heads,)`` int64."""

    positive: torch.Tensor
    negative: torch.Tensor


def signs_from_gram(gram: ScaledGram, d: torch.Tensor) -> tuple[CertainSigns, torch.Tensor, torch.Tensor]:
    """Certain signs of the eigenvalues of S, from the Gram matrix alone, of heads proved nondegenerate.

    With ``G ≈ L̂L̂ᵀ`` its Cholesky factorisation and ``A = L̂Q̂ᵀ``, the eigenvectors of S are ``Q̂v = Aᵀ L̂^{-T}v``, v
    those of the symmetric part of the compressed form. So the test space of :func:`signs_from_products` is
    ``X = AᵀW``, ``W = L̂^{-T} V|Λ|^{-1/2}``, and
    ``AX = (AAᵀ)W`` is off from the computed ``GW`` by at most ``(ε + γ_2n(1+γ_N) + 4η) g (gᵀ|W|)`` entrywise, ε and
    the row norms g from the Gram matrix: X itself is never formed.

    Args:
        gram: the scaled Gram matrix of the heads.
        d: ``(heads, n)`` from :func:`verify.gram.pairing`.

    Returns:
        The counts, the eigenvalues of the symmetric part of the compressed form ``(heads, 2n)``, ascending, and the
        factor L̂ ``(heads, 2n, 2n)``.
    """
    factor = torch.linalg.cholesky_ex(gram.G).L.tril()
    eigenvalues, V = torch.linalg.eigh(symmetric_part(compressed_form(factor, d)))
    W = torch.linalg.solve_triangular(factor.mT, V * _inverse_root(eigenvalues).unsqueeze(-2), upper=True)
    g = gram.row_norms()
    error = gram.relative_error + gamma(gram.rows) * (1.0 + 2.0 * gram.product_error) + 4.0 * gram.underflow
    h = error.unsqueeze(-1) * (W.abs() * g.unsqueeze(-1)).sum(-2)
    return signs_from_products(gram.G @ W, g, h, d), eigenvalues, factor


def signs_from_rows(gram: ScaledGram, d: torch.Tensor) -> tuple[CertainSigns, torch.Tensor, torch.Tensor]:
    """The same from a QR factorisation of ``Aᵀ``, for heads whose Gram matrix has lost too many digits.

    Here the test space X is formed in N dimensions, and ``AX`` is off by at most ``γ_N g_i ‖x_j‖``.

    Returns:
        The counts, the eigenvalues ``(heads, r)`` ascending, and the factor ``(heads, 2n, r)``, ``r = min(2n, N)``.
    """
    basis, R = torch.linalg.qr(gram.A.mT)
    factor = R.mT
    eigenvalues, V = torch.linalg.eigh(symmetric_part(compressed_form(factor, d)))
    X = basis @ (V * _inverse_root(eigenvalues).unsqueeze(-2))
    g = gram.row_norms()
    lengths = torch.linalg.vector_norm(X, dim=-2) * (1.0 + 2.0 * gram.product_error)
    h = (gram.product_error + gram.rounding + 4.0 * gram.underflow).unsqueeze(-1) * lengths
    return signs_from_products(gram.A @ X, g, h, d), eigenvalues, factor


def signs_from_products(Y: torch.Tensor, g: torch.Tensor, h: torch.Tensor, d: torch.Tensor) -> CertainSigns:
    """Count certainly positive and certainly negative eigenvalues of ``S = ½AᵀJ_D A`` from ``Y ≈ AX``.

    If ``XᵀSX`` is positive definite on p coordinates then S is positive definite on a p-dimensional space, so
    ``n₊(S) ≥ p`` (Sylvester), for *any* X. Here ``XᵀSX = ½YᵀJ_DY`` is within rounding of a diagonal of ±1, since the
    columns of X are approximate eigenvectors over ``√|λ|``; strict diagonal dominance among the coordinates of one
    sign, after every rounding error has been added row by row, settles the sign (Gershgorin, which is Weyl's
    inequality with the error spread over the rows). Dividing by ``√|λ|`` makes the test relative: a small eigenvalue
    counts as soon as it is known to a few digits.

    With ``|AX − Y| ≤ g hᵀ`` entrywise, ``y_i = Σ_k d_k(|Y_ki|g_{n+k} + |Y_{n+k,i}|g_k)``, ``s = Σ_k d_k g_k g_{n+k}``,

        |XᵀSX − ½YᵀJ_DY|_ij ≤ ½(y_i h_j + h_i y_j) + s h_i h_j,

    and the computed ``½YᵀJ_DY`` is off by at most ``γ_{2n+2} ½|Y|ᵀJ_D|Y|``.

    Args:
        Y: ``(heads, 2n, q)``.
        g: ``(heads, 2n)`` and
        h: ``(heads, q)``, the rank-one error bound of Y.
        d: ``(heads, n)``, powers of two.
    """
    n, m = d.shape[-1], Y.shape[-2]

    def paired(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """``leftᵀ J_D right`` for ``right`` with one column."""
        top, bottom = left[:, :n], left[:, n:]
        return (top.mT @ (d * right[:, n:]).unsqueeze(-1) + bottom.mT @ (d * right[:, :n]).unsqueeze(-1)).squeeze(-1)

    form = symmetric_part(compressed_form(Y, d))
    size = torch.diagonal(form, dim1=-2, dim2=-1).abs()
    # Columns of size 2 or ½ after all: scale by a power of two, which is exact.
    half = -torch.div(torch.frexp(size).exponent, 2, rounding_mode="floor").to(torch.int64)
    Y, h = shift(Y, half.unsqueeze(-2)), shift(h, half)
    form, size = shift(form, half.unsqueeze(-1) + half.unsqueeze(-2)), shift(size, 2 * half)
    s = (d * g[:, :n] * g[:, n:]).sum(-1, keepdim=True)
    # Coordinates that cannot be settled (numerically zero eigenvalues) would only spoil the row sums of the others;
    # leaving them out is sound. A weight that pairing() had to set to zero would alter the form: no claim is made.
    keep = ((paired(Y.abs(), g) * h + s * h * h) * (4 * m) < size) & (d > 0).all(-1, keepdim=True)
    Y = torch.where(keep.unsqueeze(-2), Y, 0.0)
    h = torch.where(keep, h + 2 * m * SMALLEST_NORMAL, 0.0)
    form = torch.where(keep.unsqueeze(-2) & keep.unsqueeze(-1), form, 0.0)
    absY = Y.abs()
    y = paired(absY, g)
    errors = (
        (y * h.sum(-1, keepdim=True) + h * y.sum(-1, keepdim=True)) / 2
        + s * h * h.sum(-1, keepdim=True)
        + gamma(m + 2) * paired(absY, absY.sum(-1)) / 2
        + m * m * SMALLEST_NORMAL
    )
    # The sums above are of non-negative terms, at most 6m operations deep: their own rounding is below γ_6m.
    errors = errors * (1.0 + 2.0 * gamma(6 * m + 64))
    diagonal = torch.diagonal(form, dim1=-2, dim2=-1)
    same = torch.sign(diagonal).unsqueeze(-1) == torch.sign(diagonal).unsqueeze(-2)
    beside = torch.where(same, form.abs(), 0.0).sum(-1) - diagonal.abs()
    # `beside` is a difference of floats: γ of its minuend covers both.
    slack = 2.0 * gamma(m + 4) * (beside.abs() + 2.0 * diagonal.abs())
    certain = keep & (diagonal.abs() > errors + beside + slack)
    return CertainSigns((certain & (diagonal > 0)).sum(-1), (certain & (diagonal < 0)).sum(-1))


def _inverse_root(eigenvalues: torch.Tensor) -> torch.Tensor:
    """``|λ|^{-1/2}``, and zero where λ is zero: that coordinate then drops out."""
    return torch.where(eigenvalues == 0, 0.0, eigenvalues.abs().rsqrt())
