"""``headforms fuzz``: search for the smallest counterexample to a statement, or the smallest head a function gets wrong."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import click

from proofs.fields import GF, QQ, Field
from verify.cli.tables import table
from verify.errors import FieldError, HeadformsError

QUESTIONS = ("signature", "witt", "rank", "rank-stacked", "profile")
DTYPES = ("float64", "float32", "bfloat16", "float16")


class FieldName(click.ParamType[Field]):
    """``QQ`` or ``GF(p)``."""

    name = "field"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Field:
        """Parse the name; an inadmissible field is a usage error that says why."""
        if isinstance(value, Field):
            return value
        text = str(value).replace(" ", "")
        if text.upper() == "QQ":
            return QQ
        if text.upper().startswith("GF(") and text.endswith(")") and text[3:-1].isdigit():
            try:
                return GF(int(text[3:-1]))
            except FieldError as error:
                self.fail(str(error), param, ctx)
        self.fail(f"{value!r} is no field; write QQ or GF(p) with an odd prime p", param, ctx)


def _questions(command: Any) -> Any:
    for name in reversed(QUESTIONS):
        command = click.option(f"--{name}", "question", flag_value=name, help=_HELP[name])(command)
    return command


_HELP = {
    "signature": "Ask for (n₊, n₋, n₀) of S (default).",
    "witt": "Ask for the Witt index of S over ℝ.",
    "rank": "Ask for the rank of S.",
    "rank-stacked": "Ask for the rank of M = [K; Q].",
    "profile": "Ask for the profile (a, b, c, d).",
}


@click.command()
@click.argument("statement_id", metavar="[STATEMENT]", required=False)
@click.option("--drop", metavar="HYPOTHESIS", help="Leave out this hypothesis of STATEMENT; a counterexample must exist.")
@click.option("--against", "spec", metavar="MODULE:FUNCTION", help="Run this function over the strata of stored heads.")
@_questions
@click.option("--tolerance", type=float, help="With --profile: how far a coordinate may be off (default 1e-9).")
@click.option("--stratum", "strata", multiple=True, help="Only this stratum; may be repeated. See --list-strata.")
@click.option("--dtype", "dtypes", multiple=True, type=click.Choice(DTYPES), help="Only this stored dtype; may be repeated.")
@click.option("--stored", is_flag=True, help="Pass the stored dtype to the function, not the same numbers in float64.")
@click.option("--examples", type=click.IntRange(1), help="Heads to draw (a statement: 2000; a function: 100 a stratum).")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="With --against: go on for that long instead.")
@click.option("--seed", type=int, default=0, show_default=True, help="Reproduces a run.")
@click.option("--field", type=FieldName(), default="QQ", show_default=True, help="Ground field of a statement's heads.")
@click.option("--n", "n", type=click.IntRange(0), help="Head dimension; small ones by default.")
@click.option("--N", "N", type=click.IntRange(1), help="Width; small ones by default.")
@click.option("--database", type=click.Path(path_type=Path, file_okay=False), help="Folder that remembers what was found.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--list-strata", is_flag=True, help="List the strata of stored heads and stop.")
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
    field: Field,
    n: int | None,
    N: int | None,
    database: Path | None,
    shape: str,
    list_strata: bool,
) -> None:
    """Search for a smallest counterexample.

    With STATEMENT (see `headforms theorems`): among exact heads that satisfy its hypotheses, or all but the one that
    --drop names. With --against: among stored heads of every stratum (generic, of each corank, tied, graded, nearly
    degenerate, huge, tiny, subnormal …) the smallest for which the function's answer is wrong. The function takes
    Q and K, NumPy arrays or torch tensors, n × N or batched, or one verify.HeadBatch.

    Exit status: 0 nothing found, 1 something found, 2 usage, or a function that cannot be called.
    """
    if list_strata:
        from verify.strategies import STRATA

        click.echo(table(["stratum", "its heads"], [[s.name, s.description] for s in STRATA.values()]))
        return
    if (statement_id is None) == (spec is None):
        raise click.UsageError("give either a STATEMENT (see headforms theorems) or --against MODULE:FUNCTION")
    if spec is not None:
        _refuse(ctx, "drop", "field", because="needs a STATEMENT")
        result = _against(spec, question or "signature", tolerance, stored, strata, dtypes, examples, seconds, seed, n, N, database)
    else:
        _refuse(ctx, "question", "tolerance", "stored", "strata", "dtypes", "seconds", because="needs --against")
        result = _statement(str(statement_id), drop, examples or 2000, seed, field, n, N, database)
    found, text, data = result
    click.echo(json.dumps(data, ensure_ascii=False, indent=2) if shape == "json" else text)
    ctx.exit(1 if found else 0)


def _refuse(ctx: click.Context, *names: str, because: str) -> None:
    for name in names:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = next(p for p in ctx.command.params if p.name == name).opts[0]
            raise click.UsageError(f"{option} {because}")


def _statement(
    statement_id: str,
    drop: str | None,
    examples: int,
    seed: int,
    field: Field,
    n: int | None,
    N: int | None,
    database: Path | None,
) -> tuple[bool, str, dict[str, Any]]:
    from proofs.statements import statement
    from proofs.statements.registry import describe
    from verify.fuzzing.snippets import statement_snippet
    from verify.fuzzing.statements import fuzz_statement
    from verify.fuzzing.subjects import Size

    claim = statement(statement_id)
    report = fuzz_statement(claim, drop=drop, size=Size(field, n, N), examples=examples, seed=seed, database=database)
    data: dict[str, Any] = {
        "statement": claim.id,
        "drop": drop,
        "field": str(field),
        "seed": seed,
        "drawn": report.drawn,
        "admitted": report.admitted,
        "counterexample": None,
        "snippet": None,
    }
    asked = "all hypotheses" if drop is None else f"all hypotheses but {drop}"
    lines = [f"{claim.id} ({claim.title}): {report.admitted} of {report.drawn} subjects drawn satisfy {asked}"]
    if not report.drawn_freely:
        lines.append(f"subjects of this statement are chosen among its {report.drawn} registered instances")
    if report.found:
        snippet = statement_snippet(claim, report.counterexample, drop)
        data |= {"counterexample": describe(report.counterexample), "snippet": snippet}
        lines += ["counterexample, the smallest found:", "", *("    " + line for line in snippet.splitlines())]
    elif report.admitted == 0:
        raise HeadformsError(
            f"{claim.id}: none of the {report.drawn} subjects drawn satisfies {asked}; choose other sizes or more --examples"
        )
    elif drop is not None:
        raise HeadformsError(
            f"{claim.id}: no counterexample without {drop} among {report.admitted} subjects; choose other sizes or fields, "
            "or more --examples"
        )
    else:
        lines.append("no counterexample")
    return report.found, "\n".join(lines), data


def _against(
    spec: str,
    question: str,
    tolerance: float | None,
    stored: bool,
    strata: tuple[str, ...],
    dtypes: tuple[str, ...],
    examples: int | None,
    seconds: float | None,
    seed: int,
    n: int | None,
    N: int | None,
    database: Path | None,
) -> tuple[bool, str, dict[str, Any]]:
    import torch

    from verify.fuzzing import QUESTIONS as BY_NAME
    from verify.fuzzing import Caller, fuzz_function, load
    from verify.fuzzing.questions import profile_question
    from verify.fuzzing.snippets import function_snippet

    asked = BY_NAME[question]
    if tolerance is not None:
        if question != "profile":
            raise click.UsageError("--tolerance needs --profile; every other answer is exact")
        asked = profile_question(tolerance)
    with _stdout_kept():
        caller = Caller.probe(load(spec), asked, stored=stored)
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
            progress=_progress(),
        )
    rows, results = [], []
    for stratum in report.strata:
        case = stratum.smallest
        row = [stratum.name, str(stratum.tried), str(stratum.wrong), str(stratum.raised)]
        entry: dict[str, Any] = {"stratum": stratum.name, "tried": stratum.tried, "wrong": stratum.wrong}
        entry |= {"raised": stratum.raised, "smallest": None}
        if case is not None:
            batch = case.batch
            dtype = str(batch.Q.dtype).removeprefix("torch.")
            row += [f"{batch.n} × {batch.N} {dtype}", str(case.truth), str(case.answer)]
            entry["smallest"] = {
                "n": batch.n,
                "N": batch.N,
                "dtype": dtype,
                "Q": [[x.hex() for x in r] for r in batch.Q[0].double().tolist()],
                "K": [[x.hex() for x in r] for r in batch.K[0].double().tolist()],
                "truth": case.truth,
                "answer": _json_answer(case.answer),
                "snippet": function_snippet(spec, caller, case),
            }
        rows.append(row + [""] * (7 - len(row)))
        results.append(entry)
    tried, wrong = sum(s.tried for s in report.strata), sum(s.wrong for s in report.strata)
    data = {
        "function": spec,
        "question": question,
        "convention": caller.convention,
        "seed": seed,
        "tried": tried,
        "wrong": wrong,
        "strata": results,
    }
    header = ["stratum", "tried", "wrong", "raised", "smallest wrong head", "exact answer", "its answer"]
    lines = [table(header, rows), "", f"{spec}: {question} wrong for {wrong} of {tried} heads (seed {seed})"]
    if report.smallest is not None:
        snippet = function_snippet(spec, caller, report.smallest)
        lines += ["smallest wrong head:", "", *("    " + line for line in snippet.splitlines())]
    return report.found, "\n".join(lines), data


def _json_answer(answer: Any) -> Any:
    """An answer as JSON can say it: numbers that are not finite, and exceptions, as text."""
    if isinstance(answer, tuple):
        return [_json_answer(x) for x in answer]
    if isinstance(answer, float):
        return answer if abs(answer) < float("inf") else str(answer)
    return answer if isinstance(answer, int) or answer is None else str(answer)


def _progress() -> Any:
    if not sys.stderr.isatty():
        return None

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
