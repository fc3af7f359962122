"""Rows of the conformance table: models of the library written as GGUF files, with what the converters change.

A converter renames tensors, turns columns into rows, regroups fused projections as queries, keys, values, and for some
architectures permutes the rows of each head from half-split to interleaved pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import torch
from torch import nn

from tests.verify.checkpoints.conformance.encoders import ENCODERS
from tests.verify.checkpoints.conformance.models import Row, build
from tests.verify.checkpoints.conformance.text import GPTS, LLAMAS

Tensors = dict[str, torch.Tensor]


def interleaved(rows: torch.Tensor, heads: int) -> torch.Tensor:
    """Each head's rows (i, i + D/2) brought side by side."""
    return rows.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)


def llama(config: Any, state: Tensors, layer: int) -> Tensors:
    block = f"layers.{layer}."
    return {
        "attn_q.weight": interleaved(state[block + "self_attn.q_proj.weight"], config.num_attention_heads),
        "attn_k.weight": interleaved(state[block + "self_attn.k_proj.weight"], config.num_key_value_heads),
        "attn_norm.weight": state[block + "input_layernorm.weight"],
    }


def gpt2(config: Any, state: Tensors, layer: int) -> Tensors:
    block = f"h.{layer}."
    return {
        "attn_qkv.weight": state[block + "attn.c_attn.weight"].T.contiguous(),
        "attn_qkv.bias": state[block + "attn.c_attn.bias"],
        "attn_norm.weight": state[block + "ln_1.weight"],
        "attn_norm.bias": state[block + "ln_1.bias"],
    }


def gpt_neox(config: Any, state: Tensors, layer: int) -> Tensors:
    block = f"layers.{layer}."
    heads = config.num_attention_heads

    def regrouped(name: str) -> torch.Tensor:
        return state[block + name].unflatten(0, (heads, 3, -1)).transpose(0, 1).flatten(0, 2).contiguous()

    return {
        "attn_qkv.weight": regrouped("attention.query_key_value.weight"),
        "attn_qkv.bias": regrouped("attention.query_key_value.bias"),
        "attn_norm.weight": state[block + "input_layernorm.weight"],
        "attn_norm.bias": state[block + "input_layernorm.bias"],
    }


def bert(config: Any, state: Tensors, layer: int) -> Tensors:
    block = f"encoder.layer.{layer}."
    named = {"attn_q": "attention.self.query", "attn_k": "attention.self.key", "layer_output_norm": "output.LayerNorm"}
    return {
        f"{name}.{kind}": state[f"{block}{source}.{kind}"]
        for name, source in named.items()
        for kind in ("weight", "bias")
    }


class Converted(nn.Module):
    """A model of the library that saves itself as a GGUF file.

    Args:
        row: the row to build.
        architecture: the GGUF architecture.
        convert: the tensors of one layer under their GGUF names.
        epsilon: the metadata key that tells what norm is in front.
    """

    def __init__(
        self, row: Row, architecture: str, convert: Callable[[Any, Tensors, int], Tensors], epsilon: str
    ) -> None:
        super().__init__()
        self.model = build(row)
        self.config = self.model.config
        self.architecture, self.convert, self.epsilon = architecture, convert, epsilon

    def forward(self, **inputs: torch.Tensor) -> Any:
        return self.model(**inputs)

    def save_pretrained(self, folder: Path) -> None:
        """One file, ``model.gguf``."""
        config = self.config
        writer = gguf.GGUFWriter(folder / "model.gguf", self.architecture)
        writer.add_block_count(config.num_hidden_layers)
        writer.add_embedding_length(config.hidden_size)
        writer.add_head_count(config.num_attention_heads)
        writer.add_head_count_kv(getattr(config, "num_key_value_heads", config.num_attention_heads))
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        writer.add_key_length(size)
        rope = getattr(config, "rope_parameters", None) or {}
        writer.add_rope_dimension_count(int(size * rope.get("partial_rotary_factor", 1.0)))
        writer.add_float32(f"{self.architecture}.attention.{self.epsilon}", 1e-5)
        writer.add_array("tokenizer.ggml.tokens", [f"token-{i}" for i in range(6000)])
        state = {name.removeprefix("model."): value for name, value in self.model.state_dict().items()}
        for layer in range(config.num_hidden_layers):
            for name, value in self.convert(config, state, layer).items():
                writer.add_tensor(f"blk.{layer}.{name}", value.numpy())
        if self.architecture == "bert":
            writer.add_tensor("token_embd_norm.weight", state["embeddings.LayerNorm.weight"].numpy())
            writer.add_tensor("token_embd_norm.bias", state["embeddings.LayerNorm.bias"].numpy())
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def _row(rows: list[Row], name: str) -> Row:
    return next(row for row in rows if str(row) == name)


def of_llama() -> Converted:
    return Converted(_row(LLAMAS, "mistral"), "llama", llama, "layer_norm_rms_epsilon")


def of_gpt2() -> Converted:
    return Converted(_row(GPTS, "gpt2"), "gpt2", gpt2, "layer_norm_epsilon")


def of_gpt_neox() -> Converted:
    return Converted(_row(GPTS, "gpt_neox-odd"), "gptneox", gpt_neox, "layer_norm_epsilon")


def of_bert() -> Converted:
    return Converted(_row(ENCODERS, "bert"), "bert", bert, "layer_norm_epsilon")


GGUFS = [
    Row("gguf", {}, "llama", make=of_llama),
    Row("gguf", {}, "gpt2", make=of_gpt2),
    Row("gguf", {}, "gptneox", make=of_gpt_neox),
    Row("gguf", {}, "bert", make=of_bert),
]
