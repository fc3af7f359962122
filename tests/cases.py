"""The cases with known answers in ``tests/data/cases.json``, by kind."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest


@lru_cache(maxsize=1)
def all_cases() -> list[dict[str, Any]]:
    """All cases, in the order of the file."""
    return json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))


def cases(kind: str) -> list[Any]:
    """All cases of a kind as pytest parameters, named by their id."""
    return [pytest.param(case, id=case["id"]) for case in all_cases() if case["kind"] == kind]


def case(identifier: str) -> dict[str, Any]:
    """One case by its id."""
    return next(case for case in all_cases() if case["id"] == identifier)
