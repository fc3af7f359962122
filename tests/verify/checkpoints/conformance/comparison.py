"""One row of the table: build, save, read back, compare."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import torch

from tests.verify.checkpoints.conformance.models import Row, build
from tests.verify.checkpoints.conformance.recording import Linear, Recorder
from tests.verify.checkpoints.conformance.reference import predicted
from verify.checkpoints import Checkpoint, LayerPlan, Status, open_checkpoint

MASKED = -5e3


@dataclass(frozen=True)
class Comparison:
    """The largest error of a score, relative to the largest score, over all layers, heads and pairs of tokens."""

    layers: int
    heads: int
    error: float


def compare(row: Row, folder: Path) -> Comparison:
    """Compare the scores that a layout predicts with those of the model itself."""
    model = build(row)
    model.save_pretrained(folder)
    if row.saved_as:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "model_type": row.saved_as}))
    recorder = Recorder()
    with torch.no_grad(), recorder:
        model(**row.inputs(model))
    return compare_recorded(row, open_checkpoint(folder), recorder)


def compare_recorded(row: Row, checkpoint: Checkpoint, recorder: Recorder) -> Comparison:
    """Compare a checkpoint's layers with a recorded forward pass."""
    plans = [plan for plan in checkpoint.layers() if plan.status in {Status.READABLE, Status.NOT_APPLICABLE}]
    plans = [plan for plan in plans if plan.query is not None]
    errors = [_layer_error(row, checkpoint, plan, recorder) for plan in plans]
    return Comparison(len(plans), sum(plan.heads for plan in plans), max(errors))


def _layer_error(row: Row, checkpoint: Checkpoint, plan: LayerPlan, recorder: Recorder) -> float:
    batch = checkpoint.read(plan)
    query, key = recorder.projections(batch.Q[0, 0]), recorder.projections(batch.K[0, 0])
    assert len(query) == len(key) == 1, f"{plan.stack} layer {plan.layer}: projections applied {len(query)} times"
    event = recorder.events[query[0]]
    other = recorder.events[key[0]]
    assert isinstance(event, Linear)
    assert isinstance(other, Linear)
    assert torch.equal(event.inputs, other.inputs), "queries and keys read different streams"
    x = event.inputs
    if x.ndim == 2:
        x = x.reshape(2, -1, plan.N)
    tokens = x.shape[1]
    columns = tokens + row.sinks
    scores = recorder.scores_after(max(query + key), x.shape[0] * plan.heads * tokens * columns)
    actual = scores.reshape(x.shape[0], plan.heads, tokens, columns)[..., :tokens].double()
    expected = row.score(predicted(checkpoint, plan, x, row.adjust))
    difference = torch.where(actual > MASKED, actual - expected, 0.0)
    if row.position_bias:
        difference = difference - difference[:1]
    return float(difference.abs().max() / expected[actual > MASKED].abs().max())
