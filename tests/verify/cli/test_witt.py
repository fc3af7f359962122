import io
import json
from fractions import Fraction

import pytest

from tests.cases import cases
from tests.verify.cli.running import headforms


def _answer(*arguments):
    done = headforms("witt", *arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("case_", cases("form_over_fields"))
def test_cases_with_a_witness_checked_in_plain_fractions(case_):
    rows, expected = case_["input"]["matrix"], case_["expected"]
    answer = _answer(json.dumps(rows))
    assert answer["witt_index"] == expected["witt_Q"]["nondegenerate_part"]
    assert answer["anisotropic_dimension"] == len(answer["anisotropic"]) == expected["witt_Q"]["anisotropic_dim"]
    assert answer["isotropy_dimension"] == expected["witt_Q"]["max_isotropic_incl_radical"]
    assert list(answer["signature"].values()) == list(expected["signature_R"].values())
    assert answer["hyperbolic_plus_zero"] == expected["hyperbolic_plus_zero"]["Q"]
    n, w, r = len(rows), answer["witt_index"], answer["radical"]
    A = [[Fraction(x) for x in row] for row in rows]
    P = [[Fraction(x) for x in row] for row in answer["transform"]]
    product = [
        [sum(P[k][i] * A[k][m] * P[m][j] for k in range(n) for m in range(n)) for j in range(n)] for i in range(n)
    ]
    expected_product = [[Fraction(0)] * n for _ in range(n)]
    for i in range(w):
        expected_product[i][w + i] = expected_product[w + i][i] = Fraction(1)
    for i, a in enumerate(answer["anisotropic"]):
        expected_product[2 * w + i][2 * w + i] = Fraction(a)
    assert product == expected_product == [[Fraction(x) for x in row] for row in answer["witness"]["congruence"]]
    for x in answer["witness"]["totally_isotropic"]:
        v = [Fraction(c) for c in x]
        assert sum(v[i] * A[i][j] * v[j] for i in range(n) for j in range(n)) == 0
    assert len(answer["witness"]["totally_isotropic"]) == r + w


@pytest.mark.parametrize(
    ("field", "witt_index", "over"),
    [("RR", 1, "RR"), ("Qp(7)", 0, "Qp(7)"), ("GF(7)", 0, "GF(7)"), ("GF(5)", 1, "GF(5)")],
)
def test_fields(field, witt_index, over):
    answer = _answer('[[1, 0, 0], [0, 1, 0], [0, 0, "-7"]]', "--field", field)
    assert (answer["field"], answer["witt_index"], answer["anisotropic_over"]) == (field, witt_index, over)
    assert (answer["signature"] is not None) == (field == "RR")


@pytest.mark.parametrize(
    ("field", "classes"), [("QQ", ["3"]), ("RR", ["1"]), ("Qp(3)", ["3"]), ("Qp(2)", ["3"]), ("GF(5)", ["2"])]
)
def test_square_classes_of_what_is_left(field, classes):
    assert _answer("[[0, 1, 0], [1, 0, 0], [0, 0, 12]]", "--field", field)["anisotropic_classes"] == classes


def test_the_matrix_may_come_from_a_file_or_from_standard_input(tmp_path, monkeypatch):
    text = '[["1/2", 0.1], [0.1, 0]]'
    (tmp_path / "form.json").write_text(text)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert _answer(tmp_path / "form.json") == _answer("-") == _answer(text)


def test_decimals_and_long_integers_are_exact():
    long = "1" + 5000 * "0"
    answer = _answer(f"[[0.1, 0], [0, {long}]]", "--field", "RR")
    assert answer["anisotropic"] == ["1/10", long]


def test_text():
    done = headforms("witt", "[[1, 0, 0, 0], [0, -4, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0]]")
    assert done.returncode == 0
    assert done.stdout.splitlines()[:3] == [
        "over QQ: H ⊥ ⟨3⟩ ⊥ 0",
        "Witt index 1, radical 1, anisotropic dimension 1, largest isotropic subspace 2",
        "anisotropic over RR",
    ]
    assert "vectors i and 1 + i span a plane" in headforms("witt", "[[1, 0], [0, -2]]", "--field", "RR").stdout
    assert headforms("witt", "[]").stdout.startswith("over QQ: the form of dimension 0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["[[1, 0], [0, 1]]", "--field", "GF(2)"], "GF(2) has characteristic 2"),
        (["[[1, 0], [0, 1]]", "--field", "GF(15)"], "GF(15) is not a field of prime order"),
        (["[[1]]", "--field", "CC"], "'CC' is not a field"),
        (['[["1/3", 0], [0, 1]]', "--field", "GF(3)"], "entry (0, 0): 1/3 is not in GF(3): 3 divides its denominator"),
        (["[[1, 2], [3, 4]]"], "entry (0, 1) is 2 and (1, 0) is 3; a form is symmetric"),
        (["[[1, 2]]"], "a form needs a square one"),
        (["[[1, 2], [3]]"], "row 1 has 1 entries, row 0 has 2"),
        (["[1, 2]"], "row 0 is '1'; expected a sequence of entries"),
        (['[["x"]]'], "entry (0, 0): 'x' is not an exact number"),
        (["[[NaN]]"], "entry (0, 0): 'NaN' is not an exact number"),
        (["[[null]]"], "entry (0, 0): None is not an exact number"),
        (["[[true]]"], "entry (0, 0): True is not an exact number"),
        (["[[1, 0], [0, 1]"], "the matrix is not JSON"),
        (["[" * 100_000], "the matrix is not JSON"),
        (["{}"], "the matrix is dict, not a list"),
        (["no-such-file.json"], "'no-such-file.json': No such file or directory; expected a JSON list of rows"),
        ([f"[[1, 0, 0], [0, 1, 0], [0, 0, {(1 - 2**127) * (2**107 - 1)}]]"], "a composite of 234 bits"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments, message):
    done = headforms("witt", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("headforms: ")
    assert message in done.stderr
