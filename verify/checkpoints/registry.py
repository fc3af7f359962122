"""The registered layouts: TOML files of the ``layouts`` folder, one for each family of model types."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from verify.checkpoints.bytes import LocalBytes, Span
from verify.checkpoints.layout import Layout
from verify.checkpoints.parsing import parse_layouts
from verify.errors import LayoutError, SourceError
from verify.quoting import shown

#: Bytes of a layout file, and dots in one line of it.
MOST_BYTES, MOST_DOTS = 1 << 18, 1000


def known_types() -> tuple[str, ...]:
    """Every registered model type, sorted.

    >>> "gpt_neox" in known_types()
    True
    """
    return tuple(sorted(_raw()))


@cache
def registered(model_type: str) -> Layout:
    """The layout of a model type.

    Raises:
        LayoutError: nobody registered it.

    >>> registered("bloom").attentions[0].order
    <Order.HEAD: 'head'>
    """
    if model_type not in _raw():
        raise LayoutError(unregistered(model_type))
    family, table = _raw()[model_type]
    tables = {name: raw for name, (_, raw) in _raw().items()}
    return parse_layouts({model_type: table}, family, known=tables)[model_type]


def taken_over(model_type: str) -> str:
    """The model type whose entry a registered one takes over; empty if it stands by itself.

    >>> taken_over("mistral"), taken_over("llama")
    ('llama', '')
    """
    return str(_raw()[model_type][1].get("like", ""))


def unregistered(model_type: str) -> str:
    """What is said of a model type that nobody registered.

    >>> unregistered("gpt_neox3").split("; ")[0]
    "model type 'gpt_neox3' is not registered (is it like gpt_neox, gpt_neo, gpt_oss?)"
    """
    close = difflib.get_close_matches(model_type[:40], known_types(), 3)
    hint = f" (is it like {', '.join(close)}?)" if close else ""
    count = len(known_types())
    name = shown(model_type, quoted=True)
    return f"model type {name} is not registered{hint}; 'headforms layouts' lists the {count} that are"


def source_text(model_type: str) -> str:
    r"""The entry of a model type as it stands in its TOML file.

    Raises:
        LayoutError: nobody registered it.

    >>> source_text("mistral")
    '[mistral]\nlike = "llama"\n'
    """
    registered(model_type)
    family, _ = _raw()[model_type]
    text = (files("verify.checkpoints") / "layouts" / family).read_text(encoding="utf-8")
    own = re.compile(rf"\[\[?{re.escape(model_type)}(\.[^\]]*)?\]?\]\s*")
    kept, inside = [], False
    for line in text.splitlines():
        if line.startswith("["):
            inside = own.fullmatch(line) is not None
        if inside:
            kept.append(line)
    return "\n".join(kept).strip() + "\n"


def layout_file(path: Path) -> Layout:
    """The layout of a user's own TOML file, which describes one model type in the same words as the registered ones.

    Raises:
        SourceError: the file cannot be read or is not TOML.
        LayoutError: it holds not exactly one model type, or a word nobody knows.
    """
    table = _toml(LocalBytes(path))
    tables = {name: value for name, value in table.items() if isinstance(value, Mapping)}
    if len(tables) != 1 or len(table) != 1:
        found = ", ".join(map(shown, list(table)[:9])) or "nothing"
        raise LayoutError(
            f"{path}: holds {found}; a layout file holds one table, [name-of-your-model], and nothing else"
        )
    known = {name: raw for name, (_, raw) in _raw().items() if name not in tables}
    return next(iter(parse_layouts(tables, str(path), known=known).values()))


def _toml(source: LocalBytes) -> Mapping[str, Any]:
    """A small TOML file; keys of many parts, which cost the parser the square of their number, are refused."""
    if source.size > MOST_BYTES:
        raise SourceError(f"{source.name}: {source.size} bytes are no layout file; --layout names a TOML file")
    try:
        text = bytes(source.read([Span(0, source.size)])).decode("utf-8-sig")
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise SourceError(f"{source.name}: a line with more than {MOST_DOTS} dots; write it as several")
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise SourceError(f"{source.name}: {error}; --layout names a TOML file") from error
    except RecursionError as error:
        raise SourceError(f"{source.name}: not valid TOML: nested too deep") from error
    except ValueError as error:  # among them integers of more digits than Python converts
        raise SourceError(f"{source.name}: not valid TOML: {error}") from error


@cache
def class_defaults(model_type: str) -> Mapping[str, Any]:
    """What the model class assumes of keys that config.json leaves out.

    >>> class_defaults("bert")["num_attention_heads"], class_defaults("my-model")
    (12, {})
    """
    table: Mapping[str, Any] = _defaults().get(model_type, {})
    return table


@cache
def _defaults() -> Mapping[str, Any]:
    return tomllib.loads((files("verify.checkpoints") / "defaults.toml").read_text(encoding="utf-8"))


@cache
def _raw() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """Model type → its family's file name and its raw table. Names are unique across files."""
    tables: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for file in sorted((files("verify.checkpoints") / "layouts").iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".toml"):
            continue
        for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if name in tables:
                raise LayoutError(f"layouts/{file.name}: [{name}] is already in layouts/{tables[name][0]}")
            tables[name] = (file.name, table)
    return tables
