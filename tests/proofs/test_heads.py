import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import FieldError, HypothesisError, ShapeError
from proofs.fields import GF, QQ
from proofs.heads import Head, rotary_matrix, split_form, symplectic_form
from proofs.matrices import stack
from tests.cases import case, cases
from tests.proofs.strategies import entries, integer_rows
from verify.strategies import fields, heads, invertible_matrices


def test_key_on_top_and_key_on_the_left():
    head = Head.of(Q=[[1, 2]], K=[[3, 5]])
    assert head.M == QQ.matrix([[3, 5], [1, 2]])
    assert head.L == QQ.matrix([[3, 6], [5, 10]])


@given(heads(field=fields()))
def test_the_two_identities_that_carry_everything(head):
    half = head.field(1) / head.field(2)
    J, omega = split_form(head.field, head.n), symplectic_form(head.field, head.n)
    assert head.S == head.M.transpose() * J * head.M * half
    assert head.T == head.M.transpose() * omega * head.M * half
    assert head.S + head.T == head.L
    assert head.S == head.S.transpose()
    assert head.T == -head.T.transpose()


@pytest.mark.parametrize("case_", cases("attention_head"))
def test_norms_and_traces_of_the_cases(case_):
    head = Head.of(case_["input"]["Q"], case_["input"]["K"])
    expected, power = case_["expected"], QQ.identity(head.N)
    for trace in expected["trace_S_powers_1_4"]:
        power = power * head.S
        assert sum(power[i, i] for i in range(head.N)) == QQ(trace)
    for name in ("L", "S", "T"):
        assert sum(x * x for x in getattr(head, name).entries()) == QQ(expected[f"frob2_{name}"])
    if "det_S" in expected:
        assert (head.S.det(), head.M.det()) == (QQ(expected["det_S"]), QQ(expected["det_M"]))
    assert head.is_big == (2 * expected["n"] > expected["N"])


def test_traces_up_to_the_sixth_power():
    input_, expected = case("S08-traces-numeric")["input"], case("S08-traces-numeric")["expected"]
    head = Head.of(input_["Q"], input_["K"])
    power = QQ.identity(head.N)
    for trace in expected["tr_S_k"]:
        power = power * head.S
        assert sum(power[i, i] for i in range(head.N)) == QQ(trace)
    JG = split_form(QQ, head.n) * head.M * head.M.transpose() * QQ("1/2")
    assert [QQ(c) for c in expected["charpoly_JG_over_2"]] == JG.charpoly().coeffs()[::-1]


@given(heads(field=fields()), st.data())
def test_gauge_keeps_L_and_the_row_space_of_M(head, data):
    moved = head.gauge(data.draw(invertible_matrices(head.n, field=head.field)))
    assert moved.L == head.L
    assert stack(head.field, moved.M, head.M).rank() == head.M.rank() == moved.M.rank()


@given(heads(field=fields()), st.data())
def test_coordinates_are_a_congruence(head, data):
    U = data.draw(invertible_matrices(head.N, field=head.field))
    moved = head.change_coordinates(U)
    assert moved.M == head.M * U
    assert moved.S == U.transpose() * head.S * U


@given(heads(field=QQ), st.lists(st.fractions(-2, 2), max_size=2), st.integers(-5, 5))
def test_rotation_keeps_the_row_space_of_M(head, tangents, delta):
    R = rotary_matrix(QQ, tangents, delta=delta)
    if R.nrows() != head.n:
        with pytest.raises(ShapeError):
            head.rotate(R)
        return
    moved = head.rotate(R)
    assert stack(QQ, moved.M, head.M).rank() == head.M.rank() == moved.M.rank()
    assert moved.L == head.K.transpose() * R * head.Q


@given(st.lists(st.fractions(-2, 2), min_size=1, max_size=2), st.integers(-6, 6), st.integers(-6, 6))
def test_rotary_matrices_are_a_one_parameter_group(tangents, d, e):
    R = [rotary_matrix(QQ, tangents, delta=x) for x in (d, e, d + e)]
    assert R[0] * R[1] == R[2]
    assert R[0].transpose() * R[0] == QQ.identity(2 * len(tangents))


def test_a_half_angle_tangent_may_not_exist():
    with pytest.raises(HypothesisError, match=r"1 \+ t² = 0 for t = 2 in GF\(5\)"):
        rotary_matrix(GF(5), [2])


@given(heads(field=fields()), st.data())
def test_bias_is_one_more_column(head, data):
    b, c = (data.draw(integer_rows(1, head.n))[0] for _ in range(2))
    x, y = (data.draw(integer_rows(1, head.N, entries))[0] for _ in range(2))
    biased = head.with_bias(b, c)
    assert biased.N == head.N + 1
    F = head.field
    column = lambda v: F.matrix([[e] for e in v], columns=1)  # noqa: E731
    left = head.K * column(x) + column(c)
    right = head.Q * column(y) + column(b)
    score = column([*x, 1]).transpose() * biased.L * column([*y, 1])
    assert score == left.transpose() * right


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda h: h.gauge([[1, 1], [1, 1]]), HypothesisError, "singular"),
        (lambda h: h.gauge([[1]]), ShapeError, "has 1 columns; expected 2"),
        (lambda h: h.gauge([[1, 0]]), ShapeError, "the gauge A is 1 × 2; expected 2 × 2"),
        (lambda h: h.change_coordinates([[1]]), ShapeError, "must have N = 3 rows"),
        (lambda h: h.rotate([[1, 1], [0, 1]]), HypothesisError, "RᵀR is not the identity"),
        (lambda h: h.with_bias([1], [1, 2]), ShapeError, "the query bias has 1 entries; expected n = 2"),
        (lambda h: h.with_bias([1, 2], []), ShapeError, "the key bias has 0 entries"),
        (lambda h: h.over(GF(5)), FieldError, "Q: entry .0, 2.: 1/5 is not in GF"),
    ],
)
def test_what_a_head_refuses(call, error, message):
    with pytest.raises(error, match=message):
        call(Head.of([[1, 0, "1/5"], [0, 1, 0]], [[0, 0, 1], [1, 1, 1]]))


def test_reduction_modulo_p():
    assert Head.of([["1/2", 5]], [[1, 7]]).over(GF(5)).M == GF(5).matrix([[1, 2], [3, 0]])


@pytest.mark.parametrize("case_", [case("E01-nan"), case("E03-shape-n")], ids=lambda c: c["id"])
def test_invalid_heads_are_refused(case_):
    with pytest.raises((FieldError, ShapeError)):
        Head.of(case_["input"]["Q"], case_["input"]["K"])


def test_shapes_must_agree():
    with pytest.raises(ShapeError, match="Q is 1 × 2 and K is 1 × 3; both must be n × N"):
        Head.of([[1, 2]], [[1, 2, 3]])
    with pytest.raises(ShapeError, match="Q: a matrix without rows needs its number of columns"):
        Head.of([], [])
