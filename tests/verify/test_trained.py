"""The audit on other trained checkpoints, one of each file format."""

from __future__ import annotations

import pytest

from tests.trained import trained
from verify.auditing import audit

pytestmark = pytest.mark.slow


def test_antibody_language_model_from_a_pickle() -> None:
    """BERT in a PyTorch .bin file: 8 layers of 8 heads, n = 64, N = 512."""
    run = audit(trained("antiberty", "trained_models", "AntiBERTy_md_smooth"))
    assert run.counts == {"proved": 64, "refuted": 0, "not_applicable": 0, "unreadable": 0}
    assert {tuple(r["signature"].values()) for r in run.records} == {(64, 64, 384)}
