"""The floating-point proof never proves what is false, and the certain signs never exceed the exact signature."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from proofs.inertia import signature
from tests.verify.heads import exact, singular_stack
from verify import laws
from verify.gram import pairing, scaled_gram
from verify.heads import HeadBatch
from verify.signature import prove_full_rank, signs_from_gram, signs_from_rows
from verify.strategies import float_heads


def proof_of(M: np.ndarray):
    gram = scaled_gram(torch.tensor(M, dtype=torch.float64).unsqueeze(0))
    return gram, prove_full_rank(gram)


@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(0, 8), st.integers(1, 3))
def test_no_singular_matrix_is_ever_proved(seed: int, half: int, extra: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    rows = 2 * half
    M = singular_stack(rng, rows, rows + extra, depth=min(depth, rows - 1))
    # Row and column scaling by powers of two changes no rank, but every rounding.
    M *= 2.0 ** rng.integers(-60, 60, size=(rows, 1))
    M *= 2.0 ** rng.integers(-60, 60, size=(1, rows + extra))
    assert exact(M).rank() < rows
    assert not proof_of(M)[1].proved.any()


@pytest.mark.parametrize("N", [8, 64, 384, 4096])
def test_nearly_singular_real_sizes_are_not_proved_by_luck(N: int) -> None:
    """Wide singular matrices whose Cholesky factorisation without a shift succeeds by rounding."""
    rng = np.random.default_rng(N)
    lucky = 0
    for _ in range(40):
        M = singular_stack(rng, 8, N)
        gram, proof = proof_of(M)
        assert not proof.proved.any()
        lucky += int(torch.linalg.cholesky_ex(gram.G).info[0] == 0)
    assert lucky > 0, "the test has no power: plain Cholesky never succeeded on a singular matrix"


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_the_certified_bound_is_below_the_true_eigenvalue(seed: int, closeness: int) -> None:
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((4, 6))
    M[3] = M[0] + 2.0**-closeness * M[3]
    gram, proof = proof_of(M)
    if proof.proved[0]:
        with mpmath.workdps(60):
            A = mpmath.matrix(gram.A[0].tolist())
            least = min(mpmath.eigsy(A * A.T, eigvals_only=True))
            assert mpmath.mpf(float(proof.shift[0])) - mpmath.mpf(float(proof.bound[0])) <= least
    assert bool(proof.proved[0]) or closeness > 15


def test_a_batch_is_proved_head_by_head() -> None:
    rng = np.random.default_rng(0)
    good, bad = rng.standard_normal((64, 384)), singular_stack(rng, 64, 384)
    proof = prove_full_rank(scaled_gram(torch.tensor(np.stack([good, bad, good]))))
    assert proof.proved.tolist() == [True, False, True]


@pytest.mark.parametrize("scale", [2.0**-400, 1.0, 2.0**400])
def test_the_proof_does_not_depend_on_scale(scale: float) -> None:
    M = np.random.default_rng(1).standard_normal((6, 9))
    proof, scaled = proof_of(M)[1], proof_of(M * scale)[1]
    assert proof.proved[0]
    assert scaled.proved[0]
    assert float(proof.bound[0]) == float(scaled.bound[0])


def test_the_proof_is_sound_in_every_stratum() -> None:
    laws.soundness(lambda batch: prove_full_rank(scaled_gram(batch.stacked())).proved)


def test_rows_graded_over_hundreds_of_orders_are_proved() -> None:
    M = np.random.default_rng(2).standard_normal((6, 9)) * 2.0 ** np.array([[-480], [300], [0], [-200], [480], [7]])
    assert proof_of(M)[1].proved[0]


def test_rows_too_small_for_the_underflow_bound_are_left_to_the_exact_proof() -> None:
    M = np.eye(2, 4) * np.array([[2.0**-600], [1.0]])
    assert not proof_of(M)[1].proved[0]
    assert proof_of(np.eye(2, 4))[1].proved[0]


def test_a_wrong_factor_cannot_make_a_false_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """The factorisation is only a proposal: a library that reports success on anything is caught by the residual."""
    M = singular_stack(np.random.default_rng(3), 6, 12)
    gram = scaled_gram(torch.tensor(M).unsqueeze(0))
    real = torch.linalg.cholesky_ex

    def generous(A: torch.Tensor):
        return real(A + 1e-3 * torch.eye(A.shape[-1], dtype=A.dtype))

    monkeypatch.setattr(torch.linalg, "cholesky_ex", generous)
    assert torch.linalg.cholesky_ex(gram.G)[1][0] == 0
    assert not prove_full_rank(gram).proved[0]


@pytest.mark.parametrize("seed", range(8))
def test_the_best_factor_there_is_cannot_make_a_false_proof(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """A singular matrix, a Gram matrix as wrong as rounding may make it, and the nearest factor of G − cI.

    G has gained what makes it positive definite on its diagonal, so that the residual is less than c: only with the
    bound of that gain is it no proof.
    """
    gram = scaled_gram(torch.tensor(singular_stack(np.random.default_rng(seed), 2, 4096))[None])
    gain = 0.9 * gram.product_error * torch.diagonal(gram.G[0]).min() * torch.eye(2, dtype=torch.float64)
    gram = replace(gram, G=gram.G + gain)

    def nearest(shifted: torch.Tensor):
        values, V = torch.linalg.eigh(shifted)
        factor = torch.linalg.qr((V * values.clamp(min=0).sqrt().unsqueeze(-2)).mT)[1].mT
        return factor, torch.zeros(shifted.shape[0], dtype=torch.int32)

    monkeypatch.setattr(torch.linalg, "cholesky_ex", nearest)
    proof = prove_full_rank(gram)
    missing = -torch.linalg.eigvalsh(gram.G[0] - proof.shift[0] * torch.eye(2, dtype=torch.float64))[0]
    assert 0 < float(missing) < float(proof.shift[0]), "the test has no power"
    assert not proof.proved[0]


def test_an_empty_head_is_proved_and_nan_is_not() -> None:
    assert prove_full_rank(scaled_gram(torch.zeros(1, 0, 3, dtype=torch.float64))).proved[0]
    assert not prove_full_rank(scaled_gram(torch.full((1, 2, 3), torch.nan, dtype=torch.float64))).proved[0]


def exact_signature(M: np.ndarray):
    n = M.shape[0] // 2
    K, Q = exact(M[:n]), exact(M[n:])
    L = K.transpose() * Q
    return signature(L + L.transpose())


@given(float_heads())
def test_certain_signs_never_exceed_the_signature(batch: HeadBatch) -> None:
    M = batch.stacked()[0].numpy()
    truth = exact_signature(M)
    gram, proof = proof_of(M)
    d, _ = pairing(gram.exponents, gram.live_pairs)
    signs = [signs_from_rows(gram, d)[0]]
    if proof.proved[0]:
        signs.append(signs_from_gram(gram, d)[0])
    for found in signs:
        assert int(found.positive[0]) <= truth.positive
        assert int(found.negative[0]) <= truth.negative


@pytest.mark.parametrize("route", ["gram", "rows"])
@pytest.mark.parametrize("angle", [0.1, 0.5, np.pi / 4])
def test_wrong_eigenvectors_make_no_sign_certain_that_is_not(
    monkeypatch: pytest.MonkeyPatch, route: str, angle: float
) -> None:
    """Eigenvectors are a proposal too: S = diag(3, −1)/2 on a rotated basis has two positive diagonal entries."""
    M = np.array([[1.0, 1.0], [3.0, -1.0]])  # L = kᵀq has symmetric part [[3, 1], [1, −1]]
    gram, proof = proof_of(M)
    d, _ = pairing(gram.exponents, gram.live_pairs)
    right = torch.linalg.eigh

    def rotated(form: torch.Tensor):
        values, V = right(form)
        c, s = np.cos(angle), np.sin(angle)
        return values, V @ torch.tensor([[c, -s], [s, c]], dtype=torch.float64)

    monkeypatch.setattr(torch.linalg, "eigh", rotated)
    assert proof.proved[0]
    found = (signs_from_gram(gram, d) if route == "gram" else signs_from_rows(gram, d))[0]
    assert int(found.positive[0]) <= 1
    assert int(found.negative[0]) <= 1


@pytest.mark.parametrize("route", ["gram", "rows"])
def test_all_signs_of_an_ordinary_head_are_certain(route: str) -> None:
    M = np.random.default_rng(5).standard_normal((64, 384))
    gram, _ = proof_of(M)
    d, _ = pairing(gram.exponents, gram.live_pairs)
    found = (signs_from_gram(gram, d) if route == "gram" else signs_from_rows(gram, d))[0]
    assert (int(found.positive[0]), int(found.negative[0])) == (32, 32)


def test_a_planted_wrong_sign_is_not_certain() -> None:
    """K = Q + 2⁻²⁶E has negative eigenvalues of size 2⁻⁵²; counting them needs the relative test."""
    Q = np.array([[2.0, -1, 0, 1], [1, 1, 1, 1]])
    M = np.concatenate([Q + 2.0**-26 * np.array([[0, 1, 2, 1], [1, 0, 1, -1]]), Q])
    gram, _ = proof_of(M)
    found = signs_from_rows(gram, pairing(gram.exponents, gram.live_pairs)[0])[0]
    assert exact_signature(M)[:2] == (2, 2)
    assert (int(found.positive[0]), int(found.negative[0])) == (2, 2)


@pytest.mark.parametrize("exponent", [1012, -1021, -1070])
def test_a_zero_row_does_not_hide_the_signs_of_the_others(exponent):
    """A zero row has no scale of its own; it once pushed the weights of all other pairs out of the float64 range."""
    x = 2.0**exponent
    M = torch.tensor([[[x, 0, 0, 0], [0, x, 0, 0], [0, 0, x, 0], [0, 0, 0, 0]]], dtype=torch.float64)
    gram = scaled_gram(M)
    found = signs_from_rows(gram, pairing(gram.exponents, gram.live_pairs)[0])[0]
    assert (found.positive.tolist(), found.negative.tolist()) == ([1], [1])


@pytest.mark.parametrize("N", [0, 1, 3])
def test_heads_without_rows(N):
    gram = scaled_gram(torch.zeros(2, 0, N, dtype=torch.float64))
    found = signs_from_rows(gram, pairing(gram.exponents, gram.live_pairs)[0])[0]
    assert (found.positive.tolist(), found.negative.tolist()) == ([0, 0], [0, 0])
