"""Tiny random models, one row for each model type: the table that a layout must have a row in to be registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

TOKENS, BATCH = 7, 2


def tokens(model: Any) -> dict[str, torch.Tensor]:
    """Token ids for a text model."""
    return {"input_ids": torch.randint(5, 60, (BATCH, TOKENS))}


def pixels(model: Any) -> dict[str, torch.Tensor]:
    """An image for a vision model."""
    config = model.config
    return {"pixel_values": torch.randn(BATCH, 3, config.image_size, config.image_size)}


@dataclass(frozen=True)
class Row:
    """How to build a tiny model of one type.

    Args:
        model_type: the name in the registry.
        config: arguments of its configuration class.
        inputs: builds the arguments of a forward pass.
        auto: the automatic class that builds the model.
        variant: what distinguishes this row from others of the type.
        position_bias: the model adds a bias by position, which is compared by being the same for every input.
    """

    model_type: str
    config: Mapping[str, Any]
    inputs: Callable[[Any], dict[str, torch.Tensor]] = tokens
    auto: str = "AutoModel"
    variant: str = ""
    position_bias: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.model_type}-{self.variant}" if self.variant else self.model_type


STANDARD = {
    "hidden_size": 48,
    "num_attention_heads": 6,
    "num_hidden_layers": 2,
    "intermediate_size": 32,
    "vocab_size": 64,
    "max_position_embeddings": 32,
}
GROUPED = {**STANDARD, "num_key_value_heads": 2, "head_dim": 10}

ROWS = [
    Row("bert", STANDARD),
    Row("roberta", STANDARD),
    Row(
        "distilbert",
        {"dim": 48, "n_heads": 3, "n_layers": 2, "hidden_dim": 32, "vocab_size": 64, "max_position_embeddings": 32},
    ),
    Row("gpt2", {"n_embd": 48, "n_head": 3, "n_layer": 2, "vocab_size": 64, "n_positions": 32}),
    Row(
        "gpt2",
        {
            "n_embd": 48,
            "n_head": 4,
            "n_layer": 3,
            "vocab_size": 64,
            "n_positions": 32,
            "scale_attn_by_inverse_layer_idx": True,
        },
        variant="inverse-layer",
        auto="AutoModelForCausalLM",
    ),
    Row("gpt_neox", STANDARD, auto="AutoModelForCausalLM"),
    Row("gpt_neox", {**STANDARD, "rotary_pct": 0.5, "num_attention_heads": 3}, variant="odd"),
    Row("opt", {**STANDARD, "ffn_dim": 32, "word_embed_proj_dim": 48}),
    Row("opt", {**STANDARD, "ffn_dim": 32, "word_embed_proj_dim": 24, "do_layer_norm_before": False}, variant="350m"),
    Row("bloom", {"hidden_size": 48, "n_head": 3, "n_layer": 2, "vocab_size": 64}, position_bias=True),
    Row("llama", GROUPED, auto="AutoModelForCausalLM"),
    Row(
        "llama",
        {
            **STANDARD,
            "attention_bias": True,
            "rope_parameters": {
                "rope_type": "llama3",
                "rope_theta": 500000.0,
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 16,
            },
        },
        variant="llama3-rope",
    ),
    Row("mistral", {**GROUPED, "num_key_value_heads": 3}),
    Row("qwen2", {**STANDARD, "num_key_value_heads": 2}),
    Row(
        "vit",
        {
            "hidden_size": 48,
            "num_attention_heads": 3,
            "num_hidden_layers": 2,
            "intermediate_size": 32,
            "image_size": 8,
            "patch_size": 4,
        },
        inputs=pixels,
    ),
]


def build(row: Row) -> torch.nn.Module:
    """A model with every parameter drawn at random, so that no gain is one and no bias zero."""
    import transformers

    config = transformers.AutoConfig.for_model(row.model_type, **row.config)
    model = getattr(transformers, row.auto).from_config(config, attn_implementation="eager").eval()
    generator = torch.Generator().manual_seed(len(str(row)))
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.ndim > 1:
                parameter.copy_(noise / parameter.shape[-1] ** 0.5)
            else:
                parameter.add_(0.3 * noise)
    return model
