"""``headforms theorems``: the registry of statements, its coverage, and running it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

import click

from proofs.errors import InconsistencyError
from proofs.statements import NOTATION, Kind, Result, Statement, all_statements, check, describe, statement
from verify.cli.tables import table
from verify.machine_checked import Extent, machine_checked

#: Kinds of checks in the order of the table, with their column titles.
KINDS: dict[Kind, str] = {"identity": "identity", "exact": "exact", "expectation": "expect.", "limit": "limit"}

#: How much of a claim is machine-checked, in words; what is missing, and why, follows.
EXTENTS: dict[Extent, str] = {
    "whole": "machine-checked in full",
    "part": "machine-checked in part; missing: ",
    "none": "not machine-checked: ",
}


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--check", "run", is_flag=True, help="Run every check, not only list it.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="What goes to stdout.")
@click.pass_context
def command(ctx: click.Context, ids: tuple[str, ...], run: bool, form: str) -> None:
    """List the statements of the paper and of headforms, and how each is checked.

    With one or more IDs what they say, in full, and what the letters stand for. The column "formal" counts theorems of
    the proof assistant; a star says that the whole claim follows from them. Every hypothesis has a counterexample that
    appears without it, which is checked too.

    \b
    Examples:
      headforms theorems theorem-3 lemma-2
      headforms theorems theorem-3 --check
      headforms theorems --check --format json

    Exit status: 0, or 70 if a check fails, which is a defect of headforms.
    """
    chosen = [statement(id) for id in ids] or list(all_statements())
    failures: list[str] = []
    if form == "json":
        entries = []
        for item in chosen:
            results = check(item) if run else None
            failures += _failures(item, results)
            entries.append(_entry(item, results))
        click.echo(json.dumps(entries, ensure_ascii=False, indent=2))
    elif run:
        for item in chosen:
            results = check(item)
            failures += _failures(item, results)
            if ids:
                click.echo(_text(item, results))
            click.echo(_summary(item, results))
        checks = "check" if len(failures) == 1 else "checks"
        noun = "statement" if len(chosen) == 1 else "statements"
        click.echo(f"{len(chosen)} {noun}: " + (f"{len(failures)} {checks} failed" if failures else "all checked"))
    elif ids:
        click.echo("\n\n".join(_text(item, None) for item in chosen))
        click.echo("\nnotation:")
        click.echo("\n".join(f"  {symbol}: {meaning}" for symbol, meaning in NOTATION))
    else:
        click.echo(_coverage(chosen))
    if failures:
        raise InconsistencyError("; ".join(failures))
    ctx.exit(0)


def _coverage(statements: list[Statement[Any]]) -> str:
    rows = []
    for item in statements:
        counts = Counter(c.kind for c in item.all_checks())
        hypotheses = ", ".join(h.name for h in item.hypotheses) or "none"
        proved = machine_checked()[item.id]
        formal = f"{len(proved.theorems)}{'*' if proved.extent == 'whole' else ' '}"
        rows.append([item.id, *(str(counts[kind]) for kind in KINDS), formal, hypotheses, item.title])
    header = ["statement", *KINDS.values(), "formal", "hypotheses, each with its counterexample", "title"]
    return table(header, rows)


def _text(item: Statement[Any], results: tuple[Result, ...] | None) -> str:
    """What a statement says, in full, with the counterexamples and, where they were run, with its checks' results."""
    lines = [f"{item.id}: {item.title} ({item.source})", f"  {item.claim}"]
    for hypothesis in item.hypotheses:
        lines.append(f"  hypothesis {hypothesis.name}: {hypothesis.text}")
        lines.append(f"    false without it for {describe(hypothesis.counterexample())}")
    if results is None:
        lines += [f"  check ({c.kind}): {c.scope}" for c in item.all_checks()]
    for r in results or ():
        lines.append(
            f"  {'ok' if r.failure is None else 'FAILED'} ({r.kind}, {r.cases} case{'s' * (r.cases != 1)}): {r.scope}"
        )
    proved = machine_checked()[item.id]
    lines += [f"  machine-checked ({t.name}, {t.file}): {t.says}" for t in proved.theorems]
    lines.append(f"  {EXTENTS[proved.extent]}{proved.missing}")
    return "\n".join(lines)


def _summary(item: Statement[Any], results: tuple[Result, ...]) -> str:
    """One line: verdict, checks by kind, cases, seconds."""
    kinds = Counter(r.kind for r in results)
    parts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    cases, seconds = sum(r.cases for r in results), sum(r.seconds for r in results)
    verdict = "ok    " if all(r.failure is None for r in results) else "FAILED"
    return f"{verdict} {item.id:16s} {seconds:6.2f} s  {cases:5d} cases  {parts}"


def _failures(item: Statement[Any], results: tuple[Result, ...] | None) -> list[str]:
    return [f"{item.id} ({r.kind}, {r.scope}): {r.failure}" for r in results or () if r.failure is not None]


def _entry(item: Statement[Any], results: tuple[Result, ...] | None) -> dict[str, Any]:
    """One statement for JSON; its checks with their results where they were run."""
    checks: list[dict[str, Any]] = [{"kind": c.kind, "scope": c.scope} for c in item.all_checks()]
    for entry, result in zip(checks, results or (), strict=False):
        entry |= {"cases": result.cases, "seconds": round(result.seconds, 3), "failure": result.failure}
    return {
        "id": item.id,
        "source": item.source,
        "title": item.title,
        "claim": item.claim,
        "hypotheses": [
            {"name": h.name, "text": h.text, "counterexample": describe(h.counterexample())} for h in item.hypotheses
        ],
        "checks": checks,
        "machine_checked": asdict(machine_checked()[item.id]),
    }
