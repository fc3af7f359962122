"""Rows of the conformance table: models made of parts."""

from __future__ import annotations

from typing import Any

import torch

from tests.verify.checkpoints.conformance.models import BATCH, Row
from tests.verify.checkpoints.conformance.text import FOUR_LAYERS, GROUPED, ODD, PLAIN_GROUPED
from tests.verify.checkpoints.conformance.vision import IMAGE


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


COMPOSITES = [
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
