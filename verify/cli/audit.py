"""``headforms audit``: prove or refute the theorem for every head of a checkpoint."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from verify.auditing import Audit, audit
from verify.cli import NO_VERDICT, NOTHING_TO_CHECK
from verify.cli.tables import distance_lines, folding_lines, layer_table, verdict_lines
from verify.quoting import one_line
from verify.records import to_line

#: Each costs an eigenvalue problem a head, and each head's record holds them all.
MOST_DISTANCES = 10_000


class LayerRange(click.ParamType[frozenset[int]]):
    """Layer numbers: ``0``, ``0,3``, ``2-5``, or a mixture."""

    name = "layers"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[int]:
        """Parse the list; a malformed one is a usage error."""
        chosen: set[int] = set()
        for part in value.split(","):
            match = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part.strip())
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
            if first > last:
                self.fail(f"{value!r} is no list of layers; write for example 0,3-5", param, ctx)
            chosen.update(range(first, last + 1))
        return frozenset(chosen)


class Distances(click.ParamType[tuple[int, ...]]):
    """Relative positions: ``7``, ``0,1,8``, or ``0:128`` (the last one excluded), ``0:128:16``."""

    name = "distances"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Parse the list; a malformed one is a usage error."""
        found: list[int] = []
        for part in value.split(","):
            if not re.fullmatch(r"-?[0-9]{1,9}(:-?[0-9]{1,9}(:-?[1-9][0-9]{0,8})?)?", part.strip()):
                self.fail(f"{value!r} is no list of distances; write for example 0,1,8 or 0:128", param, ctx)
            numbers = [int(x) for x in part.split(":")]
            found.extend(numbers if len(numbers) == 1 else range(*numbers))
            if len(found) > MOST_DISTANCES:
                self.fail(f"{value!r} holds more than {MOST_DISTANCES} distances", param, ctx)
        if not found:
            self.fail(f"{value!r} holds no distance", param, ctx)
        return tuple(found)


@click.command()
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("--device", default="cpu", show_default=True, help="Torch device for the matrix products.")
@click.option("--layers", type=LayerRange(), help="Only these layers, for example 0,3-5.")
@click.option("--layout", type=click.Path(path_type=Path), help="Layout file for an unregistered checkpoint.")
@click.option(
    "--fold",
    type=click.Choice(["gain", "center", "bias"]),
    multiple=True,
    help="Fold the norm's gain, LayerNorm's mean removal, or the biases into Q and K first; may be repeated.",
)
@click.option(
    "--distance",
    "distances",
    type=Distances(),
    default=None,
    help="For rotary models: profiles at these relative positions too, for example 0,7 or 0:128 (that is, 0 to 127).",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the records there, as JSON Lines.")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["table", "jsonl", "json"]),
    default="table",
    show_default=True,
    help="What goes to stdout: a table a layer and the verdict, or the records.",
)
@click.option("--strict", is_flag=True, help=f"Exit {NO_VERDICT} if some head has no verdict.")
@click.pass_context
def command(
    ctx: click.Context,
    sources: tuple[str, ...],
    device: str,
    layers: frozenset[int] | None,
    layout: Path | None,
    fold: tuple[str, ...],
    distances: tuple[int, ...] | None,
    out: Path | None,
    shape: str,
    strict: bool,
) -> None:
    """Prove or refute, head by head, that the symmetric part of the bilinear form is hyperbolic plus zero.

    SOURCE is a directory with config.json and weights, one weights file (safetensors, .bin, .pt, .pth, GGUF, ONNX or
    .npz), or a repository on the hub: hf://org/name[@revision][/subfolder].

    Exit status: 0 every head checked is proved, 1 at least one is refuted, 2 usage or unreadable input, 3 nothing to
    check, 4 (with --strict) some head has no verdict.
    """
    if not all(sources):
        raise click.UsageError("a SOURCE is empty; name a directory or a weights file")
    if out is not None and not out.name:
        raise click.UsageError("--out is empty; name a file")
    if out is not None and len(sources) > 1:
        raise click.UsageError(
            f"--out takes the records of one SOURCE, and {len(sources)} are given; run them one by one"
        )
    options = {
        "device": device,
        "layers": layers,
        "layout": layout,
        "fold": fold,
        "distances": distances or (),
        "out": out,
    }
    audits = [_audited(source, shape, options) for source in sources]
    if shape == "json":
        click.echo("[" + ",\n".join(to_line(r) for a in audits for r in (a.header, *a.records)) + "]")
    ctx.exit(exit_code(audits, strict=strict))


def _audited(source: str, shape: str, options: dict[str, Any]) -> Audit:
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("heads"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=sys.stderr is None or not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(one_line(Path(source).name or source), total=None)
        result = audit(source, **options, progress=lambda done, total: bar.update(task, completed=done, total=total))
    if shape == "jsonl":
        for record in (result.header, *result.records):
            click.echo(to_line(record))
    elif shape == "table":
        click.echo(layer_table(result))
        click.echo("\n".join([*folding_lines(result), *distance_lines(result), *verdict_lines(result)]))
        if options["out"] is not None:
            click.echo(one_line(f"records: {options['out']}"), err=True)
    return result


def exit_code(audits: list[Audit], *, strict: bool) -> int:
    """The exit status of the audits of all sources together."""
    counts = {
        name: sum(a.counts[name] for a in audits) for name in ("proved", "refuted", "not_applicable", "unreadable")
    }
    if counts["refuted"]:
        return 1
    if not counts["proved"]:
        return NOTHING_TO_CHECK
    if strict and (counts["not_applicable"] or counts["unreadable"]):
        return NO_VERDICT
    return 0
