import itertools
from dataclasses import replace

import numpy as np
import pytest
from flint import fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

import proofs.decomposition
from proofs.decomposition import decompose, hyperbolic_basis, hyperbolic_plus_zero
from proofs.errors import HypothesisError, InconsistencyError
from proofs.fields import GF, QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head
from proofs.inertia import Signature
from proofs.witt import anisotropic_dimension
from tests.cases import case, cases
from tests.proofs import fractions_route as route
from verify.strategies import fields, heads, invertible_matrices

FIELDS = {
    "rank_M": "rank_stacked",
    "rank_Q": "rank_query",
    "rank_K": "rank_key",
    "rank_L": "rank_score",
    "rank_S": "rank",
    "nondegenerate_head": "nondegenerate",
    "witt_index_R": "witt_index",
    "max_isotropic_dim_R": "isotropy_dimension",
    "hyperbolic_plus_zero_R": "hyperbolic_plus_zero",
}


@pytest.mark.parametrize("case_", cases("attention_head"))
def test_cases(case_):
    head, expected = Head.of(case_["input"]["Q"], case_["input"]["K"]), case_["expected"]
    found = decompose(head)
    assert {k: getattr(found, v) for k, v in FIELDS.items()} == {k: expected[k] for k in FIELDS}
    assert (found.n, found.N, list(found.signature)) == (expected["n"], expected["N"], expected["signature_S"])
    assert found.rank_query + found.rank_key - found.rank_stacked == expected["dim_rowspace_intersection"]


@given(heads(field=QQ, max_n=4, max_N=9))
def test_any_rational_head_against_plain_fractions(head):
    found = decompose(head)
    Q, K = route.exact(head.Q), route.exact(head.K)
    S = route.symmetric_part(Q, K) if Q else [[0] * head.N for _ in range(head.N)]
    assert found.signature == route.signature(S)
    assert found.rank_stacked == route.rank(K + Q)
    assert (found.rank_query, found.rank_key) == (route.rank(Q), route.rank(K))
    assert found.rank_score == route.rank(route.exact(head.L))
    assert found.rank + found.radical == head.N
    assert found.rank == 2 * found.witt_index + found.anisotropic_dimension
    assert found.isotropy_dimension == found.radical + found.witt_index


