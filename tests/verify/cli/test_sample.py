"""``headforms sample`` as a user meets it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.cli.running import headforms
from verify.ensembles import ENSEMBLES
from verify.ensembles.entries import Gaussian


def test_a_sample_that_agrees() -> None:
    done = headforms("sample", "gaussian", "--n", 2, "--N", 9, "--seed", 3)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "gaussian: 1000 heads, n = 2, N = 9, float64, seed 3"
    assert "signature  (2, 2, 5): 1000" in lines
    assert any(line.startswith("E[‖S‖²/‖L‖²]") and line.endswith("agrees  Proposition 5") for line in lines)
    assert any(line.startswith("σ_2n/σ_1") for line in lines)


def test_a_theory_that_lost_a_factor_two(monkeypatch: pytest.MonkeyPatch) -> None:
    def halved(*arguments: object) -> list:
        return [replace(e, value=e.value / 2) if "Prop" in e.source else e for e in true(*arguments)]

    true = Gaussian.expect
    monkeypatch.setattr(Gaussian, "expect", halved)
    done = headforms("sample", "gaussian", "--n", 2, "--N", 9)
    assert done.returncode == 1
    assert done.stdout.count("DISAGREES") == 1
    record = json.loads(headforms("sample", "gaussian", "--n", 2, "--N", 9, "--format", "json").stdout)
    assert not record["agrees"]
    assert [c["expected"] for c in record["comparisons"] if not c["agrees"]] == ["5/18"]


@pytest.mark.parametrize("name", ENSEMBLES)
@pytest.mark.parametrize("shape", ["text", "json"])
def test_every_ensemble(name: str, shape: str) -> None:
    done = headforms("sample", name, "--heads", 200, "--N", 8, "--format", shape)
    assert (done.returncode, done.stderr) == (0, "")
    if shape == "json":
        record = json.loads(done.stdout)
        assert (record["ensemble"], record["heads"], record["N"]) == (name, 200, 8)
        assert record["parameters"] == dict(ENSEMBLES[name].parameters)
        assert record["comparisons"]
        assert "points" not in record
    else:
        assert "agrees" in done.stdout
        assert ("rank M" in done.stdout) == (name == "finite-field")


def test_the_list() -> None:
    lines = headforms("sample").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(ENSEMBLES)
    assert any(line.endswith("rho=0.5") for line in lines)
    entries = json.loads(headforms("sample", "--format", "json").stdout)["ensembles"]
    assert [e["ensemble"] for e in entries] == list(ENSEMBLES)


def test_points() -> None:
    done = headforms(
        "sample", "gaussian", "--heads", 150, "--n", 1, "--format", "json", "--points", "--dtype", "float32"
    )
    points = json.loads(done.stdout)["points"]
    assert len(points) == 150
    assert all(p["signature"] == {"positive": 1, "negative": 1, "zero": 14} and p["margin"] > 0 for p in points)
    assert all(sum(p[x] for x in "abcd") == pytest.approx(1) for p in points)


def test_the_same_seed_the_same_output() -> None:
    first, again, other = (headforms("sample", "sparse", "--heads", 100, "--seed", s).stdout for s in (5, 5, 6))
    assert first == again
    assert first.splitlines()[4:] != other.splitlines()[4:]


def test_parameters_reach_the_ensemble() -> None:
    done = headforms("sample", "correlated", "-p", "rho=-1", "--n", 2, "--N", 6, "--heads", 100)
    assert done.returncode == 0
    assert "rho = -1" in done.stdout
    assert "signature  (0, 2, 4): 100" in done.stdout


def test_big_heads_have_no_margin() -> None:
    done = headforms("sample", "gaussian", "--n", 2, "--N", 3, "--heads", 100)
    assert done.returncode == 0
    assert "σ_2n/σ_1" not in done.stdout


def test_many_signatures_are_cut_short() -> None:
    done = headforms("sample", "sparse", "-p", "density=0.3", "--n", 3, "--N", 5, "--heads", 300)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("signature  ")]
    counts = [int(part.rsplit(" ", 1)[1]) for part in line.replace("signature", "").split(", ") if ":" in part]
    assert len(counts) == 9
    assert "others: " in line
    assert sum(counts) == 300


def test_nothing_to_compare_with() -> None:
    done = headforms("sample", "correlated", "--dtype", "float16", "--heads", 100)
    assert done.returncode == 3
    assert "theory says nothing exact" in done.stdout
    assert json.loads(headforms("sample", "correlated", "--dtype", "float16", "--format", "json").stdout)["agrees"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "'nothing' is not one of"),
        (["gaussian", "--heads", 99], "99 is not in the range 100<=x<=1000000"),
        (["gaussian", "--n", 0], "0 is not in the range"),
        (["gaussian", "--confidence", 1], "is not in the range"),
        (["gaussian", "--seed", -1], "-1 is not in the range"),
        (["gaussian", "-p", "rho"], "'rho' is no parameter; write for example rho=0.5"),
        (["gaussian", "-p", "rho=x"], "'rho=x' is no parameter"),
        (["gaussian", "-p", "rho=1"], "gaussian has no parameter 'rho'; its parameters: none"),
        (["correlated", "-p", "rho=2"], "the ensemble correlated needs a correlation rho in [−1, 1], not 2"),
        (["finite-field", "-p", "q=9"], "9"),
        (["orthogonal", "--n", 5, "--N", 4], "there are no 5 orthonormal rows of length 4"),
        (["square", "--n", 2, "--N", 4], "the ensemble square needs n = N"),
        (["gaussian", "--n", 20_000, "--N", 20_000], "too large to sample"),
        (["sparse", "-p", "density=0.01", "--n", 1, "--N", 1, "--heads", 100], "L ≠ 0 for 0 of 100 heads only"),
        (["gaussian", "--points"], "--points needs --format json"),
        (["correlated", "-p", "rho=0.5", "-p", "rho=0.2"], "--parameter rho is given more than once"),
    ],
)
def test_errors_are_one_line(arguments: list[object], words: str) -> None:
    done = headforms("sample", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr


def test_fractions_stay_readable() -> None:
    done = headforms("sample", "trained-like", "--n", 3, "--N", 7, "-p", "decay=0.3", "--heads", 200)
    assert done.returncode == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("E[‖L‖²]")]
    assert float(line.split()[1]) == pytest.approx(float(Fraction(sum(i**-0.6 for i in (1, 2, 3)) ** 2 / 3)), rel=1e-6)
