"""Configurations and tensor names as they are published, which the model library of today would save otherwise.

Sizes are small; keys, spellings, what is left out and what is null are as in the files of the first releases.
"""

from __future__ import annotations

from typing import Any

import pytest

from verify.checkpoints.config import Config
from verify.checkpoints.files import TensorInfo
from verify.checkpoints.plan import Status
from verify.checkpoints.planning import Inventory, plan_layers
from verify.checkpoints.registry import registered

N, H, D = 64, 4, 16
Shapes = dict[str, tuple[int, ...]]


def separate(stem: str, *names: str, keys: int = H, size: int = D) -> Shapes:
    query, key = names or ("q_proj", "k_proj")
    return {f"{stem}.{query}.weight": (H * size, N), f"{stem}.{key}.weight": (keys * size, N)}


def usual(**more: Any) -> dict[str, Any]:
    return {"hidden_size": N, "num_attention_heads": H, "num_hidden_layers": 1, **more}


CASES: dict[str, tuple[dict[str, Any], Shapes, tuple[int, int, int]]] = {
    "bloom": (
        {"n_embed": N, "n_layer": 1, "num_attention_heads": H},
        {"h.0.self_attention.query_key_value.weight": (3 * N, N)},
        (H, H, D),
    ),
    "falcon": (
        usual(num_kv_heads=H, multi_query=True, new_decoder_architecture=False, alibi=False),
        {"transformer.h.0.self_attention.query_key_value.weight": (N + 2 * D, N)},
        (H, 1, D),
    ),
    "RefinedWebModel": (
        {"hidden_size": N, "n_head": H, "n_layer": 1, "multi_query": True, "alibi": False},
        {"transformer.h.0.self_attention.query_key_value.weight": (N + 2 * D, N)},
        (H, 1, D),
    ),
    "RefinedWeb": (
        {"hidden_size": N, "n_head": H, "n_head_kv": 2, "n_layer": 1, "alibi": False},
        {"transformer.h.0.self_attention.query_key_value.weight": (N + 4 * D, N)},
        (H, 2, D),
    ),
    "mpt": (
        {"d_model": N, "n_heads": H, "n_layers": 1, "attn_config": {"alibi": True, "clip_qkv": None, "qk_ln": False}},
        {"transformer.blocks.0.attn.Wqkv.weight": (3 * N, N)},
        (H, H, D),
    ),
    "opt": (
        usual(do_layer_norm_before=True, word_embed_proj_dim=N),
        separate("model.decoder.layers.0.self_attn"),
        (H, H, D),
    ),
    "gpt2": (
        {"n_embd": N, "n_head": H, "n_layer": 1},
        {"h.0.attn.c_attn.weight": (N, 3 * N), "h.0.attn.c_attn.bias": (3 * N,), "h.0.attn.bias": (1, 1, 8, 8)},
        (H, H, D),
    ),
    "gpt_neox": (
        usual(rotary_pct=0.25, rotary_emb_base=10000),
        {
            "gpt_neox.layers.0.attention.query_key_value.weight": (3 * N, N),
            "gpt_neox.layers.0.attention.bias": (1, 1, 8, 8),
            "gpt_neox.layers.0.attention.rotary_emb.inv_freq": (2,),
        },
        (H, H, D),
    ),
    "gpt_bigcode": (
        {"n_embd": N, "n_head": H, "n_layer": 1, "multi_query": True},
        {"transformer.h.0.attn.c_attn.weight": (N + 2 * D, N)},
        (H, 1, D),
    ),
    "qwen": (usual(kv_channels=D), {"transformer.h.0.attn.c_attn.weight": (3 * N, N)}, (H, H, D)),
    "chatglm": (
        {
            "hidden_size": N,
            "num_attention_heads": H,
            "num_layers": 1,
            "kv_channels": D,
            "multi_query_attention": True,
            "multi_query_group_num": 2,
        },
        {"transformer.encoder.layers.0.self_attention.query_key_value.weight": (N + 4 * D, N)},
        (H, 2, D),
    ),
    "mistral": (
        usual(head_dim=8, num_key_value_heads=2, sliding_window=None),
        separate("model.layers.0.self_attn", keys=2, size=8),
        (H, 2, 8),
    ),
    "nomic_bert": (
        {"n_embd": N, "n_head": H, "n_layer": 1, "rotary_emb_fraction": 1.0, "rotary_emb_base": 1000},
        {"encoder.layers.0.attn.Wqkv.weight": (3 * N, N)},
        (H, H, D),
    ),
    "deberta": (
        usual(relative_attention=True, pos_att_type="c2p|p2c"),
        {"deberta.encoder.layer.0.attention.self.in_proj.weight": (3 * N, N)},
        (H, H, D),
    ),
    "albert": (
        usual(num_hidden_layers=12, num_hidden_groups=1, inner_group_num=1),
        separate("albert.encoder.albert_layer_groups.0.albert_layers.0.attention", "query", "key"),
        (H, H, D),
    ),
    "t5": (
        {"d_model": N, "num_heads": H, "d_kv": D, "num_layers": 1},
        separate("encoder.block.0.layer.0.SelfAttention", "q", "k"),
        (H, H, D),
    ),
    "siglip_vision_model": (
        {"num_hidden_layers": 1},
        {f"vision_model.encoder.layers.0.self_attn.{x}_proj.weight": (24, 24) for x in "qk"},
        (12, 12, 2),
    ),
    "gemma3_text": (
        {"hidden_size": N, "num_hidden_layers": 1, "sliding_window": 1024},
        {f"model.layers.0.self_attn.{x}_proj.weight": (heads * 256, N) for x, heads in (("q", 8), ("k", 4))},
        (8, 4, 256),
    ),
    "deepseek_v3": (
        usual(q_lora_rank=20, kv_lora_rank=12, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=6),
        {
            f"model.layers.{layer}.self_attn.{name}.weight": shape
            for layer in (0, 1)  # the second predicts further tokens
            for name, shape in {
                "q_a_proj": (20, N),
                "q_a_layernorm": (20,),
                "q_b_proj": (H * 12, 20),
                "kv_a_proj_with_mqa": (16, N),
                "kv_a_layernorm": (12,),
                "kv_b_proj": (H * 14, 12),
            }.items()
        },
        (H, H, 8),
    ),
}


@pytest.mark.parametrize("model_type", CASES)
def test_sizes_are_those_of_the_model(model_type: str) -> None:
    config, shapes, expected = CASES[model_type]
    inventory = Inventory({name: TensorInfo(shape, "F16") for name, shape in shapes.items()}, "weights")
    plans = plan_layers(registered(model_type), Config({"model_type": model_type, **config}, "config.json"), inventory)
    assert (plans[0].heads, plans[0].kv_heads, plans[0].n) == expected
    assert plans[0].status is not Status.UNREADABLE
    assert not inventory.unclaimed()


def test_null_is_no_soft_cap() -> None:
    shapes = separate("model.layers.0.self_attn")
    inventory = Inventory({name: TensorInfo(shape, "F16") for name, shape in shapes.items()}, "weights")
    for given, status in (({}, Status.NOT_APPLICABLE), ({"attn_logit_softcapping": None}, Status.READABLE)):
        config = Config({**usual(head_dim=D, num_key_value_heads=H), **given}, "config.json")
        [plan] = plan_layers(registered("gemma2"), config, inventory)
        assert plan.status is status
