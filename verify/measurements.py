"""The floating-point numbers of a batch of heads: eigenvalue signs, singular values, the compressed form.

Two routes. *gram*: from the Gram matrix and its Cholesky factor, batched, N-dimensional work only in one matrix
product. *qr*: a QR factorisation of the scaled rows, for heads whose Gram matrix has lost too many digits or is
singular. No number here decides a verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from verify.gram import ScaledGram, compressed_form, pairing
from verify.rounding import shift
from verify.signature import CertainSigns, CholeskyProof, signs_from_gram, signs_from_rows

#: Below this relative margin the Gram matrix has lost more than 20 of its 53 bits: take the QR route.
GRAM_MARGIN = 2.0**-10


@dataclass(frozen=True)
class Measurement:
    """Floats of one head.

    Attributes:
        route: ``gram`` or ``qr``.
        form: ``(r, r)`` compressed bilinear form, times ``2^-scale``.
        eigenvalues: ``(r,)`` of its symmetric part, ascending.
        scale: exponent taken out of the form.
        singular: least and largest singular value of M (``σ_2n`` of a big head is 0), times ``2^-top``.
        top: exponent taken out of the singular values.
        signs: certainly positive and certainly negative eigenvalues of S.
        cancellation: ``Σ_i ‖k_i‖‖q_i‖ / ‖L‖`` (infinite if float64 lost a row), how many times the rounding of the rows
            is amplified in L.
    """

    route: str
    form: torch.Tensor
    eigenvalues: torch.Tensor
    scale: int
    singular: tuple[float, float]
    top: int
    signs: tuple[int, int]
    cancellation: float


def measure(gram: ScaledGram, proof: CholeskyProof) -> list[Measurement]:
    """The measurements of every head of a batch, in order.

    Eigenvalues are computed on the CPU whatever the device: those of GPU libraries have a record of slow and of
    silently wrong releases, and the matrices are small.

    Args:
        gram: the scaled Gram matrices.
        proof: the outcome of :func:`verify.signature.prove_full_rank` on them.

    >>> from verify.gram import scaled_gram
    >>> from verify.signature import prove_full_rank
    >>> gram = scaled_gram(torch.tensor([[[3.0, 0, 0], [0, 4, 0]]], dtype=torch.float64))
    >>> (m,) = measure(gram, prove_full_rank(gram))
    >>> m.route, m.signs, [s * 2.0**m.top for s in m.singular]
    ('gram', (1, 1), [3.0, 4.0])
    """
    heads = gram.G.shape[0]
    weights, _ = _row_weights(gram.exponents)
    weighted = weights.unsqueeze(-1) * gram.G * weights.unsqueeze(-2)
    squares = torch.linalg.eigvalsh(weighted.cpu()) if gram.rows else torch.zeros(heads, 1, dtype=torch.float64)
    well = (proof.proved.cpu() & (squares[:, 0] > GRAM_MARGIN**2 * squares[:, -1])).tolist()
    easy = [i for i in range(heads) if well[i]]
    found: dict[int, Measurement] = {}
    if easy:
        small = gram.select(easy, rows=False)
        signs, eigenvalues, factor = signs_from_gram(small, pairing(small.exponents, small.live_pairs)[0])
        measured = _collect("gram", small, factor, eigenvalues, signs, squares[easy].sqrt())
        found.update(zip(easy, measured, strict=True))
    for i in range(heads):
        if i not in found:
            found[i] = _measure_by_rows(gram.select([i], rows=True))
    return [found[i] for i in range(heads)]


def _measure_by_rows(gram: ScaledGram) -> Measurement:
    signs, eigenvalues, factor = signs_from_rows(gram, pairing(gram.exponents, gram.live_pairs)[0])
    rows = factor * _row_weights(gram.exponents)[0].unsqueeze(-1)
    singular = torch.linalg.svdvals(rows).flip(-1) if rows.numel() else rows.new_zeros(1, 1)
    if gram.rows > gram.columns:
        singular = torch.cat([rows.new_zeros(1, 1), singular], -1)
    return _collect("qr", gram, factor, eigenvalues, signs, singular)[0]


def _collect(
    route: str,
    gram: ScaledGram,
    factor: torch.Tensor,
    eigenvalues: torch.Tensor,
    signs: CertainSigns,
    singular: torch.Tensor,
) -> list[Measurement]:
    d, scale = pairing(gram.exponents, gram.live_pairs)
    n = d.shape[-1]
    form = compressed_form(factor, d)
    lengths = torch.linalg.vector_norm(factor, dim=-1)
    products = (d * lengths[:, :n] * lengths[:, n:]).sum(-1)
    cancellation = (products / torch.linalg.vector_norm(form, dim=(-2, -1))).nan_to_num(math.inf, posinf=math.inf)
    cancellation[(d == 0).any(-1)] = math.inf
    _, top = _row_weights(gram.exponents)
    return [
        Measurement(
            route,
            form[i],
            eigenvalues[i],
            int(scale[i]),
            (float(singular[i, 0]), float(singular[i, -1])),
            int(top[i]),
            (int(signs.positive[i]), int(signs.negative[i])),
            float(cancellation[i]),
        )
        for i in range(form.shape[0])
    ]


def _row_weights(exponents: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """``2^(e − top)`` and top: the row scaling of M relative to its largest row, ``M = 2^top · diag(weights) · A``."""
    if exponents.shape[-1] == 0:
        return exponents.to(torch.float64), exponents.sum(-1)
    top = exponents.amax(-1)
    ones = torch.ones_like(exponents, dtype=torch.float64)
    return shift(ones, (exponents - top.unsqueeze(-1)).clamp(min=-1000)), top
