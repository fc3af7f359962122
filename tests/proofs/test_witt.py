import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import proofs.witt
from proofs.errors import FactorisationError, FieldError, InconsistencyError
from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head
from proofs.witt import (
    anisotropic_dimension,
    anisotropic_dimension_with_place,
    head_witt_index,
    is_hyperbolic_plus_zero,
    is_isometric,
    is_isotropic,
    witt_index,
)
from tests.cases import case, cases
from tests.proofs.strategies import forms
from verify.strategies import fields, heads, invertible_matrices


@pytest.mark.parametrize("case_", cases("form_over_fields"))
class TestCases:
    def test_rational_and_real(self, case_):
        form, expected = Form.of(case_["input"]["matrix"]), case_["expected"]
        assert witt_index(form) == expected["witt_Q"]["nondegenerate_part"]
        assert anisotropic_dimension(form) == expected["witt_Q"]["anisotropic_dim"]
        assert witt_index(form.at(RR)) == expected["witt_R"]["nondegenerate_part"]
        assert is_hyperbolic_plus_zero(form) == expected["hyperbolic_plus_zero"]["Q"]
        assert is_hyperbolic_plus_zero(form.at(RR)) == expected["hyperbolic_plus_zero"]["R"]

    def test_padic(self, case_):
        form = Form.of(case_["input"]["matrix"])
        for p, expected in case_["expected"]["witt_Qp_nondeg"].items():
            place = form.at(Qp(int(p)))
            assert (witt_index(place), anisotropic_dimension(place)) == (expected["witt"], expected["anisotropic_dim"])

    def test_reductions(self, case_):
        for p, expected in case_["expected"]["witt_Fp"].items():
            if "witt" not in expected:
                with pytest.raises(FieldError, match="divides its denominator"):
                    Form.of(case_["input"]["matrix"], field=GF(int(p)))
                continue
            form = Form.of(case_["input"]["matrix"], field=GF(int(p)))
            assert (form.rank, witt_index(form)) == (expected["rank"], expected["witt"])
            assert form.dimension - form.rank == expected["radical"]

    def test_the_place_is_a_reason(self, case_):
        form = Form.of(case_["input"]["matrix"])
        dimension, place = anisotropic_dimension_with_place(form)
        assert (place is None) == (dimension == 0)
        if place is not None:
            assert anisotropic_dimension(form.at(place)) == dimension


@pytest.mark.parametrize("case_", cases("isometry_over_Q"))
def test_isometry_cases(case_):
    one, other = (Form.of(case_["input"][name]) for name in "AB")
    assert is_isometric(one, other) == is_isometric(other, one) == case_["expected"]["isometric_Q"]


def test_forms_that_only_a_prime_of_the_second_tells_apart():
    """Rank, signature and discriminant agree, and so do the Hasse invariants at 2 and ∞; not those at 3 and 7."""
    one, other = Form.diagonal([1, 1]), Form.diagonal([21, 21])
    assert not is_isometric(one, other)
    assert not is_isometric(other, one)
    assert not is_isometric(one.at(Qp(3)), other.at(Qp(3)))


@pytest.mark.parametrize(
    ("entries", "isotropic"),
    [
        ([1, 1, 1, -7], False),  # three squares never sum to 7 modulo 8
        ([1, 1, 1, -6], True),
        ([1, 1, 1, 1, -7], True),  # four do
        ([1, 1, -3], False),
        ([1, 1, -2], True),
        ([1, 1, 1, 1, 1], False),
    ],
)
def test_sums_of_squares_and_a_multiple_of_one(entries, isotropic):
    assert is_isotropic(Form.diagonal(entries)) == isotropic


@pytest.mark.parametrize("case_", cases("attention_head"))
def test_head_cases(case_):
    head = Head.of(case_["input"]["Q"], case_["input"]["K"])
    assert head_witt_index(head) == witt_index(Form.of_head(head)) == case_["expected"]["witt_index_Q"]
    assert head_witt_index(head, over=RR) == case_["expected"]["witt_index_R"]


