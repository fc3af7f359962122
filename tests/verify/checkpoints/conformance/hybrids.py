"""Rows of the conformance table: hybrids, and latent attention."""

from __future__ import annotations

import torch

from tests.verify.checkpoints.conformance.models import Row
from tests.verify.checkpoints.conformance.text import EXPERTS, FOUR_LAYERS, GROUPED, PLAIN_GROUPED, STANDARD

MAMBA = {
    "mamba_n_heads": 6,
    "mamba_d_head": 16,
    "mamba_d_ssm": 96,
    "mamba_n_groups": 1,
    "mamba_d_state": 8,
    "mamba_chunk_size": 8,
    "mamba_expand": 2,
}
DELTA = {
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
}
LATENT = {
    **STANDARD,
    **EXPERTS,
    "num_key_value_heads": 6,
    "q_lora_rank": 20,
    "kv_lora_rank": 14,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 6,
    "v_head_dim": 5,
    "n_routed_experts": 2,
    "n_group": 1,
    "topk_group": 1,
    "first_k_dense_replace": 2,
    "num_experts_per_tok": 1,
    "pad_token_id": 0,
}
INDEXER = {"index_topk": 4, "index_head_dim": 8, "index_n_heads": 2}
ZAMBA = {
    **STANDARD,
    **FOUR_LAYERS,
    "num_key_value_heads": 6,
    "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid"],
    "num_mem_blocks": 2,
    "mamba_headdim": 16,
    "mamba_ngroups": 1,
    "n_mamba_heads": 6,
    "mamba_d_state": 8,
    "use_shared_attention_adapter": True,
    "adapter_rank": 4,
    "use_mamba_kernels": False,
    "pad_token_id": 0,
}
ATTENTION_AND_MAMBA = ["linear_attention", "full_attention", "linear_attention", "full_attention"]


def without_adapters(model: torch.nn.Module) -> None:
    """Zero the low-rank adapters of shared blocks, which leaves the shared projections."""
    for name, parameter in model.named_parameters():
        if "adapter_list" in name:
            parameter.zero_()


HYBRIDS = [
    Row(
        "jamba",
        {
            **PLAIN_GROUPED,
            **FOUR_LAYERS,
            **EXPERTS,
            "attn_layer_period": 2,
            "attn_layer_offset": 1,
            "use_mamba_kernels": False,
            "mamba_dt_rank": 4,
            "pad_token_id": 0,
        },
    ),
    Row("bamba", {**PLAIN_GROUPED, **FOUR_LAYERS, **MAMBA, "attn_layer_indices": [1, 2], "pad_token_id": 0}),
    Row(
        "granitemoehybrid",
        {
            **PLAIN_GROUPED,
            **EXPERTS,
            **FOUR_LAYERS,
            **MAMBA,
            "layer_types": ATTENTION_AND_MAMBA,
            "attention_multiplier": 0.3,
        },
    ),
    Row(
        "granitemoehybrid",
        {
            **PLAIN_GROUPED,
            **EXPERTS,
            **FOUR_LAYERS,
            **MAMBA,
            "layer_types": ATTENTION_AND_MAMBA,
            "position_embedding_type": "rope",
        },
        "rotary",
    ),
    Row(
        "falcon_h1",
        {**GROUPED, **MAMBA, "key_multiplier": 0.7, "attention_in_multiplier": 1.3, "pad_token_id": 0},
        stream_factor=1.3,
    ),
    Row(
        "lfm2",
        {**PLAIN_GROUPED, "layer_types": ["conv", "full_attention", "conv"], "block_ff_dim": 32, "pad_token_id": 0},
    ),
    Row("qwen3_next", {**GROUPED, **FOUR_LAYERS, **EXPERTS, **DELTA, "shared_expert_intermediate_size": 16}),
    Row("qwen3_5_text", {**GROUPED, **FOUR_LAYERS, **DELTA}),
    Row("qwen3_5_moe_text", {**GROUPED, **FOUR_LAYERS, **EXPERTS, **DELTA, "shared_expert_intermediate_size": 16}),
    Row(
        "lfm2_moe",
        {
            **PLAIN_GROUPED,
            **EXPERTS,
            "layer_types": ["conv", "full_attention", "conv"],
            "num_dense_layers": 1,
            "pad_token_id": 0,
        },
    ),
    Row("minimax", {**GROUPED, **FOUR_LAYERS, **EXPERTS, "block_size": 4}),
    Row("olmo_hybrid", {**PLAIN_GROUPED, **FOUR_LAYERS, **DELTA, "pad_token_id": 0}),
    Row("zamba2", ZAMBA, hindered=True, prepare=without_adapters),
    Row("zamba2", {**ZAMBA, "use_shared_attention_adapter": False, "use_mem_rope": True}, "no-adapter"),
    Row(
        "nemotron_h",
        {
            **GROUPED,
            "num_hidden_layers": 3,
            "layers_block_type": ["mamba", "attention", "mlp"],
            "mamba_num_heads": 6,
            "mamba_head_dim": 8,
            "n_groups": 1,
            "ssm_state_size": 8,
            "chunk_size": 8,
            "pad_token_id": 0,
        },
    ),
]

LATENTS = [
    Row("deepseek_v3", LATENT),
    Row("deepseek_v3", {**LATENT, "q_lora_rank": None, "rope_interleave": False}, "no-query-latent"),
    Row("deepseek_v2", LATENT),
    Row("glm4_moe_lite", LATENT),
    Row("minicpm3", LATENT),
    Row("deepseek_v3", LATENT, saved_as="kimi_k2"),
    Row("youtu", LATENT),
    Row("mistral4", LATENT),
    Row("deepseek_v32", {**LATENT, **INDEXER}),
    Row("glm_moe_dsa", {**LATENT, **INDEXER}),
    Row("kimi_linear", {**LATENT, "layer_types": ["linear_attention", "full_attention", "linear_attention"]}),
]
