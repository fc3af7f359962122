"""What the proof assistant has proved, by statement of the registry: the table in ``proofs/rocq/theorems.toml``."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True)
class MachineChecked:
    """A theorem of the machine-checked development.

    Attributes:
        name: its name there.
        says: what it says, in words.
    """

    name: str
    says: str


@lru_cache(maxsize=1)
def machine_checked() -> dict[str, tuple[MachineChecked, ...]]:
    """The proved theorems by the id of the statement they belong to, in the order of the table.

    >>> [theorem.name for theorem in machine_checked()["factor-lemma"]]
    ['factor_lemma', 'factorisation_exists']
    """
    text = files("proofs").joinpath("rocq", "theorems.toml").read_text(encoding="utf-8")
    found: defaultdict[str, list[MachineChecked]] = defaultdict(list)
    for entry in tomllib.loads(text)["theorem"]:
        if entry["status"] == "proved":
            for id in entry["ids"]:
                found[id].append(MachineChecked(entry["name"], entry["says"]))
    return {id: tuple(theorems) for id, theorems in found.items()}
