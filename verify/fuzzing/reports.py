"""What the fuzzer found, as plain data for JSON."""

from __future__ import annotations

import math
from importlib.metadata import version
from typing import Any

import torch

from proofs.statements.registry import describe
from verify.fuzzing.calling import Caller, Failure
from verify.fuzzing.functions import FunctionReport
from verify.fuzzing.judging import WrongBatch, WrongCase
from verify.fuzzing.snippets import batch_snippet, function_snippet, statement_snippet
from verify.fuzzing.statements import StatementReport
from verify.fuzzing.strata import StratumResult
from verify.fuzzing.subjects import kind_of
from verify.heads import HeadBatch


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
    """A function's search: what was asked, counts a stratum, smallest wrong heads in hexadecimal, programs for them."""
    smallest, batch = report.smallest, report.smallest_batch
    return {
        "headforms": version("headforms"),
        "function": spec,
        "question": report.question,
        "tolerance": caller.question.tolerance,
        "convention": caller.convention,
        "several": caller.several,
        "stored": caller.stored,
        "n": report.n,
        "N": report.N,
        "dtypes": [_dtype(dtype) for dtype in report.dtypes],
        "examples": report.examples,
        "seed": report.seed,
        "seconds": round(report.seconds, 3),
        "interrupted": report.interrupted,
        "tried": report.tried,
        "wrong": report.wrong,
        "only_in_batches": report.only_in_batches,
        "found": report.found,
        "strata": [_stratum(spec, caller, stratum) for stratum in report.strata],
        "snippet": None if smallest is None else function_snippet(spec, caller, smallest),
        "batch_snippet": None if batch is None else batch_snippet(spec, caller, batch),
    }


def _stratum(spec: str, caller: Caller, stratum: StratumResult) -> dict[str, Any]:
    smallest, batch = stratum.smallest, stratum.smallest_batch
    return {
        "stratum": stratum.name,
        "tried": stratum.tried,
        "wrong": stratum.wrong,
        "raised": stratum.raised,
        "only_in_batches": stratum.only_in_batches,
        "smallest": None if smallest is None else _case(spec, caller, smallest),
        "smallest_batch": None if batch is None else _batch(spec, caller, batch),
    }


def _case(spec: str, caller: Caller, case: WrongCase) -> dict[str, Any]:
    batch = case.batch
    return {
        **_size(batch),
        "Q": _hexadecimal(batch.Q)[0],
        "K": _hexadecimal(batch.K)[0],
        "truth": _plain(case.truth),
        "answer": _plain(case.answer),
        "snippet": function_snippet(spec, caller, case),
    }


def _batch(spec: str, caller: Caller, case: WrongBatch) -> dict[str, Any]:
    """As a case, but Q, K, truth and answer have one item a head; ``alone`` is what it says for each by itself."""
    batch = case.batch
    return {
        "heads": batch.heads,
        **_size(batch),
        "Q": _hexadecimal(batch.Q),
        "K": _hexadecimal(batch.K),
        "truth": _plain(case.truths),
        "answer": _plain(case.answers),
        "alone": _plain(case.alone),
        "wrong_heads": list(case.wrong),
        "snippet": batch_snippet(spec, caller, case),
    }


def _size(batch: HeadBatch) -> dict[str, Any]:
    return {"n": batch.n, "N": batch.N, "dtype": _dtype(batch.Q.dtype)}


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _hexadecimal(X: torch.Tensor) -> list[list[list[str]]]:
    return [[[x.hex() for x in row] for row in matrix] for matrix in X.double().tolist()]


def _plain(answer: Any) -> Any:
    """An answer as JSON can say it: why there is none, and numbers that are not finite, become text."""
    if isinstance(answer, tuple):
        return [_plain(x) for x in answer]
    if isinstance(answer, Failure) or (isinstance(answer, float) and not math.isfinite(answer)):
        return str(answer)
    return answer
