"""The paper's baselines and the random cases of ``cases.json``, reproduced by ``headforms sample``.

The expected values here are those of the cases or are written out from the paper, never taken from the ensembles.
Seeds are fixed. At the confidence of a run, 99.9 %, all its intervals hold the truth; and each claim is followed by
the same claim with a factor 2 dropped, which the same intervals exclude.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.cases import case, cases
from tests.verify.cli.running import headforms

HEADS = 20_000
SHARE, RATIO = "E[‖S‖²/‖L‖²]", "E[‖S‖²]/E[‖L‖²]"
SCORE, SYMMETRIC = "E[‖L‖²]", "E[‖S‖²]"


@cache
def sample(name: str, n: int, N: int, *parameters: str, heads: int = HEADS) -> dict[str, Any]:
    """The JSON of a run that agrees with its own theory, its comparisons by statistic."""
    options = [x for p in parameters for x in ("-p", p)]
    done = headforms("sample", name, "--n", n, "--N", N, "--heads", heads, "--seed", 20, "--format", "json", *options)
    assert done.returncode == 0, done.stdout or done.stderr
    record = json.loads(done.stdout)
    assert record["confidence"] == 0.999
    return {**record, "measured": {c["statistic"]: c for c in record["comparisons"]}}


def claims(record: dict[str, Any], statistic: str, value: Fraction) -> None:
    """The value lies in the measured interval and is what theory says; half and double of it do not."""
    found = record["measured"][statistic]
    low, high = (found[end] + sign * 1e-9 * abs(found[end]) for end, sign in (("low", -1), ("high", 1)))
    assert low <= float(value) <= high
    assert float(Fraction(found["expected"])) == pytest.approx(float(value), rel=1e-12)
    for wrong in (value / 2, value * 2):
        assert not low <= float(wrong) <= high


def sizes(text: str) -> dict[str, int]:
    """``n=1,N=2`` → {"n": 1, "N": 2}."""
    return {key: int(number) for key, number in (part.split("=") for part in text.split(","))}


def test_there_is_a_test_for_every_random_case() -> None:
    assert {case.id for case in cases("random_baseline")} == {
        "R02-rademacher-expectations",
        "R04-iid-square-law",
        "R06-gaussian-signature-chambers",
        "R08-uniform-Fq-nondegenerate",
        "R10-correlated-KQ",
        "R12-accumulation-limit",
    }


@pytest.mark.parametrize("N", [2, 4, 10])
def test_corollary_1(N: int) -> None:
    """Independent entries of L: ``E‖S‖²/E‖L‖² = (N+1)/(2N)``."""
    record = sample("square", N, N)
    claims(record, RATIO, Fraction(N + 1, 2 * N))
    claims(record, SCORE, Fraction(N * N))


@pytest.mark.parametrize("name", ["gaussian", "uniform", "rademacher", "sparse", "low-precision"])
@pytest.mark.parametrize(("n", "N"), [(1, 3), (2, 5), (3, 2), (4, 16)])
def test_corollary_2(name: str, n: int, N: int) -> None:
    """Products of independent entries: the same ratio, for every n."""
    claims(sample(name, n, N, heads=2000), RATIO, Fraction(N + 1, 2 * N))


@pytest.mark.parametrize(("n", "N"), [(1, 1), (1, 2), (1, 8), (2, 5), (4, 4), (4, 16), (8, 32)])
def test_proposition_5(n: int, N: int) -> None:
    """Gaussian heads: the mean of the share itself, for every n ≤ N."""
    claims(sample("gaussian", n, N, heads=2000), SHARE, Fraction(N + 1, 2 * N))


@pytest.mark.parametrize(("text", "expected"), case("R02-rademacher-expectations")["expected"]["exact"].items())
def test_random_signs(text: str, expected: list[str]) -> None:
    size = sizes(text)
    record = sample("rademacher", size["n"], size["N"], heads=2000)
    claims(record, SCORE, Fraction(expected[0]))
    claims(record, SYMMETRIC, Fraction(expected[1]))
    claims(record, RATIO, Fraction(size["N"] + 1, 2 * size["N"]))


@pytest.mark.parametrize("N", [2, 4, 10])
def test_the_law_of_the_share(N: int) -> None:
    expected = case("R04-iid-square-law")["expected"]
    assert (expected["mean"], expected["variance"]) == ("(N+1)/(2N)", "(N^2-1)/(2N^2(N^2+2))")
    record = sample("square", N, N)
    claims(record, SHARE, Fraction(N + 1, 2 * N))
    claims(record, "Var[‖S‖²/‖L‖²]", Fraction(N * N - 1, 2 * N * N * (N * N + 2)))


@pytest.mark.parametrize(("n", "N"), [(1, 1), (2, 3)])
def test_the_chambers_of_signatures(n: int, N: int) -> None:
    expected = case("R06-gaussian-signature-chambers")["expected"][f"n={n},N={N}"]
    record = sample("gaussian", n, N)
    assert sum(s["heads"] for s in record["signatures"]) == HEADS
    assert len(record["signatures"]) == len(expected)
    for signature, chance in expected.items():
        claims(record, f"P(signature = {signature[:-1].replace(',', ', ')}, 0))", Fraction(chance))


@pytest.mark.parametrize(("n", "N"), [(1, 2), (2, 4), (2, 9), (4, 16)])
def test_one_signature_below_half_the_width(n: int, N: int) -> None:
    assert case("R06-gaussian-signature-chambers")["expected"]["2n<=N"] == {"(n,n,N-2n)": "1"}
    record = sample("gaussian", n, N, heads=2000)
    assert record["signatures"] == [{"positive": n, "negative": n, "zero": N - 2 * n, "heads": 2000}]


@pytest.mark.parametrize("text", ["n=1,N=2,q=3", "n=1,N=3,q=3", "n=2,N=4,q=3"])
def test_finite_fields(text: str) -> None:
    chance = Fraction(case("R08-uniform-Fq-nondegenerate")["expected"][text])
    size = sizes(text)
    claims(sample("finite-field", size["n"], size["N"], f"q={size['q']}"), f"P(rank M = {2 * size['n']})", chance)


@pytest.mark.parametrize(
    ("n", "N", "rho"), [(1, 3, "1/2"), (2, 6, "1/2"), (3, 6, "-4/5"), (2, 4, "9/10"), (2, 6, "0"), (2, 4, "1")]
)
def test_correlated_entries(n: int, N: int, rho: str) -> None:
    expected = case("R10-correlated-KQ")["expected"]
    r = Fraction(rho)
    record = sample("correlated", n, N, f"rho={float(r)}", heads=HEADS if abs(r) < 1 else 2000)
    claims(record, SCORE, n * N * (N + (n + 1) * r**2))
    claims(record, SYMMETRIC, Fraction(n * N, 2) * (N + 1 + (2 * n + N + 1) * r**2))
    ratio = Fraction(1, 2) + Fraction(1, 2) * (1 + (n + N) * r**2) / (N + (n + 1) * r**2)
    claims(record, RATIO, ratio)
    if r:
        claims(record, "E[tr L]", n * N * r)
    if (n, N, rho) == (2, 6, "1/2"):
        assert ratio == Fraction(expected["n=2,N=6,rho=1/2"])
    if rho == "1":
        assert ratio == 1
        assert expected["rho=1"] == "ratio 1"


@pytest.mark.parametrize("text", ["rho=1/2", "rho=2", "rho=1"])
def test_the_limit_of_accumulating_eigenvalues(text: str) -> None:
    """At N = 200 the expected energies are within 4 % of the limit; the mean profile is as near."""
    limit = [float(Fraction(x)) for x in case("R12-accumulation-limit")["expected"][text]]
    record = sample("accumulation", 200, 200, f"ratio={float(Fraction(text.removeprefix('rho=')))}", heads=100)
    mean = [record["profile"][name]["mean"] for name in "abcd"]
    assert mean == pytest.approx(limit, abs=0.04)
    for statistic, value in zip(("2⟨α,β⟩", "‖(α−β)₊‖²", "‖(α−β)₋‖²"), limit[1:], strict=True):
        found = record["measured"][f"E[{statistic}]/E[‖L‖²]"]
        assert found["low"] - 0.04 <= value <= found["high"] + 0.04
    largest = max(limit)
    assert not any(abs(x - largest / 2) < 0.04 for x in mean)
