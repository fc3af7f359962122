import pytest
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from proofs.indeterminates import indeterminate_matrices
from proofs.parametrisations import PARAMETRISATIONS


@pytest.mark.parametrize("item", PARAMETRISATIONS, ids=lambda p: p.id)
def test_shapes_and_factorisations(item):
    for sizes in item.sizes:
        assert set(sizes) == set(item.sizes[0])
        heads = item.heads(indeterminate_matrices(over=QQ, **item.shapes(sizes)), sizes)
        assert heads
        for head in heads:
            assert head.K.shape == head.Q.shape
            assert head.K.shape[0] == sizes["n"]
            for matrix, products in (
                (head.K, head.key),
                (head.Q, head.query),
                (head.K.vstack(head.Q), head.stacked),
            ):
                assert all(C * B == matrix for C, B in products)


def test_identifiers():
    assert (
        len({item.id for item in PARAMETRISATIONS})
        == len({item.title for item in PARAMETRISATIONS})
        == len(PARAMETRISATIONS)
    )


def _family(identifier):
    return next(item for item in PARAMETRISATIONS if item.id == identifier)


def _numbers(item, sizes, value):
    return {
        name: DomainMatrix([[QQ(value(i, j)) for j in range(b)] for i in range(a)], (a, b), QQ)
        for name, (a, b) in item.shapes(sizes).items()
    }


def test_centring_removes_the_mean():
    item, sizes = _family("centre-folded"), {"n": 2, "N": 4}
    (head,) = item.heads(_numbers(item, sizes, lambda i, j: (i + 1) * j * j), sizes)
    ones = DomainMatrix([[QQ(1)]] * 4, (4, 1), QQ)
    assert (head.K * ones).to_list() == (head.Q * ones).to_list() == [[0], [0]]


def test_rotations_are_orthogonal_and_compose():
    item, sizes = _family("rotary"), {"n": 3, "N": 4, "rotated": 2}
    heads = item.heads(_numbers(item, sizes, lambda i, j: int(i == j)), sizes)
    rotations = [head.Q.extract(range(3), range(3)) for head in heads]
    eye = DomainMatrix.eye(3, QQ).to_dense()
    assert all((R.transpose() * R).to_dense() == eye for R in rotations)
    assert rotations[2].to_dense() == eye
    assert rotations[3] * rotations[3] == rotations[4]
    assert rotations[3] * rotations[1] == eye


def test_grouped_queries_share_keys():
    item, sizes = _family("grouped-query"), {"n": 1, "N": 2, "heads": 4, "groups": 2}
    heads = item.heads(indeterminate_matrices(over=QQ, **item.shapes(sizes)), sizes)
    assert [heads[0].K == head.K for head in heads] == [True, True, False, False]
    assert len({str(head.Q) for head in heads}) == 4


def test_a_folded_layer_norm_is_the_layer_norm():
    """``K(g ∘ (x − mean x) + β) + k`` is what the folded matrix does to (x, 1)."""
    item, sizes = _family("layer-norm-folded"), {"n": 2, "N": 4}
    p = _numbers(item, sizes, lambda i, j: (i + 2) * (j + 1) ** 2 - 3)
    (head,) = item.heads(p, sizes)
    x = [QQ(v) for v in (3, -1, 4, 1)]
    mean = sum(x) / 4
    normalised = [p["g"][0, i].element * (x[i] - mean) + p["β"][i, 0].element for i in range(4)]
    hat = DomainMatrix([[v] for v in [*x, QQ(1)]], (5, 1), QQ)
    for name, bias, folded in (("K", "k", head.K), ("Q", "q", head.Q)):
        column = DomainMatrix([[v] for v in normalised], (4, 1), QQ)
        assert (folded * hat).to_list() == (p[name] * column + p[bias]).to_list()


def test_adapters_of_zero_leave_the_base():
    item, sizes = _family("adapter"), {"n": 2, "N": 5, "r": 1}
    p = _numbers(item, sizes, lambda i, j: i + j)
    (head,) = item.heads({**p, "A_k": p["A_k"] * QQ(0), "A_q": p["A_q"] * QQ(0)}, sizes)
    assert (head.K, head.Q) == (p["K0"], p["Q0"])
