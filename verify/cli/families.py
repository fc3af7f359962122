"""``headforms families``: for which parametrisations of attention the theorem holds."""

from __future__ import annotations

import json
from typing import Any

import click

from proofs.families import NOT_BILINEAR, Outcome, family, outcome
from proofs.inertia import signature
from proofs.parametrisations import PARAMETRISATIONS, Parametrisation
from verify.cli.tables import table


@click.command()
@click.argument("ids", nargs=-1, metavar="[FAMILY]...")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="What goes to stdout.")
def command(ids: tuple[str, ...], form: str) -> None:
    """Decide for each family of heads whether the theorem holds on a dense open set of its parameters.

    Every line is proved as it is printed: bounds of ranks by polynomial identities, and an exact witness. With
    FAMILY the witness is printed too.

    \b
    Examples:
      headforms families
      headforms families tied big

    Exit status: 0, or 70 if a proof fails, which is a defect of headforms.
    """
    chosen = [family(id) for id in ids] or list(PARAMETRISATIONS)
    outcomes = [(item, outcome(item, sizes)) for item in chosen for sizes in item.sizes]
    if form == "json":
        entries: dict[str, Any] = {"families": [_entry(item, result) for item, result in outcomes]}
        if not ids:
            entries["not_bilinear"] = [
                {
                    "id": s.id,
                    "title": s.title,
                    "score": s.formula,
                    "remark": s.remark,
                    "fails_at": s.additivity_failure(),
                }
                for s in NOT_BILINEAR
            ]
        click.echo(json.dumps(entries, ensure_ascii=False, indent=2))
        return
    rows = []
    for i, (item, result) in enumerate(outcomes):
        # A family is named on its first line only.
        words = [item.title, item.map, item.where[0]] if i == 0 or outcomes[i - 1][0] is not item else [""] * 3
        rows.append([*words, _sizes(result), str(result.bounds[2]), _words(result)])
    click.echo(table(["family", "heads", "theorem where", "sizes", "rank M", "S on an open set"], rows))
    if ids:
        for _, result in outcomes:
            click.echo(f"\n{result.family}, {_sizes(result)}: witness")
            for name, matrix in result.parameters:
                click.echo(f"  {name} = {[list(row) for row in matrix]}")
        return
    click.echo("\nNo bilinear form of the residual stream, hence not in the table:")
    click.echo(table(["score", "formula", "what is true"], [[s.title, s.formula, s.remark] for s in NOT_BILINEAR]))


def _sizes(result: Outcome) -> str:
    return " ".join(f"{name}={value}" for name, value in result.sizes)


def _words(result: Outcome) -> str:
    match result.conclusion:
        case "theorem":
            return f"{result.planes}H ⊥ 0, dense (theorem)"
        case "fewer planes":
            return f"{result.planes}H ⊥ 0, dense (fewer planes)"
        case "fails":
            positive, negative, zero = signature(result.heads[0].S)
            return f"signature ({positive}, {negative}, {zero}): fails"


def _entry(item: Parametrisation, result: Outcome) -> dict[str, Any]:
    return {
        "id": item.id,
        "title": item.title,
        "map": item.map,
        "theorem_where": item.where[0],
        "sizes": dict(result.sizes),
        "rank_bounds": dict(zip(("key", "query", "stacked"), result.bounds, strict=True)),
        "conclusion": result.conclusion,
        "planes": result.planes,
        "witness": dict(result.parameters),
    }
