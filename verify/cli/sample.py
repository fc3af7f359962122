"""``headforms sample``: a random ensemble measured and compared with theory."""

from __future__ import annotations

import json
from typing import Any

import click

from verify.cli.tables import table
from verify.ensembles import ENSEMBLES
from verify.sampling import SampleReport, measure_sample


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
@click.option("--heads", type=click.IntRange(2), default=1000, show_default=True, help="Sample size.")
@click.option("--n", "n", type=click.IntRange(1), default=4, show_default=True, help="Head dimension.")
@click.option("--N", "N", type=click.IntRange(1), default=16, show_default=True, help="Width.")
@click.option("--parameter", "-p", "parameters", multiple=True, type=Parameter(), help="As rho=0.5; see the list.")
@click.option("--seed", type=int, default=0, show_default=True, help="Reproduces the sample.")
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.9999, show_default=True
)
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    heads: int,
    n: int,
    N: int,
    parameters: tuple[tuple[str, float], ...],
    seed: int,
    confidence: float,
    shape: str,
) -> None:
    """Measure a random ENSEMBLE of heads and compare with what theory expects. Without ENSEMBLE, list them.

    Exit status: 0 theory and sample agree, 1 they do not, 2 usage.
    """
    if name is None:
        rows = [
            [e.name, e.description, ", ".join(f"{k}={v:g}" for k, v in e.parameters.items())]
            for e in ENSEMBLES.values()
        ]
        click.echo(table(["ensemble", "its heads", "parameters"], rows))
        return
    chosen = dict(parameters)
    report = measure_sample(ENSEMBLES[name], heads=heads, n=n, N=N, seed=seed, confidence=confidence, **chosen)
    if shape == "json":
        click.echo(json.dumps(_record(name, seed, chosen, report), ensure_ascii=False, indent=2))
    else:
        click.echo(_text(name, seed, report))
    ctx.exit(0 if report.agrees else 1)


def _record(name: str, seed: int, parameters: dict[str, float], report: SampleReport) -> dict[str, Any]:
    return {
        "ensemble": name,
        "parameters": parameters,
        "seed": seed,
        "heads": report.heads,
        "n": report.n,
        "N": report.N,
        "confidence": report.confidence,
        "agrees": report.agrees,
        "signatures": [
            {"positive": p, "negative": q, "zero": z, "count": count} for (p, q, z), count in report.signatures.items()
        ],
        "types": report.types,
        "profile": {
            "mean": dict(zip("abcd", report.profile_mean, strict=False)),
            "standard_deviation": dict(zip("abcd", report.profile_deviation, strict=False)),
        },
        "comparisons": [
            {
                "quantity": c.expected.quantity,
                "expected": str(c.expected.value),
                "measured": c.measured,
                "low": c.low,
                "high": c.high,
                "limit": c.expected.limit,
                "source": c.expected.source,
                "agrees": c.agrees,
            }
            for c in report.comparisons
        ],
    }


def _text(name: str, seed: int, report: SampleReport) -> str:
    lines = [f"{name}: {report.heads} heads, n = {report.n}, N = {report.N} (seed {seed})"]
    lines += [f"signature {key}: {count}" for key, count in list(report.signatures.items())[:8]]
    if report.profile_mean:
        means = ", ".join(
            f"{k} = {m:.4f} ± {s:.4f}"
            for k, m, s in zip("abcd", report.profile_mean, report.profile_deviation, strict=True)
        )
        lines.append(f"profile, mean ± standard deviation: {means}")
        lines.append("types: " + ", ".join(f"{k} {v}" for k, v in report.types.items()))
    rows = [
        [
            c.expected.quantity,
            str(c.expected.value) if c.expected.value.denominator < 10**6 else f"{float(c.expected.value):.8f}",
            f"{c.measured:.6g}",
            f"[{c.low:.6g}, {c.high:.6g}]",
            "agrees" if c.agrees else "DISAGREES",
            c.expected.source + (" (limit)" if c.expected.limit else ""),
        ]
        for c in report.comparisons
    ]
    header = ["quantity", "expected", "measured", f"interval ({report.confidence:g})", "", "source"]
    return "\n".join([*lines, "", table(header, rows)])
