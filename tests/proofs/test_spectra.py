from collections import Counter

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Poly, resultant, symbols

from proofs.errors import HypothesisError, ShapeError
from proofs.fields import QQ
from proofs.inertia import signature
from proofs.spectra import agree, agree_all, lobe_sums, precise, profile, spectrum
from tests.cases import case
from tests.proofs.strategies import integer_rows
from verify.strategies import heads, invertible_matrices


def symmetric(L):
    return (L + L.transpose()) / 2


@given(st.integers(0, 5).flatmap(lambda N: integer_rows(N, N)).map(lambda rows: QQ.matrix(rows, columns=len(rows))))
def test_against_traces_and_signature(L):
    S = symmetric(L)
    s = spectrum(S)
    values = s.eigenvalues()
    assert len(values) == S.nrows()
    power = QQ.identity(S.nrows())
    for k in range(1, 5):
        power = power * S
        trace = sum((power[i, i] for i in range(S.nrows())), fmpq(0))
        with precise():
            assert agree(sum((x**k for x in values), arb(0)), trace)
    positive, negative, zero = signature(S)
    alpha, beta = s.lobes()
    assert [sum(x < len(s.levels) for x in lobe) for lobe in (alpha, beta)] == [positive, negative]
    assert s.zero == zero
    assert alpha == sorted(alpha) and beta == sorted(beta)


@given(st.lists(st.integers(-3, 3), max_size=5), st.data())
def test_a_spectrum_by_construction(values, data):
    """Congruence by a rotation: a rational orthogonal matrix from a skew-symmetric one (Cayley)."""
    N = len(values)
    skew = QQ.zeros(N, N)
    for i in range(N):
        for j in range(i):
            skew[i, j] = data.draw(st.integers(-2, 2))
            skew[j, i] = -skew[i, j]
    U = (QQ.identity(N) - skew) * (QQ.identity(N) + skew).inv()
    s = spectrum(U.transpose() * QQ.diagonal(values) * U)
    expected = Counter(x for x in values if x)
    found = {}
    for level in s.levels:
        x = next(x for x in range(1, 4) if level.value == x)
        found |= {x: level.positive, -x: level.negative}
    assert {x: m for x, m in found.items() if m} == dict(expected)
    assert s.alpha() == sorted(s.alpha(), key=lambda x: -int(x.unique_fmpz()))


def test_opposite_irrational_eigenvalues_coincide_exactly():
    s = spectrum(QQ.matrix([[1, 2, 0, 0], [2, -1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 3]]))
    assert [(level.positive, level.negative) for level in s.levels] == [(1, 0), (1, 1), (0, 1)]


def test_nearly_equal_eigenvalues_are_told_apart():
    tiny = fmpq(1, 2**900)
    s = spectrum(QQ.diagonal([1, -1 - tiny]))
    assert s.lobes() == ([1], [0])
    product, above, below = lobe_sums(s)
    assert product > 1 and above == 0 and below > 0


def test_profile_of_the_faces():
    assert profile(QQ.matrix([[0, 1], [-1, 0]])).components() == (1, 0, 0, 0)
    assert profile(QQ.matrix([[0, 1], [1, 0]])).components() == (0, 1, 0, 0)
    assert profile(QQ.matrix([[1, 0], [0, 2]])).components() == (0, 0, 1, 0)
    assert profile(QQ.matrix([[-1, 0], [0, 0]])).components() == (0, 0, 0, 1)
    with pytest.raises(HypothesisError, match="L = 0 has no profile"):
        profile(QQ.zeros(2, 2))


@given(heads(field=QQ), st.data())
def test_the_profile_is_a_point_of_the_simplex_and_ignores_signed_permutations(head, data):
    if head.L == QQ.zeros(head.N, head.N):
        return
    before = profile(head.L).components()
    with precise():
        assert agree(sum(before, arb(0)), fmpq(1))
    assert all(x == 0 or x > 0 for x in before)
    order = data.draw(st.permutations(range(head.N)))
    U = QQ.zeros(head.N, head.N)
    for i, j in enumerate(order):
        U[i, j] = data.draw(st.sampled_from([1, -1]))
    assert agree_all(before, profile(U.transpose() * head.L * U).components())


@given(st.data())
def test_the_profile_notices_a_change_of_coordinates(data):
    P = data.draw(invertible_matrices(2))
    L = QQ.diagonal([1, -2])
    moved = P.transpose() * L * P
    assert (profile(moved).b == 0) == (signature(symmetric(moved)).negative == 0)


def test_agree():
    third = arb(1) / 3
    assert agree(fmpq(1, 3), fmpq(1, 3))
    assert not agree(fmpq(1, 3), fmpq(1, 3) + fmpq(1, 2**200))
    assert not agree(third, fmpq(1, 3)), "an enclosure at 53 bits is too wide to agree"
    assert not agree_all([arb(1)], [arb(1), arb(2)])


def test_shape():
    with pytest.raises(ShapeError, match="not symmetric"):
        spectrum(QQ.matrix([[0, 1], [0, 0]]))


def _resultant(S):
    """``Res_x(p(x), p(−x))`` for p the characteristic polynomial, by SymPy."""
    x = symbols("x")
    p = Poly([int(c) for c in reversed(S.charpoly().coeffs())], x)
    return fmpq(int(resultant(p, p.compose(Poly(-x, x)))))


def test_the_resultant_of_the_case():
    input_, expected = (case("S14-resultant-opposite-eigenvalues")[part] for part in ("input", "expected"))
    for example in "SB":
        S = QQ.matrix(input_[f"example_{example}"])
        assert _resultant(S) == int(expected[f"Res_example_{example}"])
    balanced = signature(QQ.matrix(input_["example_B"]))
    assert balanced.positive != balanced.negative  # vanishing does not mean balance


@given(st.integers(1, 4).flatmap(lambda N: integer_rows(N, N)))
def test_opposite_eigenvalues_against_the_resultant(rows):
    """``Res_x(p(x), p(−x)) = (−2)ᴺ det S ∏_{i<j} (λᵢ+λⱼ)²``: it vanishes where S is singular or ±λ both occur."""
    L = QQ.matrix(rows)
    S = L + L.transpose()
    s, found = spectrum(S), _resultant(S)
    assert (found == 0) == (s.zero > 0 or any(level.positive and level.negative for level in s.levels))
    values = s.eigenvalues()
    with precise():
        product = arb((-2) ** len(values) * S.det())
        for i, x in enumerate(values):
            for y in values[:i]:
                product *= (x + y) ** 2
        assert (product - arb(found)).contains(0)
