"""Rows of the conformance table: vision and audio models."""

from __future__ import annotations

from tests.verify.checkpoints.conformance.models import Row, pixels

IMAGE = {
    "hidden_size": 48,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
    "intermediate_size": 32,
    "image_size": 8,
    "patch_size": 4,
}

VISION = [
    Row("vit", IMAGE, inputs=pixels),
]
