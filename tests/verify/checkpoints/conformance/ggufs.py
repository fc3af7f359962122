"""Rows of the conformance table: models of the library written as GGUF files, with what the converters change.

A converter renames tensors, turns columns into rows, regroups fused projections as queries, keys, values, adds the one
to gains of 1 + w, and for some architectures permutes the rows of each head from half-split to interleaved pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import torch
from torch import nn

from tests.verify.checkpoints.conformance.encoders import ENCODERS
from tests.verify.checkpoints.conformance.hybrids import LATENTS
from tests.verify.checkpoints.conformance.models import Row, build
from tests.verify.checkpoints.conformance.seq2seq import SEQ2SEQ
from tests.verify.checkpoints.conformance.text import GEMMAS, GPTS, LLAMAS
from tests.verify.checkpoints.conformance.vision import VISION

Tensors = dict[str, torch.Tensor]
#: The tensors of a file, from the configuration and the state of the model.
Convert = Callable[[Any, Tensors], Tensors]
#: The metadata of a file, without the architecture's prefix.
Describe = Callable[[Any], Mapping[str, Any]]

RMS, LAYER = "attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"


class Converted(nn.Module):
    """A model of the library that saves itself as a GGUF file.

    Args:
        row: the row to build.
        architecture: the GGUF architecture.
        convert: its tensors under their GGUF names.
        describe: its metadata.
    """

    def __init__(self, row: Row, architecture: str, convert: Convert, describe: Describe) -> None:
        super().__init__()
        self.model = build(row)
        self.config = self.model.config
        self.architecture, self.convert, self.describe = architecture, convert, describe

    def forward(self, **inputs: torch.Tensor) -> Any:
        return self.model(**inputs)

    def save_pretrained(self, folder: Path) -> None:
        """One file, ``model.gguf``."""
        writer = gguf.GGUFWriter(folder / "model.gguf", self.architecture)
        writer.add_array("tokenizer.ggml.tokens", [f"token-{i}" for i in range(6000)])
        for key, value in self.describe(self.config).items():
            add = writer.add_array if isinstance(value, list) else _adder(writer, value)
            add(f"{self.architecture}.{key}", value)
        state = {name.removeprefix("model."): value for name, value in self.model.state_dict().items()}
        for name, tensor in self.convert(self.config, state).items():
            writer.add_tensor(name, tensor.contiguous().numpy())
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def _adder(writer: gguf.GGUFWriter, value: float) -> Callable[[str, Any], None]:
    adder: Callable[[str, Any], None] = writer.add_float32 if isinstance(value, float) else writer.add_uint32
    return adder


def sizes(epsilon: str, **more: Any) -> Describe:
    """The usual metadata; the name of the small number tells what norm stands in front."""

    def describe(config: Any) -> dict[str, Any]:
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        rope = getattr(config, "rope_parameters", None) or {}
        return {
            "block_count": config.num_hidden_layers,
            "embedding_length": config.hidden_size,
            "attention.head_count": config.num_attention_heads,
            "attention.head_count_kv": getattr(config, "num_key_value_heads", config.num_attention_heads),
            "attention.key_length": size,
            "rope.dimension_count": int(size * rope.get("partial_rotary_factor", 1.0)),
            epsilon: 1e-5,
            **{key.replace("__", "."): getattr(config, str(value), value) for key, value in more.items()},
        }

    return describe


def layered(source: str, names: Mapping[str, str], change: Callable[[Any, str, torch.Tensor], torch.Tensor]) -> Convert:
    """Every layer's tensors renamed, weights and biases alike.

    Args:
        source: what the model puts in front of the names of a layer, with ``{}`` for its number.
        names: GGUF name → name in the layer.
        change: what a converter does to one tensor, given its GGUF name in the layer.
    """

    def convert(config: Any, state: Tensors) -> Tensors:
        return {
            f"blk.{layer}.{name}.{kind}": change(
                config, f"{name}.{kind}", state[source.format(layer) + f".{own}.{kind}"]
            )
            for layer in range(config.num_hidden_layers)
            for name, own in names.items()
            for kind in ("weight", "bias")
            if source.format(layer) + f".{own}.{kind}" in state
        }

    return convert


def same(config: Any, name: str, tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def permuted(config: Any, name: str, tensor: torch.Tensor) -> torch.Tensor:
    """Each head's rows (i, i + D/2) of queries and keys brought side by side."""
    if not name.startswith(("attn_q.", "attn_k.")):
        return tensor
    heads = config.num_attention_heads if name.startswith("attn_q.") else config.num_key_value_heads
    return tensor.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)


