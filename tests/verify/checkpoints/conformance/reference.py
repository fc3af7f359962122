"""The score that a layout predicts, written out in float64 from the checkpoint's numbers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from verify.checkpoints import Checkpoint, LayerPlan
from verify.checkpoints.files import Part
from verify.checkpoints.layout import Extent, Gain, NormKind
from verify.checkpoints.plan import QueryKeyNormTensors, Rows, Through

#: Spellings of the number that a normalisation adds to a variance.
EPS = ("text_config.rms_norm_eps", "rms_norm_eps", "layer_norm_eps", "norm_eps", "layer_norm_epsilon")


def bias(checkpoint: Checkpoint, rows: Rows | None) -> torch.Tensor:
    """The bias of every head of a projection, ``(heads, n)``, zero where none is stored."""
    assert rows is not None
    if rows.bias is None:
        return torch.zeros(len(rows.starts), rows.size, dtype=torch.float64)
    spans = tuple((start, start + rows.size) for start in rows.starts)
    file, stored = checkpoint._opened.location[rows.bias]
    if checkpoint._opened.tensors[rows.bias].shape[0] == len(rows.starts) * rows.size:
        spans = ((0, len(rows.starts) * rows.size),)  # a bias of its own, in the order of the heads
    return file.read(stored, Part(spans)).reshape(len(rows.starts), rows.size).double()


def content(checkpoint: Checkpoint, plan: LayerPlan, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Queries of x and keys of y for every query head and token, ``(B, H, T, n)``, before rotation."""
    batch = checkpoint.read(plan)
    pairing = torch.tensor([head.kv_head for head in batch.ids])
    b_q, b_k = bias(checkpoint, plan.query), bias(checkpoint, plan.key)[pairing]
    q = torch.einsum("hnd,btd->bhtn", batch.Q.double(), x.double()) + b_q[:, None]
    k = torch.einsum("hnd,btd->bhtn", batch.K.double(), y.double()) + b_k[:, None]
    return q, k


def unnormalised(checkpoint: Checkpoint, plan: LayerPlan, x: torch.Tensor) -> torch.Tensor | None:
    """The stream with the gain and bias of the norm in front taken off, or None where there is no norm to take off."""
    found = plan.norm
    if found is None or found.norm.kind is NormKind.NONE or (found.weight is None and found.norm.gain is not Gain.NONE):
        return None
    gain = _values(checkpoint, (found.weight,)) if found.weight else None
    shift = _values(checkpoint, (found.bias,)) if found.bias else None
    plain = x.double() if shift is None else x.double() - shift
    if gain is None:
        return plain
    return plain / (gain + 1 if found.norm.gain is Gain.ONE_PLUS_WEIGHT else gain)


def rotated(plan: LayerPlan, values: torch.Tensor) -> torch.Tensor:
    """Queries or keys turned by their positions 0, 1, 2 …"""
    if plan.rotary is None:
        return values
    turned = plan.rotary.offset + torch.arange(plan.rotary.dims)
    factor = torch.ones(plan.n, dtype=torch.float64)
    factor[turned] = plan.rotary.factor
    turns = torch.stack([plan.rotary.matrix(t, plan.n) for t in range(values.shape[2])])
    return torch.einsum("tmn,bhtn->bhtm", turns, values) * factor


def _values(checkpoint: Checkpoint, names: tuple[str, ...]) -> torch.Tensor | None:
    """Stored gains or biases, one after another, in float64."""
    if not names or any(name not in checkpoint._opened.location for name in names):
        return None
    read = [checkpoint._opened.location[name] for name in names]
    return torch.stack([file.read(stored) for file, stored in read]).double().squeeze(0)


