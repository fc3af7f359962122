"""Rows of the conformance table: models of images and sound."""

from __future__ import annotations

from typing import Any

import torch

from tests.verify.checkpoints.conformance.models import BATCH, Row, pixels
from tests.verify.checkpoints.conformance.text import ODD, STANDARD

IMAGE: dict[str, Any] = {
    "hidden_size": 48,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
    "intermediate_size": 32,
    "image_size": 8,
    "patch_size": 4,
}
TEXT = ODD
AUDIO = {
    **STANDARD,
    "conv_dim": [8, 8],
    "conv_kernel": [3, 2],
    "conv_stride": [2, 2],
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 4,
    "num_conv_pos_embedding_groups": 2,
}


def both(model: Any) -> dict[str, torch.Tensor]:
    """Tokens and an image."""
    size = model.config.vision_config.image_size
    return {"input_ids": torch.randint(5, 60, (BATCH, 6)), "pixel_values": torch.randn(BATCH, 3, size, size)}


def square(model: Any) -> dict[str, torch.Tensor]:
    """An image of 8 × 8 pixels."""
    return {"pixel_values": torch.randn(BATCH, 3, 8, 8)}


def wave(model: Any) -> dict[str, torch.Tensor]:
    """A second of noise."""
    return {"input_values": torch.randn(BATCH, 60)}


def mel(model: Any) -> dict[str, torch.Tensor]:
    """A spectrogram, time first."""
    return {"input_values": torch.randn(BATCH, model.config.max_length, model.config.num_mel_bins)}


VISION = [
    Row("vit", IMAGE, inputs=pixels),
    Row("vit", {**IMAGE, "qkv_bias": False}, "no-bias", inputs=pixels),
    Row("deit", IMAGE, inputs=pixels),
    Row("vit_msn", IMAGE, inputs=pixels),
    Row(
        "vit_mae",
        {
            **IMAGE,
            "decoder_hidden_size": 24,
            "decoder_num_attention_heads": 2,
            "decoder_num_hidden_layers": 1,
            "decoder_intermediate_size": 16,
            "mask_ratio": 0.0,
        },
        auto="AutoModelForPreTraining",
        inputs=pixels,
    ),
    Row("yolos", {**IMAGE, "image_size": [8, 8], "num_detection_tokens": 3}, inputs=square),
    Row(
        "audio-spectrogram-transformer",
        {**IMAGE, "max_length": 24, "num_mel_bins": 16, "time_stride": 4, "frequency_stride": 4},
        inputs=mel,
    ),
    Row("dinov2", IMAGE, inputs=pixels),
    Row("dinov2_with_registers", {**IMAGE, "num_register_tokens": 2}, inputs=pixels),
    Row("ijepa", IMAGE, inputs=pixels),
    Row("dinov3_vit", {**IMAGE, "num_register_tokens": 2}, inputs=pixels, first_tokens=3),
    Row("dinov3_vit", {**IMAGE, "num_register_tokens": 2}, "patches", inputs=pixels, diagonal=True),
    Row("clip", {"text_config": TEXT, "vision_config": IMAGE}, inputs=both),
    Row("clip_text_model", TEXT),
    Row("clip_vision_model", IMAGE, inputs=pixels),
    Row("siglip", {"text_config": TEXT, "vision_config": IMAGE}, inputs=both),
    Row("siglip_text_model", TEXT, auto="SiglipTextModel"),
    Row("siglip_vision_model", IMAGE, inputs=pixels),
    Row("wav2vec2", AUDIO, inputs=wave),
    Row("wav2vec2", {**AUDIO, "do_stable_layer_norm": True}, "stable", inputs=wave),
    Row("hubert", AUDIO, inputs=wave),
    Row("unispeech", AUDIO, inputs=wave),
    Row("unispeech-sat", AUDIO, inputs=wave),
    Row("data2vec-audio", AUDIO, inputs=wave),
]
