"""A live model, its state dict and its saved files give the same heads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

import verify
from tests.verify.checkpoints.conformance.models import Row, build
from tests.verify.checkpoints.conformance.table import ROWS
from tests.verify.checkpoints.conformance.test_conformance import QUICK
from verify.checkpoints import Checkpoint, open_checkpoint

LIVE = [row for row in ROWS if row.make is None and not row.saved_as]


def without_origin(record: dict[str, Any]) -> dict[str, Any]:
    """A record without the words on where its numbers come from."""
    origin = ("files", "tensors", "stored_dtype")
    kept = {key: value for key, value in record["provenance"].items() if key not in origin}
    return {**record, "source": None, "provenance": kept}


def heads(checkpoint: Checkpoint) -> list[Any]:
    plans = checkpoint.layers()
    return [(plan.ids, plan.status, plan.reason) for plan in plans]


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=str(row), marks=() if str(row) in QUICK else pytest.mark.slow) for row in LIVE]
)
def test_the_same_heads(row: Row, tmp_path: Path) -> None:
    model = build(row)
    model.save_pretrained(tmp_path)
    saved, live = open_checkpoint(tmp_path), open_checkpoint(model)
    assert heads(saved) == heads(live)
    assert saved.model_type == live.model_type
    for one, other in zip(saved.layers(), live.layers(), strict=True):
        if one.query is None:
            continue
        a, b = saved.read(one), live.read(other)
        assert torch.equal(a.Q, b.Q)
        assert torch.equal(a.K, b.K)
        assert one.scale == other.scale
        assert one.rotary == other.rotary


def test_a_state_dict_needs_a_layout(tmp_path: Path) -> None:
    row = next(row for row in LIVE if str(row) == "llama")
    model = build(row)
    (tmp_path / "my.toml").write_text("[mine]\nlike = 'llama'\nheads = 6\nkv_heads = 2\nhead_dim = 10\n")
    wrapped = {
        "epoch": 1,
        "state_dict": {f"module._orig_mod.{name}": value for name, value in model.state_dict().items()},
    }
    checkpoint = open_checkpoint(wrapped, layout=tmp_path / "my.toml")
    live = open_checkpoint(model)
    assert [plan.ids for plan in checkpoint.layers()] == [plan.ids for plan in live.layers()]
    batch = checkpoint.read(checkpoint.layers()[1])
    assert torch.equal(batch.Q, live.read(live.layers()[1]).Q)
    json.dumps(batch.provenance)


@pytest.mark.parametrize("name", ["llama", "gpt2", "vit", "t5", "qwen3", "smollm3"])
def test_an_audit_of_a_live_model_is_that_of_its_files(name: str, tmp_path: Path) -> None:
    """Records differ in where the numbers come from, and in nothing else."""
    row = next(row for row in LIVE if str(row) == name)
    model = build(row)
    model.save_pretrained(tmp_path)
    options: dict[str, Any] = {"fold": ["gain", "bias"]}
    if name in {"llama", "smollm3"}:
        options["distances"] = [0, 3]
    saved, live = verify.audit(tmp_path, **options), verify.audit(model, **options)
    assert saved.counts == live.counts
    assert [without_origin(r) for r in saved.records] == [without_origin(r) for r in live.records]
