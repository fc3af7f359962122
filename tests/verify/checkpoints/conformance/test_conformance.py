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
TOLERANCE = 2e-5


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_scores_agree(row: Row, tmp_path: Path) -> None:
    torch.manual_seed(0)
    comparison = compare(row, tmp_path)
    assert comparison.layers > 0
    assert comparison.error < TOLERANCE, comparison


def test_every_registered_layout_has_a_row() -> None:
    assert set(known_types()) == {row.saved_as or row.model_type for row in ROWS}
