import random

import pytest
from flint import fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

import proofs.rational_isotropy
from proofs.errors import FactorisationError, InconsistencyError
from proofs.fields import QQ
from proofs.forms import Form
from proofs.rational_isotropy import orthogonal_complement, primitive, rational_isotropic_vector
from proofs.witt import is_isotropic
from tests.cases import case, cases
from tests.proofs.strategies import forms, integer_rows


def _check(form):
    x = rational_isotropic_vector(form)
    if x is None:
        assert not is_isotropic(form)
        return None
    assert form.value(x) == 0
    assert any(a != 0 for a in x.entries())
    assert primitive(x) == x
    return x


@pytest.mark.parametrize("case_", cases("form_over_fields"))
def test_cases(case_):
    form, expected = Form.of(case_["input"]["matrix"]), case_["expected"]["witt_Q"]
    assert (_check(form) is not None) == (expected["max_isotropic_incl_radical"] > 0)


@settings(deadline=None)
@given(forms(field=QQ, max_dimension=6))
def test_found_exactly_where_invariants_say_so(form):
    _check(form)


def _random_form(generator, size, bits):
    rows = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rows[i][j] = rows[j][i] = generator.randint(-(2**bits), 2**bits)
    return Form.of(rows)


@pytest.mark.parametrize(
    ("size", "bits", "number"), [(2, 20, 20), (3, 20, 20), (3, 40, 10), (4, 12, 20), (4, 30, 5), (5, 20, 3), (7, 10, 2)]
)
def test_large_coefficients(size, bits, number):
    generator = random.Random(size * bits)
    for _ in range(number):
        _check(_random_form(generator, size, bits))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_planted_isotropy(size):
    """⟨a, −a·c²⟩ ⊥ anything, hidden by a congruence: isotropic by construction, whatever the invariants say."""
    generator = random.Random(size)
    for _ in range(10):
        a, c = generator.randint(1, 10**6), generator.randint(1, 10**4)
        rest = [generator.randint(-(10**6), 10**6) or 1 for _ in range(size - 2)]
        U = QQ.matrix([[generator.randint(-9, 9) for _ in range(size)] for _ in range(size)])
        if U.det() != 0:
            assert _check(Form.diagonal([a, -a * c * c, *rest]).restrict(U)) is not None


def test_the_large_prime_of_the_cases():
    form = Form.of(case("F23-pari3_2")["input"]["matrix"])
    assert 42762409 in [place.p for place in form.bad_primes()]
    assert _check(form) is None
    assert _check(form + Form.diagonal([-form.gram[0, 0]])) is not None


def test_a_conic_with_a_large_prime():
    # −1 is a square modulo 42762409 ≡ 1 mod 4, so x² + y² = pz² is solvable.
    x = _check(Form.diagonal([1, 1, -42762409]))
    assert x is not None


def test_quaternary_forms_made_to_measure(monkeypatch):
    """Without the short vectors the search of last resort has to do it."""
    monkeypatch.setattr(proofs.rational_isotropy, "_SHORT", 0)
    generator, found = random.Random(1), 0
    for _ in range(12):
        found += _check(_random_form(generator, 4, 10)) is not None
    assert found > 3


def test_numbers_too_large_to_factor_are_named():
    hard = (2**127 - 1) * (2**107 - 1)
    with pytest.raises(FactorisationError, match="234 bits"):
        rational_isotropic_vector(Form.diagonal([1, 1, -hard]))


def test_a_false_vector_is_refused(monkeypatch):
    monkeypatch.setattr(proofs.rational_isotropy, "_solve", lambda lattice: QQ.matrix([[1], [1]]))
    with pytest.raises(InconsistencyError, match="not isotropic"):
        rational_isotropic_vector(Form.diagonal([1, -4]))


@given(st.integers(2, 4).flatmap(lambda n: st.tuples(integer_rows(n, n), integer_rows(n, 1))))
def test_orthogonal_complements_are_saturated(data):
    rows, column = data
    A = fmpz_mat(rows)
    gram, w = A + A.transpose(), fmpz_mat(column)
    complement = orthogonal_complement(gram, w)
    assert (w.transpose() * gram * complement).is_zero()
    assert complement.rank() == complement.ncols() == gram.nrows() - (gram * w).rank()
    assert all(d == 1 for d in (complement.snf()[i, i] for i in range(complement.ncols())))


class TestAgainstPari:
    """PARI's qfsolve as a peer that decides isotropy by its own algorithms."""

    pari = staticmethod(lambda text: pytest.importorskip("cypari").pari(text))

    @pytest.mark.parametrize("size", [3, 4, 5])
    def test_random_forms(self, size):
        generator = random.Random(100 + size)
        for _ in range(25):
            form = _random_form(generator, size, 6)
            if form.rank < size:
                continue
            entries = ";".join(",".join(str(x) for x in row) for row in form.gram.tolist())
            answer = self.pari(f'type(qfsolve([{entries}]))==\'t_COL || type(qfsolve([{entries}]))=="t_COL"')
            assert bool(answer) == (_check(form) is not None)
