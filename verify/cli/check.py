"""``headforms check``: re-check every proof of a run against the weights."""

from __future__ import annotations

from pathlib import Path

import click

from verify.checking import check_run
from verify.checkpoints import open_checkpoint
from verify.quoting import one_line
from verify.records import read_records


@click.command()
@click.argument("records", type=click.Path(path_type=Path))
@click.argument("source")
@click.option("--layout", type=click.Path(path_type=Path), help="Layout file for an unregistered checkpoint.")
@click.pass_context
def command(ctx: click.Context, records: Path, source: str, layout: Path | None) -> None:
    """Re-check every proof in RECORDS against the weights of SOURCE, with independent integer arithmetic.

    Exit status: 0 every claim is confirmed, 1 some claim is not, 2 usage or unreadable input.
    """
    confirmed = failed = 0
    for finding in check_run(read_records(records), open_checkpoint(source, layout=layout)):
        if finding.confirmed:
            confirmed += 1
        else:
            failed += 1
            click.echo(one_line(f"not confirmed: {finding.head}: {finding.detail}"))
    click.echo(one_line(f"{records}: {confirmed} of {confirmed + failed} heads confirmed against {source}"))
    ctx.exit(1 if failed else 0)
