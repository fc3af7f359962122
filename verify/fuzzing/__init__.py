"""The fuzzer: smallest heads on which a function is wrong, smallest counterexamples where a hypothesis is dropped.

:func:`fuzz_function` runs anybody's code over the strata of stored heads and compares it with exact answers;
:func:`fuzz_statement` searches for a counterexample to a registered statement. Both are reproducible by their seed
and shrink what they find. They need the extra ``strategies``.
"""

from verify.fuzzing.calling import Caller
from verify.fuzzing.functions import FunctionReport, Interrupted, fuzz_function
from verify.fuzzing.judging import WrongBatch, WrongCase
from verify.fuzzing.loading import load
from verify.fuzzing.questions import QUESTIONS, Question
from verify.fuzzing.statements import StatementReport, fuzz_statement
from verify.fuzzing.strata import StratumResult

__all__ = [
    "QUESTIONS",
    "Caller",
    "FunctionReport",
    "Interrupted",
    "Question",
    "StatementReport",
    "StratumResult",
    "WrongBatch",
    "WrongCase",
    "fuzz_function",
    "fuzz_statement",
    "load",
]
