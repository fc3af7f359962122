"""The numbers and switches of a model, looked up in its configuration by any of their spellings."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.errors import LayoutError
from verify.quoting import shown

#: No size of a model is larger, and no list of some of its layers longer.
MOST, MOST_LISTED = 2**31 - 1, 10_000

#: A value of a layout: configuration keys in order of preference, or a number that ends the search.
Value = tuple[str | int | float, ...]


@dataclass(frozen=True)
class Config:
    """A model's configuration with the defaults its class would fill in.

    A key is a dotted path (``rope_parameters.rope_theta``) or, as in GGUF metadata, a name that itself holds dots.
    A key that is absent falls through to the defaults, but only when no alternative spelling is given; one that is
    null has no value, whatever the class assumes.

    Args:
        values: the parsed config.json, or the metadata of a GGUF file.
        file: how messages name it.
        defaults: what the model class assumes where the file is silent.

    >>> config = Config({"n_head": 12, "rope": {"theta": 1e4}, "alibi": None}, "config.json", {"alibi": False})
    >>> config.first(("num_attention_heads", "n_head")), config.get("rope.theta"), config.get("alibi")
    (12, 10000.0, None)
    """

    values: Mapping[str, Any]
    file: str
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def get(self, key: str) -> Any:
        """The value of one key, or None."""
        found = _walk(self.values, key)
        found = _walk(self.defaults, key) if found is ABSENT else found
        return None if found is ABSENT else found

    def first(self, alternatives: Value) -> Any:
        """The first alternative that the file gives, then the first that has a default or is a number, or None.

        >>> Config({"n_head": 12}, "config.json", {"num_heads": 71}).first(("num_heads", "n_head"))
        12
        """
        keys = [alternative for alternative in alternatives if isinstance(alternative, str)]
        for value in (_walk(self.values, key) for key in keys):
            if value is not ABSENT and value is not None:
                return value
        found = (self.get(item) if isinstance(item, str) else item for item in alternatives)
        return next((value for value in found if value is not None), None)

    def number(self, alternatives: Value, what: str, *, layer: int | None = None) -> int | None:
        """A natural number, taken from a list or from ``per_layer_config`` where each layer has its own.

        Raises:
            LayoutError: something else than a natural number below 2³¹ is there.
        """
        found = self.own(alternatives, layer)
        if found is None:
            found = self.first(alternatives)
        if isinstance(found, Sequence) and not isinstance(found, str) and layer is not None:
            found = found[layer] if layer < len(found) else None
        if isinstance(found, float) and found.is_integer():
            found = int(found)
        if found is None or (type(found) is int and 0 <= found <= MOST):
            return found
        raise LayoutError(
            f"{self.file}: {what} is {shown(found, quoted=True)}; a natural number was expected under "
            f"{spelled(alternatives)}"
        )

    def positive(self, alternatives: Value, what: str) -> float | None:
        """A positive number.

        Raises:
            LayoutError: something else is there.

        >>> Config({"rope_theta": 1e4}, "config.json").positive(("rope_theta",), "the rotary base")
        10000.0
        """
        found = self.first(alternatives)
        if found is None or is_positive(found):
            return None if found is None else float(found)
        raise LayoutError(
            f"{self.file}: {what} is {shown(found, quoted=True)}; a positive number was expected under "
            f"{spelled(alternatives)}"
        )

    def own(self, alternatives: Value, layer: int | None) -> Any:
        """What ``per_layer_config`` says of one layer, or None."""
        table = self.get(f"per_layer_config.{layer}")
        keys = tuple(item for item in alternatives if isinstance(item, str))
        return Config(table, self.file).first(keys) if isinstance(table, Mapping) else None

    def section(self, names: Sequence[str]) -> Config:
        """The first of the named sub-configurations that is there; the empty name is the whole.

        Raises:
            LayoutError: none is there.
        """
        for name in names:
            found = _walk(self.values, name) if name else self.values
            if isinstance(found, Mapping):
                return Config(found, f"{self.file} [{name}]" if name else self.file, self.defaults)
        raise LayoutError(f"{self.file}: has no section {' or '.join(names)}; the configuration is incomplete")


def is_positive(value: object) -> bool:
    """Whether a value of a configuration is a positive number that float64 can hold.

    >>> [is_positive(value) for value in (1, 0.5, 0, -1, True, "1", float("inf"), 10**400)]
    [True, True, False, False, False, False, False, False]
    """
    return type(value) in {int, float} and 0 < value <= sys.float_info.max  # type: ignore[operator]


def spelled(alternatives: Value) -> str:
    """Configuration keys as a message lists them."""
    return " or ".join(repr(item) for item in alternatives if isinstance(item, str)) or "no key"


#: What a configuration says of a key that is not in it.
ABSENT: Any = object()


def _walk(table: Mapping[str, Any], key: str) -> Any:
    """The value of a key, which may be None, or ``ABSENT``."""
    if key in table:
        return table[key]
    head, dot, rest = key.partition(".")
    inner = table.get(head)
    return _walk(inner, rest) if dot and isinstance(inner, Mapping) else ABSENT


@dataclass(frozen=True)
class Test:
    """A test of one configuration value: equality, membership, presence or a bound.

    ``given`` is true for a value that switches something on: neither absent, null, false nor zero.
    """

    key: str
    equals: tuple[Any, ...] = ()
    given: bool | None = None
    above: float | None = None

    __test__ = False  # not a test class of pytest

    def holds(self, config: Config) -> bool:
        """Whether the configuration passes."""
        value = config.get(self.key)
        if self.given is not None:
            return bool(value) is self.given
        if self.above is not None:
            return isinstance(value, (int, float)) and value > self.above
        return value in self.equals


@dataclass(frozen=True)
class Condition:
    """All of some tests; the empty condition always holds.

    >>> Condition((Test("alibi", equals=(True,)),)).holds(Config({"alibi": True}, "config.json"))
    True
    """

    tests: tuple[Test, ...] = ()

    def holds(self, config: Config) -> bool:
        """Whether every test passes."""
        return all(test.holds(config) for test in self.tests)


ALWAYS = Condition()


@dataclass(frozen=True)
class LayerRule:
    """Which layers something applies to, read from the configuration.

    Exactly one way is used, the first whose key is there:

    - ``key`` names a list (or a string, one letter a layer) and ``among`` its admitted entries; a short list is
      repeated when ``cycle`` is set;
    - ``listed`` names a list of layer numbers, the first layer being ``counted_from``;
    - ``every`` and ``offset`` are the period and the phase: ``layer % every == offset``.

    With ``invert`` the last two take the other layers.

    >>> rule = LayerRule(key=("layer_types",), among=("attention",), every=(4,), offset=(3,))
    >>> [rule.holds(Config({}, "config.json"), layer) for layer in range(4)]
    [False, False, False, True]
    >>> rule.holds(Config({"layer_types": ["attention", "mamba"]}, "config.json"), 0)
    True
    """

    key: Value = ()
    among: tuple[Any, ...] = ()
    cycle: bool = False
    listed: Value = ()
    counted_from: int = 0
    every: Value = ()
    offset: Value = (0,)
    invert: bool = False

    def holds(self, config: Config, layer: int) -> bool:
        """Whether the rule takes in a layer.

        Raises:
            LayoutError: the configuration has none of the keys, or a list too short for the layer.
        """
        entries = config.first(self.key)
        if isinstance(entries, Sequence):
            if self.cycle and entries:
                return entries[layer % len(entries)] in self.among
            if layer >= len(entries):
                raise LayoutError(
                    f"{config.file}: {spelled(self.key)} has {len(entries)} entries; layer {layer} needs one"
                )
            return entries[layer] in self.among
        numbers = config.first(self.listed)
        if isinstance(numbers, Sequence) and not isinstance(numbers, str):
            if len(numbers) > MOST_LISTED:
                raise LayoutError(
                    f"{config.file}: {spelled(self.listed)} lists {len(numbers)} layers; refused as hostile"
                )
            return (layer + self.counted_from in numbers) is not self.invert
        period = config.number(self.every, "a layer period")
        if period:
            phase = config.number(self.offset, "a layer offset") or 0
            return (layer % period == phase) is not self.invert
        raise LayoutError(
            f"{config.file}: {spelled(self.key + self.listed + self.every)} is missing; it says what layer {layer} is"
        )
