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


QWEN_VISION = {
    "depth": 2,
    "embed_dim": 48,
    "hidden_size": 48,
    "num_heads": 3,
    "patch_size": 4,
    "spatial_merge_size": 1,
    "intermediate_size": 32,
    "out_hidden_size": 48,
    "fullatt_block_indexes": [0, 1],
    "deepstack_visual_indexes": [0],
    "num_position_embeddings": 16,
}


def patches(model: Any) -> None:
    """A vision part on one image of 2 × 4 patches."""
    model(torch.randn(8, 3 * 2 * 4 * 4), grid_thw=torch.tensor([[1, 2, 4]]))


def qwen2_vl_vision() -> Any:
    from transformers.models.qwen2_vl import modeling_qwen2_vl as module

    config = module.Qwen2VLVisionConfig(**{**QWEN_VISION, "hidden_size": 72, "mlp_ratio": 2})
    return module.Qwen2VisionTransformerPretrainedModel._from_config(config, attn_implementation="eager")


#: Each patch with itself, where rotations by rows and columns cancel; one sequence.
PATCHES: dict[str, Any] = {"run": patches, "diagonal": True, "sequences": 1}
PACKED = {**IMAGE, "num_patches": 4, "num_channels": 3}


def both(model: Any) -> dict[str, torch.Tensor]:
    """Tokens and an image."""
    size = model.config.vision_config.image_size
    return {"input_ids": torch.randint(5, 60, (BATCH, 6)), "pixel_values": torch.randn(BATCH, 3, size, size)}


def square(model: Any) -> dict[str, torch.Tensor]:
    """An image of 8 × 8 pixels."""
    return {"pixel_values": torch.randn(BATCH, 3, 8, 8)}


def film(model: Any) -> dict[str, torch.Tensor]:
    """Two frames of 8 × 8 pixels."""
    return {"pixel_values": torch.randn(BATCH, 2, 3, 8, 8)}


def packed(model: Any) -> dict[str, torch.Tensor]:
    """Patches in a row, with the shape they came from."""
    return {
        "pixel_values": torch.randn(BATCH, 4, 48),
        "pixel_attention_mask": torch.ones(BATCH, 4, dtype=torch.int64),
        "spatial_shapes": torch.tensor([[2, 2]] * BATCH),
    }


def packed_and_tokens(model: Any) -> dict[str, torch.Tensor]:
    """Tokens and patches in a row."""
    return {"input_ids": torch.randint(5, 60, (BATCH, 6)), **packed(model)}


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
    Row("pixio", IMAGE, inputs=pixels),
    Row("dpt", IMAGE, inputs=pixels),
    Row("beit", IMAGE, inputs=pixels),
    Row("beit", {**IMAGE, "use_relative_position_bias": True}, "biases", inputs=pixels, position_bias=True),
    Row("data2vec-vision", IMAGE, inputs=pixels),
    Row("videomae", {**IMAGE, "num_frames": 2}, inputs=film),
    Row("internvl_vision", {**IMAGE, "image_size": [8, 8], "patch_size": [4, 4]}, inputs=square),
    Row(
        "internvl_vision",
        {**IMAGE, "image_size": [8, 8], "patch_size": [4, 4], "use_qk_norm": True},
        "qk-norm",
        inputs=square,
    ),
    Row("aimv2_vision_model", IMAGE, inputs=pixels),
    Row("mlcd_vision_model", IMAGE, inputs=pixels, diagonal=True),
    Row("dinov3_vit", {**IMAGE, "num_register_tokens": 2}, inputs=pixels, first_tokens=3),
    Row("dinov3_vit", {**IMAGE, "num_register_tokens": 2}, "patches", inputs=pixels, diagonal=True),
    Row("clip", {"text_config": TEXT, "vision_config": IMAGE}, inputs=both),
    Row("clip_text_model", TEXT),
    Row("clip_vision_model", IMAGE, inputs=pixels),
    Row("siglip", {"text_config": TEXT, "vision_config": IMAGE}, inputs=both),
    Row("siglip_text_model", TEXT, auto="SiglipTextModel"),
    Row("siglip_vision_model", IMAGE, inputs=pixels),
    Row("qwen2_5_vl_vision", QWEN_VISION, auto="Qwen2_5_VisionTransformerPretrainedModel", **PATCHES),
    Row("qwen3_vl_vision", QWEN_VISION, auto="Qwen3VLVisionModel", **PATCHES),
    Row(
        "qwen2_vl_vision",
        {**QWEN_VISION, "hidden_size": 72, "mlp_ratio": 2},
        make=qwen2_vl_vision,
        **PATCHES,
    ),
    Row("siglip2", {"text_config": TEXT, "vision_config": PACKED}, inputs=packed_and_tokens),
    Row("siglip2_vision_model", PACKED, auto="Siglip2VisionModel", inputs=packed),
    Row("chinese_clip", {"text_config": {**TEXT, "pad_token_id": 0}, "vision_config": IMAGE}, inputs=both),
    Row("owlvit", {"text_config": TEXT, "vision_config": IMAGE}, inputs=both),
    Row("owlv2", {"text_config": TEXT, "vision_config": IMAGE}, inputs=both),
    Row("metaclip_2", {"text_config": {**TEXT, "eos_token_id": 7}, "vision_config": IMAGE}, inputs=both),
    Row("wav2vec2", AUDIO, inputs=wave),
    Row("wav2vec2", {**AUDIO, "do_stable_layer_norm": True}, "stable", inputs=wave),
    Row("hubert", AUDIO, inputs=wave),
    Row("unispeech", AUDIO, inputs=wave),
    Row("unispeech-sat", AUDIO, inputs=wave),
    Row("sew", {**AUDIO, "squeeze_factor": 2}, inputs=wave),
    Row("idefics3_vision", IMAGE, auto="Idefics3VisionTransformer", inputs=pixels),
    Row("smolvlm_vision", IMAGE, auto="SmolVLMVisionTransformer", inputs=pixels),
    Row("data2vec-audio", AUDIO, inputs=wave),
]
