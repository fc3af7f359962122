"""Runs the command line in processes of its own, each with a bound on its memory and its time.

One process imports headforms and then forks for every run, so that a run costs what the command costs and no import of
torch, and what it allocates is its own.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Contained:
    """What a run left.

    Args:
        code: its exit status; the negative number of the signal that ended it, if one did.
        stdout: results.
        stderr: messages.
        seconds: by the clock.
        grown: bytes of resident memory at its peak, over what it began with.
    """

    code: int
    stdout: str
    stderr: str
    seconds: float
    grown: int


class Warden:
    """Hands command lines to the process that forks, while the block lasts."""

    def __enter__(self) -> Warden:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.verify.contained"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self, *arguments: object, memory: int = 1 << 30, seconds: int = 20) -> Contained:
        """``headforms ARGUMENTS…`` with so many bytes to allocate and so much time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        json.dump([[str(a) for a in arguments], memory, seconds], self._process.stdin)
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return Contained(**json.loads(self._process.stdout.readline()))


def _serve() -> None:
    import verify.auditing
    import verify.checkpoints.hub
    import verify.cli.audit
    import verify.cli.inspect  # noqa: F401

    for line in sys.stdin:
        arguments, memory, seconds = json.loads(line)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            begin, (reading, writing) = time.monotonic(), os.pipe()
            child = os.fork()
            if child == 0:
                Path("/proc/self/clear_refs").write_text("5")  # the peak of the parent is not its own
                os.write(writing, str(_status("VmRSS")).encode())
                _confined(arguments, memory, seconds, out.fileno(), err.fileno())
            before = int(os.read(reading, 20))
            os.close(reading)
            os.close(writing)
            _, status, usage = os.wait4(child, 0)
            found = {
                "code": os.waitstatus_to_exitcode(status),
                "stdout": _content(out.fileno()),
                "stderr": _content(err.fileno()),
                "seconds": time.monotonic() - begin,
                "grown": usage.ru_maxrss * 1024 - before,
            }
        print(json.dumps(found), flush=True)


def _confined(arguments: list[str], memory: int, seconds: int, out: int, err: int) -> None:
    """The run itself; it never returns."""
    from verify.cli import main

    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        resource.setrlimit(resource.RLIMIT_AS, (_status("VmSize") + memory,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 2))
        signal.alarm(seconds)
        sys.argv = ["headforms", *arguments]
        main()
    except SystemExit as stop:
        sys.stdout.flush()
        os._exit(int(stop.code or 0))
    finally:
        os._exit(99)


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def _content(descriptor: int) -> str:
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, min(size, 1 << 20), 0).decode(errors="replace")


if __name__ == "__main__":
    _serve()
