"""One row of the table: build, save, read back, compare."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import torch

from tests.verify.checkpoints.conformance.models import Row, build, unchanged
from tests.verify.checkpoints.conformance.recording import Linear, Recorder
from tests.verify.checkpoints.conformance.reference import content, latent_scores, predicted, unnormalised
from verify.checkpoints import Checkpoint, LayerPlan, Status, open_checkpoint
from verify.checkpoints.layout import NormKind
from verify.folding import Fold

MASKED = -5e3


@dataclass(frozen=True)
class Comparison:
    """How far a layout is from the model.

    Args:
        layers: layers compared.
        heads: heads compared.
        error: the largest error of a score, relative to the largest score, over all layers, heads and pairs of tokens.
        norm: how far the stream, with the gain and bias of the norm in front taken off again, is from having mean
            square one (and for a LayerNorm mean zero); None where the layout knows no norm.
        folded: the largest relative error of a query or key made from the stream as it enters the norm, up to the
            norm's division, by the matrices with gain, mean removal and biases folded in; of a score, with the gain
            alone folded in, for latent attention.
    """

    layers: int
    heads: int
    error: float
    norm: float | None
    folded: float


def compare(row: Row, folder: Path) -> Comparison:
    """Compare the scores that a layout predicts with those of the model itself."""
    model = build(row)
    model.save_pretrained(folder)
    if row.saved_as:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "model_type": row.saved_as}))
    recorder = Recorder()
    with torch.no_grad(), recorder:
        if row.run is not None:
            row.run(model)
        else:
            model(**row.inputs(model))
    return compare_recorded(row, open_checkpoint(folder), recorder)


def compare_recorded(row: Row, checkpoint: Checkpoint, recorder: Recorder) -> Comparison:
    """Compare a checkpoint's layers with a recorded forward pass."""
    plans = checkpoint.layers()
    unclaimed = [pattern.name for pattern in checkpoint.unclaimed]
    assert not unclaimed, f"attentions that the layout does not know: {unclaimed}"
    unreadable = [plan.reason for plan in plans if plan.status is Status.UNREADABLE]
    assert not unreadable, unreadable
    plans = [plan for plan in plans if plan.query is not None and (not row.only or plan.stack in row.only)]
    for plan in plans:
        formless = row.hindered or row.adjust is not unchanged or row.score is not unchanged or plan.qk_norm is not None
        assert (plan.status is Status.NOT_APPLICABLE) is formless, f"layer {plan.layer} is {plan.status}: {plan.reason}"
    if plans and plans[0].query and plans[0].stack.endswith("content"):
        pairs = list(zip(plans[::2], plans[1::2], strict=True))
        errors = [_latent_error(checkpoint, content, rotary, recorder) for content, rotary in pairs]
        heads = sum(plan.heads for plan in plans)
        return Comparison(len(pairs), heads, max(e for e, _ in errors), None, max(folded for _, folded in errors))
    found = [_layer_error(row, checkpoint, plan, recorder) for plan in plans]
    norms = [norm for _, norm, _ in found if norm is not None]
    return Comparison(
        len(plans),
        sum(plan.heads for plan in plans),
        max(error for error, _, _ in found),
        max(norms, default=None),
        max(folded for _, _, folded in found),
    )


def _applications(
    recorder: Recorder, row: torch.Tensor, width: int, sequences: int = 2
) -> list[tuple[int, torch.Tensor]]:
    """When the projection with a given row was applied, and to what, ``(B, T, N)``."""
    found = []
    for at in recorder.projections(row):
        event = recorder.events[at]
        assert isinstance(event, Linear)
        x = event.inputs
        found.append((at, x.reshape(sequences, -1, width) if x.ndim == 2 else x))
    return found


def _layer_error(
    row: Row, checkpoint: Checkpoint, plan: LayerPlan, recorder: Recorder
) -> tuple[float, float | None, float]:
    """The largest errors over all uses of a layer."""
    batch = checkpoint.read(plan)
    queries = _applications(recorder, batch.Q[0, 0], plan.N, row.sequences)
    keys = _applications(recorder, batch.K[0, 0], plan.N, row.sequences)
    assert len(queries) == len(keys) == row.uses, f"the projections were applied {len(queries)} and {len(keys)} times"
    found = [_use_error(row, checkpoint, plan, recorder, *use) for use in zip(queries, keys, strict=True)]
    norms = [norm for _, norm, _ in found if norm is not None]
    return max(f[0] for f in found), max(norms, default=None), max(f[2] for f in found)


