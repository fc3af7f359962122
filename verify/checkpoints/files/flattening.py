"""Nested mappings, made flat: one name for each tensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from verify.errors import SourceError
from verify.quoting import shown

T = TypeVar("T")
#: The nesting of a state dict inside a training checkpoint; deeper than this is not a state dict.
MAX_DEPTH = 8
#: One mapping can stand in many places, so what is passed over is counted: this much for each entry, and its name.
ENTRY, MOST = 64, 64 << 20


def flattened(value: object, leaf: type[T], where: str) -> dict[str, T]:
    """Every object of one type in nested mappings, its name joined by dots.

    Args:
        value: the outermost mapping.
        leaf: what is sought; anything else is passed over.
        where: how messages name the file.

    Raises:
        SourceError: two objects get one name, or there are more entries than in any checkpoint.

    >>> flattened({"epoch": 3, "model": {"a.weight": "x", 0: "y"}}, str, "file")
    {'model.a.weight': 'x', 'model.0': 'y'}
    """
    found: dict[str, T] = {}
    spent = 0
    for name, item in _entries(value, "", 0):
        spent += ENTRY + len(name)
        if spent > MOST:
            raise SourceError(f"{where}: its nested mappings unfold to more than any checkpoint; refused as hostile")
        if isinstance(item, leaf):
            if name in found:
                raise SourceError(f"{where}: two tensors are named {shown(name)} once their names are joined; keep one")
            found[name] = item
    return found


def _entries(value: object, prefix: str, depth: int) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping) and depth < MAX_DEPTH:
        for key, item in value.items():
            name = f"{prefix}.{key}" if prefix else str(key)
            yield name, item
            yield from _entries(item, name, depth + 1)
