"""The command line. Nothing outside this package prints.

One module per command, each exposing ``command``; they are imported only when called, so that ``headforms --help``
and completion stay fast. Results go to stdout, progress and logs to stderr.
"""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import version

import click

from proofs.errors import HeadformsError, InconsistencyError

#: Exit codes: 0 every head checked is proved, 1 something refuted, then these.
USAGE, NOTHING_TO_CHECK, NO_VERDICT, INCONSISTENT = 2, 3, 4, 70

#: Command name → (module, one line for the overview).
COMMANDS = {
    "audit": ("verify.cli.audit", "Prove or refute the theorem for every head of a checkpoint."),
    "check": ("verify.cli.check", "Re-check every proof of a run against the weights."),
    "witt": ("verify.cli.witt", "The Witt decomposition of any symmetric form, with its witness."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("headforms"), prog_name="headforms")
def group() -> None:
    """Is the symmetric part of an attention head's bilinear form hyperbolic plus zero? Proofs, not tolerances."""


def main() -> None:
    """Entry point: one line per error, and the exit codes of the documentation."""
    try:
        sys.exit(group(standalone_mode=False) or 0)
    except click.exceptions.Abort:
        click.echo("headforms: interrupted", err=True)
        sys.exit(130)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        error.show()
        sys.exit(USAGE)
    except InconsistencyError as error:
        click.echo(f"headforms: internal inconsistency: {error}", err=True)
        click.echo("This is a defect of headforms, not of the input: please report it.", err=True)
        sys.exit(INCONSISTENT)
    except (HeadformsError, click.ClickException) as error:
        click.echo(f"headforms: {error}", err=True)
        sys.exit(USAGE)
