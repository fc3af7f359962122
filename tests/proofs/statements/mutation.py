"""Whether the checks of a statement notice a defect: run it with something replaced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from proofs import families
from proofs.statements import check, lobe_laws, statement, theorem_5


@contextmanager
def forgetting() -> Iterator[None]:
    """With nothing remembered from before, and nothing of what happens inside afterwards."""
    remembered = (families._outcome, lobe_laws._two_valued, theorem_5.is_off)
    for cached in remembered:
        cached.cache_clear()
    try:
        yield
    finally:
        for cached in remembered:
            cached.cache_clear()


def failures(identifier: str) -> list[str]:
    """The failures of one statement."""
    with forgetting():
        return [result.failure for result in check(statement(identifier)) if result.failure is not None]
