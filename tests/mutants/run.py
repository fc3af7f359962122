"""Apply every mutant to a copy of the project and run its tests: ``python -m tests.mutants.run [AREA…]``.

Prints a line a mutant, then the share of the killed ones in each area; ends with 1 if fewer than nine in ten of all
are killed, or if one with a reason to survive does not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.table import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
PARTS = ("proofs", "verify", "tests", "pyproject.toml", "README.md", "CHANGELOG.md", "Makefile")
#: Seconds after which a mutant that never ends counts as killed.
PATIENCE = 900
WANTED = 0.9


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: the test that failed first, or none, and the seconds it took."""

    mutant: Mutant
    killer: str | None
    seconds: float


def run(mutants: list[Mutant], copy: Path) -> Iterator[Outcome]:
    """Apply one mutant after another to a copy of the project."""
    for mutant in mutants:
        file = copy / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(mutant.old, mutant.new, 1), encoding="utf-8")
        started = time.perf_counter()
        killer = _killer(copy, mutant.tests)
        file.write_text(text, encoding="utf-8")
        yield Outcome(mutant, killer, time.perf_counter() - started)


def _killer(copy: Path, tests: tuple[str, ...]) -> str | None:
    environment = {**os.environ, "PYTHONPATH": str(copy), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return f"no end after {PATIENCE} s"
    if done.returncode == 0:
        return None
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].split("/")[-1] if failed else f"pytest ended with {done.returncode}"


def copied(into: Path) -> Path:
    """The parts of the project that tests need."""
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=shutil.ignore_patterns("__pycache__", "*.vo*", "*.glob"))
        else:
            shutil.copy(source, into / name)
    return into


def report(outcomes: list[Outcome]) -> int:
    """Print the shares, and say whether they are what they should be."""
    total, killed = Counter(o.mutant.area for o in outcomes), Counter(o.mutant.area for o in outcomes if o.killer)
    for area in total:
        print(f"{area:14} {killed[area]} of {total[area]} killed")
    print(f"{'all':14} {killed.total()} of {total.total()} killed, {killed.total() / total.total():.0%}")
    surprising = [o for o in outcomes if (o.killer is None) != bool(o.mutant.survives)]
    for outcome in surprising:
        what = "is killed, against its reason to survive" if outcome.killer else "survives without a reason"
        print(f"{outcome.mutant} {what}")
    enough = killed.total() >= WANTED * total.total()
    return int(not enough or any(o.killer for o in surprising))


def main(areas: list[str]) -> int:
    """Run the mutants of some areas, by default of all."""
    chosen = [m for m in MUTANTS if not areas or m.area in areas]
    with tempfile.TemporaryDirectory() as folder:
        outcomes = []
        for outcome in run(chosen, copied(Path(folder))):
            told = outcome.killer or f"SURVIVES {outcome.mutant.survives}"
            print(f"{outcome.mutant.area:14} {outcome.seconds:4.0f} s  {outcome.mutant}\n{'':23}{told}", flush=True)
            outcomes.append(outcome)
    return report(outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
