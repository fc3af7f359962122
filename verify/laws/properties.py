"""What all laws have in common: each is a property that is run on drawn cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

X = TypeVar("X")


def on_every(cases: SearchStrategy[X], obeys: Callable[[X], None], examples: int | None) -> None:
    """Run a property under the Hypothesis profile in force.

    But for its deadline, which is not meant for a foreign function, and its explanations, which would trace ours. Of
    several errors the one of the smallest case is raised, and no group of them.
    """
    profile = settings()
    run = settings(
        max_examples=profile.max_examples if examples is None else examples,
        phases=[phase for phase in profile.phases if phase is not Phase.explain],
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    run(given(cases)(obeys))()
