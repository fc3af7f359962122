"""``headforms fuzz --against`` functions that behave badly: a clear result for each, and never a traceback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from importlib.metadata import version

import pytest

from tests.verify.cli.running import headforms

HERE = "tests.verify.fuzzing.odd"
TIED = ("--rank-stacked", "--stratum", "tied", "--n", 3, "--N", 6, "--examples", 20)


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        ("leaves", "raised SystemExit: 0"),
        ("raises_what_is_no_exception", "raised BaseException: line one line two"),
        ("nan", "no answer: nan is not an integer"),
        ("none", "None"),
        ("array", "no answer: array([[1., 1.], [1., 1.]]) is not an integer"),
        ("complex_number", "no answer: (2+1j) is not an integer"),
    ],
)
def test_what_is_no_answer_is_wrong(function, answer):
    done = headforms("fuzz", "--against", f"{HERE}:{function}", *TIED)
    assert (done.returncode, done.stderr) == (1, "")
    assert answer in done.stdout
    assert "rank-stacked wrong for 20 of 20 heads" in done.stdout


@pytest.mark.parametrize(
    "function", ["warns", "destroys", "an_object", "an_object.method", "a_partial", "a_lambda", "prints"]
)
def test_what_is_odd_and_right(function):
    done = headforms("fuzz", "--against", f"{HERE}:{function}", *TIED)
    assert done.returncode == 0
    assert "rank-stacked wrong for 0 of 20 heads" in done.stdout
    assert "to stdout" not in done.stdout


@pytest.mark.parametrize("function", ["Rank", "Rank.method", "rank.nothing", "warnings"])
def test_what_cannot_be_called(function):
    done = headforms("fuzz", "--against", f"{HERE}:{function}", *TIED)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_what_is_wrong_only_in_a_batch():
    done = headforms("fuzz", "--against", f"{HERE}:first_of_the_batch", "--stratum", "integers")
    assert done.returncode == 1
    assert "only in batches" in done.stdout
    assert "2 heads 1 × 1 float64" in done.stdout
    assert "it is right alone, and not in a batch; the smallest such batch:" in done.stdout
    snippet = done.stdout.partition("such batch:")[2]
    exec("\n".join(line[4:] for line in snippet.splitlines()), {})


def test_a_function_of_one_head_in_a_batch_is_said_to_be_asked_so():
    done = headforms("fuzz", "--against", f"{HERE}:one_at_a_time", "--stratum", "tied", "--examples", 20)
    assert done.returncode == 0
    assert done.stdout.endswith("it does not give one answer for each head of a batch\n")


def test_counts_and_time_are_quoted():
    done = headforms("fuzz", "--against", f"{HERE}:rank", *TIED, "--seed", 7)
    assert done.stdout.splitlines()[1].split() == ["tied", "20", "0", "0"]
    assert "(seed 7; " in done.stdout
    assert done.stdout.endswith(" heads a second)\n")
    record = json.loads(headforms("fuzz", "--against", f"{HERE}:rank", *TIED, "--format", "json").stdout)
    assert (record["headforms"], record["examples"], record["n"], record["N"]) == (version("headforms"), 20, 3, 6)
    assert record["seconds"] > 0


def _interrupted(function, *arguments, after):
    """What a run says when it gets an interrupt so many seconds after its progress begins, or from the function."""
    command = [sys.executable, "-m", "verify", "fuzz", "--against", f"{HERE}:{function}", "--rank-stacked", *arguments]
    with subprocess.Popen(
        [*command, "--stratum", "zero_side", "--stratum", "tied"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts something in the background has it ignore the signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as run:
        if after:
            assert run.stderr.readline() == "hangs\n"
            time.sleep(after)
            run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 130
    assert err == "headforms: interrupted\n"
    return out


def test_an_interrupt_of_a_function_that_hangs():
    out = _interrupted("hangs", "--examples", "30", after=0.5)
    assert out.splitlines()[1].startswith("zero_side ")
    assert "rank-stacked wrong for 0 of " in out


def test_an_interrupt_shows_what_was_found(tmp_path):
    """And spoils neither the JSON nor the folder of examples."""
    arguments = ("--database", str(tmp_path), "--examples", "60")
    record = json.loads(_interrupted("interrupted", *arguments, "--format", "json", after=None))
    assert record["interrupted"]
    assert record["found"]
    assert record["strata"][0]["smallest"]["answer"] == 1
    done = headforms("fuzz", "--against", f"{HERE}:nearly", "--rank-stacked", "--stratum", "tied", *arguments)
    assert done.returncode == 1
