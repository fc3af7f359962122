"""``headforms layouts``: which model types are registered, and how each stores its queries and keys."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

import click

from verify.checkpoints.layout import Attention, Layout, Orientation, Role
from verify.checkpoints.registry import known_types, registered, source_text
from verify.cli.tables import table


@click.command()
@click.argument("model_type", required=False)
@click.option("--format", "shape", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(model_type: str | None, shape: str) -> None:
    """List the registered layouts; with MODEL_TYPE, show its entry as it stands in the registry.

    An entry is written in the words of a layout file, so it can serve as the start of one: pass it as --layout.
    """
    if model_type is not None:
        layout = registered(model_type)
        click.echo(
            json.dumps(asdict(layout), default=str) if shape == "json" else source_text(model_type), nl=shape == "json"
        )
        return
    layouts = [registered(name) for name in known_types()]
    if shape == "json":
        click.echo(
            json.dumps(
                [
                    {"model_type": layout.name, **dict(zip(HEADER[1:], row(layout)[1:], strict=True))}
                    for layout in layouts
                ]
            )
        )
        return
    click.echo(table(HEADER, [row(layout) for layout in layouts]))
    click.echo(f"{len(layouts)} model types; 'headforms layouts MODEL_TYPE' shows one")


HEADER = ["model type", "stacks", "stored", "positions", "norm in front", "no fixed form"]


def row(layout: Layout) -> list[str]:
    """One line of the table.

    >>> row(registered("bloom"))
    ['bloom', 'decoder', 'fused, head by head', 'alibi', 'layer', '']
    """
    own = [a for a in layout.attentions if a.role is Role.SELF]
    stacks = [part.stack for part in layout.parts] or [a.stack for a in own]
    parts = "in parts of their own types" if layout.parts else ""
    return [
        layout.name,
        _joined(stacks),
        parts or _joined(stored(a) for a in own),
        _joined(str(p.method) for a in own for p in a.position),
        _joined(f"{a.norm.kind}{' 1+w' if a.norm.gain == '1+w' else ''}" for a in own),
        "in some cases" if any(a.not_bilinear or any(n.when.tests for n in a.qk_norm) for a in own) else
        "query/key norm" if any(a.qk_norm for a in own) else "",
    ]  # fmt: skip


def stored(attention: Attention) -> str:
    """In words, how queries and keys are stored."""
    if attention.latent is not None:
        return "latent, two forms"
    if not attention.fused:
        return "separate, with gates" if attention.gated else "separate"
    order = {
        "cat": "one after another",
        "head": "head by head",
        "group": "group by group",
        "mp4_qvk": "in four shards, key last",
    }[attention.order]
    return f"fused{' in columns' if attention.orientation is Orientation.CONV1D else ''}, {order}"


def _joined(words: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(words))
