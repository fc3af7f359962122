"""``headforms sample``: a random ensemble measured and compared with theory."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import click
import torch

from verify.cli import NOTHING_TO_CHECK
from verify.cli.tables import table
from verify.ensembles import COLUMNS, ENSEMBLES
from verify.heads import FLOATING
from verify.profiles import NAMES
from verify.sampling import Comparison, SampleReport, measure_sample
from verify.sampling.reports import sample_record

DTYPES = tuple(str(dtype).removeprefix("torch.") for dtype in FLOATING)
#: Rows of the table of signatures, or of ranks, that are printed; JSON has all of them.
SHOWN = 8
#: Fractions with a longer denominator are printed as decimals; JSON has the fraction.
DIGITS = 6


class Parameter(click.ParamType[tuple[str, float]]):
    """``name=number``."""

    name = "name=number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """Parse one parameter."""
        if isinstance(value, tuple):
            return value
        key, _, number = str(value).partition("=")
        try:
            return key, float(number)
        except ValueError:
            self.fail(f"{value!r} is no parameter; write for example rho=0.5", param, ctx)


@click.command()
@click.argument("name", metavar="[ENSEMBLE]", required=False, type=click.Choice(list(ENSEMBLES)))
@click.option("--heads", type=click.IntRange(100, 10**6), default=1000, show_default=True, help="Sample size.")
@click.option("--n", "n", type=click.IntRange(1), help="Head dimension; 4, or N for the ensembles with n = N.")
@click.option("--N", "N", type=click.IntRange(1), default=16, show_default=True, help="Width.")
@click.option("--parameter", "-p", "parameters", multiple=True, type=Parameter(), help="As rho=0.5; see the list.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Reproduces the sample.")
@click.option(
    "--dtype", type=click.Choice(DTYPES), default="float64", show_default=True, help="Round the entries to it."
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.999,
    show_default=True,
    help="That all intervals together hold the truth.",
)
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--points", is_flag=True, help="With --format json: signature, profile and margin of every head.")
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    heads: int,
    n: int | None,
    N: int,
    parameters: tuple[tuple[str, float], ...],
    seed: int,
    dtype: str,
    confidence: float,
    shape: str,
    points: bool,
) -> None:
    """Measure a random ENSEMBLE of heads and compare with what theory expects. Without ENSEMBLE, list them.

    The intervals of frequencies have at least the stated confidence; those of means have it in the limit of many
    heads, and nearly so from a thousand on.

    Exit status: 0 theory and sample agree, 1 they do not, 2 usage, 3 theory says nothing to compare with.
    """
    if points and shape != "json":
        raise click.UsageError("--points needs --format json")
    if twice := [key for key, count in Counter(key for key, _ in parameters).items() if count > 1]:
        raise click.UsageError(f"--parameter {twice[0]} is given more than once; give each parameter once")
    if name is None:
        click.echo(_list(shape))
        return
    ensemble = ENSEMBLES[name]
    report = measure_sample(
        ensemble,
        heads=heads,
        n=(N if ensemble.is_square else 4) if n is None else n,
        N=N,
        seed=seed,
        dtype=getattr(torch, dtype),
        confidence=confidence,
        parameters=dict(parameters),
    )
    if shape == "json":
        click.echo(json.dumps(sample_record(report, points=points), ensure_ascii=False, indent=2))
    else:
        click.echo(_text(report))
    ctx.exit(NOTHING_TO_CHECK if not report.comparisons else 0 if report.agrees else 1)


def _list(shape: str) -> str:
    if shape == "json":
        entries = [
            {"ensemble": e.name, "description": e.description, "parameters": dict(e.parameters)}
            for e in ENSEMBLES.values()
        ]
        return json.dumps({"ensembles": entries}, ensure_ascii=False, indent=2)
    rows = [
        [e.name, e.description, ", ".join(f"{k}={v:g}" for k, v in e.parameters.items())] for e in ENSEMBLES.values()
    ]
    return table(["ensemble", "its heads", "parameters"], rows)


def _text(report: SampleReport) -> str:
    chosen = "".join(f", {k} = {v:g}" for k, v in report.parameters.items())
    lines = [
        f"{report.ensemble}: {report.cloud.heads} heads, n = {report.n}, N = {report.N}{chosen}, "
        f"{str(report.dtype).removeprefix('torch.')}, seed {report.seed}",
        "",
    ]
    if report.signatures:
        lines += _counts("signature", {str(key): count for key, count in report.signatures.items()})
        lines.append(
            "type       " + ", ".join(f"{kind or 'none'}: {k}" for kind, k in report.cloud.types().most_common())
        )
        measured = (*NAMES, "relative_margin") if 2 * report.n <= report.N else NAMES
        spreads = [(column, report.spread(column)) for column in measured]
        rows = [[COLUMNS[column], *(f"{x:.4g}" for x in spread.values())] for column, spread in spreads if spread]
        lines += ["", table(["", "mean", "deviation", "least", "5 %", "25 %", "median", "75 %", "95 %"], rows)]
    else:
        lines += _counts("rank M", {str(key): count for key, count in report.ranks.items()})
    if not report.comparisons:
        return "\n".join([*lines, "", "theory says nothing exact about this ensemble with rounded entries"])
    header = ["statistic", "expected", "measured", f"interval (all {report.confidence:g})", "", "by"]
    rows = [_row(comparison) for comparison in report.comparisons]
    return "\n".join([*lines, "", table(header, rows)])


def _counts(what: str, counts: dict[str, int]) -> list[str]:
    shown = list(counts.items())[:SHOWN]
    rest = sum(counts.values()) - sum(count for _, count in shown)
    return [
        f"{what:10s} " + ", ".join(f"{key}: {count}" for key, count in shown) + (f", others: {rest}" if rest else "")
    ]


def _row(comparison: Comparison) -> list[str]:
    expected, measured = comparison.expected, comparison.measured
    return [
        str(expected.statistic),
        _number(expected.value) + (f" ± {_number(expected.within)}" if expected.within else ""),
        f"{measured.estimate:.6g}",
        f"[{measured.low:.6g}, {measured.high:.6g}]",
        "agrees" if comparison.agrees else "DISAGREES",
        expected.source,
    ]


def _number(x: Fraction) -> str:
    return str(x) if x.denominator < 10**DIGITS else f"{float(x):.{DIGITS + 2}g}"
