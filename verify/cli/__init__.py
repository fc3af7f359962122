"""The command line. Nothing outside this package prints.

One module per command, each exposing ``command``; they are imported only when called, so that ``headforms --help``
and completion stay fast. Results go to stdout, progress and logs to stderr.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.metadata import version

import click

from proofs.errors import HeadformsError, InconsistencyError
from verify.quoting import one_line

#: Exit codes: 0 every head checked is proved, 1 something refuted, then these; the last two as shells have them.
USAGE, NOTHING_TO_CHECK, NO_VERDICT, DEFECT, INTERRUPTED, CLOSED_PIPE = 2, 3, 4, 70, 130, 141

#: Command name → (module, one line for the overview).
COMMANDS = {
    "audit": ("verify.cli.audit", "Prove or refute the theorem for every head of a checkpoint."),
    "inspect": ("verify.cli.inspect", "Show which tensors would be used for which head, without reading them."),
    "layouts": ("verify.cli.layouts", "List the registered model types."),
    "check": ("verify.cli.check", "Re-check every proof of a run against the weights."),
    "prove": ("verify.cli.prove", "The theorem symbolically: on the generic head, and for all sizes at once."),
    "witt": ("verify.cli.witt", "The Witt decomposition of any symmetric form, with its witness."),
    "theorems": ("verify.cli.theorems", "List the statements of the paper and how each is checked; run the checks."),
    "families": ("verify.cli.families", "Decide for which parametrisations of attention the theorem holds."),
    "fuzz": ("verify.cli.fuzz", "Search for a smallest counterexample to a statement or to a function."),
    "sample": ("verify.cli.sample", "Measure a random ensemble of heads and compare with the theory."),
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
    """Entry point: one line per error, and the exit codes of the documentation.

    Click's own ``main`` is not used: it ends with 1 on a closed pipe and Python does on an uncaught exception, and 1
    says that a head was refuted.
    """
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone; what it has read is right. Nothing may be flushed to it at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = CLOSED_PIPE
    except KeyboardInterrupt:
        code = _fail("interrupted", INTERRUPTED)
    except click.UsageError as error:
        usage = f" (see '{error.ctx.command_path} --help')" if error.ctx else ""
        code = _fail(f"{error.format_message()}{usage}", USAGE)
    except InconsistencyError as error:
        code = _fail(
            f"internal inconsistency: {error}; a defect of headforms, not of the input: please report it", DEFECT
        )
    except (HeadformsError, click.ClickException) as error:
        code = _fail(str(error), USAGE)
    except OSError as error:
        code = _fail(f"{error.filename or 'output'}: {error.strerror or error}", USAGE)
    except MemoryError:
        code = _fail("out of memory", USAGE)
    except Exception as error:
        if "can't allocate memory" in str(error):  # how torch says it
            sys.exit(_fail("out of memory", USAGE))
        if os.environ.get("HEADFORMS_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}"
        code = _fail(
            f"unexpected {what}; a defect of headforms: set HEADFORMS_TRACEBACK=1 and report what it shows", DEFECT
        )
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    try:
        with group.make_context("headforms", arguments) as context:
            group.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    return 0


def _fail(message: str, code: int) -> int:
    click.echo(f"headforms: {one_line(' '.join(message.split()))}", err=True)
    return code
