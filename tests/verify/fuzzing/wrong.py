"""Functions to fuzz: six that one writes first, each wrong in its own way, and some that are no answer at all."""

from __future__ import annotations

import numpy as np
import torch

import verify
from verify.heads import HeadBatch

Signature = tuple[int, int, int]


def no_tolerance(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Signs of the eigenvalues as they come."""
    return _count(_eigenvalues(Q, K), 0.0)


def absolute_tolerance(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Eigenvalues above 1e-7."""
    return _count(_eigenvalues(Q, K), 1e-7)


def relative_tolerance(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Eigenvalues above 1e-9 times the largest."""
    eigenvalues = _eigenvalues(Q, K)
    return _count(eigenvalues, 1e-9 * np.abs(eigenvalues).max(initial=0.0))


def scaled_epsilon(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Eigenvalues above N · eps times the largest."""
    eigenvalues = _eigenvalues(Q, K)
    return _count(eigenvalues, len(eigenvalues) * np.finfo(float).eps * np.abs(eigenvalues).max(initial=0.0))


def float32_gram_rank(Q: np.ndarray, K: np.ndarray) -> int:
    """Rank of M from its Gram matrix in single precision."""
    M = np.concatenate([K, Q]).astype(np.float32)
    return int(np.linalg.matrix_rank(np.nan_to_num(M @ M.T)))


def eigenvalues_of_JG(Q: np.ndarray, K: np.ndarray) -> Signature:
    """The nonzero spectrum of S from the non-symmetric matrix ½JG."""
    M = np.concatenate([K, Q])
    J = np.roll(np.eye(len(M)), len(Q), axis=1)
    eigenvalues = np.linalg.eigvals(J @ M @ M.T / 2).real
    positive, negative, _ = _count(eigenvalues, 1e-9 * np.abs(eigenvalues).max(initial=0.0))
    return positive, negative, Q.shape[1] - positive - negative


def batched_torch(Q: torch.Tensor, K: torch.Tensor) -> list[Signature]:
    """A tolerance again, for batches of tensors."""
    L = K.mT @ Q
    return [_count(row.numpy(), 1e-9) for row in torch.linalg.eigvalsh((L + L.mT).double() / 2)]


def profile_without_sorting(Q: np.ndarray, K: np.ndarray) -> tuple[float, float, float, float]:
    """The lobes paired from the wrong ends."""
    L = K.T @ Q
    w = np.linalg.eigvalsh((L + L.T) / 2)
    alpha, beta = np.sort(w.clip(min=0)), np.sort((-w).clip(min=0))[::-1]
    T, total = (L - L.T) / 2, (L**2).sum()
    difference = alpha - beta
    b, c, d = 2 * alpha @ beta, (difference.clip(min=0) ** 2).sum(), (difference.clip(max=0) ** 2).sum()
    return (T**2).sum() / total, b / total, c / total, d / total


def batched_profile(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Right, for one head and for a batch; with NaN where L = 0."""
    L = K.swapaxes(-1, -2) @ Q
    w = np.sort(np.linalg.eigvalsh((L + L.swapaxes(-1, -2)) / 2))
    difference = w[..., ::-1].clip(min=0) - (-w).clip(min=0)
    c, d = (difference.clip(min=0) ** 2).sum(-1), (difference.clip(max=0) ** 2).sum(-1)
    a, total = ((L - L.swapaxes(-1, -2)) ** 2).sum((-1, -2)) / 4, (L**2).sum((-1, -2))
    with np.errstate(all="ignore"):
        return np.stack([a, total - a - c - d, c, d], -1) / total[..., None]


def first_of_the_batch(Q: torch.Tensor, K: torch.Tensor) -> list[Signature]:
    """Right for the first head of a batch, and the same for all others."""
    signatures = [tuple(s) for s in verify.inertia(HeadBatch(Q, K))]
    return [signatures[0]] * len(signatures)


def last_of_the_batch(batch: HeadBatch) -> list[Signature]:
    """Right for the last head of a batch, and the same for all others."""
    return [tuple(verify.inertia(batch)[-1])] * batch.heads


def spoilt_by_a_zero(batch: HeadBatch) -> list[Signature]:
    """Right for one head; raises for a batch in which any is zero."""
    if batch.heads > 1 and not bool(batch.stacked().flatten(1).any(1).all()):
        raise ValueError("a head is zero")
    return [tuple(s) for s in verify.inertia(batch)]


def swapped_names(key: np.ndarray, query: np.ndarray) -> int:
    """Right, and takes its arguments in the other order, by name."""
    assert not np.array_equal(key, query) or key is not query
    return int(np.linalg.matrix_rank(np.concatenate([key, query])))


def talkative(Q: np.ndarray, K: np.ndarray) -> int:
    """Prints; and is wrong for every rank but 2."""
    print("this must not reach standard output")
    return 2


def signature(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Wrong, under the name of what is right."""
    return absolute_tolerance(Q, K)


def text(Q: np.ndarray, K: np.ndarray) -> str:
    """No number."""
    return "two"


def broken(Q: np.ndarray, K: np.ndarray) -> int:
    """Raises."""
    raise ValueError("no idea\nat all")


NOT_A_FUNCTION = 3


def _eigenvalues(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    L = K.T @ Q
    return np.linalg.eigvalsh((L + L.T) / 2)


def _count(eigenvalues: np.ndarray, cut: float) -> Signature:
    positive, negative = int((eigenvalues > cut).sum()), int((eigenvalues < -cut).sum())
    return positive, negative, len(eigenvalues) - positive - negative
