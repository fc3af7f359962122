"""``headforms fuzz``: the smallest counterexample to a statement, or the smallest head that a function gets wrong."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import click
import torch

from proofs.fields import Field, field_named
from proofs.statements import statement
from verify.cli.counterexamples import progress_of, statement_text
from verify.cli.tables import table
from verify.cli.wrong_answers import function_text
from verify.errors import FieldError
from verify.fuzzing import QUESTIONS, Caller, Interrupted, fuzz_function, fuzz_statement, load
from verify.fuzzing.questions import profile_question
from verify.fuzzing.reports import function_record, statement_record
from verify.fuzzing.statements import EXAMPLES
from verify.fuzzing.subjects import Size
from verify.strategies import STRATA
from verify.strategies.coverage import coverage as kinds

DTYPES = ("float64", "float32", "bfloat16", "float16")

_HELP = {
    "signature": "Ask for (n₊, n₋, n₀) of S (default).",
    "witt": "Ask for the Witt index of S over ℝ.",
    "rank": "Ask for the rank of S.",
    "rank-stacked": "Ask for the rank of M = [K; Q].",
    "profile": "Ask for the profile (a, b, c, d).",
    "proof": "Ask whether rank M = 2n is proved.",
}


class FieldName(click.ParamType[Field]):
    """``QQ`` or ``GF(p)``."""

    name = "field"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Field:
        """Parse the name; an inadmissible field is a usage error that says why."""
        try:
            return field_named(value)
        except FieldError as error:
            self.fail(str(error), param, ctx)


def _questions(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, text in reversed(_HELP.items()):
        command = click.option(f"--{name}", "question", flag_value=name, help=text)(command)
    return command


@click.command()
@click.argument("statement_id", metavar="[STATEMENT]", required=False)
@click.option("--drop", metavar="HYPOTHESIS", help="Leave out this hypothesis; a counterexample must exist.")
@click.option("--against", "spec", metavar="MODULE:FUNCTION", help="Run this function over the strata of stored heads.")
@_questions
@click.option("--tolerance", type=click.FloatRange(0), help="With --profile: how far a number may be off (1e-9).")
@click.option("--stratum", "strata", multiple=True, help="Only this stratum; repeatable. See --list-strata.")
@click.option("--dtype", "dtypes", multiple=True, type=click.Choice(DTYPES), help="Only this stored dtype; repeatable.")
@click.option("--stored", is_flag=True, help="Pass the stored dtype to the function, not the same numbers in float64.")
@click.option("--examples", type=click.IntRange(1), help="Draw so many (a statement: 1000; a stratum: 100).")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="With --against: go on for that long instead.")
@click.option("--seed", type=int, default=0, show_default=True, help="Reproduces a run.")
@click.option("--field", type=FieldName(), help="Ground field of a statement's subjects; QQ by default.")
@click.option("--n", "n", type=click.IntRange(0), help="Head dimension; small ones by default.")
@click.option("--N", "N", type=click.IntRange(1), help="Width; small ones by default.")
@click.option("--database", type=click.Path(path_type=Path, file_okay=False), help="Folder to remember examples in.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--list-strata", is_flag=True, help="List the strata of stored heads and stop.")
@click.option("--coverage", is_flag=True, help="Count the kinds of --examples drawn heads (2000) and stop.")
@click.pass_context
def command(
    ctx: click.Context,
    statement_id: str | None,
    drop: str | None,
    spec: str | None,
    question: str | None,
    tolerance: float | None,
    strata: tuple[str, ...],
    dtypes: tuple[str, ...],
    stored: bool,
    examples: int | None,
    seconds: float | None,
    seed: int,
    field: Field | None,
    n: int | None,
    N: int | None,
    database: Path | None,
    shape: str,
    list_strata: bool,
    coverage: bool,
) -> None:
    """Search for a smallest counterexample.

    With STATEMENT (see `headforms theorems`): among exact heads that satisfy its hypotheses, or all but the one that
    --drop names. With --against: among stored heads of every stratum (generic, of each corank, tied, graded, nearly
    degenerate, huge, tiny, subnormal …) the smallest for which the function's answer is wrong. The function takes
    Q and K, NumPy arrays or torch tensors, n × N or batched, or one verify.HeadBatch. One that takes several
    heads at once is given several; if it is right for a head alone and wrong in a batch, the smallest such batch is
    shown.

    Exit status: 0 nothing found, 1 something found, 2 usage, or a function that cannot be called,
    130 interrupted, after what was found so far.
    """
    if list_strata:
        _alone(ctx, "list_strata")
        click.echo(table(["stratum", "its heads"], [[s.name, s.description] for s in STRATA.values()]))
        return
    if coverage:
        _alone(ctx, "coverage", "examples", "seed", "shape")
        click.echo(_coverage(examples or 2000, seed, shape))
        return
    if (statement_id is None) == (spec is None):
        raise click.UsageError("give either a STATEMENT (see headforms theorems) or --against MODULE:FUNCTION")
    if spec is not None:
        _refuse(ctx, "drop", "field", because="needs a STATEMENT")
        if tolerance is not None and question != "profile":
            raise click.UsageError("--tolerance needs --profile; every other answer is exact")
        asked = QUESTIONS[question or "signature"] if tolerance is None else profile_question(tolerance)
        with _stdout_kept():
            caller = Caller.probe(load(spec), asked, stored=stored)
            try:
                report = fuzz_function(
                    caller,
                    strata=strata or None,
                    dtypes=[getattr(torch, name) for name in dtypes] or None,
                    n=n,
                    N=N,
                    examples=examples or 100,
                    seconds=seconds,
                    seed=seed,
                    database=database,
                    progress=_progress() if sys.stderr.isatty() else None,
                )
            except Interrupted as stop:
                report = stop.report
        record = function_record(spec, caller, report)
        text = function_text(record)
    else:
        _refuse(ctx, "question", "tolerance", "stored", "strata", "dtypes", "seconds", because="needs --against")
        with progress_of(str(statement_id)) as progress:
            found = fuzz_statement(
                statement(str(statement_id)),
                drop=drop,
                size=Size(field, n, N),
                examples=examples or EXAMPLES,
                seed=seed,
                database=database,
                progress=progress,
            )
        record = statement_record(found)
        text = statement_text(record)
    click.echo(json.dumps(record, ensure_ascii=False, indent=2) if shape == "json" else text)
    if record.get("interrupted"):
        raise KeyboardInterrupt
    ctx.exit(1 if record["found"] else 0)


def _coverage(examples: int, seed: int, shape: str) -> str:
    drawn = {
        name: kinds(stored=stored, examples=examples, random=Random(seed))
        for name, stored in (("heads(field=fields())", False), ("float_heads()", True))
    }
    if shape == "json":
        return json.dumps(drawn, ensure_ascii=False, indent=2)
    return "\n\n".join(
        table([f"of {examples} {name}", "heads"], [[kind, str(count)] for kind, count in counts.items()])
        for name, counts in drawn.items()
    )


def _refuse(ctx: click.Context, *names: str, because: str) -> None:
    for name in names:
        if _is_given(ctx, name):
            raise click.UsageError(f"{_spelling(ctx, name)} {because}")


def _alone(ctx: click.Context, name: str, *effective: str) -> None:
    """Refuse whatever has no effect beside an option that does something of its own."""
    others = [p.name for p in ctx.command.params if p.name and p.name not in (name, *effective)]
    _refuse(ctx, *others, because=f"has no effect with {_spelling(ctx, name)}")


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _spelling(ctx: click.Context, name: str) -> str:
    """A parameter as it was given: of several flags for one destination the one that sets its value."""
    given = [p for p in ctx.command.params if p.name == name]
    chosen = next((p for p in given if getattr(p, "flag_value", None) == ctx.params[name]), given[0])
    return chosen.opts[0] if isinstance(chosen, click.Option) else chosen.human_readable_name.strip("[]")


def _progress() -> Callable[[str, int, int], None]:
    def show(name: str, tried: int, wrong: int) -> None:
        click.echo(f"\r\033[K{name}: {tried} heads, {wrong} wrong", nl=False, err=True)

    return show


@contextmanager
def _stdout_kept() -> Iterator[None]:
    """Send what the function prints, in Python or from a library below it, to stderr: stdout belongs to the result."""
    sys.stdout.flush()
    kept = os.dup(1)
    try:
        os.dup2(2, 1)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        if sys.stderr.isatty():
            click.echo("\r\033[K", nl=False, err=True)
