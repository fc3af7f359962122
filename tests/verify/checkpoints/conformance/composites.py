"""Rows of the conformance table: models made of parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn

from tests.verify.checkpoints.conformance.hybrids import DELTA
from tests.verify.checkpoints.conformance.models import BATCH, Row, build
from tests.verify.checkpoints.conformance.text import (
    EXPERTS,
    FOUR_LAYERS,
    GEMMAS,
    GROUPED,
    ODD,
    PLAIN_GROUPED,
    STANDARD,
)
from tests.verify.checkpoints.conformance.vision import IMAGE, QWEN_VISION, patches


def text(model_type: str, config: dict[str, Any] = GROUPED) -> dict[str, Any]:
    return {"model_type": model_type, **config, "pad_token_id": 0}


def vision(model_type: str, **more: Any) -> dict[str, Any]:
    return {"model_type": model_type, **IMAGE, **more}


def prompt_then_image(model: Any) -> None:
    """The text part on tokens, then the vision part on an image."""
    model(input_ids=torch.randint(5, 60, (BATCH, 7)))
    vision_model = next(m for name, m in model.named_modules() if name.split(".")[-1] == "vision_tower")
    vision_model(torch.randn(BATCH, 3, 8, 8))


def text_part(model: Any) -> None:
    """The text part on tokens."""
    next(m for name, m in model.named_modules() if name.split(".")[-1] == "language_model")(
        input_ids=torch.randint(5, 60, (BATCH, 7))
    )


def prompt(model: Any) -> dict[str, torch.Tensor]:
    """Tokens alone."""
    return {"input_ids": torch.randint(5, 60, (BATCH, 7))}


def pair(model: Any) -> dict[str, torch.Tensor]:
    """Source and target tokens."""
    return {"input_ids": torch.randint(5, 60, (BATCH, 7)), "decoder_input_ids": torch.randint(5, 60, (BATCH, 5))}


def picture(model: Any) -> dict[str, torch.Tensor]:
    """An image and target tokens."""
    return {"pixel_values": torch.randn(BATCH, 3, 8, 8), "decoder_input_ids": torch.randint(5, 60, (BATCH, 5))}


INTERN = {"vision_config": vision("internvl_vision", image_size=[8, 8], patch_size=[4, 4])}
LLAVA = {"text_config": text("llama"), "vision_config": vision("clip_vision_model"), "image_token_index": 1}
SIGLIP = {"vision_config": vision("siglip_vision_model", vision_use_head=False), "image_token_index": 1}
LLAMA4_VISION = {
    **IMAGE,
    "intermediate_size": 192,
    "projector_input_dim": 48,
    "projector_output_dim": 48,
    "vision_output_dim": 48,
}
DECODER = {"model_type": "bert", **ODD, "is_decoder": True, "add_cross_attention": True}


def vision_class(model: Any) -> dict[str, torch.Tensor]:
    """An image, for a model that is the vision part alone."""
    return {"pixel_values": torch.randn(BATCH, 3, 8, 8)}


def image_part(model: Any) -> None:
    """The vision part on one image of 2 × 4 patches."""
    patches(next(m for name, m in model.named_modules() if name.split(".")[-1] == "visual"))


def text_part_of_idefics(model: Any) -> None:
    """The text part on tokens."""
    model.text_model(input_ids=torch.randint(5, 60, (BATCH, 7)))


def tiles(model: Any) -> dict[str, torch.Tensor]:
    """One image of one tile."""
    return {
        "pixel_values": torch.randn(BATCH, 1, 1, 3, 8, 8),
        "aspect_ratio_ids": torch.ones(BATCH, 1, dtype=torch.int64),
        "aspect_ratio_mask": torch.ones(BATCH, 1, 1, dtype=torch.int64),
    }


IDEFICS = {"text_config": text("llama"), "vision_config": {**IMAGE}}
TEXT_OF_MLLAMA = {**PLAIN_GROUPED, "pad_token_id": 0}
VISION_OF_MLLAMA = {
    **IMAGE,
    "attention_heads": 3,
    "num_global_layers": 1,
    "intermediate_layers_indices": [0],
    "vision_output_dim": 96,
    "max_num_tiles": 1,
    "supported_aspect_ratios": [[1, 1]],
}
MLLAMA = {
    "text_config": {**TEXT_OF_MLLAMA, "cross_attention_layers": [1]},
    "vision_config": VISION_OF_MLLAMA,
}


class TextOf(nn.Module):
    """The text part of a model whose other parts need libraries that are not here, saved as the whole is published.

    Args:
        row: the text part's own row.
        model_type: of the whole.
        prefix: what the whole puts in front of the names.
    """

    def __init__(self, row: Row, model_type: str, prefix: str) -> None:
        super().__init__()
        self.text = build(row)
        self.model_type, self.prefix = model_type, prefix
        self.config = self.text.config

    def forward(self, **inputs: torch.Tensor) -> Any:
        return self.text(**inputs)

    def save_pretrained(self, folder: Path) -> None:
        self.text.save_pretrained(folder)
        tensors = {f"{self.prefix}{name}": value for name, value in load_file(folder / "model.safetensors").items()}
        save_file(tensors, folder / "model.safetensors")
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({"model_type": self.model_type, "text_config": config}))


def gemma(name: str, model_type: str, prefix: str) -> TextOf:
    return TextOf(next(row for row in GEMMAS if str(row) == name), model_type, prefix)


def gemma3n() -> TextOf:
    return gemma("gemma3n_text", "gemma3n", "model.language_model.")


def gemma4() -> TextOf:
    return gemma("gemma4_text", "gemma4", "model.language_model.")


QWEN_TEXT = {**GROUPED, "head_dim": 12, "pad_token_id": 0}
MROPE = {"rope_parameters": {"rope_type": "default", "mrope_section": [2, 2, 2], "rope_theta": 10000.0}}
#: Qwen2-VL knows no head dimension of its own.
PLAIN_QWEN = {**PLAIN_GROUPED, "pad_token_id": 0, **MROPE, "hidden_size": 72}
TO_TEXT = "AutoModelForImageTextToText"


def qwen(kind: str, text_config: dict[str, Any]) -> list[Row]:
    """The text part by its scores, and the vision part by those of each patch with itself, where rotations cancel."""
    width = text_config["hidden_size"]
    config = {"text_config": text_config, "vision_config": {**QWEN_VISION, "out_hidden_size": width}}
    if kind == "qwen2_vl":
        config["vision_config"] |= {"hidden_size": width, "mlp_ratio": 2}
    return [
        Row(kind, config, auto=TO_TEXT, only=("text",), run=text_part),
        Row(kind, config, "vision", TO_TEXT, only=("vision",), run=image_part, diagonal=True, sequences=1),
    ]


COMPOSITES = [
    *qwen("qwen2_vl", PLAIN_QWEN),
    *qwen("qwen2_5_vl", PLAIN_QWEN),
    *qwen("qwen3_vl", {**QWEN_TEXT, **MROPE}),
    *qwen("qwen3_vl_moe", {**QWEN_TEXT, **EXPERTS, **MROPE}),
    *qwen("qwen3_5", {**QWEN_TEXT, **FOUR_LAYERS, **DELTA}),
    *qwen("qwen3_5_moe", {**QWEN_TEXT, **FOUR_LAYERS, **EXPERTS, **DELTA, "shared_expert_intermediate_size": 16}),
    Row("qwen2_vl_text", PLAIN_QWEN),
    Row("qwen2_5_vl_text", PLAIN_QWEN),
    Row("qwen3_vl_text", {**QWEN_TEXT, **MROPE}),
    Row("qwen3_vl_moe_text", {**QWEN_TEXT, **EXPERTS, **MROPE}),
    Row("idefics3", IDEFICS, only=("text",), run=text_part_of_idefics),
    Row("smolvlm", IDEFICS, only=("text",), run=text_part_of_idefics),
    Row("mllama", MLLAMA, auto=TO_TEXT, only=("text",), run=text_part),
    Row("mllama_text_model", {**TEXT_OF_MLLAMA, "cross_attention_layers": [1]}, auto="MllamaTextModel"),
    Row("mllama_vision_model", VISION_OF_MLLAMA, auto="MllamaVisionModel", inputs=tiles, first_tokens=5),
    Row("gemma3n", {}, make=gemma3n, only=("text",)),
    Row("gemma4", {}, make=gemma4, only=("text",)),
    Row("fuyu", {"text_config": {"model_type": "persimmon", **STANDARD}, **STANDARD}, auto="AutoModelForCausalLM"),
    Row("internvl", {"text_config": text("qwen2", PLAIN_GROUPED), **INTERN}, run=prompt_then_image),
    Row("pixtral", {**IMAGE, "head_dim": 16}, inputs=vision_class, diagonal=True),
    Row("llama4_vision_model", LLAMA4_VISION, auto="Llama4VisionModel", inputs=vision_class, diagonal=True),
    Row("llava", LLAVA, run=prompt_then_image),
    Row("llava", LLAVA, "generation", "AutoModelForImageTextToText", run=prompt_then_image),
    Row("llava_next", LLAVA, run=prompt_then_image),
    Row("vipllava", LLAVA, run=prompt_then_image),
    Row("llava_onevision", {"text_config": text("qwen2", PLAIN_GROUPED), **SIGLIP}, run=prompt_then_image),
    Row("paligemma", {"text_config": text("gemma"), **SIGLIP}, run=prompt_then_image),
    Row("gemma3", {"text_config": text("gemma3_text"), **SIGLIP}, run=prompt_then_image),
    Row("aya_vision", {"text_config": text("cohere2", {**GROUPED, **FOUR_LAYERS}), **SIGLIP}, run=prompt_then_image),
    Row("mistral3", {"text_config": text("mistral"), "vision_config": vision("pixtral")}, only=("text",)),
    Row(
        "llama4",
        {
            "text_config": text("llama4_text", {**GROUPED, "intermediate_size_mlp": 32, "num_local_experts": 2}),
            "vision_config": {"model_type": "llama4_vision_model", **LLAMA4_VISION},
        },
        only=("text",),
        run=text_part,
    ),
    Row(
        "encoder-decoder",
        {"encoder": {"model_type": "bert", **ODD}, "decoder": DECODER},
        auto="AutoModelForSeq2SeqLM",
        inputs=pair,
    ),
    Row(
        "vision-encoder-decoder",
        {"encoder": vision("vit"), "decoder": DECODER},
        auto="AutoModelForImageTextToText",
        inputs=picture,
    ),
]
