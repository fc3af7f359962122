"""Snippets are programs: they run, and what they assert or print is what the fuzzer found."""

import subprocess
import sys
from fractions import Fraction

import pytest
import torch
from flint import fmpq

import verify
from proofs.errors import HeadformsError
from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.statements import all_statements
from proofs.statements.lemma_1 import polynomial
from tests.verify.fuzzing import wrong
from tests.verify.fuzzing.searches import searched
from verify.fuzzing import QUESTIONS, Caller, fuzz_function, fuzz_statement
from verify.fuzzing.judging import WrongCase
from verify.fuzzing.snippets import Code, batch_snippet, function_snippet, statement_snippet
from verify.heads import HeadBatch


@pytest.mark.parametrize(
    "value",
    [
        Head.of([["1/2", -3]], [[0, 1]]),
        Head.of([], [], N=2),
        Head.of([[1]], [[6]], field=GF(7)),
        Head.of([[1]], [[5]], field=GF(2**89 - 1)),
        QQ.matrix([["-1/3"]]),
        QQ.zeros(0, 2),
        (fmpq(1, 2), Fraction(3, 4), 5, None, True, "text"),
        (1,),
        [QQ, GF(3)],
        {-1: QQ.matrix([[2]]), 0: QQ.zeros(1, 1)},
        polynomial(1, 2, {(1, 0, 1): -3, (2, 0, 0): 1}),
    ],
    ids=str,
)
def test_values_survive_their_source(value):
    code = Code()
    expression = code.of(value)
    names: dict[str, object] = {}
    exec("\n".join(sorted(code.imports)), names)
    assert eval(expression, names) == value


def test_what_cannot_be_written_down():
    with pytest.raises(HeadformsError, match="cannot be written as Python source"):
        Code().of(object())


@pytest.mark.parametrize(
    ("claim", "drop"),
    [(s, h.name) for s in all_statements() for h in s.hypotheses],
    ids=lambda x: getattr(x, "id", x),
)
def test_statement_snippets_run(claim, drop):
    snippet = statement_snippet(claim, searched(claim.id, drop, 0).counterexample, drop)
    assert "counterexample()" not in snippet
    exec(snippet, {})


def test_a_snippet_in_a_fresh_process():
    claim = next(s for s in all_statements() if s.id == "theorem-3")
    snippet = statement_snippet(claim, fuzz_statement(claim, drop="fits").counterexample, "fits")
    assert subprocess.run([sys.executable, "-c", snippet], check=False).returncode == 0
    broken = snippet.replace("[[1]]", "[[0]]")  # of rank 0: not admitted
    assert broken != snippet
    assert subprocess.run([sys.executable, "-c", broken], check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize(
    ("function", "question", "stratum"),
    [
        (wrong.absolute_tolerance, "signature", "near_degenerate"),
        (wrong.float32_gram_rank, "rank-stacked", "near_tied"),
        (wrong.batched_torch, "signature", "near_degenerate"),
        (wrong.profile_without_sorting, "profile", "corank_2"),
        (wrong.talkative, "rank", "tied"),
        (wrong.signature, "signature", "near_degenerate"),
    ],
)
@pytest.mark.parametrize("stored", [False, True])
def test_function_snippets_print_both_answers(function, question, stratum, stored, capsys):
    caller = Caller.probe(function, QUESTIONS[question], stored=stored)
    report = fuzz_function(caller, strata=[stratum], dtypes=[torch.float32, torch.bfloat16], examples=60)
    spec = f"{function.__module__}:{function.__name__}"
    exec(function_snippet(spec, caller, report.smallest), {})
    printed = capsys.readouterr().out.splitlines()
    said, exact = printed[-2].removeprefix("function:").strip(), printed[-1].removeprefix("exact:").strip()
    assert said != exact
    if question != "profile":
        assert str(report.smallest.truth) == exact
        assert str(report.smallest.answer) in said


def test_a_head_batch_and_a_head_without_rows(capsys):
    caller = Caller.probe(verify.inertia, QUESTIONS["signature"])
    batch = HeadBatch(torch.zeros(1, 0, 3), torch.zeros(1, 0, 3))
    exec(function_snippet("verify:inertia", caller, WrongCase(batch, (1, 1, 1), (0, 0, 3))), {})
    assert "exact:    (0, 0, 3)" in capsys.readouterr().out


@pytest.mark.parametrize("function", [wrong.first_of_the_batch, wrong.last_of_the_batch], ids=lambda f: f.__name__)
@pytest.mark.parametrize("stored", [False, True])
def test_batch_snippets_print_all_answers(function, stored, capsys):
    caller = Caller.probe(function, QUESTIONS["signature"], stored=stored)
    report = fuzz_function(caller, strata=["integers"], dtypes=[torch.bfloat16], examples=60)
    exec(batch_snippet(f"{function.__module__}:{function.__name__}", caller, report.smallest_batch), {})
    exact, alone, together = (line.partition(":")[2].strip() for line in capsys.readouterr().out.splitlines())
    assert exact == alone == str(list(report.smallest_batch.truths))
    assert together == str(list(report.smallest_batch.answers)) != exact
