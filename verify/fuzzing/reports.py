"""What the fuzzer found, as plain data for JSON."""

from __future__ import annotations

import math
from typing import Any

from proofs.statements.registry import describe
from verify.fuzzing.calling import Caller, Raised
from verify.fuzzing.functions import FunctionReport, WrongCase
from verify.fuzzing.questions import Answer
from verify.fuzzing.snippets import function_snippet, statement_snippet
from verify.fuzzing.statements import StatementReport
from verify.fuzzing.subjects import kind_of


def statement_record(report: StatementReport) -> dict[str, Any]:
    """A statement's search: counts, the counterexample in words, and a program that reproduces it."""
    statement = report.statement
    found = report.counterexample is not None
    return {
        "statement": statement.id,
        "title": statement.title,
        "subjects": kind_of(statement).words,
        "drop": report.drop,
        "field": None if report.field is None else str(report.field),
        "seed": report.seed,
        "drawn": report.drawn,
        "admitted": report.admitted,
        "found": found,
        "counterexample": describe(report.counterexample) if found else None,
        "snippet": statement_snippet(statement, report.counterexample, report.drop) if found else None,
    }


def function_record(spec: str, caller: Caller, report: FunctionReport) -> dict[str, Any]:
    """A function's search: counts a stratum, smallest wrong heads in hexadecimal, programs that reproduce them."""
    smallest = report.smallest
    return {
        "function": spec,
        "question": report.question,
        "convention": caller.convention,
        "seed": report.seed,
        "tried": sum(stratum.tried for stratum in report.strata),
        "wrong": sum(stratum.wrong for stratum in report.strata),
        "found": report.found,
        "strata": [
            {
                "stratum": stratum.name,
                "tried": stratum.tried,
                "wrong": stratum.wrong,
                "raised": stratum.raised,
                "smallest": None if stratum.smallest is None else _case(spec, caller, stratum.smallest),
            }
            for stratum in report.strata
        ],
        "snippet": None if smallest is None else function_snippet(spec, caller, smallest),
    }


def _case(spec: str, caller: Caller, case: WrongCase) -> dict[str, Any]:
    batch = case.batch
    return {
        "n": batch.n,
        "N": batch.N,
        "dtype": str(batch.Q.dtype).removeprefix("torch."),
        "Q": [[x.hex() for x in row] for row in batch.Q[0].double().tolist()],
        "K": [[x.hex() for x in row] for row in batch.K[0].double().tolist()],
        "truth": _plain(case.truth),
        "answer": _plain(case.answer),
        "snippet": function_snippet(spec, caller, case),
    }


def _plain(answer: Answer | Raised | float) -> Any:
    """An answer as JSON can say it: exceptions, and numbers that are not finite, become text."""
    if isinstance(answer, tuple):
        return [_plain(x) for x in answer]
    if isinstance(answer, Raised) or (isinstance(answer, float) and not math.isfinite(answer)):
        return str(answer)
    return answer
