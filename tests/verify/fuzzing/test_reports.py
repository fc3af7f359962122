import json

import torch

from proofs.statements import statement
from tests.verify.fuzzing import wrong
from verify.fuzzing import QUESTIONS, Caller, fuzz_function, fuzz_statement
from verify.fuzzing.functions import FunctionReport, StratumResult, WrongCase
from verify.fuzzing.reports import function_record, statement_record
from verify.heads import HeadBatch


def test_a_function():
    caller = Caller.probe(wrong.absolute_tolerance, QUESTIONS["signature"])
    report = fuzz_function(caller, strata=["near_degenerate", "zero"], dtypes=[torch.float64], examples=60)
    record = function_record("a:b", caller, report)
    assert json.loads(json.dumps(record)) == record
    near, zero = record["strata"]
    assert record["found"]
    assert record["wrong"] == near["wrong"] > 0
    assert zero == {"stratum": "zero", "tried": zero["tried"], "wrong": 0, "raised": 0, "smallest": None}
    case = near["smallest"]
    stored = [[float.fromhex(x) for x in row] for row in case["Q"]]
    assert torch.equal(torch.tensor(stored, dtype=torch.float64), report.strata[0].smallest.batch.Q[0])
    assert (case["truth"], case["answer"]) == ([1, 1, 0], [0, 0, 2])
    assert case["snippet"] == record["snippet"]


def test_numbers_that_json_cannot_say():
    caller = Caller(wrong.profile_without_sorting, QUESTIONS["profile"], "numpy")
    batch = HeadBatch(torch.ones(1, 1, 2), torch.ones(1, 1, 2))
    case = WrongCase(batch, (float("nan"), 0.5, float("inf"), 0.0), (0.0, 0.0, 1.0, 0.0))
    record = function_record("a:b", caller, FunctionReport("profile", 0, (StratumResult("tied", 1, 1, 0, case),), 0.1))
    assert record["strata"][0]["smallest"]["answer"] == ["nan", 0.5, "inf", 0.0]
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_a_statement():
    report = fuzz_statement(statement("theorem-3"), drop="fits")
    record = statement_record(report)
    assert json.loads(json.dumps(record)) == record
    assert record["found"]
    assert record["field"] is None
    assert record["subjects"] == "heads"
    assert record["drop"] == "fits"
    assert "Head.of(Q=[[1]], K=[[1]])" in record["snippet"]
    nothing = statement_record(fuzz_statement(statement("theorem-3"), examples=20))
    assert (nothing["found"], nothing["counterexample"], nothing["snippet"]) == (False, None, None)
