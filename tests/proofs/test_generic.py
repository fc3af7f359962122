import random
import time

import pytest

import proofs.generic
from proofs.decomposition import hyperbolic_plus_zero
from proofs.errors import HypothesisError
from proofs.fields import GF, QQ, RR
from proofs.generic import generic_basis, generic_head, prove
from proofs.heads import Head
from proofs.polynomials import PolynomialMatrix

SIZES = [(n, N) for n in (1, 2, 3) for N in range(2 * n, 10)]


@pytest.mark.parametrize(("n", "N"), [(n, N) for n, N in SIZES if n < 3 or N < 8])
@pytest.mark.parametrize("field", [QQ, GF(3)], ids=str)
def test_every_step_holds(n, N, field):
    proof = prove(n, N, field=field)
    assert proof.holds
    names = [step.name for step in proof.steps]
    assert {"symmetric part", "basis", "inverse", "congruence", "non-emptiness", "trace 2"} <= set(names)
    assert ("determinant" in names) == (N == 2 * n)
    assert ("Cauchy–Binet" in names) or n == 3


@pytest.mark.slow
def test_the_sizes_of_the_paper_over_four_fields_and_one_more():
    started = time.perf_counter()
    for field in (QQ, GF(3), GF(5), GF(101)):
        assert all(prove(n, N, field=field).holds for n, N in SIZES)
    assert time.perf_counter() - started < 300
    assert prove(4, 10).holds


@pytest.mark.parametrize("field", [QQ, GF(101), GF(2**89 - 1)], ids=str)
@pytest.mark.parametrize(("n", "N"), [(1, 2), (1, 4), (2, 4), (2, 6), (3, 7)])
def test_the_generic_basis_specialises(n, N, field):
    """At a random head with d ≠ 0 the substituted basis is a hyperbolic basis, multiplied out in plain matrices."""
    generator, basis = random.Random(n * N), generic_basis(generic_head(n, N, field=field))
    tried = 0
    while tried < 3:
        values = [generator.randint(0, 9) for _ in range(2 * n * N)]
        rows = [values[i * N : (i + 1) * N] for i in range(2 * n)]
        head = Head.of(rows[n:], rows[:n], field=field)
        d = field(_number(basis.denominator(*values)))
        if d == 0:
            continue
        tried += 1
        A = field.matrix([[_number(entry(*values)) for entry in row] for row in basis.numerators.rows])
        P = A * field.diagonal([2] * n + [1] * (N - n)) * (1 / d)
        assert P.transpose() * head.S * P == hyperbolic_plus_zero(field, n, N)


def _number(value):
    return int(str(value))


@pytest.mark.parametrize("N", [2, 3])
def test_the_congruence_multiplied_out_at_once(N):
    """n = 1: PᵀSP itself over the polynomial ring, with no step in between."""
    head = generic_head(1, N)
    basis = generic_basis(head)
    D = proofs.generic._doubling(head)
    P = basis.numerators * D
    d = basis.denominator
    expected = [[0] * N for _ in range(N)]
    expected[0][1] = expected[1][0] = 1
    product = P.transpose() * head.double_S * P
    assert product == PolynomialMatrix(tuple(tuple(2 * x * d * d for x in row) for row in expected))


def test_real_is_rational():
    assert prove(1, 2, field=RR).holds


@pytest.mark.parametrize(("n", "N", "message"), [(2, 3, "2n = 4 > N = 3"), (0, 3, "n ≥ 1"), (1, 0, "N ≥ 1")])
def test_sizes_outside_the_theorem(n, N, message):
    with pytest.raises(HypothesisError, match=message):
        prove(n, N)


def _unit(size):
    return [[int(i == j) for j in range(size)] for i in range(size)]


def _unit_matrix(head):
    return proofs.generic.constant_matrix(head.ring, _unit(head.N))


MUTATIONS = {
    "a sign in J": ("split_form", lambda field, n: -proofs.generic.symplectic_form(field, n)),
    "a sign in Ω": ("symplectic_form", proofs.generic.split_form),
    "no doubling": ("_doubling", _unit_matrix),
    "another minor": ("_selection", lambda head: _unit_matrix(head).submatrix([1, 2], range(head.N))),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutations_are_caught(name, monkeypatch):
    target, wrong = MUTATIONS[name]
    monkeypatch.setattr(proofs.generic, target, wrong)
    assert not prove(1, 3).holds


def test_swapping_K_and_Q_on_one_side_is_caught(monkeypatch):
    monkeypatch.setattr(proofs.generic.GenericHead, "M", property(lambda head: head.Q.above(head.K)))
    steps = {step.name: step.holds for step in prove(1, 3).steps}
    assert not steps["antisymmetric part"]
