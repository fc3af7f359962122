"""Which of the attentions of a layout a checkpoint has, and the configuration that makes it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from verify.checkpoints.config import Config, Test, Value
from verify.checkpoints.layout import Attention, Layout, Role
from verify.checkpoints.naming import Template
from verify.checkpoints.planner import anchor
from verify.checkpoints.registry import class_defaults, registered

#: Stands for a list or string entry that no rule names.
OTHER = "other"


@dataclass(frozen=True)
class Variant:
    """One attention for each stack and role, in one of its spellings, and the switches that select them.

    Attributes:
        chosen: attentions and the place of the spelling of their names.
        switches: configuration keys and values; None for a key that is left out.
    """

    chosen: tuple[tuple[Attention, int], ...]
    switches: tuple[tuple[str, Any], ...]


@cache
def variants(model_type: str) -> tuple[Variant, ...]:
    """All variants of a model type; none for a model that is made of parts only.

    >>> [variant.switches for variant in variants("opt")]
    [(('do_layer_norm_before', True),), (('do_layer_norm_before', False),)]
    """
    layout = registered(model_type)
    return tuple(
        Variant(chosen, switches)
        for switches in _switches(layout)
        for chosen in product(*_candidates(layout, switches))
        if chosen
    )


def _switches(layout: Layout) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Every way to answer the tests by which the attentions of a layout are told apart."""
    answers: dict[str, list[Any]] = {}
    for attention in layout.attentions:
        for test in attention.when.tests:
            known = answers.setdefault(test.key, [])
            known += [value for value in _answers(test) if value not in known]
    for values in product(*answers.values()):
        yield tuple(zip(answers, values, strict=True))


def _answers(test: Test) -> list[Any]:
    if test.given is not None:
        return [1, None]
    if test.above is not None:
        return [test.above + 1, test.above]
    return [test.equals[0], False if isinstance(test.equals[0], bool) and test.equals[0] else OTHER]


def _candidates(layout: Layout, switches: Sequence[tuple[str, Any]]) -> list[list[tuple[Attention, int]]]:
    """For each stack and role the attentions that a reader would come to, if their tensors are there."""
    values: dict[str, Any] = {}
    for key, value in switches:
        assign(values, key, value)
    config = Config(values, "config.json", {**class_defaults(layout.name), **dict(layout.defaults)})
    groups: dict[tuple[str, Role], list[tuple[Attention, int]]] = {}
    seen: dict[tuple[str, Role], list[Template]] = {}
    for attention in layout.attentions:
        group = attention.stack, attention.role
        groups.setdefault(group, [])
        if attention.when.holds(config):
            for spelling, template in enumerate(anchor(attention)):
                if not any(_ends_like(template, earlier) for earlier in seen.setdefault(group, [])):
                    groups[group].append((attention, spelling))
                    seen[group].append(template)
    return list(groups.values())


def _ends_like(template: Template, earlier: Template) -> bool:
    """Whether names of one template would be taken for names of another with something in front."""
    return template.pattern == earlier.pattern or template.pattern.endswith("." + earlier.pattern)


def assign(values: dict[str, Any], key: str, value: Any) -> None:
    """Set a key, given as a dotted path; nothing is set for None.

    >>> values = {}
    >>> assign(values, "attn_config.alibi", True)
    >>> values
    {'attn_config': {'alibi': True}}
    """
    *path, last = key.split(".")
    for part in path:
        values = values.setdefault(part, {})
    if value is not None:
        values[last] = value


def settle(values: dict[str, Any], alternatives: Value, wanted: Any, *, spelling: int = 0) -> Any:
    """Make a number of a layout what is wanted, under one of its spellings, and say what it is.

    That is another number where the layout fixes it or an attention before has set it, and None where it follows from
    others.

    >>> values = {}
    >>> settle(values, ("n_head", "heads"), 4, spelling=1), settle(values, ("heads",), 2), settle(values, (1,), 2)
    (4, 4, 1)
    >>> values
    {'heads': 4}
    """
    keys = [key for key in alternatives if isinstance(key, str)]
    if not keys:
        return alternatives[0] if alternatives else None
    present = next((found for key in keys if (found := _present(values, key)) is not None), None)
    if present is not None:
        return present
    assign(values, keys[spelling % len(keys)], wanted)
    return wanted


def _present(values: Mapping[str, Any], key: str) -> Any:
    found: Any = values
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
