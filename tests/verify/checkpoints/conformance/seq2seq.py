"""Rows of the conformance table: encoder-decoders."""

from __future__ import annotations

from typing import Any

import torch

from tests.verify.checkpoints.conformance.models import BATCH, Row

T5 = {
    "d_model": 48,
    "d_kv": 10,
    "d_ff": 32,
    "num_heads": 3,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "vocab_size": 64,
    "relative_attention_num_buckets": 8,
}
BART = {
    "d_model": 48,
    "encoder_layers": 2,
    "decoder_layers": 1,
    "encoder_attention_heads": 3,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "vocab_size": 64,
    "max_position_embeddings": 32,
    "pad_token_id": 1,
}


SPARSE = {"num_sparse_encoder_layers": 1, "num_sparse_decoder_layers": 1}


def pair(model: Any) -> dict[str, torch.Tensor]:
    """Source and target tokens, of different lengths."""
    return {
        "input_ids": torch.randint(5, 60, (BATCH, 7)),
        "decoder_input_ids": torch.randint(5, 60, (BATCH, 5)),
    }


def features(model: Any) -> dict[str, torch.Tensor]:
    """A log-mel spectrogram and target tokens."""
    return {
        "input_features": torch.randn(BATCH, model.config.num_mel_bins, 2 * model.config.max_source_positions),
        "decoder_input_ids": torch.randint(5, 60, (BATCH, 5)),
    }


def speech(model: Any) -> dict[str, torch.Tensor]:
    """A spectrogram, time first, and target tokens."""
    return {"input_features": torch.randn(BATCH, 24, 16), "decoder_input_ids": torch.randint(5, 60, (BATCH, 5))}


SEQ2SEQ = [
    Row("t5", T5, inputs=pair, position_bias=True),
    Row("switch_transformers", {**T5, "num_experts": 2, **SPARSE}, inputs=pair, position_bias=True),
    Row("mt5", T5, inputs=pair, position_bias=True),
    Row("umt5", T5, inputs=pair, position_bias=True),
    Row("bart", BART, inputs=pair),
    Row("marian", {**BART, "decoder_start_token_id": 0}, inputs=pair),
    Row("plbart", BART, inputs=pair),
    Row("blenderbot-small", BART, inputs=pair),
    Row("mvp", BART, inputs=pair),
    Row("nllb-moe", {**BART, "num_experts": 2}, inputs=pair),
    Row("mbart", BART, inputs=pair),
    Row("pegasus", BART, inputs=pair),
    Row("m2m_100", BART, inputs=pair),
    Row("blenderbot", BART, inputs=pair),
    Row(
        "speech_to_text",
        {
            **BART,
            "input_feat_per_channel": 16,
            "conv_channels": 16,
            "max_source_positions": 32,
            "max_target_positions": 16,
        },
        inputs=speech,
    ),
    Row(
        "whisper",
        {**BART, "num_mel_bins": 8, "max_source_positions": 6, "max_target_positions": 16, "decoder_start_token_id": 2},
        inputs=features,
    ),
]
