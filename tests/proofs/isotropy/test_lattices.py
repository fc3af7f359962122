import pytest
from flint import fmpq_mat, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import HypothesisError
from proofs.factorisation import factorisation
from proofs.fields import QQ, Qp
from proofs.forms import Form
from proofs.isotropy.lattices import Lattice
from proofs.isotropy.rational import primitive
from proofs.matrices import integral
from proofs.witt import is_isotropic, padic_anisotropic_dimension
from tests.proofs.strategies import forms


def _nondegenerate(**options):
    return forms(field=QQ, numbers=st.integers(-40, 40), **options).filter(lambda f: f.rank == f.dimension > 0)


def _is_multiple(lattice, form):
    """The Gram matrix of the lattice is a positive multiple of that of its basis in the form."""
    of_basis = form.restrict(lattice.basis).gram
    i = next(i for i, x in enumerate(lattice.gram.entries()) if x != 0)
    ratio = lattice.gram.entries()[i] / of_basis.entries()[i]
    return ratio > 0 and of_basis * ratio == QQ.reduce(lattice.gram)


@given(_nondegenerate())
def test_reduction_is_a_change_of_basis(form):
    lattice = Lattice.of(form.gram)
    reduced = lattice.reduce()
    assert _is_multiple(reduced, form)
    assert abs(reduced.basis.det()) == 1
    assert abs(reduced.gram.det()) == abs(lattice.gram.det())


def test_reduction_shortens():
    definite = QQ.matrix([[10**6, 10**6 + 1], [10**6 + 1, 10**6 + 3]])
    assert Lattice.of(definite).reduce().gram == fmpz_mat([[1, 0], [0, 999_999]])
    indefinite = QQ.matrix([[1, 500, 0], [500, 249_999, 3], [0, 3, 7]])
    assert max(abs(x) for x in Lattice.of(indefinite).reduce().gram.entries()) < 20


@given(_nondegenerate(max_dimension=4), st.sampled_from([2, 3, 5, 7]))
def test_enlarging_leaves_little_of_the_determinant(form, p):
    lattice = Lattice.of(form.gram).enlarge(p)
    assert _is_multiple(lattice, form)
    det, before = lattice.gram.det(), Lattice.of(form.gram).gram.det()
    assert factorisation(det)[p] <= factorisation(before)[p]
    assert factorisation(det)[p] <= lattice.rank / 2
    assert {q for q, e in factorisation(det).items() if e and q != p} <= set(factorisation(before))


@given(_nondegenerate(max_dimension=3).filter(lambda f: f.dimension == 3), st.sampled_from([2, 3, 5, 7]))
def test_ternary_lattices_are_cleared_where_isotropic(form, p):
    lattice = Lattice.of(form.gram)
    if padic_anisotropic_dimension(form, Qp(p)) < 3:
        cleared = lattice.clear(p)
        assert cleared.gram.det() % p != 0
        assert _is_multiple(cleared, form)
    elif p > 2:
        with pytest.raises(HypothesisError, match=rf"anisotropic over Qp\({p}\)"):
            lattice.clear(p)


@given(_nondegenerate(max_dimension=4))
def test_small_isotropic_vectors(form):
    x = Lattice.of(form.gram).reduce().small_isotropic_vector()
    if x is not None:
        assert form.value(x) == 0
        assert any(x.entries())
        assert is_isotropic(form)


def test_kernels_modulo_p():
    lattice = Lattice(fmpq_mat(fmpz_mat([[1, 0], [0, 1]])), fmpz_mat([[3, 1], [1, 2]]))
    assert lattice.kernel(5) == [[3, 1]]
    assert lattice.kernel(2) == []
    assert Form(QQ.reduce(lattice.gram)) == lattice.form


@given(_nondegenerate(max_dimension=6))
def test_split_planes(form):
    lattice = Lattice.of(form.gram).reduce()
    x = lattice.small_isotropic_vector()
    if x is None:
        return
    u, v, rest = Lattice.of(form.gram).split(integral(primitive(x))[0])
    assert form.value(u) == form.value(v) == 0 != form.value(u, v)
    assert form.dimension - 2 == rest.rank
    assert (u.transpose() * form.gram * rest.basis).entries() == [0] * rest.rank
    assert (v.transpose() * form.gram * rest.basis).entries() == [0] * rest.rank
    if rest.rank:
        assert _is_multiple(rest, form)


@given(_nondegenerate(max_dimension=6).filter(lambda f: abs(f.signature()[0] - f.signature()[1]) <= 2))
def test_quasi_split_places(form):
    """The primes that are not looked at follow from the others."""
    lattice = Lattice.of(form.gram)
    primes = sorted({2, *factorisation(lattice.gram.det())})
    expected = all(padic_anisotropic_dimension(form, Qp(p)) <= 2 for p in primes)
    assert lattice.is_quasi_split_at(primes) == expected