@given(heads(field=fields(), max_n=3, max_N=5), st.sampled_from([RR, Qp(2), Qp(3), Qp(7), None]))
def test_heads_by_the_small_matrix_and_by_all_of_S(head, place):
    """The annihilator lemma over every field: the Witt index from UJUᵀ is that of S itself."""
    over = None if head.field != QQ else place
    form = Form.of_head(head)
    assert head_witt_index(head, over=over) == witt_index(form if over is None else form.at(over))


def test_E8_is_definite_and_hyperbolic_at_every_prime():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (2, 7)]
    E8 = Form.of(
        [[2 if i == j else -1 if (i, j) in edges or (j, i) in edges else 0 for j in range(8)] for i in range(8)]
    )
    assert E8.determinant == 1
    assert [witt_index(E8.at(place)) for place in (RR, Qp(2), Qp(3), Qp(5), Qp(7))] == [0, 4, 4, 4, 4]
    assert anisotropic_dimension_with_place(E8) == (8, RR)


def _largest_isotropic(A, p):
    """Dimension of the largest totally isotropic subspace of F_pⁿ, by exhaustive extension (Witt: any maximal one)."""
    n = len(A)
    candidates = np.array(list(itertools.product(range(p), repeat=n)), dtype=int).reshape(p**n, n)
    candidates = candidates[np.einsum("vi,ij,vj->v", candidates, A, candidates) % p == 0]
    dimension, span = 0, {(0,) * n}
    while len(candidates) > len(span):
        v = next(v for v in candidates if tuple(v) not in span)
        candidates = candidates[(candidates @ A @ v) % p == 0]
        span = {tuple((np.array(s) + c * v) % p) for s in span for c in range(p)}
        dimension += 1
    return dimension


@pytest.mark.parametrize(("p", "most"), [(3, 4), (5, 3), (7, 3)])
@given(st.data())
def test_over_small_fields_by_exhaustive_search(p, most, data):
    form = data.draw(forms(field=GF(p), max_dimension=most))
    A = np.array([[int(x) for x in row] for row in form.gram.tolist()], dtype=int).reshape(
        form.dimension, form.dimension
    )
    assert form.dimension - form.rank + witt_index(form) == _largest_isotropic(A, p)
    assert is_isotropic(form) == (_largest_isotropic(A, p) > 0)


@pytest.mark.parametrize("p", [3, 5, 7])
@given(st.data())
def test_odd_p_by_Springer_residue_forms(p, data):
    """Springer: over ℚ_p, p odd, the anisotropic dimension is the sum of those of the two residue forms over F_p."""
    form = data.draw(forms(field=Qp(p)))
    residues = ([], [])
    for a in form.diagonal_entries:
        v, unit = Qp(p).unit_part(a)
        residues[v % 2].append(unit)
    expected = sum(anisotropic_dimension(Form.diagonal(r, field=GF(p))) for r in residues)
    assert anisotropic_dimension(form) == expected


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_dyadic_forms_by_exhaustive_search(size):
    """A diagonal form with entries of valuation at most 1 is isotropic over ℚ₂ iff it has a primitive zero mod 32."""
    classes = [1, 3, 5, 7, 2, 6, 10, 14]
    squares = {x: x * x % 32 for x in range(32)}
    for entries in itertools.combinations_with_replacement(classes, size):
        values = {(0, False)}
        for a in entries:
            terms = {(a * s % 32, x % 2 == 1) for x, s in squares.items()}
            values = {((v + t) % 32, odd or o) for v, odd in values for t, o in terms}
        assert is_isotropic(Form.diagonal(entries, field=Qp(2))) == ((0, True) in values), entries


