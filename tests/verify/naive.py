"""What one writes first: the signature of a head by floating-point eigenvalues. Kept to be shown wrong."""

from __future__ import annotations

import numpy as np

Signature = tuple[int, int, int]


def eigvalsh_without_tolerance(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Signs of the eigenvalues of the N × N matrix as they come."""
    return _count(_eigenvalues(Q, K), 0.0)


def eigvalsh_with_tolerance(Q: np.ndarray, K: np.ndarray, tolerance: float = 1e-9) -> Signature:
    """Signs of the eigenvalues of the N × N matrix above a relative cut."""
    eigenvalues = _eigenvalues(Q, K)
    return _count(eigenvalues, tolerance * np.abs(eigenvalues).max(initial=0.0))


def gram_with_tolerance(Q: np.ndarray, K: np.ndarray) -> Signature:
    """Eigenvalues of ``½ G^½ J G^½`` from the float64 Gram matrix, with numpy's usual rank tolerance."""
    with np.errstate(all="ignore"):
        M = np.concatenate([K, Q])
        n, N = Q.shape
        G = M @ M.T
        if not np.isfinite(G).all():
            return (-1, -1, -1)
        squares, V = np.linalg.eigh(G)
        root = V * np.sqrt(squares.clip(min=0))
        J = np.roll(np.eye(2 * n), n, axis=1)
        eigenvalues = np.linalg.eigvalsh(root.T @ J @ root / 2)
        positive, negative, _ = _count(eigenvalues, np.abs(eigenvalues).max(initial=0.0) * N * np.finfo(float).eps)
    return positive, negative, N - positive - negative


def _eigenvalues(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        L = K.T @ Q
        S = (L + L.T) / 2
        return np.linalg.eigvalsh(S) if np.isfinite(S).all() else np.full(len(S), np.nan)


def _count(eigenvalues: np.ndarray, cut: float) -> Signature:
    positive, negative = int((eigenvalues > cut).sum()), int((eigenvalues < -cut).sum())
    return positive, negative, len(eigenvalues) - positive - negative
