"""The measured numbers of many small heads at once.

Every head of a sample gets its exact signature, by one of three routes: the floating-point proof that the head is
nondegenerate; the rigorous count of eigenvalue signs, which settles a signature as soon as it accounts for
``min(2n, N) ≥ rank S`` eigenvalues; and for what these two leave open, the exact analysis of :mod:`verify.verdicts`.
The first two are batched, and so are the floats; heads that float64 cannot measure get theirs from there too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from proofs.fields import PrimeField
from verify.errors import InconsistencyError
from verify.gram import ScaledGram, compressed_form, pairing, scaled_gram
from verify.heads import HeadBatch
from verify.profiles import NAMES, head_type, profiles_of
from verify.rounding import shift
from verify.sampling.finite import rank_modulo
from verify.signature import CertainSigns, prove_full_rank, signs_from_rows
from verify.verdicts import CANCELLATION, FLOAT_MARGIN, assess, prove


@dataclass(frozen=True)
class Cloud:
    """The numbers of the heads of a sample, by the names of :data:`verify.ensembles.COLUMNS`.

    Attributes:
        columns: float64 ``(heads,)`` each, NaN where undefined (profile and share where L = 0); but ``rank`` and
            ``majority`` int64 ``(heads,)``, ``signature`` int64 ``(heads, 3)``; and ``inverse`` is infinite for
            degenerate heads. Heads over a finite field have only ``rank``.
    """

    columns: dict[str, torch.Tensor]

    @property
    def heads(self) -> int:
        """Number of heads."""
        return len(self.columns["rank"])

    @classmethod
    def joined(cls, clouds: Iterable[Cloud]) -> Cloud:
        """One cloud of all heads, in order."""
        parts = list(clouds)
        return cls({name: torch.cat([part.columns[name] for part in parts]) for name in parts[0].columns})

    def defined(self, column: str) -> torch.Tensor:
        """The values of a column where it has one."""
        values = self.columns[column]
        return values[~values.isnan()]

    def counts(self, column: str) -> Counter[int | tuple[int, ...]]:
        """How often each value of ``rank``, ``majority`` or ``signature`` occurs."""
        values = self.columns[column].tolist()
        return Counter(tuple(value) if isinstance(value, list) else value for value in values)

    def types(self) -> Counter[str | None]:
        """How often each type of the paper occurs; None where S = 0."""
        rows = torch.stack([self.columns[name] for name in NAMES], -1)
        return Counter(head_type((a, b, c, d)) for a, b, c, d in rows.tolist() if not math.isnan(a))


def measure(batch: HeadBatch, field: PrimeField | None = None) -> Cloud:
    """Measure every head of a batch.

    Args:
        batch: ``(heads, n, N)`` on the CPU, finite, entries far from overflow and underflow.
        field: the ground field whose residues the entries are; None for the real numbers.

    Raises:
        InconsistencyError: two routes disagree about a head.

    >>> batch = HeadBatch(torch.tensor([[[1.0, 0.0]], [[1.0, 0.0]]]), torch.tensor([[[0.0, 1.0]], [[1.0, 0.0]]]))
    >>> measure(batch).columns["signature"].tolist()
    [[1, 1, 0], [1, 0, 1]]
    """
    if field is not None:
        return Cloud({"rank": rank_modulo(batch.stacked().to(torch.int64), field.p)})
    gram = scaled_gram(batch.stacked())
    d, _ = pairing(gram.exponents, gram.live_pairs)
    signs, eigenvalues, factor = signs_from_rows(gram, d)
    rank, signature = _exact(batch, gram, signs)
    form = compressed_form(factor, d)
    profile = profiles_of(form, eigenvalues).profile
    singular = torch.linalg.svdvals(shift(factor, gram.exponents.unsqueeze(-1)))
    degenerate = rank < 2 * batch.n
    margin = torch.where(degenerate, 0.0, singular[:, -1])
    relative_margin = torch.where(degenerate, 0.0, margin / singular[:, 0])
    poor = _cancels(factor, d, form) | (~degenerate & (relative_margin <= FLOAT_MARGIN))
    rest = poor.nonzero().flatten().tolist()
    for i, verdict in zip(rest, assess(batch.select(rest)), strict=True):
        numbers = verdict.profile or dict.fromkeys(NAMES, math.nan)
        profile[i] = torch.tensor(list(numbers.values()), dtype=torch.float64)
        margin[i], relative_margin[i] = verdict.margin or 0.0, verdict.relative_margin or 0.0
    return Cloud(
        {
            "rank": rank,
            "signature": signature,
            "margin": margin,
            "relative_margin": relative_margin,
            "inverse": torch.where(degenerate, math.inf, singular.square().reciprocal().sum(-1)),
            **_derived(batch, signature, profile),
        }
    )


def _exact(batch: HeadBatch, gram: ScaledGram, signs: CertainSigns) -> tuple[torch.Tensor, torch.Tensor]:
    """Rank of M and signature of S, ``(heads,)`` and ``(heads, 3)`` int64."""
    n, N, full = batch.n, batch.N, min(2 * batch.n, batch.N)
    counted = torch.stack([signs.positive, signs.negative], -1)
    if int(counted.max()) > n:
        raise InconsistencyError(f"{int(counted.max())} eigenvalues of S have one sign; at most n = {n} can")
    signed = torch.where(prove_full_rank(gram).proved.unsqueeze(-1), n, counted)
    rank = torch.full((batch.heads,), full)
    signature = torch.cat([signed, N - signed.sum(-1, keepdim=True)], -1)
    rest = (signed.sum(-1) < full).nonzero().flatten().tolist()
    for i, verdict in zip(rest, prove(batch.select(rest)), strict=True):
        rank[i], signature[i] = torch.tensor(verdict.rank_stacked), torch.tensor(verdict.signature)
    return rank, signature


def _cancels(factor: torch.Tensor, d: torch.Tensor, form: torch.Tensor) -> torch.Tensor:
    """Whether rounding is amplified in ``L = KᵀQ`` so much that the profile needs exact arithmetic."""
    n = d.shape[-1]
    lengths = torch.linalg.vector_norm(factor, dim=-1)
    terms = (d * lengths[:, :n] * lengths[:, n:]).sum(-1)
    size = torch.linalg.vector_norm(form, dim=(-2, -1))
    return torch.logical_or(terms > CANCELLATION * size, (d == 0).any(-1))


def _derived(batch: HeadBatch, signature: torch.Tensor, profile: torch.Tensor) -> dict[str, torch.Tensor]:
    """The columns that follow from signature and profile, and the norms.

    ``‖L‖²``, ``tr L`` and ``‖S‖² = ½‖L‖² + ½tr L²`` (Lemma 5) come from n × n products, not from the eigenvalues that
    the profile is made of.
    """
    Q, K = batch.Q.to(torch.float64), batch.K.to(torch.float64)
    W = Q @ K.mT
    score = ((Q @ Q.mT) * (K @ K.mT)).sum((-2, -1))
    a, b, c, d = profile.unbind(-1)
    return {
        "majority": torch.sign(signature[:, 0] - signature[:, 1]),
        "score": score,
        "symmetric": (score + (W * W.mT).sum((-2, -1))) / 2,
        "trace": torch.diagonal(W, dim1=-2, dim2=-1).sum(-1),
        **dict(zip(NAMES, (a, b, c, d), strict=True)),
        "share": 1 - a,
        "parity": c - d,
        "hyperbolic": b * score,
        "positive": c * score,
        "negative": d * score,
    }
