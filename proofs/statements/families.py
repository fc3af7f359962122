"""The families of parametrisations: where the theorem holds on a dense open set of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from proofs.families import NOT_BILINEAR, family, outcome
from proofs.indeterminates import require
from proofs.parametrisations import PARAMETRISATIONS
from proofs.statements.all_sizes import uniform
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class Member:
    """A family at given sizes."""

    family: str
    sizes: tuple[tuple[str, int], ...]


def holds(member: Member) -> bool:
    """Whether the theorem holds on a dense open set of the parameters, witness re-checked."""
    result = outcome(family(member.family), dict(member.sizes))
    result.check()
    return result.conclusion == "theorem"


def _instances() -> Iterator[Member]:
    for item in PARAMETRISATIONS:
        for sizes in item.sizes:
            yield Member(item.id, tuple(sizes.items()))


def _within(member: Member) -> bool:
    return family(member.family).where[1](dict(member.sizes))


def _check_outside() -> int:
    """Outside the stated sizes the theorem fails, by a bound of the rank below 2n: the condition is sharp."""
    cases = 0
    for member in _instances():
        if not _within(member):
            result = outcome(family(member.family), dict(member.sizes))
            sizes = dict(member.sizes)
            cases += require(result.bounds[2] < 2 * sizes["n"], f"rank M < 2n for {member.family} at {sizes}")
            cases += require(result.conclusion != "theorem", f"no theorem for {member.family} at {sizes}")
    return cases


def _check_not_bilinear() -> int:
    """Normalised, capped, biased and disentangled scores are not additive in the query token."""
    cases = 0
    for score in NOT_BILINEAR:
        cases += require(score.additivity_failure() is not None, f"{score.id} is not additive")
    return cases


STATEMENT = Statement(
    id="families",
    source="headforms",
    title="parametrisations of attention",
    claim=(
        r"For multi-head, grouped-query, rotary, biased, gain-folded, centre-folded, low-rank, latent and adapted "
        r"heads over an infinite field, within the stated sizes, heads with $S \cong nH \perp 0$ are dense and open "
        r"in the parameter space; outside them, and for tied and big heads, $\operatorname{rank} M < 2n$ for all "
        r"parameters."
    ),
    subject=Member,
    holds=holds,
    instances=_instances,
    scope="every family at its sizes within the border: identities in the parameters and an exact witness",
    hypotheses=(
        Hypothesis(
            name="sizes",
            text="the sizes are within the family's border",
            satisfied=_within,
            counterexample=lambda: Member("tied", (("n", 1), ("N", 2))),
        ),
    ),
    checks=(
        uniform("coordinates", "rotary"),
        Check("identity", "outside the border: rank M < 2n for all parameters", _check_outside),
        Check("exact", "scores that are not bilinear", _check_not_bilinear),
    ),
)
