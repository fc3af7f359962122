import json
from importlib.metadata import version

import torch

from proofs.statements import statement
from tests.verify.fuzzing import wrong
from verify.fuzzing import QUESTIONS, Caller, fuzz_function, fuzz_statement
from verify.fuzzing.functions import FunctionReport
from verify.fuzzing.judging import WrongCase
from verify.fuzzing.questions import profile_question
from verify.fuzzing.reports import function_record, statement_record
from verify.fuzzing.strata import StratumResult
from verify.heads import HeadBatch


def test_a_function():
    caller = Caller.probe(wrong.absolute_tolerance, QUESTIONS["signature"])
    report = fuzz_function(caller, strata=["near_degenerate", "zero"], dtypes=[torch.float64], examples=60)
    record = function_record("a:b", caller, report)
    assert json.loads(json.dumps(record)) == record
    near, zero = record["strata"]
    assert record["found"]
    assert record["wrong"] == near["wrong"] > 0
    counts = {"wrong": 0, "raised": 0, "only_in_batches": 0, "smallest": None, "smallest_batch": None}
    assert zero == {"stratum": "zero", "tried": zero["tried"], **counts}
    asked = {"question": "signature", "tolerance": None, "convention": "numpy", "several": False, "stored": False}
    asked |= {"examples": 60, "n": None, "N": None, "dtypes": ["float64"], "seed": 0, "interrupted": False}
    assert {key: record[key] for key in asked} == asked
    assert record["headforms"] == version("headforms")
    assert record["seconds"] > 0
    assert record["tried"] == near["tried"] + zero["tried"]
    case = near["smallest"]
    stored = [[float.fromhex(x) for x in row] for row in case["Q"]]
    assert torch.equal(torch.tensor(stored, dtype=torch.float64), report.strata[0].smallest.batch.Q[0])
    assert (case["truth"], case["answer"]) == ([1, 1, 0], [0, 0, 2])
    assert case["snippet"] == record["snippet"]


def test_a_batch():
    caller = Caller.probe(wrong.first_of_the_batch, QUESTIONS["signature"])
    report = fuzz_function(caller, strata=["integers"], dtypes=[torch.float32], n=1, N=2, seconds=1.0)
    record = function_record("a:b", caller, report)
    assert json.loads(json.dumps(record)) == record
    assert (record["examples"], record["n"], record["N"], record["snippet"]) == (None, 1, 2, None)
    assert record["only_in_batches"] == record["strata"][0]["only_in_batches"] == record["wrong"] > 0
    case, batch = record["strata"][0]["smallest_batch"], report.smallest_batch
    assert (case["heads"], case["n"], case["N"], case["dtype"]) == (2, 1, 2, "float32")
    for letter, X in (("Q", batch.batch.Q), ("K", batch.batch.K)):
        assert [[[float.fromhex(x) for x in row] for row in matrix] for matrix in case[letter]] == X.tolist()
    assert case["alone"] == case["truth"] == [list(truth) for truth in batch.truths]
    assert case["answer"] == [case["truth"][0]] * 2 != case["truth"]
    assert case["wrong_heads"] == [1]
    assert case["snippet"] == record["batch_snippet"]


def test_the_tolerance_of_a_profile():
    caller = Caller(wrong.profile_without_sorting, profile_question(0.5), "numpy")
    assert function_record("a:b", caller, FunctionReport("profile", 0, (), 0.1))["tolerance"] == 0.5


def test_numbers_that_json_cannot_say():
    caller = Caller(wrong.profile_without_sorting, QUESTIONS["profile"], "numpy")
    batch = HeadBatch(torch.ones(1, 1, 2), torch.ones(1, 1, 2))
    case = WrongCase(batch, (float("nan"), 0.5, float("inf"), 0.0), (0.0, 0.0, 1.0, 0.0))
    record = function_record(
        "a:b", caller, FunctionReport("profile", 0, (StratumResult("tied", 1, 1, smallest=case),), 0.1)
    )
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
