"""Reference attentions for model types whose code is not in the model library, and their rows.

Each is written from the published description of its tensors, by views and splits as its own code has them, never by
the row numbers that the layouts use.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn

from tests.verify.checkpoints.conformance.models import BATCH, Row, build
from tests.verify.checkpoints.conformance.text import LLAMAS

WIDTH, HEADS, SIZE, LAYERS, TOKENS = 48, 6, 8, 2, 7
Split = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]


def turned(values: torch.Tensor, rotated: int, *, interleaved: bool) -> torch.Tensor:
    """``(B, H, T, D)`` with the first rows turned by position, as complex numbers."""
    head, rest = values[..., :rotated], values[..., rotated:]
    angle = torch.arange(TOKENS)[:, None] * 10000.0 ** (-torch.arange(0, rotated, 2) / rotated)
    turn = torch.polar(torch.ones_like(angle), angle)
    if interleaved:
        pairs = torch.view_as_complex(head.float().unflatten(-1, (-1, 2)).contiguous()) * turn
        return torch.cat([torch.view_as_real(pairs).flatten(-2), rest], -1)
    a, b = head.float().chunk(2, -1)
    pairs = torch.complex(a, b) * turn
    return torch.cat([pairs.real, pairs.imag, rest], -1)


class Remote(nn.Module):
    """Layers of attention under the names that a published checkpoint has.

    Args:
        name: the fused projection, with ``{layer}``.
        norm: the normalisation in front.
        rows: rows of the fused projection.
        split: takes its output, ``(B, T, rows)``, apart into queries and keys, ``(B, H, T, D)``, by its own views.
        turn: what positions do to queries and keys.
        config: the configuration to save.
    """

    def __init__(
        self,
        name: str,
        norm: str,
        rows: int,
        split: Split,
        turn: Callable[[torch.Tensor], torch.Tensor] = lambda values: values,
        bias: bool = False,
        layer_norm: bool = False,
        **config: Any,
    ) -> None:
        super().__init__()
        self.names = [(name.format(layer=i), norm.format(layer=i)) for i in range(LAYERS)]
        self.projections = nn.ModuleList(nn.Linear(WIDTH, rows, bias=bias) for _ in range(LAYERS))
        made = nn.LayerNorm if layer_norm else nn.RMSNorm
        self.norms = nn.ModuleList(made(WIDTH, eps=1e-6) for _ in range(LAYERS))
        self.split, self.turn = split, turn
        self.settings = {"hidden_size": WIDTH, "num_attention_heads": HEADS, **config}
        self.config = SimpleNamespace(**self.settings)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        for norm, projection in zip(self.norms, self.projections, strict=True):
            q, k = (self.turn(values) for values in self.split(projection(norm(hidden))))
            if k.shape[1] != q.shape[1]:
                k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
            weights = torch.softmax(q @ k.transpose(-1, -2) / SIZE**0.5, -1)
            hidden = hidden + weights.mean(1) @ hidden
        return hidden

    def save_pretrained(self, folder: Path) -> None:
        """The weights under their published names, and the configuration."""
        tensors = {}
        for (name, norm), projection, gain in zip(self.names, self.projections, self.norms, strict=True):
            tensors |= {f"{name}.{key}": value for key, value in projection.state_dict().items()}
            tensors |= {f"{norm}.{key}": value for key, value in gain.state_dict().items()}
        save_file(tensors, folder / "model.safetensors")
        (folder / "config.json").write_text(json.dumps(self.settings))


def one_after_another(groups: int) -> Split:
    def split(fused: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        q, k, _ = fused.split([HEADS * SIZE, groups * SIZE, groups * SIZE], -1)
        return q.unflatten(-1, (HEADS, SIZE)).transpose(1, 2), k.unflatten(-1, (groups, SIZE)).transpose(1, 2)

    return split


def head_by_head(fused: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, _ = fused.unflatten(-1, (HEADS, 3 * SIZE)).transpose(1, 2).chunk(3, -1)
    return q, k


def in_groups(groups: int) -> Split:
    def split(fused: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        views = fused.unflatten(-1, (groups, HEADS // groups + 2, SIZE))
        return views[..., :-2, :].flatten(2, 3).transpose(1, 2), views[..., -2, :].transpose(1, 2)

    return split


def half(values: torch.Tensor) -> torch.Tensor:
    return turned(values, SIZE, interleaved=False)


def first_half_interleaved(values: torch.Tensor) -> torch.Tensor:
    return turned(values, SIZE // 2, interleaved=True)


def qwen() -> Remote:
    return Remote(
        "transformer.h.{layer}.attn.c_attn",
        "transformer.h.{layer}.ln_1",
        3 * WIDTH,
        one_after_another(HEADS),
        half,
        bias=True,
        model_type="qwen",
        num_hidden_layers=LAYERS,
        kv_channels=SIZE,
    )


def internlm2() -> Remote:
    return Remote(
        "model.layers.{layer}.attention.wqkv",
        "model.layers.{layer}.attention_norm",
        (HEADS + 4) * SIZE,
        in_groups(2),
        half,
        model_type="internlm2",
        num_hidden_layers=LAYERS,
        num_key_value_heads=2,
    )


def baichuan() -> Remote:
    return Remote(
        "model.layers.{layer}.self_attn.W_pack",
        "model.layers.{layer}.input_layernorm",
        3 * WIDTH,
        one_after_another(HEADS),
        half,
        model_type="baichuan",
        num_hidden_layers=LAYERS,
    )


def chatglm() -> Remote:
    return Remote(
        "transformer.encoder.layers.{layer}.self_attention.query_key_value",
        "transformer.encoder.layers.{layer}.input_layernorm",
        (HEADS + 4) * SIZE,
        one_after_another(2),
        first_half_interleaved,
        bias=True,
        model_type="chatglm",
        num_layers=LAYERS,
        kv_channels=SIZE,
        multi_query_attention=True,
        multi_query_group_num=2,
    )


def chatglm_multi_head() -> Remote:
    return Remote(
        "transformer.encoder.layers.{layer}.self_attention.query_key_value",
        "transformer.encoder.layers.{layer}.input_layernorm",
        3 * WIDTH,
        head_by_head,
        first_half_interleaved,
        bias=True,
        model_type="chatglm",
        num_layers=LAYERS,
        kv_channels=SIZE,
        multi_query_attention=False,
    )


def chatglm_first() -> Remote:
    return Remote(
        "transformer.layers.{layer}.attention.query_key_value",
        "transformer.layers.{layer}.input_layernorm",
        3 * WIDTH,
        head_by_head,
        bias=True,
        layer_norm=True,
        model_type="chatglm",
        num_layers=LAYERS,
    )


def phi() -> Remote:
    return Remote(
        "transformer.h.{layer}.mixer.Wqkv",
        "transformer.h.{layer}.ln",
        3 * WIDTH,
        one_after_another(HEADS),
        lambda values: turned(values, SIZE // 2, interleaved=False),
        bias=True,
        layer_norm=True,
        model_type="phi-msft",
        n_embd=WIDTH,
        n_head=HEADS,
        n_layer=LAYERS,
        rotary_dim=SIZE // 2,
    )


def phi_sequential() -> Remote:
    """The first release numbers its layers behind the embedding and calls them by their place in a sequence."""
    return Remote(
        "layers.{layer}.mixer.Wqkv",
        "layers.{layer}.ln",
        3 * WIDTH,
        one_after_another(HEADS),
        lambda values: turned(values, SIZE // 2, interleaved=False),
        bias=True,
        layer_norm=True,
        model_type="mixformer-sequential",
        n_embd=WIDTH,
        n_head=HEADS,
        n_layer=LAYERS,
        rotary_dim=SIZE // 2,
    )


class Consolidated(nn.Module):
    """A model of the library saved as its authors publish it first: names of their own, rows of each head permuted."""

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.model = build(row)
        self.config = self.model.config

    def forward(self, **inputs: torch.Tensor) -> Any:
        return self.model(**inputs)

    def save_pretrained(self, folder: Path) -> None:
        config, state = self.config, self.model.state_dict()
        tensors = {}
        for i in range(config.num_hidden_layers):
            for name, own, heads in (
                ("wq", "q_proj", config.num_attention_heads),
                ("wk", "k_proj", config.num_key_value_heads),
            ):
                halves = state[f"layers.{i}.self_attn.{own}.weight"].unflatten(0, (heads, 2, -1))
                tensors[f"layers.{i}.attention.{name}.weight"] = halves.transpose(1, 2).flatten(0, 2)
            tensors[f"layers.{i}.attention_norm.weight"] = state[f"layers.{i}.input_layernorm.weight"]
        torch.save(tensors, folder / "consolidated.00.pth")
        params = {
            "dim": config.hidden_size,
            "n_layers": config.num_hidden_layers,
            "n_heads": config.num_attention_heads,
            "n_kv_heads": config.num_key_value_heads,
            "head_dim": config.head_dim,
            "rope_theta": config.rope_parameters["rope_theta"],
        }
        (folder / "params.json").write_text(json.dumps(params))


def consolidated() -> Consolidated:
    return Consolidated(next(row for row in LLAMAS if str(row) == "mistral"))


def stream(model: Any) -> dict[str, torch.Tensor]:
    """Random vectors, in place of embedded tokens."""
    return {"hidden": torch.randn(BATCH, TOKENS, WIDTH)}


REMOTE = [
    Row("consolidated", {}, make=consolidated),
    Row("qwen", {}, inputs=stream, make=qwen),
    Row("internlm2", {}, inputs=stream, make=internlm2),
    Row("baichuan", {}, inputs=stream, make=baichuan),
    Row("phi-msft", {}, inputs=stream, make=phi),
    Row("mixformer-sequential", {}, inputs=stream, make=phi_sequential),
    Row("chatglm", {}, inputs=stream, make=chatglm),
    Row("chatglm", {}, "multi-head", inputs=stream, make=chatglm_multi_head),
    Row("chatglm", {}, "first", inputs=stream, make=chatglm_first),
]
