"""What ``headforms fuzz STATEMENT`` shows: the search while it runs, and the counterexample it ends with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from verify.errors import HeadformsError

#: Subjects between two updates of the line that shows the progress.
STEP = 10


def statement_text(record: dict[str, Any]) -> str:
    """The result of a search, from its record.

    Raises:
        HeadformsError: nothing was found where there must be something, or no subject was admitted.
    """
    drop, admitted = record["drop"], record["admitted"]
    asked = "all hypotheses" if drop is None else f"all hypotheses but {drop}"
    lines = [f"{record['statement']}: {admitted} of {record['drawn']} {record['subjects']} drawn satisfy {asked}"]
    if not record["found"] and (admitted == 0 or drop is not None):
        raise HeadformsError(
            f"{lines[0]}, and none is a counterexample; choose other sizes, another field, or more --examples"
        )
    if record["found"]:
        return "\n".join([*lines, "counterexample, the smallest found:", "", indented(record["snippet"])])
    return "\n".join([*lines, "no counterexample"])


def indented(text: str) -> str:
    """A program, set off from the text around it."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


@contextmanager
def progress_of(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """A line on a terminal's stderr while a statement is searched, gone in the end; None where there is none."""

    def show(drawn: int, admitted: int) -> None:
        if drawn % STEP == 0:
            click.echo(f"\r\033[K{name}: {drawn} drawn, {admitted} admitted", nl=False, err=True)

    if not sys.stderr.isatty():
        yield None
        return
    try:
        yield show
    finally:
        click.echo("\r\033[K", nl=False, err=True)
