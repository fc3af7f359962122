import pytest

import proofs.generic
from tests.verify.cli.running import headforms


def test_one_size_prints_every_step_and_the_basis():
    done = headforms("prove", "--n", 1, "--N", 3)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "n = 1, N = 3, over QQ: the generic head, 6 indeterminates"
    assert "  ✓ symmetric part: 2S = MᵀJM (9 polynomial identities multiplied out)" in lines
    assert "  d = k_0_0*q_0_1 - k_0_1*q_0_0" in lines
    assert any(line.startswith("  ✓ hyperbolic plus zero: PᵀSP = J ⊕ 0") for line in lines)
    assert "✗" not in done.stdout
    assert lines[-1] == "every step checked"


def test_show_prints_the_matrices():
    plain, full = (headforms("prove", "--n", 2, "--N", 4, *show).stdout for show in ([], ["--show"]))
    assert "\n  d = " not in plain
    assert "  M =\n    [k_0_0, k_0_1, k_0_2, k_0_3]" in full
    assert full.count("\n    [") == 8


def test_several_sizes_and_fields_have_one_line_each():
    done = headforms("prove", "--n", "1-2", "--N", "3,4", "--field", "QQ", "--field", "GF(3)", "--field", "RR")
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if line.startswith("n = ")]
    assert len(lines) == 12
    assert sum("steps checked in" in line for line in lines) == 9
    assert "n = 2, N = 3, over GF(3): outside the theorem, 2n > N" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--n", "3", "--N", "5"], "2n = 6 > N = 5: every head is degenerate, the theorem needs 2n ≤ N"),
        (["--n", "1", "--N", "2", "--field", "GF(2)"], "GF(2) has characteristic 2"),
        (["--n", "1", "--N", "2", "--field", "GF(9)"], "GF(9) is not a field of prime order"),
        (["--n", "0", "--N", "2"], "a generic head needs n ≥ 1 and N ≥ 1"),
        (["--n", "5", "--N", "10"], "n = 5, N = 10: the basis of the generic head is too large to write out"),
        (["--n", "1", "--N", "9000"], "too large to write out"),
        (["--n", "1-999999999999", "--N", "2"], "holds a size beyond any that can be written out"),
        (["--n", "x", "--N", "2"], "'x' is no list of sizes"),
        (["--n", "3-1", "--N", "2"], "'3-1' holds no size"),
    ],
)
def test_what_is_refused(arguments, message):
    done = headforms("prove", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("sizes", [["--n", "1", "--N", "2"], ["--n", "1", "--N", "2-3"]])
def test_a_failed_step_is_exit_1(sizes, monkeypatch):
    monkeypatch.setattr(proofs.generic, "_doubling", lambda head: proofs.generic._selection(head).transpose())
    wrong = proofs.generic.Step("congruence", "PᵀSP = J ⊕ 0", "not at all", False)
    monkeypatch.setattr(proofs.generic, "_congruence", lambda head, basis: wrong)
    done = headforms("prove", *sizes)
    assert done.returncode == 1
    assert "  ✗ congruence: PᵀSP = J ⊕ 0 (not at all)" in done.stdout
    assert done.stdout.endswith("a step failed\n")
