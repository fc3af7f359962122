import pytest

from verify.checkpoints.config import Condition, Config, LayerRule, Test
from verify.errors import LayoutError


def config(**values: object) -> Config:
    return Config(values, "config.json", {"default": 5})


@pytest.mark.parametrize(
    ("key", "value"),
    [("a.b", 1), ("x.y.z", 2), ("default", 5), ("absent", None), ("a.absent", None), ("zero", 0), ("default.a", None)],
)
def test_lookup(key: str, value: object) -> None:
    assert config(**{"a": {"b": 1}, "x.y.z": 2, "zero": 0, "null": None}).get(key) == value


def test_alternatives_skip_null_and_end_with_a_number() -> None:
    assert config(a=None, b=3).first(("a", "b", 7)) == 3
    assert config(a=None).first(("a", 7)) == 7
    assert config(a=0).first(("a", 7)) == 0
    assert config(a=3).first(("default", "a")) == 3
    assert config(b=3).first(("default", "a")) == 5


def test_null_switches_off_what_the_class_assumes() -> None:
    assert config(default=None).get("default") is None
    assert config(default=None).first(("default",)) is None
    assert config(default=None).first(("default", 7)) == 7
    assert config(default=None, b=3).first(("default", "b")) == 3


@pytest.mark.parametrize(
    ("value", "layer", "number"), [(4, None, 4), (4.0, None, 4), ([1, 2, 3], 1, 2), ([1], 1, None)]
)
def test_numbers(value: object, layer: int | None, number: int | None) -> None:
    assert config(a=value).number(("a",), "the a", layer=layer) == number


@pytest.mark.parametrize("value", [-1, "12", 2.5, True, {"a": 1}, [1, 2]])
def test_what_is_no_natural_number_is_refused(value: object) -> None:
    with pytest.raises(LayoutError, match=r"config.json: the a is .*; a natural number was expected under 'a'"):
        config(a=value).number(("a",), "the a")


def test_sections() -> None:
    nested = config(text_config={"n": 1})
    assert nested.section(["", "text_config"]) is not nested
    assert nested.section(["text_config"]).get("n") == 1
    assert nested.section(["llm_config", ""]).get("text_config.n") == 1
    with pytest.raises(LayoutError, match="has no section vision_config"):
        nested.section(["vision_config"])


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        (Test("a", equals=(1, 2)), True),
        (Test("a", equals=(3,)), False),
        (Test("a", given=True), True),
        (Test("absent", given=True), False),
        (Test("absent", given=False), True),
        (Test("off", given=False), True),
        (Test("a", above=1), True),
        (Test("a", above=2), False),
        (Test("absent", above=0), False),
    ],
)
def test_conditions(test: Test, holds: bool) -> None:
    known = config(a=2, off=False)
    assert test.holds(known) is holds
    assert Condition((test, Test("a", equals=(2,)))).holds(known) is holds


@pytest.mark.parametrize(
    ("rule", "layers"),
    [
        (LayerRule(key=("types",), among=("attention",)), [1]),
        (LayerRule(key=("pattern",), among=("*",)), [0, 3]),
        (LayerRule(key=("short",), among=("a",), cycle=True), [0, 2, 3]),
        (LayerRule(listed=("indices",)), [2]),
        (LayerRule(every=("period",), offset=("phase",)), [1, 3]),
        (LayerRule(every=(2,), offset=(0,), invert=True), [1, 3]),
    ],
)
def test_layer_rules(rule: LayerRule, layers: list[int]) -> None:
    known = config(
        types=["mamba", "attention", "mamba", "mamba"],
        pattern="*-M*",
        short=["a", "b", "a"],
        indices=[2],
        period=2,
        phase=1,
    )
    assert [layer for layer in range(4) if rule.holds(known, layer)] == layers


def test_a_list_too_short_or_absent_is_an_error() -> None:
    rule = LayerRule(key=("types",), among=("attention",))
    with pytest.raises(LayoutError, match="has 1 entries; layer 1 needs one"):
        rule.holds(config(types=["attention"]), 1)
    with pytest.raises(LayoutError, match="'types' is missing; it says what layer 0 is"):
        rule.holds(config(), 0)


def test_lists_of_more_layers_than_any_model_has_are_not_searched() -> None:
    with pytest.raises(LayoutError, match="'indices' lists 10001 layers; refused as hostile"):
        LayerRule(listed=("indices",)).holds(config(indices=[0] * 10_001), 0)
    with pytest.raises(LayoutError, match="'indices' is missing"):
        LayerRule(listed=("indices",)).holds(config(indices="012"), 0)


@pytest.mark.parametrize("value", [0, -1, True, "1", float("inf"), float("nan"), 10**400, [1], {}])
def test_what_is_no_positive_number_is_named(value: object) -> None:
    with pytest.raises(LayoutError, match="the scale is .*; a positive number was expected under 'a' or 'b'"):
        config(b=value).positive(("a", "b"), "the scale")


@pytest.mark.parametrize("value", [2**31, 1e300, -1, 1.5, True, "12", {}, float("inf")])
def test_what_is_no_size_is_named(value: object) -> None:
    with pytest.raises(LayoutError, match="the width is .*; a natural number was expected under 'a'"):
        config(a=value).number(("a",), "the width")
