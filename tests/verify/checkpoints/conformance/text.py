"""Rows of the conformance table: text models."""

from __future__ import annotations

from typing import Any

import torch

from tests.verify.checkpoints.conformance.models import Row

#: Every size is another number than the others, so that none can stand in for another.
STANDARD: dict[str, Any] = {
    "hidden_size": 48,
    "num_attention_heads": 6,
    "num_hidden_layers": 3,
    "intermediate_size": 32,
    "vocab_size": 64,
    "max_position_embeddings": 32,
}
#: Grouped key heads, and a head dimension that is not width over heads.
GROUPED = {**STANDARD, "num_key_value_heads": 2, "head_dim": 10}
#: The same with the library's default head dimension.
PLAIN_GROUPED = {**STANDARD, "num_key_value_heads": 2}
#: An odd number of heads.
ODD = {**STANDARD, "num_attention_heads": 3, "num_hidden_layers": 2}
GPT = {"n_embd": 48, "n_head": 3, "n_layer": 2, "vocab_size": 64, "n_positions": 32}
FOUR_LAYERS = {"num_hidden_layers": 4}
EXPERTS = {"num_local_experts": 2, "num_experts_per_tok": 1, "num_experts": 2, "moe_intermediate_size": 16}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}
YARN = {"rope_type": "yarn", "rope_theta": 5000.0, "factor": 4.0, "original_max_position_embeddings": 8}


def clamped(bound: float) -> Any:
    return lambda values: values.clamp(-bound, bound)


def capped(bound: float) -> Any:
    return lambda scores: bound * torch.tanh(scores / bound)


def episode(model: Any) -> dict[str, torch.Tensor]:
    """States, actions and returns of a few steps."""
    return {
        "states": torch.randn(2, 4, 5),
        "actions": torch.randn(2, 4, 4),
        "returns_to_go": torch.randn(2, 4, 1),
        "timesteps": torch.arange(4).expand(2, 4),
        "attention_mask": torch.ones(2, 4),
    }


GPTS = [
    Row("gpt2", GPT),
    Row("gpt2", {**GPT, "n_head": 4, "scale_attn_by_inverse_layer_idx": True}, "inverse-layer", "AutoModelForCausalLM"),
    Row("gpt2", {**GPT, "scale_attn_weights": False}, "unscaled"),
    Row("openai-gpt", GPT),
    Row("decision_transformer", {**GPT, "hidden_size": 48, "state_dim": 5, "act_dim": 4}, inputs=episode),
    Row("ctrl", {**GPT, "dff": 32}),
    Row("imagegpt", GPT),
    Row(
        "gpt_neo",
        {
            "hidden_size": 48,
            "num_heads": 3,
            "num_layers": 2,
            "vocab_size": 64,
            "attention_types": [[["global", "local"], 1]],
        },
    ),
    Row("gptj", {**GPT, "rotary_dim": 8}),
    Row("codegen", {**GPT, "n_head": 8, "rotary_dim": 4}),
    Row("gpt_neox", STANDARD, auto="AutoModelForCausalLM"),
    Row("gpt_neox", {**ODD, "rotary_pct": 0.5}, "odd"),
    Row("gpt_neox_japanese", {**STANDARD, "rotary_pct": 0.5}),
    Row("gpt_bigcode", GPT),
    Row("gpt_bigcode", {**GPT, "multi_query": False}, "multi-head"),
    Row("gpt_bigcode", {**GPT, "scale_attn_weights": False}, "unscaled"),
    Row("gpt_bigcode", {**GPT, "scale_attn_weights": False, "multi_query": False}, "multi-head-unscaled"),
    Row("opt", {**STANDARD, "ffn_dim": 32, "word_embed_proj_dim": 48}),
    Row("opt", {**STANDARD, "ffn_dim": 32, "word_embed_proj_dim": 24, "do_layer_norm_before": False}, "350m"),
    Row("biogpt", STANDARD),
    Row("xglm", {"d_model": 48, "attention_heads": 3, "num_layers": 2, "ffn_dim": 32, "vocab_size": 64}),
    Row("bloom", {"hidden_size": 48, "n_head": 3, "n_layer": 2, "vocab_size": 64}, position_bias=True),
    Row("mpt", {"d_model": 48, "n_heads": 3, "n_layers": 2, "vocab_size": 64, "max_seq_len": 32}, position_bias=True),
    Row(
        "mpt",
        {
            "d_model": 48,
            "n_heads": 4,
            "n_layers": 2,
            "vocab_size": 64,
            "attn_config": {"clip_qkv": 0.5, "softmax_scale": 0.3},
        },
        "clipped",
        adjust=clamped(0.5),
        position_bias=True,
    ),
    Row("falcon", {**STANDARD, "num_attention_heads": 3}),
    Row("falcon", {**STANDARD, "new_decoder_architecture": True, "num_kv_heads": 2}, "40b"),
    Row("falcon", {**STANDARD, "multi_query": False, "alibi": True, "bias": True}, "rw", position_bias=True),
    Row("falcon", {**STANDARD, "new_decoder_architecture": True, "num_kv_heads": 3}, saved_as="RefinedWeb"),
    Row("falcon", STANDARD, saved_as="RefinedWebModel"),
]

