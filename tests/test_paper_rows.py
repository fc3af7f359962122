"""Per-head figures that accompany the paper: their columns obey the paper's relations.

``data/paper_rows.csv`` has eleven heads of distilgpt2 and Mistral-Small-24B, as the paper's data gives them.
"""

import csv
from math import isclose, sqrt
from pathlib import Path

import pytest

ROWS = list(
    csv.DictReader((Path(__file__).parent / "data" / "paper_rows.csv").read_text(encoding="utf-8").splitlines())
)


def near(x, y):
    return isclose(x, y, rel_tol=1e-9, abs_tol=1e-9)


@pytest.fixture(params=ROWS, ids=lambda row: f"{row['model']}-{row['layer']}-{row['head']}")
def row(request):
    return {name: float(value) for name, value in request.param.items() if name != "model"}


def test_there_are_eleven():
    assert len(ROWS) == 11


def test_the_profile_lies_in_the_simplex(row):
    """Definition 6."""
    assert near(row["a"] + row["b"] + row["c"] + row["d"], 1)
    assert min(row[x] for x in "abcd") >= 0


def test_energy(row):
    """Lemma 5: ‖S‖²/‖L‖² = 1 − a."""
    assert near(row["symmetric_energy"], 1 - row["a"])


def test_the_profile_of_the_symmetric_part(row):
    """Lemma 4: (b, c, d) = (1 − a)(b_S, c_S, d_S)."""
    for x in "bcd":
        assert near(row[x], (1 - row["a"]) * row[f"{x}_sym"])
    assert near(row["b_sym"] + row["c_sym"] + row["d_sym"], 1)


def test_the_pairing_score_and_its_bound(row):
    """Lemma 2: P = 1 − √(1 − 2⟨α,β⟩/‖S‖²) = 1 − √(c_S + d_S) ≤ 1 − |1−ρ|/√(1+ρ²)."""
    rho = row["rho"]
    assert near(row["pairing"], 1 - sqrt(1 - row["b_sym"]))
    assert near(row["pairing"], 1 - sqrt(row["c_sym"] + row["d_sym"]))
    assert near(row["pairing_bound"], 1 - abs(1 - rho) / sqrt(1 + rho**2))
    assert row["pairing"] <= row["pairing_bound"]


def test_the_lobe_departure(row):
    """‖β−ρα‖² = 2‖β‖² − 2ρ⟨α,β⟩ with ‖β‖² = ‖S‖²ρ²/(1+ρ²) and 2⟨α,β⟩ = b_S‖S‖²."""
    rho = row["rho"]
    assert near(row["lobe_departure"] ** 2, 2 - row["b_sym"] * (1 + rho**2) / rho)


def test_a_gap_in_the_pairing_bound_is_a_departure_of_the_lobes(row):
    """Lemma 2's case of equality, measured: (1−P)² − (1−bound)² = ρ/(1+ρ²) · departure²."""
    rho = row["rho"]
    gap = (1 - row["pairing"]) ** 2 - (1 - row["pairing_bound"]) ** 2
    assert near(gap, rho / (1 + rho**2) * row["lobe_departure"] ** 2)


def test_theorem_3(row):
    """Every one of these heads is balanced: signature (n, n, N − 2n)."""
    assert row["balance"] == 1


def test_the_trace_is_bounded_by_the_energy_of_the_symmetric_part(row):
    """|tr L| = |tr S| ≤ √(rank S) ‖S‖, rank S = 2n."""
    assert row["trace_ratio"] <= sqrt(2 * row["n"] * row["symmetric_energy"]) + 1e-9