def normalised(
    checkpoint: Checkpoint, found: QueryKeyNormTensors, values: torch.Tensor, names: tuple[str, ...], kv_heads: int
) -> torch.Tensor:
    """Queries or keys, ``(B, H, T, n)``, after their own normalisation, which looks at each head or at all at once."""
    norm, (_, heads, _, n) = found.norm, values.shape
    repeat = heads // kv_heads
    gain = _values(checkpoint, names)
    shift = _values(checkpoint, tuple(name.removesuffix("weight") + "bias" for name in names))
    full = norm.extent is Extent.FULL
    seen = values[:, ::repeat].transpose(1, 2).flatten(2) if full else values
    centred = seen - seen.mean(-1, keepdim=True) if norm.kind is NormKind.LAYER else seen
    eps = (checkpoint._opened.config.first(EPS) if checkpoint._opened.config else 0.0) or 1e-5
    scaled = centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt()
    if full:
        scaled = scaled.unflatten(2, (kv_heads, n)).transpose(1, 2).repeat_interleave(repeat, 1)
    if gain is None:
        return scaled
    gain = gain + 1 if norm.gain is Gain.ONE_PLUS_WEIGHT else gain
    scaled = scaled * _per_head(gain, kv_heads, n, repeat)
    return scaled if shift is None else scaled + _per_head(shift, kv_heads, n, repeat)


def _per_head(gain: torch.Tensor, kv_heads: int, n: int, repeat: int) -> torch.Tensor:
    """A gain as ``(heads or 1, 1, n)``."""
    if gain.numel() == n:
        return gain.reshape(1, 1, n)
    return gain.reshape(kv_heads, 1, n).repeat_interleave(repeat, 0)


def predicted(
    checkpoint: Checkpoint,
    plan: LayerPlan,
    x: torch.Tensor,
    y: torch.Tensor,
    adjust: Callable[[torch.Tensor], torch.Tensor] = lambda values: values,
) -> torch.Tensor:
    """The scores before softmax, ``(B, H, T, T)``, of query tokens x and key tokens y, ``(B, T, N)``.

    ``adjust`` is what the model does to queries and keys first.
    """
    q, k = (adjust(values) for values in content(checkpoint, plan, x, y))
    found = plan.qk_norm
    if found is not None and not found.norm.after_rotary:
        q = normalised(checkpoint, found, q, found.query, plan.heads)
        k = normalised(checkpoint, found, k, found.key, plan.kv_heads)
    q, k = rotated(plan, q), rotated(plan, k)
    if found is not None and found.norm.after_rotary:
        q = normalised(checkpoint, found, q, found.query, plan.heads)
        k = normalised(checkpoint, found, k, found.key, plan.kv_heads)
    return plan.scale * q @ k.transpose(-1, -2)


def latent_scores(
    checkpoint: Checkpoint, content: LayerPlan, rotary: LayerPlan, x: torch.Tensor, *, folded: bool = False
) -> torch.Tensor:
    """The sum of the two forms of latent attention, each with the root mean squares of its latents divided out.

    With ``folded`` the forms have the gain of the norm in front in them, and the stream has it taken off.
    """
    seen = unnormalised(checkpoint, rotary, x) if folded else x
    assert seen is not None

    def rms(through: Through | None) -> torch.Tensor | float:
        if through is None or through.gain is None:
            return 1.0
        file, stored = checkpoint._opened.location[through.tensor]
        latent = x.double() @ file.read(stored, Part((through.rows,))).double().T
        return (latent.square().mean(-1) + 1e-6).sqrt()[:, None, :, None]

    total = torch.zeros(())
    for plan in (content, rotary):
        assert plan.query is not None
        assert plan.key is not None
        batch = checkpoint.read(plan, fold=("gain",) if folded else ())
        q = torch.einsum("hnd,btd->bhtn", batch.Q.double(), seen.double()) / rms(plan.query.through)
        k = torch.einsum("hnd,btd->bhtn", batch.K.double(), seen.double()) / rms(plan.key.through)
        total = total + plan.scale * rotated(plan, q) @ rotated(plan, k).transpose(-1, -2)
    return total
