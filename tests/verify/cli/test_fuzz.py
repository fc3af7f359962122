"""``headforms fuzz`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.verify.cli.running import headforms
from verify.strategies import STRATA
from verify.strategies.coverage import EXACT, FLOAT

HERE = "tests.verify.fuzzing.wrong"


def test_a_dropped_hypothesis_prints_a_snippet_that_runs():
    done = headforms("fuzz", "theorem-3", "--drop", "full-rank")
    assert done.returncode == 1
    assert done.stderr == ""
    snippet = "\n".join(line[4:] for line in done.stdout.splitlines() if line.startswith("    ") or not line)
    exec(snippet, {})
    assert "subject = Head.of(Q=[[0, 0]], K=[[0, 0]])" in snippet


def test_a_statement_that_stands():
    done = headforms("fuzz", "theorem-3", "--field", "GF(7)", "--n", 2, "--N", 5, "--examples", 50)
    assert done.returncode == 0
    assert done.stdout.endswith("no counterexample\n")


def test_json_of_a_statement():
    done = headforms("fuzz", "theorem-3", "--drop", "fits", "--format", "json", "--seed", 4)
    record = json.loads(done.stdout)
    assert done.returncode == 1
    assert (record["found"], record["seed"]) == (True, 4)
    exec(record["snippet"], {})


def test_what_is_drawn_is_said():
    done = headforms("fuzz", "lemma-1", "--examples", 20)
    assert done.returncode == 0
    assert "of 20 polynomials in two groups of variables drawn satisfy all hypotheses" in done.stdout


def test_sizes_and_fields_are_those_asked_for():
    done = headforms("fuzz", "coordinates", "--drop", "invertible", "--n", 1, "--N", 3, "--field", "GF(7)")
    assert done.returncode == 1
    assert "U=GF(7).matrix([[0, 0, 0], [0, 0, 0], [0, 0, 0]], columns=3)" in done.stdout


def test_a_function_that_is_wrong():
    done = headforms("fuzz", "--against", f"{HERE}:relative_tolerance", "--examples", 30, "--stratum", "near_tied")
    assert done.returncode == 1
    assert "near_tied" in done.stdout
    assert "signature wrong for" in done.stdout
    assert f"{HERE}.relative_tolerance(Q=" in done.stdout


def test_a_function_that_is_right():
    done = headforms("fuzz", "--against", "verify:witt_index", "--witt", "--examples", 5)
    assert done.returncode == 0
    assert "witt wrong for 0 of" in done.stdout
    assert all(name in done.stdout for name in STRATA)


def test_false_proofs_are_found():
    function = "tests.verify.laws.broken:every_head_is_nondegenerate"
    arguments = ["fuzz", "--against", function, "--proof", "--examples", 20, "--stratum"]
    done = headforms(*arguments, "corank_1")
    assert done.returncode == 1
    assert "proof wrong for 20 of 20 heads" in done.stdout
    assert headforms(*arguments, "generic").returncode == 0


def test_json_on_stdout_parses_whatever_the_function_prints():
    arguments = ["fuzz", "--against", f"{HERE}:talkative", "--rank", "--examples", "5", "--format", "json"]
    run = subprocess.run([sys.executable, "-m", "verify", *arguments], capture_output=True, text=True, check=False)
    record = json.loads(run.stdout)
    assert run.returncode == 1
    assert record["question"] == "rank"
    assert {stratum["stratum"] for stratum in record["strata"]} == set(STRATA)
    assert "must not reach" in run.stderr


def test_profiles_with_a_tolerance():
    arguments = ["fuzz", "--against", f"{HERE}:profile_without_sorting", "--profile", "--examples", 30]
    assert headforms(*arguments, "--stratum", "tied", "--n", 1, "--N", 3, "--tolerance", 2).returncode == 0
    assert headforms(*arguments, "--stratum", "corank_2", "--tolerance", 0.001).returncode == 1


def test_the_list_of_strata():
    done = headforms("fuzz", "--list-strata")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == len(STRATA) + 1


def test_the_kinds_of_the_heads_that_are_drawn():
    done = headforms("fuzz", "--coverage", "--examples", 20)
    assert done.returncode == 0
    assert all(kind.name in done.stdout for kind in (*EXACT, *FLOAT))
    counts = json.loads(headforms("fuzz", "--coverage", "--examples", 20, "--format", "json").stdout)
    assert list(counts["float_heads()"]) == [kind.name for kind in FLOAT]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either a STATEMENT"),
        (["theorem-3", "--against", "a:b"], "give either a STATEMENT"),
        (["theorem-3", "--stored"], "--stored needs --against"),
        (["theorem-3", "--witt"], "--witt needs --against"),
        (["theorem-3", "--signature"], "--signature needs --against"),
        (["theorem-3", "--dtype", "float32"], "--dtype needs --against"),
        (["lemma-7", "--n", "5"], "lemma-7 is about spectra, which have N = 2m eigenvalues and no head dimension n"),
        (["lemma-7", "--field", "GF(3)", "--n", "5"], "lemma-7 is about spectra over QQ; found GF(3)"),
        (["lemma-6", "--drop", "positive", "--N", "2"], "which have neither n nor N; found N = 2"),
        (["big-heads", "--field", "QQ"], "shapes, which have no field; leave out QQ"),
        (["--coverage", "--drop", "fits"], "--drop has no effect with --coverage"),
        (["--coverage", "--profile"], "--profile has no effect with --coverage"),
        (["theorem-3", "--coverage"], "STATEMENT has no effect with --coverage"),
        (["--list-strata", "--seed", "0"], "--seed has no effect with --list-strata"),
        (["--list-strata", "--coverage"], "--coverage has no effect with --list-strata"),
        (["--against", "a:b", "--drop", "fits"], "--drop needs a STATEMENT"),
        (["--against", "a:b", "--witt", "--tolerance", "1"], "--tolerance needs --profile"),
        (["theorem-3", "--field", "GF(4)"], "not a field of prime order"),
        (["theorem-3", "--field", "GF(2)"], "GF(2) has characteristic 2, where ½ does not exist"),
        (["theorem-3", "--drop", "characteristic"], "characteristic ≠ 2 cannot be dropped"),
        (["theorem-3", "--drop", "nothing"], "its hypotheses: fits, full-rank"),
        (["theorem-33"], "no statement 'theorem-33' (did you mean theorem-3?); the statements: "),
        (["theorem-3", "--drop", "fits", "--n", "1", "--N", "4"], "and none is a counterexample"),
        (
            ["theorem-3", "--drop", "fits", "--database", "/proc/none"],
            "cannot be remembered in /proc/none: No such file",
        ),
        (["theorem-3", "--n", "2", "--N", "2"], "0 of"),
        (["--against", "nothing:f"], "cannot import nothing: ModuleNotFoundError"),
        (["--against", f"{HERE}:text"], "text returned the wrong kind of thing: 'two' is not a sequence"),
        (["--against", f"{HERE}:broken"], "broken could not be called: ValueError: no idea at all"),
        (["--against", f"{HERE}:text", "--stratum", "x"], "wrong kind"),
        (["--against", "verify:inertia", "--stratum", "x"], "unknown stratum 'x'"),
        (["--against", "verify:inertia", "--examples", "0"], "--examples"),
    ],
)
def test_refusals(arguments, message):
    done = headforms("fuzz", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr
