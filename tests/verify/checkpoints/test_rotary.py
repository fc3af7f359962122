import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.config import Config, LayerRule
from verify.checkpoints.layout import Method, Position, Style
from verify.checkpoints.rotary import Rotary, rotary_for
from verify.errors import LayoutError

POSITION = Position(Method.ROTARY, Style.HALF, theta=("rope_theta", 10000.0))

SCALINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "linear": {"factor": 4.0},
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 512,
    },
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 512},
    "yarn-mscale": {
        "factor": 40.0,
        "original_max_position_embeddings": 512,
        "mscale": 0.7,
        "mscale_all_dim": 0.4,
        "beta_fast": 16,
        "beta_slow": 2,
        "truncate": False,
    },
    "longrope": {
        "short_factor": [1.0 + i / 10 for i in range(16)],
        "long_factor": [2.0] * 16,
        "original_max_position_embeddings": 512,
    },
}


@pytest.mark.parametrize("name", SCALINGS)
def test_frequencies_agree_with_the_model_library(name: str) -> None:
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    parameters = {"rope_type": name.split("-", maxsplit=1)[0], "rope_theta": 50000.0, **SCALINGS[name]}
    config = LlamaConfig(
        hidden_size=64, num_attention_heads=2, max_position_embeddings=2048, rope_parameters=dict(parameters)
    )
    theirs = LlamaRotaryEmbedding(config)
    ours = rotary_for(POSITION, Config({"rope_parameters": parameters, "max_position_embeddings": 2048}, ""), 0, 32)
    assert ours is not None
    torch.testing.assert_close(torch.tensor(ours.frequencies), theirs.inv_freq, rtol=1e-6, atol=0)
    assert ours.factor == pytest.approx(theirs.attention_scaling, rel=1e-12)


def test_old_spelling_of_a_rescaling() -> None:
    old = Config({"rope_scaling": {"type": "linear", "factor": 2.0}, "rope_theta": 100.0}, "")
    rotary = rotary_for(POSITION, old, 0, 4)
    assert rotary is not None
    assert rotary.frequencies == (0.5, 0.05)


@pytest.mark.parametrize(
    ("position", "values", "dims"),
    [
        (Position(Method.ROTARY, Style.HALF), {}, 32),
        (Position(Method.ROTARY, Style.HALF, fraction=("pct", 0.25)), {}, 8),
        (Position(Method.ROTARY, Style.HALF, fraction=("pct", 0.25)), {"pct": 0.5}, 16),
        (
            Position(Method.ROTARY, Style.HALF, fraction=("pct",)),
            {"rope_parameters": {"partial_rotary_factor": 0.75}},
            24,
        ),
        (Position(Method.ROTARY, Style.INTERLEAVED, dims=("rotary_dim",)), {"rotary_dim": 6}, 6),
        (Position(Method.ROTARY, Style.INTERLEAVED, dims=("rotary_dim",)), {"rotary_dim": None}, 32),
    ],
)
def test_rotated_rows(position: Position, values: dict[str, Any], dims: int) -> None:
    rotary = rotary_for(position, Config(values, ""), 0, 32)
    assert rotary is not None
    assert rotary.dims == dims == 2 * len(rotary.frequencies)


def test_layers_may_differ_in_base_and_in_having_a_rotation() -> None:
    rule = LayerRule(key=("types",), among=("local",))
    position = Position(Method.ROTARY, Style.HALF, theta=(100.0,), local=rule, local_theta=(10000.0,), layers=None)
    config = Config({"types": ["local", "global"], "rope_scaling": {"type": "linear", "factor": 2.0}}, "")
    local, everywhere = rotary_for(position, config, 0, 4), rotary_for(position, config, 1, 4)
    assert local is not None
    assert everywhere is not None
    assert local.frequencies == (1.0, 0.01)
    assert everywhere.frequencies == (0.5, 0.05)
    assert rotary_for(Position(Method.ROTARY, Style.HALF, layers=rule), config, 1, 4) is None
    by_kind = Config(
        {"layer_types": ["a", "b"], "rope_parameters": {"a": {"rope_theta": 4.0}, "b": {"rope_theta": 9.0}}}, ""
    )
    nested = rotary_for(POSITION, by_kind, 1, 4)
    assert nested is not None
    assert nested.frequencies[1] == pytest.approx(1 / 3)


def test_nothing_to_rotate() -> None:
    assert rotary_for(Position(Method.LEARNED), Config({}, ""), 0, 4) is None
    assert rotary_for(Position(Method.ROTARY, Style.HALF, axes=2), Config({}, ""), 0, 4) is None


def test_an_unknown_rescaling_is_refused() -> None:
    with pytest.raises(LayoutError, match="rotary scaling 'spiral' is not known"):
        rotary_for(POSITION, Config({"rope_scaling": {"type": "spiral"}}, "config.json"), 0, 4)


@given(st.sampled_from(Style), st.integers(1, 4), st.integers(0, 3), st.integers(-50, 50), st.integers(-50, 50))
def test_rotations_are_orthogonal_and_add_up(style: Style, pairs: int, rest: int, s: int, t: int) -> None:
    rotary = Rotary(style, 2 * pairs, tuple(10.0**-i for i in range(pairs)))
    n = 2 * pairs + rest
    R_s, R_t, R_st = rotary.matrix(s, n), rotary.matrix(t, n), rotary.matrix(s + t, n)
    eye = torch.eye(n, dtype=torch.float64)
    assert torch.allclose(R_s @ R_s.T, eye, atol=1e-12)
    assert torch.allclose(R_s @ R_t, R_st, atol=1e-12)
    assert torch.equal(R_s[2 * pairs :, 2 * pairs :], eye[:rest, :rest])
    assert math.isclose(float(torch.linalg.det(R_s)), 1.0, abs_tol=1e-9)
