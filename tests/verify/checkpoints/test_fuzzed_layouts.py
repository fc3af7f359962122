"""Configurations and layout files of any content: plans or one line, for every registered model type."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verify.checkpoints.config import Config
from verify.checkpoints.files import TensorInfo
from verify.checkpoints.layout import Layout
from verify.checkpoints.parsing import inherit, parse_layouts
from verify.checkpoints.planning import Inventory, plan_layers
from verify.checkpoints.registry import _raw, known_types, registered
from verify.errors import LayoutError

EXAMPLES = int(os.environ.get("HEADFORMS_FUZZ_EXAMPLES", "150"))
FUZZ = settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))

VALUES = [
    2**31, 10**9, -1, 0, 1e300, float("inf"), float("nan"), 0.5, True, "x", "", [], {}, [[]], [{}], [None], ["a"], [1],
    ["full_attention"], {"a": 1}, {"rope_type": "yarn"}, {"full_attention": {}}, "MM*E", "12",
]  # fmt: skip
ANY = (
    st.none() | st.integers(-2, 9) | st.sampled_from(VALUES) | st.integers() | st.floats() | st.text(max_size=3)
    | st.lists(st.integers(0, 4), max_size=4) | st.lists(st.text(max_size=2), max_size=3)
)  # fmt: skip
TEMPLATES = [
    "{layer}", "{layer!r}", "{layer:>9999999999}", "{layer.__class__}", "{", "{}", "{0}", "{{layer}}",
    "a.{head}.{layer}",
]  # fmt: skip
WORDS = [
    "heads", "when", "section", "under", "inner", "part", "attention", "defaults", "source", "stack", "names", "only",
    "position", "scale", "latent", "override", "like", "layers", "norm",
]  # fmt: skip
SHAPES = [(8, 8), (24, 8), (8, 24), (8,), (), (4, 8), (2, 4, 8), (16, 8), (0, 8)]
COMMON = {"hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2, "head_dim": 4}
KEYS = [*COMMON, "rope_scaling", "rope_parameters", "rope_theta", "layer_types", "num_key_value_heads", "text_config"]
TABLES: Mapping[str, Mapping[str, Any]] = {name: table for name, (_, table) in _raw().items()}


def words(table: Any) -> Iterator[str]:
    """Every string of a table that can be a key of a configuration."""
    if isinstance(table, Mapping):
        for key, value in table.items():
            yield from words([key, value])
    elif isinstance(table, list):
        for value in table:
            yield from words(value)
    elif isinstance(table, str) and table.replace("_", "").replace(".", "").isalnum() and "{" not in table:
        yield table


def names(layout: Layout, under: str = "") -> Iterator[str]:
    """Tensors of two layers of a model of this layout."""
    for attention in layout.attentions:
        latent = attention.latent
        templates = [*attention.query, *attention.key, *attention.fused, *attention.norm.tensor]
        templates += [template for norm in attention.qk_norm for template in (*norm.query, *norm.key)]
        if latent is not None:
            templates += [*latent.query, *latent.query_down, *latent.query_up, *latent.key_down, *latent.key_up]
        prefix = under or next(iter(attention.under), "")
        yield from (f"{prefix}{template.expand(layer)}.weight" for template in templates for layer in (0, 1))
    for part in layout.parts:
        if part.default in known_types():
            yield from names(registered(part.default), next(iter(part.under), ""))


def planned(layout: Layout, config: Mapping[str, Any], tensors: Mapping[str, TensorInfo]) -> None:
    try:
        plans = plan_layers(layout, Config(config, "config.json"), Inventory(tensors, "file"))
    except LayoutError as error:
        assert str(error).isprintable()
        assert len(str(error)) < 1500
        return
    for plan in plans:
        assert len(plan.ids) == plan.heads
        if plan.rotary is not None:
            plan.rotary.between(10**6, plan.n)


@FUZZ
@given(st.sampled_from(known_types()), st.data())
def test_any_configuration_of_a_registered_type(model_type: str, data: st.DataObject) -> None:
    layout = registered(model_type)
    config: dict[str, Any] = dict(COMMON)
    keys = st.sampled_from(sorted({*words(inherit(model_type, TABLES, "")), *KEYS}))
    for key in data.draw(st.lists(keys, max_size=4)):
        table, path = config, key.split(".")
        for step in path[:-1]:
            inner = table.get(step)
            table[step] = table = inner if isinstance(inner, dict) else {}
        table[path[-1]] = copy.deepcopy(data.draw(ANY))
    tensors = {
        name: TensorInfo(data.draw(st.sampled_from([(8,) if "norm" in name else (8, 8)] * 6 + SHAPES)), "F32")
        for name in dict.fromkeys(names(layout))
    }
    planned(layout, config, tensors)


def places(table: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to everything inside a table."""
    inner = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


@FUZZ
@given(st.sampled_from(known_types()), st.data())
def test_any_layout_file(model_type: str, data: st.DataObject) -> None:
    table = copy.deepcopy(inherit(model_type, TABLES, ""))
    for _ in range(data.draw(st.integers(1, 2))):
        *path, last = data.draw(st.sampled_from(list(places(table))))
        spot = table
        for step in path:
            spot = spot[step]
        if isinstance(spot, dict) and data.draw(st.booleans()):
            last = data.draw(st.sampled_from(WORDS))
        spot[last] = copy.deepcopy(data.draw(ANY | st.sampled_from([*TEMPLATES, model_type, "toy"])))
    try:
        layout = parse_layouts({"toy": table}, "my.toml", known=TABLES)["toy"]
    except LayoutError as error:
        assert str(error).startswith("my.toml")
        return
    planned(layout, COMMON, {name: TensorInfo((8, 8), "F32") for name in names(layout)})
