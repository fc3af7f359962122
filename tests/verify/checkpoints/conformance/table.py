"""All rows, and the command that prints the table: ``python -m tests.verify.checkpoints.conformance.table``."""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path

import click
import torch

from tests.verify.checkpoints.conformance.comparison import compare
from tests.verify.checkpoints.conformance.composites import COMPOSITES
from tests.verify.checkpoints.conformance.encoders import ENCODERS
from tests.verify.checkpoints.conformance.ggufs import GGUFS
from tests.verify.checkpoints.conformance.hybrids import HYBRIDS, LATENTS
from tests.verify.checkpoints.conformance.models import Row
from tests.verify.checkpoints.conformance.remote import REMOTE
from tests.verify.checkpoints.conformance.seq2seq import SEQ2SEQ
from tests.verify.checkpoints.conformance.text import GEMMAS, GPTS, LLAMAS
from tests.verify.checkpoints.conformance.vision import VISION

ROWS: list[Row] = [
    *GPTS,
    *LLAMAS,
    *GEMMAS,
    *ENCODERS,
    *SEQ2SEQ,
    *VISION,
    *HYBRIDS,
    *LATENTS,
    *COMPOSITES,
    *REMOTE,
    *GGUFS,
]


def main(names: list[str]) -> int:
    """Print one line for each row whose name begins with one of the names (all by default); the number of failures.

    Errors of scores and of folded queries and keys are relative to the largest; that of a norm is how far the stream,
    with its gain and shift taken off, is from mean square one and mean zero.
    """
    failures, compared = 0, {}
    click.echo(f"{'model type':34} {'layers':>6} {'heads':>6}  {'error':>8}  {'folded':>8}  norm")
    for row in ROWS:
        if names and not str(row).startswith(tuple(names)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                torch.manual_seed(0)
                found = compare(row, Path(folder))
                compared[str(row)] = found.error
                norm = "-" if found.norm is None else f"{found.norm:.1e}"
                errors = f"{found.error:8.1e}  {found.folded:8.1e}"
                click.echo(f"{row!s:34} {found.layers:6} {found.heads:6}  {errors}  {norm}")
            except Exception as error:
                failures += 1
                click.echo(f"{row!s:34} FAILED {type(error).__name__}: {' '.join(str(error).split())[:300]}")
                if names:
                    traceback.print_exc()
    types = {row.saved_as or row.model_type for row in ROWS if str(row) in compared}
    largest = max(compared.values(), default=0.0)
    click.echo(
        f"{len(compared)} rows of {len(types)} model types agree, largest error {largest:.1e}; {failures} failed"
    )
    return failures


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