@given(forms(field=QQ, max_dimension=4))
def test_Hasse_Minkowski_bounds(form):
    """No place exceeds the rational anisotropic dimension, and all have its parity."""
    dimension = anisotropic_dimension(form)
    for place in (RR, Qp(2), Qp(3), Qp(5), Qp(7), Qp(11)):
        local = anisotropic_dimension(form.at(place))
        assert local <= dimension
        assert (local - dimension) % 2 == 0


@given(forms(), st.data())
def test_isometry_is_invariant(form, data):
    moved = form.restrict(data.draw(invertible_matrices(form.dimension, field=form.field)))
    assert is_isometric(form, moved)
    assert witt_index(form) == witt_index(moved) == witt_index(form.scale(-1))


@given(forms(field=QQ, max_dimension=3), forms(field=QQ, max_dimension=3))
def test_isometric_means_that_the_difference_is_hyperbolic(one, other):
    """Witt cancellation: A ≅ B iff equal dimension and rank and A ⊥ −B is hyperbolic plus zero."""
    same_size = (one.dimension, one.rank) == (other.dimension, other.rank)
    assert is_isometric(one, other) == (same_size and is_hyperbolic_plus_zero(one + other.scale(-1)))


def test_lopsided_forms_need_no_factors():
    hard = (2**127 - 1) * (2**107 - 1)
    assert anisotropic_dimension(Form.diagonal([1, 1, 1, 1, 1, hard])) == 6
    assert is_isotropic(Form.diagonal([1, 1, 1, 1, -hard]))
    with pytest.raises(FactorisationError, match="a composite of 234 bits"):
        witt_index(Form.diagonal([1, 1, -hard]))


def test_a_form_is_isometric_to_itself_whatever_its_determinant():
    hard = Form.diagonal([1, 1, -(2**127 - 1) * (2**107 - 1)])
    assert is_isometric(hard, hard)
    assert not is_isometric(hard, hard.scale(-1))
    with pytest.raises(FactorisationError, match="a composite of 234 bits"):
        is_isometric(hard, hard.restrict(QQ.matrix([[1, 1, 0], [0, 1, 0], [0, 0, 1]])))


def test_places_that_tell_forms_apart_need_no_other_factors():
    hard = (2**127 - 1) * (2**107 - 1)
    assert not is_isometric(Form.diagonal([1, 1, hard]), Form.diagonal([3, 3, hard]))


def test_even_ranks_need_the_content_of_the_adjugate_only():
    hard = (2**127 - 1) * (2**107 - 1)
    assert witt_index(Form.diagonal([1, 3, -2, hard])) == 1
    assert anisotropic_dimension_with_place(Form.diagonal([1, 1, 7, -hard])) == (2, RR)
    with pytest.raises(FactorisationError, match="a composite of 234 bits"):
        witt_index(Form.diagonal([1, -2, hard, -3 * hard]))


@given(forms(field=QQ, max_dimension=6).filter(lambda form: form.rank % 2 == 0))
def test_primes_of_corank_two_are_enough_for_even_rank(form):
    """Against all bad primes."""
    most = max((anisotropic_dimension(form.at(place)) for place in form.bad_primes()), default=0)
    some = max((anisotropic_dimension(form.at(place)) for place in form.primes_of_corank_two()), default=0)
    assert (most == 4) == (some == 4)
    assert set(form.primes_of_corank_two()) <= set(form.bad_primes())


def test_different_fields():
    with pytest.raises(FieldError, match="one form is over RR, the other over QQ"):
        is_isometric(Form.of([[1]], field=RR), Form.of([[1]]))


def test_an_impossible_index_stops_the_run(monkeypatch):
    monkeypatch.setattr(proofs.witt, "anisotropic_dimension", lambda form: 2)
    with pytest.raises(InconsistencyError, match="a form of rank 1"):
        head_witt_index(Head.of([[1]], [[1]]))


def test_characteristic_two_is_refused():
    with pytest.raises(FieldError, match="characteristic 2"):
        Form.of(case("E07-char2")["input"]["matrix"], field=GF(2))
