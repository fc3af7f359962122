"""What the proof assistant has proved, by statement of the registry: the table in ``proofs/rocq/theorems.toml``."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

#: How much of a statement's claim follows from the machine-checked theorems.
Extent = Literal["whole", "part", "none"]


@dataclass(frozen=True)
class Theorem:
    """A theorem of the machine-checked development, in its axiom audit.

    Attributes:
        name: its name there.
        file: the file it stands in, in ``proofs/rocq/theories``.
        says: what it says, in words.
    """

    name: str
    file: str
    says: str


@dataclass(frozen=True)
class MachineChecked:
    """What is machine-checked of one statement.

    Attributes:
        extent: how much of its claim.
        missing: what is not, and why; empty for the whole claim.
        theorems: in the order of the table.
    """

    extent: Extent
    missing: str
    theorems: tuple[Theorem, ...]


@lru_cache(maxsize=1)
def machine_checked() -> dict[str, MachineChecked]:
    """What is proved, by the id of the statement: one entry for every statement of the registry.

    >>> found = machine_checked()["factor-lemma"]
    >>> found.extent, [theorem.name for theorem in found.theorems]
    ('whole', ['factor_lemma', 'factorisation_exists'])
    """
    text = files("proofs").joinpath("rocq", "theorems.toml").read_text(encoding="utf-8")
    table: dict[str, list[dict[str, Any]]] = tomllib.loads(text)
    theorems: defaultdict[str, list[Theorem]] = defaultdict(list)
    for entry in table["theorem"]:
        for id in entry["ids"]:
            theorems[id].append(Theorem(entry["name"], entry["file"], entry["says"]))
    return {
        entry["id"]: MachineChecked(entry["status"], entry["missing"], tuple(theorems[entry["id"]]))
        for entry in table["statement"]
    }
