"""Reproducible searches: a seed for what is drawn, a folder for what is remembered, and ever smaller sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import TypeVar
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import Flaky, Unsatisfiable
from hypothesis.strategies import SearchStrategy

from verify.errors import HeadformsError

X = TypeVar("X")


class _Found(Exception):  # noqa: N818 — no error
    """Raised inside a search to make Hypothesis shrink and remember what it is looking at."""


def search(
    strategy: SearchStrategy[X],
    condition: Callable[[X], bool],
    *,
    examples: int,
    random: Random,
    memory: Path | None = None,
    draws: bool = True,
    shrinks: bool = True,
) -> X | None:
    """The smallest value found that meets a condition, or None.

    ``hypothesis.find`` forgets its database as soon as it is given a seed; this search keeps both.

    Args:
        strategy: of the values.
        condition: what is looked for; a condition that changes its mind about a value finds nothing.
        examples: values to draw.
        random: what they are drawn with.
        memory: a folder of this search alone, see :func:`remembered_in`; tried first and added to.
        draws: False to look among the remembered values only.
        shrinks: False to take the first value found as it is.

    >>> from hypothesis import strategies as st
    >>> search(st.integers(), lambda x: x * x > 50, examples=100, random=Random(0))
    8
    """
    last: list[X] = []

    def look(value: X) -> None:
        if condition(value):
            last[:] = [value]
            raise _Found

    # In this order: a seed drops the database of the settings below it.
    run = settings(
        max_examples=examples,
        phases=[Phase.reuse, *([Phase.generate] if draws else []), *([Phase.shrink] if shrinks else [])],
        database=None if memory is None else DirectoryBasedExampleDatabase(memory),
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )(seed(random.getrandbits(64))(given(strategy)(look)))
    try:
        run()
    except _Found:
        return last[0]
    except Flaky:
        return None
    except (SkipTest, Unsatisfiable):
        # How Hypothesis says that nothing, or nothing that the strategy still understands, is remembered.
        if draws:
            raise
    return None


def remembered_in(database: Path | None, *search: object) -> Path | None:
    """The folder within a database for the search that the further arguments describe."""
    if database is None:
        return None
    return database / sha256(" ".join(map(str, search)).encode()).hexdigest()[:16]


def check_database(database: Path | None) -> None:
    """Refuse a database that cannot be written, once before the searches.

    Raises:
        HeadformsError: Hypothesis would remember nothing in it, without a word.
    """
    if database is None:
        return
    try:
        database.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=database):
            pass
    except OSError as error:
        raise HeadformsError(
            f"examples cannot be remembered in {database}: {error.strerror}; choose another"
        ) from error


def sizes_below(n: int, N: int, *, rows: int | None = None, columns: int | None = None) -> Iterator[tuple[int, int]]:
    """Sizes of heads with fewer entries than n × N, fewest first, n and N fixed where ``rows`` or ``columns`` says so.

    >>> list(sizes_below(1, 3))
    [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2)]
    """
    sizes = sorted(((a, b) for a in range(n + 1) for b in range(1, N + 1)), key=lambda size: (size[0] * size[1], size))
    for a, b in sizes:
        if a * b < n * N and rows in (None, a) and columns in (None, b):
            yield a, b