def transposed(config: Any, name: str, tensor: torch.Tensor) -> torch.Tensor:
    return tensor.mT if tensor.ndim == 2 else tensor


def head_by_head_to_cat(config: Any, name: str, tensor: torch.Tensor) -> torch.Tensor:
    if not name.startswith("attn_qkv."):
        return tensor
    return tensor.unflatten(0, (config.num_attention_heads, 3, -1)).transpose(0, 1).flatten(0, 2)


def group_by_group_to_cat(config: Any, name: str, tensor: torch.Tensor) -> torch.Tensor:
    if not name.startswith("attn_qkv."):
        return tensor
    groups, heads = config.num_kv_heads, config.num_attention_heads
    views = tensor.unflatten(0, (groups, heads // groups + 2, -1))
    return torch.cat([views[:, :-2].flatten(0, 2), views[:, -2].flatten(0, 1), views[:, -1].flatten(0, 1)])


def one_added(config: Any, name: str, tensor: torch.Tensor) -> torch.Tensor:
    return tensor + 1 if name.endswith("norm.weight") else tensor


SEPARATE = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_norm": "input_layernorm"}
BERT = {"attn_q": "attention.self.query", "attn_k": "attention.self.key", "layer_output_norm": "output.LayerNorm"}
LATENT = {
    "attn_q_a": "self_attn.q_a_proj",
    "attn_q_a_norm": "self_attn.q_a_layernorm",
    "attn_q_b": "self_attn.q_b_proj",
    "attn_kv_a_mqa": "self_attn.kv_a_proj_with_mqa",
    "attn_kv_a_norm": "self_attn.kv_a_layernorm",
    "attn_kv_b": "self_attn.kv_b_proj",
    "attn_norm": "input_layernorm",
}


def bert(config: Any, state: Tensors) -> Tensors:
    norm = {f"token_embd_norm.{kind}": state[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias")}
    return layered("encoder.layer.{}", BERT, same)(config, state) | norm


def latent_in_two(config: Any, state: Tensors) -> Tensors:
    """The last factor taken apart into keys, transposed, and values, as converters do now."""
    tensors = layered("layers.{}", LATENT, same)(config, state)
    for layer in range(config.num_hidden_layers):
        joint = tensors.pop(f"blk.{layer}.attn_kv_b.weight").unflatten(0, (config.num_attention_heads, -1))
        keys, values = joint.split([config.qk_nope_head_dim, config.v_head_dim], 1)
        tensors |= {f"blk.{layer}.attn_k_b.weight": keys.mT, f"blk.{layer}.attn_v_b.weight": values}
    return tensors


def t5(config: Any, state: Tensors) -> Tensors:
    return {
        f"{stack[:3]}.blk.{layer}.{name}.weight": state[f"{stack}.block.{layer}.layer.{sub}.{own}.weight"]
        for stack, layers in (("encoder", config.num_layers), ("decoder", config.num_decoder_layers))
        for layer in range(layers)
        for name, sub, own in (
            ("attn_q", 0, "SelfAttention.q"),
            ("attn_k", 0, "SelfAttention.k"),
            ("attn_norm", 0, "layer_norm"),
            ("cross_attn_q", 1, "EncDecAttention.q"),
        )
        if stack == "decoder" or sub == 0
    }


def t5_sizes(config: Any) -> Mapping[str, Any]:
    return {
        "block_count": config.num_layers,
        "decoder_block_count": config.num_decoder_layers,
        "embedding_length": config.d_model,
        "attention.head_count": config.num_heads,
        "attention.key_length": config.d_kv,
        LAYER: 1e-5,
        RMS: 1e-5,
    }


def latent_sizes(config: Any) -> Mapping[str, Any]:
    return {
        **sizes(RMS)(config),
        "attention.head_count_kv": 1,
        "attention.key_length": config.kv_lora_rank + config.qk_rope_head_dim,
        "attention.key_length_mla": config.qk_nope_head_dim + config.qk_rope_head_dim,
        "attention.kv_lora_rank": config.kv_lora_rank,
        "attention.q_lora_rank": config.q_lora_rank,
        "rope.dimension_count": config.qk_rope_head_dim,
    }


def projector(config: Any, state: Tensors) -> Tensors:
    names = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "ln1": "layer_norm1"}
    own = {name.removeprefix("vision_model."): value for name, value in state.items()}
    return {f"v.{name}": value for name, value in layered("encoder.layers.{}", names, same)(config, own).items()}


def projector_sizes(config: Any) -> Mapping[str, Any]:
    return {
        "vision.block_count": config.num_hidden_layers,
        "vision.embedding_length": config.hidden_size,
        "vision.attention.head_count": config.num_attention_heads,
    }


def row(rows: list[Row], name: str, architecture: str, convert: Convert, describe: Describe, variant: str = "") -> Row:
    """A row that converts another one."""
    source = next(row for row in rows if str(row) == name)
    return Row(
        "gguf",
        {},
        variant or architecture,
        inputs=source.inputs,
        make=lambda: Converted(source, architecture, convert, describe),
        position_bias=source.position_bias,
    )


def separate(change: Callable[[Any, str, torch.Tensor], torch.Tensor] = same) -> Convert:
    return layered("layers.{}", SEPARATE, change)


GPT2 = {"attn_qkv": "attn.c_attn", "attn_norm": "ln_1"}
NEOX = {"attn_qkv": "attention.query_key_value", "attn_norm": "input_layernorm"}
FALCON = {"attn_qkv": "self_attention.query_key_value", "attn_norm_2": "ln_attn", "attn_norm": "ln_mlp"}
FEW_HEADS: dict[str, Any] = {"attention__head_count_kv": "num_kv_heads"}

GGUFS = [
    row(LLAMAS, "mistral", "llama", separate(permuted), sizes(RMS)),
    row(LLAMAS, "qwen2", "qwen2", separate(), sizes(RMS)),
    row(LLAMAS, "granite", "granite", separate(permuted), sizes(RMS, attention__scale="attention_multiplier")),
    row(LLAMAS, "cohere2", "cohere2", separate(), sizes(LAYER)),
    row(LLAMAS, "olmo", "olmo", separate(permuted), sizes(LAYER)),
    row(LLAMAS, "starcoder2", "starcoder2", separate(), sizes(LAYER)),
    row(LLAMAS, "nemotron", "nemotron", separate(one_added), sizes(LAYER)),
    row(GEMMAS, "gemma", "gemma", separate(one_added), sizes(RMS)),
    row(GPTS, "gpt2", "gpt2", layered("h.{}", GPT2, transposed), sizes(LAYER)),
    row(GPTS, "gpt_neox-odd", "gptneox", layered("layers.{}", NEOX, head_by_head_to_cat), sizes(LAYER)),
    row(GPTS, "falcon-40b", "falcon", layered("h.{}", FALCON, group_by_group_to_cat), sizes(LAYER, **FEW_HEADS)),
    row(ENCODERS, "bert", "bert", bert, sizes(LAYER)),
    row(SEQ2SEQ, "t5", "t5", t5, t5_sizes),
    row(LATENTS, "deepseek_v3", "deepseek2", layered("layers.{}", LATENT, same), latent_sizes),
    row(LATENTS, "deepseek_v3", "deepseek2", latent_in_two, latent_sizes, "deepseek2-in-two"),
    row(LATENTS, "minicpm3", "minicpm3", layered("layers.{}", LATENT, same), latent_sizes),
    row(VISION, "clip_vision_model", "clip", projector, projector_sizes, "projector"),
]
