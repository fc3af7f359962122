"""Every layout reads a random model of its type and predicts the model's own scores."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.verify.checkpoints.conformance.comparison import compare
from tests.verify.checkpoints.conformance.models import Row
from tests.verify.checkpoints.conformance.table import ROWS
from verify.checkpoints.registry import known_types

#: Scores are computed by the model in float32 and by us in float64.
TOLERANCE = 2e-6
#: The small number that a norm adds to the variance is not taken off again.
NORM_TOLERANCE = 3e-3

#: One row for each way of storing queries and keys; the rest runs with the slow tests.
QUICK = {
    "gpt2", "gpt_neox-odd", "codegen", "gpt_bigcode", "bloom", "falcon-40b", "llama", "stablelm-qk-norm", "smollm3",
    "olmo2", "qwen3", "nemotron", "gemma3n_text", "bert", "deberta", "nomic_bert", "t5", "bart", "vit", "dinov3_vit",
    "qwen3_next", "deepseek_v3", "internlm2", "llava",
}  # fmt: skip


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=str(row), marks=() if str(row) in QUICK else pytest.mark.slow) for row in ROWS]
)
def test_scores_agree(row: Row, tmp_path: Path) -> None:
    torch.manual_seed(0)
    comparison = compare(row, tmp_path)
    assert comparison.layers > 0
    assert comparison.error < TOLERANCE, comparison
    assert comparison.folded < TOLERANCE, comparison
    assert comparison.norm is None or comparison.norm < NORM_TOLERANCE, comparison


def test_every_registered_layout_has_a_row() -> None:
    assert set(known_types()) == {row.saved_as or row.model_type for row in ROWS}


def test_the_quick_rows_exist_and_row_names_are_unique() -> None:
    names = [str(row) for row in ROWS]
    assert len(set(names)) == len(names)
    assert set(names) >= QUICK
