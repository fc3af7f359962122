"""``headforms check``: re-check every proof of a run against the weights."""

from __future__ import annotations

from pathlib import Path

import click

from verify.checking import check_run
from verify.checkpoints import open_checkpoint
from verify.kernel import KernelProver
from verify.quoting import one_line
from verify.records import read_records


@click.command()
@click.argument("records", type=click.Path(path_type=Path))
@click.argument("source")
@click.option("--layout", type=click.Path(path_type=Path), help="Layout file for an unregistered checkpoint.")
@click.option(
    "--kernel",
    "checker",
    type=click.Path(path_type=Path),
    metavar="PROGRAM",
    help="Re-check with the machine-checked program that make rocq builds, proofs/rocq/checker/check.",
)
@click.pass_context
def command(ctx: click.Context, records: Path, source: str, layout: Path | None, checker: Path | None) -> None:
    """Re-check every proof in RECORDS against the weights of SOURCE, with independent integer arithmetic.

    Exit status: 0 every claim is confirmed, 1 some claim is not, 2 usage or unreadable input.
    """
    confirmed = failed = 0
    prover = None if checker is None else KernelProver(checker.absolute())
    for finding in check_run(read_records(records), open_checkpoint(source, layout=layout), prover=prover):
        if finding.confirmed:
            confirmed += 1
        else:
            failed += 1
            click.echo(one_line(f"not confirmed: {finding.head}: {finding.detail}"))
    click.echo(one_line(f"{records}: {confirmed} of {confirmed + failed} heads confirmed against {source}"))
    ctx.exit(1 if failed else 0)