def _use_error(
    row: Row,
    checkpoint: Checkpoint,
    plan: LayerPlan,
    recorder: Recorder,
    query: tuple[int, torch.Tensor],
    key: tuple[int, torch.Tensor],
) -> tuple[float, float | None, float]:
    (query_at, x), (key_at, y) = query, key
    if plan.status is Status.READABLE:
        assert torch.equal(x, y), "queries and keys read different streams"
    tokens, columns = x.shape[1], x.shape[1] + row.sinks
    scores = recorder.scores_after(max(query_at, key_at), x.shape[0] * plan.heads * tokens * columns)
    actual = scores.reshape(x.shape[0], plan.heads, tokens, columns)[..., :tokens].double()
    expected = row.score(predicted(checkpoint, plan, x, y, row.adjust))
    difference = actual - expected
    if row.shifted:
        difference = difference - difference[..., :1]
    if row.position_bias:
        difference = difference - difference[:1]
    seen = actual > MASKED
    if row.diagonal:
        seen = seen & torch.eye(tokens, dtype=torch.bool)
    if row.first_tokens is not None:
        first = torch.arange(tokens) < row.first_tokens
        seen = seen & first & first[:, None]
    x, y = (stream[:, : row.first_tokens] / row.stream_factor for stream in (x, y))
    error = float(difference[seen].abs().max() / expected[seen].abs().max())
    return error, _norm_error(checkpoint, plan, x), _folding_error(checkpoint, plan, x, y)


def _folding_error(checkpoint: Checkpoint, plan: LayerPlan, x: torch.Tensor, y: torch.Tensor) -> float:
    """How far the folded matrices, applied to the stream in front of the norm, are from the queries and keys."""
    batch = checkpoint.read(plan, fold=tuple(Fold))
    worst = 0.0
    for folded, wanted, stream in zip((batch.Q, batch.K), content(checkpoint, plan, x, y), (x, y), strict=True):
        before = unnormalised(checkpoint, plan, stream)
        before = stream.double() if before is None else before
        if "center" in batch.provenance["folding"]:
            before = before + 7.0  # a mean, which a LayerNorm would remove
        if "bias" in batch.provenance["folding"]:
            before = torch.cat([before, torch.ones_like(before[..., :1])], -1)
        made = torch.einsum("hnd,btd->bhtn", folded.double(), before)
        worst = max(worst, float((made - wanted).abs().max() / wanted.abs().max()))
    return worst


def _norm_error(checkpoint: Checkpoint, plan: LayerPlan, x: torch.Tensor) -> float | None:
    plain = unnormalised(checkpoint, plan, x)
    if plain is None or plan.norm is None:
        return None
    error = float((plain.square().mean(-1) - 1).abs().max())
    return max(error, float(plain.mean(-1).abs().max())) if plan.norm.norm.kind is NormKind.LAYER else error


def _latent_error(
    checkpoint: Checkpoint, content: LayerPlan, rotary: LayerPlan, recorder: Recorder
) -> tuple[float, float]:
    assert rotary.key is not None
    [(_, x)] = _applications(recorder, checkpoint.read(rotary).K[0, 0].float(), rotary.N)
    assert content.query is not None
    up, _ = checkpoint._opened.location[content.query.tensor]
    [(at, _)] = _applications(recorder, up.read(content.query.tensor)[0], -1)
    scores = recorder.scores_after(at, x.shape[0] * content.heads * x.shape[1] ** 2)
    expected = latent_scores(checkpoint, content, rotary, x)
    actual = scores.reshape(expected.shape).double()
    seen = actual > MASKED
    folded = latent_scores(checkpoint, content, rotary, x, folded=True)
    largest = expected[seen].abs().max()
    return tuple(float((other - expected)[seen].abs().max() / largest) for other in (actual, folded))
