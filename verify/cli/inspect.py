"""``headforms inspect``: which tensors would be used for which head, without reading them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from verify.checkpoints import Checkpoint, LayerPlan, open_checkpoint
from verify.checkpoints.checkpoint import open_source
from verify.checkpoints.layout import Orientation
from verify.checkpoints.plan import Rows
from verify.checkpoints.skeleton import skeleton
from verify.cli.tables import table
from verify.quoting import one_line

HEADER = ["stack", "layer", "heads", "key heads", "n", "N", "queries", "keys", "reason"]


@click.command()
@click.argument("source")
@click.option("--layout", type=click.Path(path_type=Path), help="Layout file for an unregistered checkpoint.")
@click.option("--heads", is_flag=True, help="One line a head, with the rows of each.")
@click.option("--skeleton", "draft", is_flag=True, help="Print a draft of a layout file instead.")
@click.option("--format", "shape", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(source: str, layout: Path | None, heads: bool, draft: bool, shape: str) -> None:
    """Show how SOURCE would be read: its layers, heads, tensors, and what is not a fixed bilinear form.

    Only headers are read. With --skeleton, print a layout file for a checkpoint that nobody registered, filled with its
    own tensor names and shapes.
    """
    if draft:
        click.echo(skeleton(open_source(source)), nl=False)
        return
    checkpoint = open_checkpoint(source, layout=layout)
    plans = checkpoint.layers()
    if shape == "json":
        click.echo(
            json.dumps(
                {
                    "source": checkpoint.source,
                    "model_type": checkpoint.model_type,
                    "layers": [described(plan) for plan in plans],
                    "unclaimed": [pattern.name for pattern in checkpoint.unclaimed],
                }
            )
        )
        return
    click.echo(one_line(f"{checkpoint.source}: {checkpoint.model_type}, {sum(plan.heads for plan in plans)} heads"))
    click.echo(head_table(plans) if heads else layer_table(checkpoint, plans))
    for found in checkpoint.unclaimed:
        said = f"not read: {found.name} ({found.layers}) looks like queries and belongs to no layer of the layout"
        click.echo(one_line(said))
    for note in dict.fromkeys(note for plan in plans for note in plan.notes):
        click.echo(one_line(f"note: {note}"))


def layer_table(checkpoint: Checkpoint, plans: list[LayerPlan]) -> str:
    """One line a layer."""
    rows = []
    for plan in plans:
        sizes = [str(size) if size else "-" for size in (plan.heads, plan.kv_heads, plan.n, plan.N)]
        said = plan.reason
        rows.append(
            [plan.stack, str(plan.layer), *sizes, _tensor(checkpoint, plan.query), _tensor(checkpoint, plan.key), said]
        )
    return table(HEADER, rows)


def head_table(plans: list[LayerPlan]) -> str:
    """One line a head: the rows of its query and of its key."""
    rows = [
        [
            plan.stack,
            str(plan.layer),
            str(head.head),
            str(head.kv_head),
            _rows(plan.query, head.head),
            _rows(plan.key, head.kv_head),
        ]
        for plan in plans
        for head in plan.ids
    ]
    return table(["stack", "layer", "head", "key head", "query", "key"], rows)


def described(plan: LayerPlan) -> dict[str, Any]:
    """A plan as JSON."""
    return {
        "stack": plan.stack,
        "layer": plan.layer,
        "heads": plan.heads,
        "kv_heads": plan.kv_heads,
        "n": plan.n,
        "N": plan.N,
        "status": str(plan.status),
        "reason": plan.reason,
        "notes": list(plan.notes),
        "query": asdict(plan.query) if plan.query else None,
        "key": asdict(plan.key) if plan.key else None,
        "norm": {"kind": str(plan.norm.norm.kind), "weight": plan.norm.weight, "bias": plan.norm.bias}
        if plan.norm
        else None,
        "rotary": asdict(plan.rotary) if plan.rotary else None,
        "scale": plan.scale,
    }


def _tensor(checkpoint: Checkpoint, rows: Rows | None) -> str:
    if rows is None:
        return "-"
    info = checkpoint.tensors[rows.tensor]
    through = f" × {rows.through.tensor}" if rows.through else ""
    return f"{rows.tensor}{through} {list(info.shape)} {info.stored}"


def _rows(rows: Rows | None, head: int) -> str:
    if rows is None:
        return "-"
    start = rows.starts[head]
    if rows.orientation is Orientation.STACKED:
        return f"{rows.tensor} matrix {start}"
    side = "columns" if rows.orientation is Orientation.CONV1D else "rows"
    return f"{rows.tensor} {side} {start}:{start + rows.size}"