DBRX = {
    "d_model": 48,
    "n_heads": 6,
    "n_layers": 3,
    "vocab_size": 64,
    "max_seq_len": 32,
    "attn_config": {"kv_n_heads": 2, "rope_theta": 10000.0, "clip_qkv": 0.5},
    "ffn_config": {"ffn_hidden_size": 32, "moe_num_experts": 2, "moe_top_k": 1},
}

LLAMAS = [
    Row("llama", GROUPED, auto="AutoModelForCausalLM"),
    Row("llama", {**STANDARD, "attention_bias": True, "rope_parameters": LLAMA3}, "llama3-rope"),
    Row("llama", {**ODD, "rope_parameters": YARN}, "yarn"),
    Row("mistral", {**GROUPED, "num_key_value_heads": 3}),
    Row("ministral", GROUPED),
    Row("ministral3", GROUPED),
    Row("mixtral", {**GROUPED, **EXPERTS}),
    Row("qwen2", PLAIN_GROUPED),
    Row("qwen2_moe", {**PLAIN_GROUPED, **EXPERTS, "shared_expert_intermediate_size": 16}),
    Row("phimoe", {**PLAIN_GROUPED, **EXPERTS}),
    Row("arcee", GROUPED),
    Row("seed_oss", GROUPED),
    Row("ernie4_5", GROUPED),
    Row("ernie4_5_moe", {**PLAIN_GROUPED, **EXPERTS, "moe_num_experts": 2, "moe_k": 1}),
    Row("helium", {**GROUPED, "head_dim": 8}),
    Row("internlm3", GROUPED),
    Row("exaone", {**GROUPED, "head_dim": 8}, auto="AutoModelForCausalLM"),
    Row("exaone", {**GROUPED, "head_dim": 8}, "base"),
    Row("granite", {**GROUPED, "attention_multiplier": 0.37}),
    Row("granitemoe", {**PLAIN_GROUPED, **EXPERTS, "attention_multiplier": 0.37}),
    Row("granitemoeshared", {**PLAIN_GROUPED, **EXPERTS, "attention_multiplier": 0.37, "shared_intermediate_size": 16}),
    Row("nemotron", GROUPED),
    Row("phi3", {**PLAIN_GROUPED, "pad_token_id": 0}),
    Row("phi3", {**PLAIN_GROUPED, "pad_token_id": 0, "partial_rotary_factor": 0.5}, "partial"),
    Row("starcoder2", PLAIN_GROUPED),
    Row("stablelm", PLAIN_GROUPED),
    Row("stablelm", {**PLAIN_GROUPED, "qk_layernorm": True, "use_qkv_bias": True}, "qk-norm"),
    Row("cwm", GROUPED),
    Row("solar_open", {**GROUPED, **EXPERTS, "n_routed_experts": 2, "n_group": 1, "topk_group": 1}),
    Row("bitnet", PLAIN_GROUPED),
    Row("llama", GROUPED, saved_as="deepseek"),
    Row("llama", {**STANDARD, "attention_bias": True}, saved_as="internlm"),
    Row("stablelm", PLAIN_GROUPED, saved_as="stablelm_epoch"),
    Row("jais2", GROUPED),
    Row("diffllama", GROUPED),
    Row("glm4_moe", {**GROUPED, **EXPERTS, "n_routed_experts": 2, "n_group": 1, "topk_group": 1}),
    Row("glm4_moe", {**GROUPED, **EXPERTS, "n_routed_experts": 2, "n_group": 1, "use_qk_norm": True}, "qk-norm"),
    Row("granite_swa", {**GROUPED, "attention_multiplier": 0.37}),
    Row("granitemoe_swa", {**PLAIN_GROUPED, **EXPERTS, "attention_multiplier": 0.37}),
    Row("flex_olmo", {**PLAIN_GROUPED, **EXPERTS, "pad_token_id": 0}),
    Row("minimax_m2", {**GROUPED, **EXPERTS}),
    Row("dots1", {**GROUPED, **EXPERTS, "n_routed_experts": 2, "n_group": 1, "n_shared_experts": 1}),
    Row("exaone_moe", {**GROUPED, **FOUR_LAYERS, **EXPERTS}),
    Row("afmoe", {**GROUPED, **FOUR_LAYERS, **EXPERTS, "num_dense_layers": 1}),
    Row("hunyuan_v1_dense", {**GROUPED, "pad_token_id": 0}),
    Row("hunyuan_v1_moe", {**GROUPED, **EXPERTS, "pad_token_id": 0}),
    Row("dbrx", DBRX, adjust=clamped(0.5)),
    Row("smollm3", {**PLAIN_GROUPED, **FOUR_LAYERS, "pad_token_id": 0}),
    Row("olmo", PLAIN_GROUPED),
    Row("olmo", {**PLAIN_GROUPED, "clip_qkv": 0.5}, "clipped", adjust=clamped(0.5)),
    Row("olmoe", {**PLAIN_GROUPED, **EXPERTS}),
    Row("olmo2", PLAIN_GROUPED),
    Row("olmo3", {**PLAIN_GROUPED, **FOUR_LAYERS}),
    Row("qwen3", GROUPED),
    Row("qwen3_moe", {**GROUPED, **EXPERTS}),
    Row("exaone4", {**GROUPED, **FOUR_LAYERS}),
    Row("apertus", GROUPED),
    Row("phi", STANDARD),
    Row("phi", {**PLAIN_GROUPED, "qk_layernorm": True, "partial_rotary_factor": 0.25}, "qk-norm"),
    Row("persimmon", {**STANDARD, "qk_layernorm": False}, "no-qk-norm"),
    Row("persimmon", STANDARD),
    Row("cohere", PLAIN_GROUPED),
    Row("cohere", {**PLAIN_GROUPED, "use_qk_norm": True}, "qk-norm"),
    Row("cohere2", {**GROUPED, **FOUR_LAYERS}),
    Row("glm", {**GROUPED, "pad_token_id": 0}),
    Row("glm4", {**GROUPED, "pad_token_id": 0}),
    Row("gpt_oss", {**GROUPED, **EXPERTS}, sinks=1, shifted=True),
    Row(
        "llama4_text",
        {**GROUPED, **FOUR_LAYERS, "intermediate_size_mlp": 32, "num_local_experts": 2, "pad_token_id": 0},
    ),
    Row(
        "llama4_text",
        {
            **GROUPED,
            **FOUR_LAYERS,
            "intermediate_size_mlp": 32,
            "num_local_experts": 2,
            "pad_token_id": 0,
            "use_qk_norm": False,
        },
        "no-qk-norm",
    ),
]

