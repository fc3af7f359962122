import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import FieldError, InconsistencyError, ShapeError
from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head
from tests.cases import case, cases
from tests.proofs import fractions_route as route
from tests.proofs.strategies import forms
from verify.strategies import invertible_matrices


@pytest.mark.parametrize("case_", cases("form_over_fields"))
def test_cases(case_):
    form, expected = Form.of(case_["input"]["matrix"]), case_["expected"]
    assert (form.dimension, form.rank) == (expected["n"], expected["rank"])
    assert form.radical.ncols() == expected["radical_dim"]
    assert form.discriminant == expected["det_squareclass_nondeg"]
    assert form.signed_discriminant == expected["signed_disc_squareclass_nondeg"]
    places = {"inf": RR} | {name: Qp(int(name)) for name in expected["hasse_cassels_nondeg"] if name != "inf"}
    assert {name: form.hasse(place) for name, place in places.items()} == expected["hasse_cassels_nondeg"]
    assert {str(p.p) for p in form.bad_primes()} >= {
        n for n, sign in expected["hasse_cassels_nondeg"].items() if sign < 0
    } - {"inf"}


@given(forms())
def test_diagonalisation(form):
    diagonalisation = form.diagonalisation
    assert form.restrict(diagonalisation.P).gram == form.field.diagonal(
        [*diagonalisation.diagonal, *[0] * (form.dimension - form.rank)]
    )
    assert all(a != 0 for a in diagonalisation.diagonal)
    assert diagonalisation.P.rank() == form.dimension


@given(forms())
def test_the_radical(form):
    assert form.gram * form.radical == form.field.zeros(form.dimension, form.dimension - form.rank)
    assert form.radical.rank() == form.dimension - form.rank


@given(forms(), st.data())
def test_invariants_are_invariant(form, data):
    moved = form.restrict(data.draw(invertible_matrices(form.dimension, field=form.field)))
    assert (moved.rank, moved.signed_discriminant) == (form.rank, form.signed_discriminant)
    places = [RR, Qp(2), Qp(3), Qp(5), Qp(7)] if form.field == QQ else [form.field]
    assert all(moved.hasse(place) == form.hasse(place) for place in places)


@given(forms(field=QQ))
def test_signature_by_another_route(form):
    assert form.signature() == form.at(RR).signature() == route.signature(route.exact(form.gram))
    signs = [a > 0 for a in form.diagonal_entries]
    assert (sum(signs), len(signs) - sum(signs)) == form.signature()[:2]


@given(forms(field=QQ), forms(field=QQ))
def test_sums_and_scaling(one, other):
    total = one + other
    assert total.dimension == one.dimension + other.dimension
    assert total.rank == one.rank + other.rank
    assert QQ.is_square(total.determinant * one.determinant * other.determinant)
    assert one.scale(-1).signature()[:2] == one.signature()[1::-1]


def test_a_zero_diagonal_needs_a_plane():
    form = Form.of([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    assert form.discriminant == 2
    assert form.signature()[:2] == (1, 2)


def test_reduction_has_its_own_radical():
    rows = [[7, 0], [0, 1]]
    assert (Form.of(rows).rank, Form.of(rows, field=GF(7)).rank) == (2, 1)


def test_the_form_of_a_head():
    head = Head.of([[1, 0]], [[0, 1]])
    assert Form.of_head(head).gram == head.S


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Form.of([[1, 2], [3, 4]]), ShapeError, r"entry \(0, 1\) is 2 and \(1, 0\) is 3; a form is symmetric"),
        (lambda: Form.of([[1, 2]]), ShapeError, "the matrix is 1 × 2; a form needs a square one"),
        (lambda: Form.of([["1/3"]], field=GF(3)), FieldError, "3 divides its denominator"),
        (lambda: Form.of([[1]], field=RR) + Form.of([[1]]), FieldError, "one form is over RR, the other over QQ"),
        (lambda: Form.of([[1]]).hasse(), FieldError, "no Hilbert symbol"),
        (lambda: Form.diagonal([1, 2]).hasse(), FieldError, "no Hilbert symbol over QQ; take it at a place"),
        (lambda: Form.of([[1]]).hasse(GF(3)), FieldError, r"GF\(3\) is not a completion of QQ"),
        (lambda: Form.of([[1]], field=RR).at(Qp(3)), FieldError, r"Qp\(3\) is not a completion of RR"),
        (lambda: Form.of([[1]], field=Qp(3)).signature(), FieldError, "not an ordered field"),
        (lambda: Form.of([[1]], field=RR).bad_primes(), FieldError, "expected one over QQ"),
        (lambda: Form.of(case("E09-nonintegral-reduction")["input"]["matrix"], field=GF(3)), FieldError, "divides"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_wrong_diagonalisation_is_noticed(monkeypatch):
    monkeypatch.setattr(
        "proofs.forms._diagonalise", lambda field, gram: (field.identity(gram.nrows()), (field(1),) * 2)
    )
    with pytest.raises(InconsistencyError, match="does not multiply out"):
        Form.of([[2, 0], [0, 1]]).diagonalisation  # noqa: B018


def test_the_empty_form():
    empty = Form.of([])
    assert (empty.dimension, empty.rank, empty.discriminant, empty.hasse(RR)) == (0, 0, 1, 1)
