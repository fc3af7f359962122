from hypothesis import given

from proofs.fields import GF, QQ
from proofs.heads import Head, split_form
from proofs.inertia import signature
from proofs.lemmas import annihilator, annihilator_form, core, factor
from proofs.matrices import submatrix
from proofs.ranks import rank_over
from tests.proofs import fractions_route as route
from verify.strategies import fields, heads


@given(heads(field=fields()))
def test_factor_lemma(head):
    F, r = head.field, head.M.rank()
    C, B = factor(head)
    assert C * B == head.M
    assert (C.ncols(), B.nrows()) == (r, r)
    assert B.rank() == r
    assert B.transpose() * core(head) * B == head.S
    columns = rank_over(F, head.M).minor.columns
    assert core(head) == submatrix(F, head.S, columns, columns)


@given(heads(field=fields()))
def test_the_annihilator_spans_the_left_kernel(head):
    F, U = head.field, annihilator(head)
    assert U.nrows() == 2 * head.n - head.M.rank() == U.rank()
    assert U * head.M == F.zeros(U.nrows(), head.N)


@given(heads(field=fields()))
def test_the_annihilator_form_gives_the_radical(head):
    A = annihilator_form(head)
    k = A.nrows()
    assert head.S.rank() == 2 * head.n - k - (k - A.rank())


@given(heads(field=QQ, max_n=4, max_N=8))
def test_the_annihilator_form_gives_the_signature(head):
    n, N = head.n, head.N
    p, q, t = signature(annihilator_form(head))
    assert route.signature(route.exact(head.S)) == (n - p - t, n - q - t, N - 2 * n + p + q + 2 * t)


def test_column_space_is_the_orthogonal_complement():
    """The step of the proof: W = X^⊥ for X spanned by JUᵀ, with Gram matrix A."""
    head = Head.of(Q=[[1, 2, 0, 1], [0, 1, 1, 0]], K=[[1, 2, 0, 1], [1, 0, 1, 3]], field=GF(7))
    J, U = split_form(head.field, 2), annihilator(head)
    X = J * U.transpose()
    assert X.transpose() * J * head.M == head.field.zeros(U.nrows(), head.N)
    assert X.transpose() * J * X == annihilator_form(head)
