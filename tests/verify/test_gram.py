"""The Gram matrix, its error bound, and the compressed form as a change of basis."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.heads import exact
from verify.gram import antisymmetric_part, compressed_form, pairing, scaled_gram, symmetric_part

seeds = st.integers(0, 2**32)


@given(seeds, st.integers(1, 3), st.integers(1, 40), st.integers(0, 200))
def test_the_error_bound_holds_exactly(seed: int, n: int, N: int, spread: int) -> None:
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((2 * n, N)) * 2.0 ** rng.integers(-spread, spread + 1, size=(2 * n, N))
    gram = scaled_gram(torch.tensor(M)[None])
    A = exact(gram.A[0])
    truth = A * A.transpose()
    norms = gram.row_norms()[0]
    G = exact(gram.G[0])
    for i in range(2 * n):
        assert exact(norms[None, i : i + 1])[0, 0] ** 2 >= truth[i, i]
        for j in range(2 * n):
            bound = exact((norms[i] * norms[j] * (1 + 1e-9) * gram.relative_error[0]).reshape(1, 1))[0, 0]
            assert abs(G[i, j] - truth[i, j]) <= bound + exact(np.array([[gram.underflow]]))[0, 0]
    assert torch.equal(gram.G, gram.G.mT)


@given(seeds, st.integers(1, 4), st.integers(0, 5))
def test_the_compressed_form_is_the_form_in_an_orthonormal_basis(seed: int, n: int, extra: int) -> None:
    rng = np.random.default_rng(seed)
    M = torch.tensor(rng.standard_normal((2 * n, 2 * n + extra)))
    gram = scaled_gram(M[None])
    basis, R = torch.linalg.qr(gram.A[0].T)
    d, scale = pairing(gram.exponents, gram.live_pairs)
    form = compressed_form(R.T[None], d)[0] * 2.0 ** int(scale[0])
    L = M[:n].T @ M[n:]
    assert torch.allclose(form, basis.T @ L @ basis, atol=1e-12 * float(torch.linalg.matrix_norm(L) + 1))


def test_parts() -> None:
    form = torch.tensor([[1.0, 2.0], [0.0, 3.0]])
    assert torch.equal(symmetric_part(form) + antisymmetric_part(form), form)
    assert torch.equal(symmetric_part(form), symmetric_part(form).T)
    assert torch.equal(antisymmetric_part(form), -antisymmetric_part(form).T)


def test_pairs_lost_to_float64_have_weight_zero() -> None:
    d, _ = pairing(torch.tensor([[0, -700, 0, -700]]), torch.ones(1, 2, dtype=torch.bool))
    assert d.tolist() == [[1.0, 0.0]]
    d, _ = pairing(torch.tensor([[0, -400, 0, -400]]), torch.ones(1, 2, dtype=torch.bool))
    assert d.tolist() == [[1.0, 2.0**-800]]


def test_a_stated_rounding_widens_the_bound() -> None:
    M = torch.eye(2, 3, dtype=torch.float64)[None]
    plain, rounded = scaled_gram(M), scaled_gram(M, torch.tensor([1e-10], dtype=torch.float64))
    assert float(rounded.relative_error[0]) > float(plain.relative_error[0]) + 1.9e-10
