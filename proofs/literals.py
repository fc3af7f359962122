"""Exact things written as Python, so that a failing example can be pasted into a test."""

from __future__ import annotations

from typing import Any, Protocol


class Printer(Protocol):
    """The pretty printer of IPython, and Hypothesis's, as far as it is used here."""

    def text(self, text: str) -> object:
        """Write some text."""


class Literal:
    """Something whose ``repr`` is Python that makes it again; pretty printers take it for what it is, a repr."""

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(repr(self))


def literal(matrix: Any) -> list[list[int | str]]:
    """The rows of a matrix as :meth:`Field.matrix` takes them: integers, and strings where a fraction is needed.

    >>> from proofs.fields import QQ
    >>> literal(QQ.matrix([["1/2", 3]]))
    [['1/2', 3]]
    """
    return [[int(x) if getattr(x, "denominator", 1) == 1 else str(x) for x in row] for row in matrix.tolist()]