@given(heads(field=fields(), max_n=4, max_N=8), st.data())
def test_both_routes_agree_over_every_field(head, data):
    """The core and the annihilator form are two routes to the same invariants; the cost only chooses between them."""
    results = []
    for sign in (1, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(proofs.decomposition, "_cost", lambda form, s=sign: s * form.nrows())
            results.append(decompose(head))
    assert results[0] == results[1]


@given(heads(field=fields(), max_n=3, max_N=6), st.data())
def test_invariance(head, data):
    moved = head.gauge(data.draw(invertible_matrices(head.n, field=head.field)))
    moved = moved.change_coordinates(data.draw(invertible_matrices(head.N, field=head.field)))
    one, other = decompose(head), decompose(moved)
    proof = {"null_vectors": (), "minor": one.minor}
    assert replace(one, **proof) == replace(other, **proof)


@given(heads(field=QQ))
def test_negating_K_swaps_the_signs(head):
    p, q, zero = decompose(head).signature
    assert decompose(Head.of(head.Q, -head.K, N=head.N)).signature == Signature(q, p, zero)


@given(heads(field=GF(3), max_n=2, max_N=4))
def test_witt_index_over_F3_by_exhaustive_search(head):
    found = decompose(head)
    assert found.signature is None
    assert found.isotropy_dimension == _largest_isotropic(head.S, 3)


@given(heads(field=Qp(3), max_n=2, max_N=4))
def test_padic_heads(head):
    found = decompose(head)
    assert found.signature is None
    assert found.anisotropic_dimension == anisotropic_dimension(Form.of_head(head)) <= 4


@given(heads(field=RR))
def test_real_heads_are_rational_heads(head):
    assert decompose(head) == decompose(head.over(QQ))


def _largest_isotropic(S, p):
    """Dimension of the largest totally isotropic subspace, by extending isotropic vectors exhaustively."""
    N = S.nrows()
    A = np.array([[int(x) for x in row] for row in S.tolist()])
    vectors = np.array(list(itertools.product(range(p), repeat=N)))
    isotropic = vectors[np.einsum("vi,ij,vj->v", vectors, A, vectors) % p == 0]

    def extend(basis, candidates):
        best = len(basis)
        span = {
            tuple(sum((c * b for c, b in zip(cs, basis, strict=True)), np.zeros(N, int)) % p)
            for cs in itertools.product(range(p), repeat=len(basis))
        }
        # All maximal totally isotropic subspaces have one dimension (Witt), so the first extension is as good as any.
        for v in candidates:
            if tuple(v) not in span:
                return extend([*basis, v], candidates[(candidates @ A @ v) % p == 0])
        return best

    return extend([], isotropic)


@given(heads(field=fields()))
def test_the_hyperbolic_basis_of_nondegenerate_heads(head):
    if not decompose(head).nondegenerate:
        with pytest.raises(HypothesisError, match=r"rank M = .* the head is degenerate"):
            hyperbolic_basis(head)
        return
    basis = hyperbolic_basis(head)
    J0 = hyperbolic_plus_zero(head.field, head.n, head.N)
    assert basis.P.transpose() * head.S * basis.P == J0
    assert basis.P.rank() == head.N
    assert basis.P * basis.inverse == head.field.identity(head.N)
    assert len(basis.columns) == 2 * head.n


def test_a_false_basis_is_refused():
    basis = hyperbolic_basis(Head.of([[1, 0, 0]], [[1, 2, 0]]))
    with pytest.raises(InconsistencyError, match="PᵀSP"):
        replace(basis, P=QQ.identity(3)).check()
    with pytest.raises(InconsistencyError, match="not invertible"):
        replace(basis, inverse=QQ.identity(3)).check()


def test_no_room_for_the_planes():
    with pytest.raises(HypothesisError, match="2n = 4 > N = 3"):
        hyperbolic_plus_zero(QQ, 2, 3)


@pytest.mark.parametrize(
    ("invariants", "message"),
    [
        ((Signature(2, 0, 0), 2, 2), "exceeds the corank bound 0"),
        ((Signature(2, 0, 0), 2, 0), "exceeds rank balance"),
        ((Signature(0, 0, 2), 0, 0), "exceeds the corank bound -2"),
    ],
)
def test_violations_stop_the_run(monkeypatch, invariants, message):
    monkeypatch.setattr(proofs.decomposition, "_invariants", lambda *_: invariants)
    with pytest.raises(InconsistencyError, match=message):
        decompose(Head.of([[1, 0]], [[0, 1]]))


def test_the_empty_head():
    expected = case("E05-n0")["expected"]
    found = decompose(Head.of([], [], N=3))
    assert list(found.signature) == expected["signature_S"]
    assert (found.rank_stacked, found.nondegenerate) == (expected["rank_M"], expected["nondegenerate_head"])
    assert hyperbolic_basis(Head.of([], [], N=3)).P == QQ.identity(3)


def test_negative_zeros_and_half_precision_inputs():
    for name in ("E11-negative-zero", "E13-fp16-storage"):
        input_, expected = case(name)["input"], case(name)["expected"]
        found = decompose(Head.of(input_["Q"], input_["K"]))
        assert list(found.signature) == expected["signature_S"]
    assert Head.of(input_["Q"], input_["K"]).S == QQ.matrix(expected["S"])


@pytest.mark.parametrize(("n", "N", "rank"), [(16, 96, 32), (16, 96, 29), (16, 96, 16), (16, 24, 24), (12, 24, 23)])
def test_large_random_heads_against_numpy(n, N, rank):
    """The exact signature against floating point on well-conditioned heads, where its gap is beyond doubt."""
    generator = np.random.default_rng(n + N + rank)
    M = generator.integers(-9, 10, (2 * n, rank)) @ generator.integers(-9, 10, (rank, N))
    K, Q = (fmpz_mat(rows.tolist()) for rows in (M[:n], M[n:]))
    found = decompose(Head.of(Q, K))
    half_form = M[:n].T @ M[n:]
    values = np.linalg.eigvalsh((half_form + half_form.T) / 2.0)
    cut = 1e-9 * abs(values).max()
    assert found.signature == (int((values > cut).sum()), int((values < -cut).sum()), int((abs(values) <= cut).sum()))
    assert found.rank_stacked == rank
    assert decompose(Head.of(Q, K, field=GF(2**61 - 1))).rank == found.rank


def test_tied_heads_are_semidefinite():
    Q = fmpz_mat(np.random.default_rng(5).integers(-99, 100, (24, 96)).tolist())
    found = decompose(Head.of(Q, Q))
    assert (found.signature, found.rank_stacked, found.witt_index) == (Signature(24, 0, 72), 24, 0)
    assert all(sorted(u) == [-1] + [0] * 46 + [1] for u in found.null_vectors)
