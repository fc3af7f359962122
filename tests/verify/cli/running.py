"""Runs the command line in this process, through its real entry point, as a subprocess would."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from unittest import mock

from verify.cli import main


@dataclass(frozen=True)
class Done:
    """What a run left: its exit code and both streams."""

    returncode: int
    stdout: str
    stderr: str


def headforms(*arguments: object) -> Done:
    """``headforms ARGUMENTS…``, by way of :func:`verify.cli.main`."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with (
        mock.patch.object(sys, "argv", ["headforms", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return Done(code if isinstance(code, int) else 0 if code is None else 1, out.getvalue(), err.getvalue())
