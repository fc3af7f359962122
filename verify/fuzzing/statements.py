"""Searching for a counterexample to a registered statement, with all its hypotheses or without one of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from proofs.fields import Field
from proofs.statements import Statement
from verify.errors import HypothesisError
from verify.fuzzing.searching import check_database, remembered_in, search
from verify.fuzzing.subjects import Size, kind_of, subjects

#: Subjects drawn where the caller does not say how many.
EXAMPLES = 1000

#: Subjects drawn of each size below that of a counterexample, to find a smaller one.
SMALLER = 100

#: What people call the one assumption that no statement can be without.
_CHARACTERISTIC = ("characteristic", "char", "characteristic-not-2", "characteristic-2", "char-2", "odd-characteristic")


@dataclass(frozen=True)
class StatementReport:
    """What :func:`fuzz_statement` found.

    Attributes:
        statement: the statement.
        drop: the hypothesis left out, if any.
        field: the ground field asked for, if any.
        seed: the seed that reproduces it.
        drawn: subjects looked at.
        admitted: those among them that satisfy the hypotheses asked for.
        counterexample: the smallest admitted subject for which the claim is false; None if none was found.
        seconds: time taken.
    """

    statement: Statement[Any]
    drop: str | None
    field: Field | None
    seed: int
    drawn: int
    admitted: int
    counterexample: Any | None
    seconds: float

    @property
    def found(self) -> bool:
        """Whether there is a counterexample."""
        return self.counterexample is not None


def fuzz_statement(
    statement: Statement[Any],
    *,
    drop: str | None = None,
    size: Size | None = None,
    examples: int = EXAMPLES,
    seed: int = 0,
    database: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> StatementReport:
    """Search for the smallest counterexample to a statement.

    Args:
        statement: from :func:`proofs.statements.statement`.
        drop: name of a hypothesis to leave out; the search then looks among subjects that satisfy all others.
        size: ground field and sizes; by default small ones over ℚ, and over the fields in which hypotheses about the
            field fail.
        examples: subjects to draw.
        seed: reproduces the run.
        database: folder in which counterexamples are remembered; tried first the next time.
        progress: called with the subjects drawn and admitted so far, after every subject.

    Raises:
        HypothesisError: ``drop`` asks for characteristic 2.
        FieldError: the subjects do not exist over the field.
        ShapeError: the subjects have no such size.
        HeadformsError: ``drop`` is no hypothesis of the statement; the database cannot be written.

    >>> from proofs.statements import statement
    >>> fuzz_statement(statement("theorem-3"), drop="fits").counterexample.M
    [1]
    [1]
    """
    if drop is not None and drop.lower() in _CHARACTERISTIC:
        raise HypothesisError(
            "characteristic ≠ 2 cannot be dropped: S = (L + Lᵀ)/2 needs ½, and without it a symmetric bilinear form "
            "and its quadratic form no longer determine each other, so the claim has no meaning"
        )
    if drop is not None:
        statement.hypothesis(drop)
    check_database(database)
    counts = {"drawn": 0, "admitted": 0}

    def is_counterexample(subject: Any) -> bool:
        admitted = statement.admits(subject, drop=drop)
        counts["drawn"] += 1
        counts["admitted"] += admitted
        if progress:
            progress(counts["drawn"], counts["admitted"])
        return admitted and not statement.holds(subject)

    def look(size: Size, number: int) -> Any | None:
        return search(
            subjects(statement, size),
            is_counterexample,
            examples=number,
            random=random,
            memory=remembered_in(database, statement.id, drop, size.field, size.n, size.N),
        )

    started, random = time.perf_counter(), Random(seed)
    asked = size or Size()
    counterexample = look(asked, examples)
    if counterexample is not None:
        # A subject that shrinks keeps its size where its matrices would not stay what they are: smaller sizes get a
        # search of their own.
        for size_below in kind_of(statement).below(counterexample, asked):
            smaller = look(size_below, SMALLER)
            if smaller is not None:
                counterexample = smaller
                break
    return StatementReport(
        statement,
        drop,
        asked.field,
        seed,
        counts["drawn"],
        counts["admitted"],
        counterexample,
        time.perf_counter() - started,
    )
