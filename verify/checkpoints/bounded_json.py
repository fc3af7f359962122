"""JSON objects from files that nobody vouches for.

Parsing costs many times the text where the text is all brackets, so what the text can hold is counted before it is
parsed; and Python's own limits are met with words about the file instead of words about Python.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence
from typing import Any

from verify.errors import SourceError
from verify.quoting import shown

#: Values in one object. The largest index of a published checkpoint has about 10⁵; 2·10⁶ stay below half a gigabyte.
MOST_VALUES = 2_000_000
#: Digits of an integer. Offsets and sizes are below 2⁶⁴, which has 20.
MOST_DIGITS = 20


def json_object(raw: bytes, where: str, *, remedy: str = "fetch it again") -> dict[str, Any]:
    """The object that a JSON text in UTF-8 holds, with or without a byte order mark.

    Args:
        raw: the text.
        where: how messages name it.
        remedy: what to do if it is damaged.

    Raises:
        SourceError: it is not JSON, not an object, names a key twice, or has more values or digits than any checkpoint.

    >>> json_object(b'{"model_type": "bert"}', "config.json")
    {'model_type': 'bert'}
    """
    most = sum(raw.count(mark) for mark in (b",", b"[", b"{"))
    if most > MOST_VALUES:
        raise SourceError(f"{where}: up to {most} values where at most {MOST_VALUES} are sane; refused as hostile")
    try:
        text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        table = json.loads(text, object_pairs_hook=_unique, parse_int=_integer)
    except UnicodeDecodeError as error:
        raise SourceError(f"{where}: not valid JSON (byte {error.start} is not UTF-8); {remedy}") from error
    except json.JSONDecodeError as error:
        raise SourceError(f"{where}: not valid JSON ({error}); {remedy}") from error
    except RecursionError as error:
        raise SourceError(f"{where}: not valid JSON (nested too deep); {remedy}") from error
    except _UnfitError as error:
        raise SourceError(f"{where}: {error}; {remedy}") from error
    if not isinstance(table, dict):
        raise SourceError(f"{where}: holds {type(table).__name__}; a JSON object was expected; {remedy}")
    return table


class _UnfitError(Exception):
    """JSON that is valid and no description of a checkpoint."""


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise _UnfitError(f"the name {shown(key)} appears twice")
        table[key] = value
    return table


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS + digits.startswith("-"):
        raise _UnfitError(f"holds an integer of {len(digits)} digits")
    return int(digits)