GEMMAS = [
    Row("gemma", {**GROUPED, "num_key_value_heads": 1}),
    Row("gemma2", {**GROUPED, "query_pre_attn_scalar": 7}, score=capped(50.0)),
    Row("gemma2", {**GROUPED, "query_pre_attn_scalar": 7, "attn_logit_softcapping": None}, "uncapped"),
    Row("gemma3_text", {**GROUPED, "query_pre_attn_scalar": 7, "num_hidden_layers": 6}),
    Row(
        "gemma3n_text",
        {
            **GROUPED,
            "num_hidden_layers": 6,
            "num_kv_shared_layers": 2,
            "layer_types": ["sliding_attention", "sliding_attention", "full_attention"] * 2,
            "hidden_size_per_layer_input": 8,
            "laurel_rank": 4,
            "vocab_size_per_layer_input": 64,
            "activation_sparsity_pattern": [0.0] * 6,
        },
    ),
    Row(
        "gemma4_text",
        {
            **GROUPED,
            "num_hidden_layers": 6,
            "num_kv_shared_layers": 2,
            "layer_types": ["sliding_attention", "sliding_attention", "full_attention"] * 2,
            "hidden_size_per_layer_input": 8,
            "vocab_size_per_layer_input": 64,
            "global_head_dim": 12,
            "attention_k_eq_v": True,
            "num_global_key_value_heads": 3,
        },
    ),
    Row("vaultgemma", {**GROUPED, "query_pre_attn_scalar": 7}, score=capped(50.0)),
    Row("recurrent_gemma", {**GROUPED, "num_hidden_layers": 3, "lru_width": 48, "num_key_value_heads": 1}),
]
