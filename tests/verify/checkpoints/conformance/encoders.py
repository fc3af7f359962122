"""Rows of the conformance table: encoders of text and proteins."""

from __future__ import annotations

from typing import Any

import torch

from tests.verify.checkpoints.conformance.models import Row, tokens
from tests.verify.checkpoints.conformance.text import GROUPED, ODD, STANDARD


def without_position_terms(model: Any) -> None:
    """Zero the position embeddings of disentangled attention, which leaves its content term."""
    model.encoder.rel_embeddings.weight.zero_()
    for name, parameter in model.named_parameters():
        if name.endswith(("pos_q_proj.bias", "pos_key_proj.bias", "pos_query_proj.bias")) or (
            name.startswith("encoder.LayerNorm")
        ):
            parameter.zero_()


def positions_as_made(model: Any) -> None:
    """Put back the sines and cosines that are stored as if they were learned."""
    positions = model.encoder.embed_positions
    positions.weight.copy_(positions.create_weight())


class Nothing:
    """A cache that holds nothing, for a model that looks into one in any case."""

    def get_seq_length(self) -> int:
        return 0

    def __getitem__(self, layer: int) -> None:
        return None


def uncached(model: Any) -> dict[str, Any]:
    """Tokens, and an empty cache."""
    return {**tokens(model), "cache": Nothing()}


DISENTANGLED = {**ODD, "relative_attention": True, "max_relative_positions": 8}

#: Two groups of two layers, each group applied twice.
SHARED = {"num_hidden_layers": 4, "num_hidden_groups": 2, "inner_group_num": 2}

XLM = {"emb_dim": 48, "n_heads": 6, "n_layers": 3, "n_words": 64, "max_position_embeddings": 32}

ENCODERS = [
    Row("bert", STANDARD),
    Row("roberta", STANDARD),
    Row("xlm-roberta", STANDARD),
    Row("camembert", STANDARD),
    Row("electra", {**STANDARD, "embedding_size": 24}),
    Row("ernie", STANDARD),
    Row("data2vec-text", STANDARD),
    Row("roc_bert", {**STANDARD, "pronunciation_vocab_size": 64, "shape_vocab_size": 64}),
    Row("megatron-bert", STANDARD),
    Row("roberta-prelayernorm", STANDARD),
    Row("xlm-roberta-xl", STANDARD),
    Row("rembert", {**STANDARD, "input_embedding_size": 24}),
    Row("layoutlm", STANDARD),
    Row("esm", {**STANDARD, "pad_token_id": 1, "position_embedding_type": "rotary", "mask_token_id": 2}),
    Row("esm", {**STANDARD, "pad_token_id": 1, "position_embedding_type": "absolute", "mask_token_id": 2}, "absolute"),
    Row(
        "distilbert",
        {"dim": 48, "n_heads": 3, "n_layers": 2, "hidden_dim": 32, "vocab_size": 64, "max_position_embeddings": 32},
    ),
    Row("albert", {**STANDARD, "embedding_size": 24}, uses=3),
    Row("albert", {**STANDARD, **SHARED, "embedding_size": 24}, "groups", uses=2),
    Row("mpnet", STANDARD, position_bias=True),
    Row("deberta", {**DISENTANGLED, "relative_attention": False}, "plain"),
    Row("deberta", {**DISENTANGLED, "pos_att_type": ["c2p", "p2c"]}, hindered=True, prepare=without_position_terms),
    Row("deberta-v2", {**DISENTANGLED, "relative_attention": False}, "plain"),
    Row("deberta-v2", {**DISENTANGLED, "pos_att_type": ["c2p", "p2c"]}, hindered=True, prepare=without_position_terms),
    Row("modernbert", {**STANDARD, "num_hidden_layers": 4, "pad_token_id": 0}),
    Row("nomic_bert", STANDARD),
    Row("gte", STANDARD),
    Row("gte", STANDARD, saved_as="new"),
    Row("jina_embeddings_v3", STANDARD),
    Row("modernbert-decoder", {**STANDARD, "num_hidden_layers": 4, "pad_token_id": 0}),
    Row("eurobert", {**GROUPED, "pad_token_id": 0}),
    Row("esmc", STANDARD),
    Row("big_bird", STANDARD),
    Row("bert-generation", STANDARD),
    Row("splinter", STANDARD),
    Row("ibert", STANDARD),
    Row("luke", {**STANDARD, "entity_vocab_size": 16, "use_entity_aware_attention": False}),
    Row("tapas", STANDARD),
    Row("markuplm", STANDARD),
    Row("nystromformer", {**STANDARD, "num_landmarks": 7, "segment_means_seq_len": 7}, hindered=True),
    Row("roformer", STANDARD, prepare=positions_as_made),
    Row("xlm", XLM),
    Row("flaubert", XLM),
    Row("flaubert", {**XLM, "pre_norm": True}, "pre-norm", inputs=uncached),
]

__all__ = ["DISENTANGLED", "ENCODERS", "torch", "without_position_terms"]
