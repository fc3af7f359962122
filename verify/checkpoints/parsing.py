"""From TOML tables to layouts, with every unknown or misplaced word refused by name."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from verify.checkpoints.config import Condition, LayerRule, Test, Value
from verify.checkpoints.layout import (
    Attention,
    Extent,
    Gain,
    Latent,
    Layout,
    Method,
    Norm,
    NormKind,
    Orientation,
    Override,
    Part,
    Position,
    QueryKeyNorm,
    Remark,
    Role,
    Scale,
    SharedKeys,
    Style,
)
from verify.checkpoints.naming import Template
from verify.checkpoints.orders import Order
from verify.errors import LayoutError
from verify.quoting import shown

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
#: Reads one TOML value; the string says where it stands.
Reader = Callable[[Any, str], Any]

PLACEHOLDERS = {"layer", "previous", "outer", "inner", "head"}
BRACES = re.compile(rf"\{{(?:{'|'.join(sorted(PLACEHOLDERS))})\}}")
#: Words of a model type's table that are not words of an attention.
TYPE_WORDS = ("like", "source", "defaults", "attention", "part")


def parse_layouts(table: Mapping[str, Any], where: str, *, known: Mapping[str, Mapping[str, Any]]) -> dict[str, Layout]:
    """Every model type of a parsed TOML file.

    Args:
        table: model type → its table.
        where: the file, for messages.
        known: raw tables that ``like`` may refer to, besides those of the file itself.

    Raises:
        LayoutError: a word is unknown, missing, or of the wrong kind.

    >>> table = {"toy": {"query": "h.{layer}.q", "key": "h.{layer}.k", "heads": 2}}
    >>> layouts = parse_layouts(table, "toy.toml", known={})
    >>> layouts["toy"].attentions[0].heads
    (2,)
    """
    return {name: _layout(name, inherit(name, {**known, **table}, where), f"{where} [{name}]") for name in table}


def inherit(name: str, tables: Mapping[str, Mapping[str, Any]], where: str) -> dict[str, Any]:
    """The raw table of a model type with what it takes over by ``like``.

    Its own words replace inherited ones, and ``defaults`` are merged key by key.
    """
    chain: list[str] = []
    current = name
    while current:
        if not isinstance(current, str) or not isinstance(tables.get(current), Mapping):
            raise LayoutError(
                f"{where}: [{chain[-1] if chain else name}] is like {shown(current, quoted=True)}, which is not a "
                f"model type"
            )
        if current in chain:
            raise LayoutError(f"{where}: [{name}] is like itself through {' → '.join(chain)}")
        chain.append(current)
        current = tables[current].get("like", "")
    merged: dict[str, Any] = {}
    for ancestor in reversed(chain):
        own = tables[ancestor].get("defaults", {})
        if not isinstance(own, Mapping):
            raise LayoutError(f"{where}: [{ancestor}] has defaults {shown(own, quoted=True)}; a table was expected")
        merged = {**merged, **tables[ancestor], "defaults": {**merged.get("defaults", {}), **own}}
    merged.pop("like", None)
    return merged


def _layout(name: str, table: Mapping[str, Any], where: str) -> Layout:
    shared = {word: value for word, value in table.items() if word not in TYPE_WORDS}
    pieces = table.get("part", [])
    blocks = table.get("attention", [] if pieces else [{}])
    for word, tables in (("part", pieces), ("attention", blocks)):
        if not isinstance(tables, list) or not all(isinstance(item, Mapping) for item in tables):
            raise LayoutError(f"{where}: write each {word} as its own [[{name}.{word}]] table")
    parts = tuple(_table(Part, item, f"{where} part {i}", _PART) for i, item in enumerate(pieces))
    attentions = tuple(
        _attention({**shared, **block}, f"{where} attention {i}" if len(blocks) > 1 else where)
        for i, block in enumerate(blocks)
    )
    return Layout(name, str(table.get("source", "")), tuple(table.get("defaults", {}).items()), attentions, parts)


def _attention(table: Mapping[str, Any], where: str) -> Attention:
    attention = _table(Attention, table, where, _ATTENTION)
    separate = bool(attention.query) and bool(attention.key)
    ways = [separate, bool(attention.fused), attention.latent is not None]
    if attention.role is Role.CROSS and attention.query:
        ways = [True]
    latent = attention.latent
    if latent is not None and not (latent.query or (latent.query_down and latent.query_up)):
        raise LayoutError(f"{where}: latent attention needs its query, or query_down and query_up")
    if sum(ways) != 1 or (attention.fused and (attention.query or attention.key)):
        raise LayoutError(f"{where}: give either query and key, or fused (with its order), or latent")
    if attention.orientation is Orientation.STACKED and not separate:
        raise LayoutError(f"{where}: only separate projections, query and key, are stacked head by head")
    return attention


def _table(kind: type[T], table: Any, where: str, readers: Mapping[str, Reader]) -> T:
    if not isinstance(table, Mapping):
        raise LayoutError(f"{where}: {shown(table, quoted=True)} is not a table; its words are {', '.join(readers)}")
    for word in table:
        if word not in readers:
            close = difflib.get_close_matches(word[:40], [*readers, *TYPE_WORDS], 1)
            hint = f"did you mean {close[0]!r}?" if close else f"known words: {', '.join(readers)}"
            raise LayoutError(f"{where}: unknown word {shown(word, quoted=True)}; {hint}")
    given = {word: readers[word](value, f"{where}: {word}") for word, value in table.items()}
    required = {
        field.name
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    }
    if missing := required - set(given):
        raise LayoutError(f"{where}: lacks {', '.join(sorted(missing))}")
    return kind(**given)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise LayoutError(f"{where} is {shown(value, quoted=True)}; a string was expected")
    return value


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise LayoutError(f"{where} is {shown(value, quoted=True)}; true or false was expected")
    return value


def _natural(value: Any, where: str) -> int:
    if type(value) is not int or value < 1:
        raise LayoutError(f"{where} is {shown(value, quoted=True)}; a positive integer was expected")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    return tuple(_text(item, where) for item in (value if isinstance(value, list) else [value]))


def _value(value: Any, where: str) -> Value:
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, bool) or not isinstance(item, (str, int, float)):
            raise LayoutError(f"{where} is {shown(item, quoted=True)}; a configuration key or a number was expected")
    return tuple(items)


def _entries(value: Any, where: str) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _template(value: Any, where: str) -> Template:
    if isinstance(value, Mapping):
        names = value.get("names")
        if set(value) != {"names"} or not isinstance(names, list) or not names:
            raise LayoutError(f"{where}: a table here holds only 'names', the full tensor name for each layer in turn")
        return Template(names=_texts(names, where))
    pattern = _text(value, where)
    if set("{}") & set(BRACES.sub("", pattern)):
        raise LayoutError(
            f"{where} is {shown(pattern, quoted=True)}; only {{{'}, {'.join(sorted(PLACEHOLDERS))}}} may stand in "
            f"braces"
        )
    return Template(pattern)


def _templates(value: Any, where: str) -> tuple[Template, ...]:
    return tuple(_template(item, where) for item in (value if isinstance(value, list) else [value]))


def _choice(kind: type[E]) -> Reader:
    def read(value: Any, where: str) -> E:
        try:
            return kind(value)
        except ValueError as error:
            raise LayoutError(f"{where} is {shown(value, quoted=True)}; expected one of {', '.join(kind)}") from error

    return read


def _condition(value: Any, where: str) -> Condition:
    if not isinstance(value, Mapping):
        raise LayoutError(f"{where} is {shown(value, quoted=True)}; a table of configuration keys was expected")
    return Condition(tuple(_test(key, expected, where) for key, expected in value.items()))


def _test(key: str, expected: Any, where: str) -> Test:
    if not isinstance(expected, Mapping):
        return Test(key, equals=_entries(expected, where))
    match list(expected.items()):
        case [("given", bool(given))]:
            return Test(key, given=given)
        case [("above", int() | float() as bound)]:
            return Test(key, above=bound)
        case _:
            raise LayoutError(
                f"{where}: {shown(key)} = {shown(dict(expected))}; expected a value, {{given = …}} or {{above = …}}"
            )


def _record(kind: type[T], readers: Mapping[str, Reader], *, short: str = "") -> Reader:
    """A reader of a table; a bare value is taken for the word ``short``."""

    def read(value: Any, where: str) -> T:
        table = {short: value} if short and not isinstance(value, Mapping) else value
        return _table(kind, table, where, readers)

    return read


def _many(reader: Reader) -> Reader:
    def read(value: Any, where: str) -> tuple[Any, ...]:
        return tuple(reader(item, where) for item in (value if isinstance(value, list) else [value]))

    return read


_PART: dict[str, Reader] = {"stack": _text, "section": _texts, "under": _texts, "type": _text, "default": _text}
_RULE = _record(
    LayerRule,
    {
        "key": _value,
        "among": _entries,
        "cycle": _flag,
        "listed": _value,
        "counted_from": _natural,
        "every": _value,
        "offset": _value,
        "invert": _flag,
    },
)
_NORM = _record(
    Norm, {"kind": _choice(NormKind), "tensor": _templates, "first": _templates, "gain": _choice(Gain)}, short="kind"
)
_QK_NORM = _record(
    QueryKeyNorm,
    {
        "kind": _choice(NormKind),
        "query": _templates,
        "key": _templates,
        "gain": _choice(Gain),
        "extent": _choice(Extent),
        "after_rotary": _flag,
        "when": _condition,
        "layers": _RULE,
    },
)
_POSITION = _record(
    Position,
    {
        "method": _choice(Method),
        "style": _choice(Style),
        "dims": _value,
        "fraction": _value,
        "theta": _value,
        "layers": _RULE,
        "local": _RULE,
        "local_theta": _value,
        "axes": _natural,
        "factors": _template,
        "when": _condition,
    },
    short="method",
)
_SCALE = _record(
    Scale,
    {"inverse_sqrt": _value, "factor": _value, "exactly": _value, "by_layer": _condition, "mscale": _flag},
    short="factor",
)
_REMARK = _record(Remark, {"text": _text, "when": _condition, "layers": _RULE, "present": _template}, short="text")
_OVERRIDE = _record(
    Override, {"layers": _RULE, "when": _condition, **dict.fromkeys(("heads", "kv_heads", "head_dim"), _value)}
)
_LATENT = _record(
    Latent,
    {
        **dict.fromkeys(
            ("query", "query_down", "query_norm", "query_up", "key_down", "key_norm", "key_up", "key_up_stacked"),
            _templates,
        ),
        **dict.fromkeys(("rank", "plain", "shared", "value"), _value),
    },
)
_ATTENTION: dict[str, Reader] = {
    "stack": _text,
    "role": _choice(Role),
    "when": _condition,
    "section": _texts,
    "under": _texts,
    **dict.fromkeys(("layers", "width", "heads", "kv_heads", "head_dim", "inner"), _value),
    **dict.fromkeys(("query", "key", "fused", "query_bias", "key_bias"), _templates),
    "order": _choice(Order),
    "gated": _flag,
    "orientation": _choice(Orientation),
    "latent": _LATENT,
    "shared_keys": _record(SharedKeys, {"count": _value, "same": _value}),
    "override": _many(_OVERRIDE),
    "only": _RULE,
    "otherwise": _text,
    "if_absent": _text,
    "anchored": _flag,
    "norm": _NORM,
    "qk_norm": _many(_QK_NORM),
    "position": _many(_POSITION),
    "scale": _SCALE,
    "not_bilinear": _many(_REMARK),
    "notes": _many(_REMARK),
}

#: The words of an attention, in the order of the guide.
ATTENTION_WORDS = tuple(_ATTENTION)
