"""What all laws have in common: a name, a statement, and that they are properties run on drawn cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

X = TypeVar("X")


@dataclass(frozen=True, repr=False)
class Stated:
    """What has a name and says something; ``str`` is the name, and ``help`` shows the statement.

    Args:
        name: that of the variable of :mod:`verify.laws` which holds it.
        statement: it in words, with its source.
    """

    name: str
    statement: str

    def __post_init__(self) -> None:
        # What help() shows of an object of its own, in place of the documentation of its class.
        text = (
            f"The law {self.name} of {self.subject}: {self.statement}.\n\n"
            f"Call it on a function to test that; help(laws.{type(self).__name__}) says how."
        )
        object.__setattr__(self, "__doc__", text)

    @property
    def subject(self) -> str:
        """What it is about, in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<law {self.name} of {self.subject}: {self.statement}>"


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
