"""The profile of a head and the other statistics of the paper, from its compressed bilinear form.

All are functions of the bilinear form up to orthogonal changes of basis and, but for the norms, of positive scaling.
Source of every formula: A. O'Desky, *On attention heads and bilinear forms*, arXiv 2609.22990 (2026), Definition 6,
Lemmas 2, 4, 5 and the section on statistics.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from verify.gram import antisymmetric_part

#: The paper's radius for Type II: ``c_S + d_S ≤ 1/50``.
TYPE_II_RADIUS = 1 / 50

NAMES = ("a", "b", "c", "d")


@dataclass(frozen=True)
class Profiles:
    """Profile and statistics of a batch; every tensor is float64 ``(heads,)`` and NaN where undefined.

    Undefined is: everything where L = 0; what concerns S where S = 0; ``rho`` and what follows from it where S has
    no positive eigenvalue.

    Attributes:
        profile: ``(heads, 4)``, ``π(L) = (a, b, c, d)``, a point of the 3-simplex.
        symmetric_energy: ``‖S‖²/‖L‖²``.
        pairing: ``P = 1 − ‖α−β‖/‖S‖``.
        rho: ``ρ = ‖β‖/‖α‖``.
        pairing_bound: ``1 − |1−ρ|/√(1+ρ²)``, an upper bound of ``pairing``.
        lobe_departure: ``‖β−ρα‖/‖β‖``.
        trace_ratio: ``|tr L|/‖L‖``.
        participation: ``(Σh²)²/Σh⁴``, h the singular values of L.
        stable_rank: ``Σh²/h₁²``.
        leading_share: ``h₁²/Σh²``.
        norm: ``‖L‖`` of the compressed form that was given (Frobenius).
    """

    profile: torch.Tensor
    symmetric_energy: torch.Tensor
    pairing: torch.Tensor
    rho: torch.Tensor
    pairing_bound: torch.Tensor
    lobe_departure: torch.Tensor
    trace_ratio: torch.Tensor
    participation: torch.Tensor
    stable_rank: torch.Tensor
    leading_share: torch.Tensor
    norm: torch.Tensor


def lobes(eigenvalues: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """``α`` and ``β``: positive eigenvalues and absolute values of the negative ones, each decreasing.

    Each is padded by zeros to the full length, which changes none of the sums taken of them.

    Args:
        eigenvalues: ``(…, r)``, any order.

    >>> alpha, beta = lobes(torch.tensor([-3.0, 1.0, 2.0]))
    >>> alpha.tolist(), beta.tolist()
    ([2.0, 1.0, 0.0], [3.0, 0.0, 0.0])
    """
    ordered = eigenvalues.sort(-1, descending=True).values
    return ordered.clamp(min=0), (-ordered.flip(-1)).clamp(min=0)


def profiles_of(form: torch.Tensor, eigenvalues: torch.Tensor) -> Profiles:
    """Profile and statistics of bilinear forms given in an orthonormal basis.

    ``‖T‖²`` is computed from T itself, not as ``½ − ½ tr L²/‖L‖²``, which cancels when L is almost symmetric; and
    ``‖S‖² = ‖α‖² + ‖β‖²`` from the eigenvalues, so that ``a + b + c + d = 1`` to rounding.

    Args:
        form: ``(heads, r, r)`` float64, e.g. from :func:`verify.gram.compressed_form`.
        eigenvalues: ``(heads, r)``, those of its symmetric part.

    >>> form = torch.tensor([[[3.0, 1.0], [-1.0, -1.0]]], dtype=torch.float64)
    >>> profiles_of(form, torch.tensor([[3.0, -1.0]], dtype=torch.float64)).profile
    tensor([[0.1667, 0.5000, 0.3333, 0.0000]], dtype=torch.float64)
    """
    largest = (form.abs().amax((-2, -1)) if form.shape[-1] else form.new_zeros(form.shape[0])).unsqueeze(-1)
    unit = torch.where(largest == 0, 1.0, largest)
    form, eigenvalues = form / unit.unsqueeze(-1), eigenvalues / unit
    alpha, beta = lobes(eigenvalues)
    T2 = antisymmetric_part(form).square().sum((-2, -1))
    alpha2, beta2 = alpha.square().sum(-1), beta.square().sum(-1)
    S2 = alpha2 + beta2
    L2 = S2 + T2
    difference = alpha - beta
    b, c, d = (
        2 * (alpha * beta).sum(-1),
        difference.clamp(min=0).square().sum(-1),
        difference.clamp(max=0).square().sum(-1),
    )
    rho = (beta2 / alpha2).sqrt()
    outer = form @ form.mT
    h1 = torch.linalg.eigvalsh(outer)[..., -1] if form.shape[-1] else L2
    h2 = torch.diagonal(outer, dim1=-2, dim2=-1).sum(-1)
    return Profiles(
        profile=torch.stack([T2, b, c, d], -1) / L2.unsqueeze(-1),
        symmetric_energy=S2 / L2,
        pairing=1 - (difference.square().sum(-1) / S2).sqrt(),
        rho=torch.where(alpha2 == 0, torch.nan, rho),
        pairing_bound=torch.where(alpha2 == 0, torch.nan, 1 - (1 - rho).abs() / (1 + rho.square()).sqrt()),
        lobe_departure=((beta - rho.unsqueeze(-1) * alpha).square().sum(-1) / beta2).sqrt(),
        trace_ratio=torch.diagonal(form, dim1=-2, dim2=-1).sum(-1).abs() / L2.sqrt(),
        participation=h2.square() / outer.square().sum((-2, -1)),
        stable_rank=h2 / h1,
        leading_share=h1 / h2,
        norm=L2.sqrt() * unit.squeeze(-1),
    )


def head_type(profile: tuple[float, float, float, float]) -> str | None:
    """The paper's type of a head: ``"II"`` if ``c_S + d_S ≤ 1/50``, else ``"I+"`` if ``c_S > d_S``, else ``"I-"``.

    ``(b_S, c_S, d_S) = (b, c, d)/(1−a)`` is the profile of S alone (Lemma 4). None where S = 0.

    >>> head_type((0.5, 0.49, 0.01, 0.0)), head_type((0.2, 0.4, 0.1, 0.3)), head_type((1.0, 0.0, 0.0, 0.0))
    ('II', 'I-', None)
    """
    _, b, c, d = profile
    symmetric = b + c + d
    if not symmetric > 0:
        return None
    if c + d <= TYPE_II_RADIUS * symmetric:
        return "II"
    return "I+" if c > d else "I-"
