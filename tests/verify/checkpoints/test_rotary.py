import cmath
import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.config import Config, LayerRule
from verify.checkpoints.layout import Method, Position, Style
from verify.checkpoints.rotary import Rotary, rotary_for, score_correction
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


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rope_scaling": {"type": "spiral"}}, "rotary scaling 'spiral' is not known"),
        ({"rope_scaling": {"type": ["linear"]}}, r"rotary scaling \"\['linear'\]\" is not known"),
        ({"rope_scaling": {"type": "linear"}}, "rotary scaling 'linear' lacks its number factor"),
        ({"rope_scaling": {"type": "linear", "factor": 0}}, "rotary scaling 'linear' lacks its number factor"),
        (
            {"rope_scaling": {"type": "linear", "factor": "2"}},
            "parameter factor is '2'; a positive number was expected",
        ),
        ({"rope_scaling": {"type": "linear", "factor": -2}}, "parameter factor is -2; a positive number"),
        ({"rope_scaling": {"type": "linear", "factor": 1e-300}}, "frequencies that are not finite"),
        ({"rope_scaling": {"type": "yarn", "factor": 4}}, "'yarn' lacks its number original_max_position_embeddings"),
        ({"rope_scaling": {"type": "llama3", "factor": 4}}, "'llama3' lacks its number low_freq_factor"),
        (
            {
                "rope_scaling": {
                    "type": "llama3",
                    "factor": 4,
                    "low_freq_factor": 1,
                    "high_freq_factor": 1,
                    "original_max_position_embeddings": 8192,
                }
            },
            "give no frequencies",
        ),
        ({"rope_scaling": {"type": "longrope", "short_factor": [1]}}, "needs 2 positive numbers in short_factor"),
        ({"rope_theta": "10000"}, "the rotary base is '10000'; a positive number was expected under 'rope_theta'"),
        ({"rope_theta": float("inf")}, "the rotary base is inf"),
        ({"rope_theta": 1e-300}, "give no frequencies|not finite"),
        ({"rope_parameters": {"partial_rotary_factor": 1e9}}, "rows of a head would turn in pairs, and it has 4"),
        ({"rope_parameters": {"partial_rotary_factor": "x"}}, "partial_rotary_factor is 'x'"),
    ],
)
def test_what_gives_no_rotation_is_named(values: dict[str, Any], words: str) -> None:
    with pytest.raises(LayoutError, match=f"config.json: .*{words}"):
        rotary_for(POSITION, Config(values, "config.json"), 0, 4)


ANY = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.lists(st.floats(), max_size=3)
KINDS = ["default", "dynamic", "linear", "llama3", "yarn", "longrope", "proportional"]
KEYS = [
    "rope_theta", "factor", "partial_rotary_factor", "low_freq_factor", "high_freq_factor", "beta_fast", "beta_slow",
    "original_max_position_embeddings", "attention_factor", "mscale", "mscale_all_dim", "short_factor", "truncate",
]  # fmt: skip


@given(
    st.dictionaries(st.sampled_from(KEYS), ANY | st.floats(1e-3, 1e5)),
    st.sampled_from(KINDS) | ANY,
    st.fixed_dictionaries({}, optional={"max_position_embeddings": ANY, "rope_theta": ANY, "layer_types": ANY}),
    st.integers(0, 9),
)
def test_any_table_gives_a_rotation_or_an_error(table: dict[str, Any], kind: Any, more: dict[str, Any], n: int) -> None:
    config = Config({**more, "rope_scaling": {**table, "rope_type": kind}}, "config.json")
    try:
        score_correction(config)
        rotary = rotary_for(POSITION, config, 0, n)
    except LayoutError:
        return
    assert rotary is not None
    turned = rotary.between(10**9, n)
    assert turned.shape == (n, n)
    assert bool(turned.isfinite().all())


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


@given(
    st.sampled_from(Style),
    st.integers(1, 3),
    st.integers(0, 2),
    st.integers(-9, 9),
    st.lists(st.floats(-3, 3), min_size=3, max_size=3),
)
def test_pairs_turn_as_complex_numbers_do(style, half, rest, position, angles):
    """(x, y) is x + iy, turned by multiplication with exp(i · position · frequency); the other rows stand still."""
    rotary = Rotary(style, 2 * half, tuple(angles[:half]))
    n = 2 * half + rest
    values = torch.arange(1.0, n + 1, dtype=torch.float64)
    turned = (rotary.matrix(position, n) @ values).tolist()
    assert turned[2 * half :] == values[2 * half :].tolist()
    for (i, j), angle in zip(rotary.pairs(), angles, strict=False):
        expected = complex(values[i], values[j]) * cmath.exp(1j * position * angle)
        assert abs(complex(turned[i], turned[j]) - expected) < 1e-12
