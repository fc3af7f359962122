"""Whether the checks of a statement notice a defect: run it with something replaced."""

from __future__ import annotations

from proofs import families
from proofs.statements import check, lobe_laws, statement, theorem_5


def failures(identifier: str) -> list[str]:
    """The failures of one statement, with nothing remembered from before."""
    for cached in (families._outcome, lobe_laws._two_valued, theorem_5.is_off):
        cached.cache_clear()
    try:
        return [result.failure for result in check(statement(identifier)) if result.failure is not None]
    finally:
        for cached in (families._outcome, lobe_laws._two_valued, theorem_5.is_off):
            cached.cache_clear()
