"""For every law a function that breaks it and is plausible for a moment."""

from __future__ import annotations

import numpy as np

import verify
from proofs.fields import QQ, RR, Qp
from proofs.forms import Form
from proofs.heads import Head
from proofs.inertia import signature
from proofs.witt import witt_index
from tests.verify.fuzzing.wrong import absolute_tolerance, first_of_the_batch, no_tolerance, profile_without_sorting
from verify.heads import HeadBatch

Signature = tuple[int, ...]
Profile = tuple[float, ...]


def every_head_is_nondegenerate(Q: np.ndarray, K: np.ndarray) -> bool:
    return 2 * len(Q) <= Q.shape[1]


def singular_unless_rounded(Q: np.ndarray, K: np.ndarray) -> bool:
    M = np.concatenate([K, Q])
    return bool(np.linalg.matrix_rank(M, tol=0.0) == len(M))


def signs_of_the_diagonal(head: Head) -> Signature:
    diagonal = [head.S[i, i] for i in range(head.N)]
    return sum(x > 0 for x in diagonal), sum(x < 0 for x in diagonal)


def all_of_one_sign(head: Head) -> Signature:
    rank = head.S.rank()
    return rank, 0, head.N - rank


def rank_of_the_stack(head: Head) -> Signature:
    rank = head.M.rank()
    return rank, rank, head.N - 2 * rank


def at_most_two(head: Head) -> Signature:
    positive, negative, _ = signature(head.S)
    return min(positive, 2), min(negative, 2), head.N - min(positive, 2) - min(negative, 2)


def radical_of_the_theorem(head: Head) -> Signature:
    positive, negative, _ = signature(head.S)
    return positive, negative, head.N - 2 * head.n


def lower_triangle(Q: np.ndarray, K: np.ndarray) -> Signature:
    eigenvalues = np.linalg.eigvalsh(K.T @ Q)
    cut = 1e-9 * np.abs(eigenvalues).max(initial=0.0)
    return int((eigenvalues > cut).sum()), int((eigenvalues < -cut).sum())


def first_rows(head: Head) -> Signature:
    rows = [0] if head.n else []
    Q, K = ([X.tolist()[i] for i in rows] for X in (head.Q, head.K))
    return tuple(signature(Head.of(Q, K, N=head.N).S))


def larger_part_first(head: Head) -> Signature:
    positive, negative, _ = signature(head.S)
    return max(positive, negative), min(positive, negative)


def nonzero_rows(head: Head) -> int:
    return sum(any(x != 0 for x in row) for row in head.M.tolist())


def rows_that_begin(head: Head) -> int:
    return sum(row[0] != 0 for row in head.M.tolist())


def of_the_diagonal(Q: np.ndarray, K: np.ndarray) -> Profile:
    L = K.T @ Q
    return _profile(L, np.diag((L + L.T) / 2))


def without_norm(Q: np.ndarray, K: np.ndarray) -> Profile:
    L = K.T @ Q
    S2 = (((L + L.T) / 2) ** 2).sum()
    return ((L - L.T) ** 2).sum() / 4, S2, 0.0, 0.0


def relative_to_the_symmetric_part(Q: np.ndarray, K: np.ndarray) -> Profile:
    L = K.T @ Q
    _, *rest = _profile(L, np.linalg.eigvalsh((L + L.T) / 2))
    T2, L2 = ((L - L.T) ** 2).sum() / 4, (L**2).sum()
    return T2 / L2, *(x * L2 / (L2 - T2) for x in rest)


def twice_antisymmetric(Q: np.ndarray, K: np.ndarray) -> Profile:
    L = K.T @ Q
    a, *rest = _profile(L, np.linalg.eigvalsh((L + L.T) / 2))
    return 2 * a, *rest


def of_the_first_rows(Q: np.ndarray, K: np.ndarray) -> Profile:
    L = K[:1].T @ Q[:1]
    if not L.any():
        return 0.0, 0.0, 1.0, 0.0
    return _profile(L, np.linalg.eigvalsh((L + L.T) / 2))


def _profile(L: np.ndarray, eigenvalues: np.ndarray) -> Profile:
    alpha, beta = (np.sort(np.clip(s * eigenvalues, 0, None))[::-1] for s in (1, -1))
    difference = alpha - beta
    c, d = (difference.clip(0) ** 2).sum(), (difference.clip(max=0) ** 2).sum()
    return tuple(float(x / (L**2).sum()) for x in (((L - L.T) ** 2).sum() / 4, 2 * alpha @ beta, c, d))


def proof_of_the_first(batch: HeadBatch) -> list[bool]:
    """Right for one head; in a batch what holds for the first is said of all."""
    return [verify.prove(batch)[0].verdict == "proved"] * batch.heads


#: (law, what is asked, a function that breaks it).
OF_HEADS = [
    ("batching", "signature", first_of_the_batch),
    ("batching", "proof", proof_of_the_first),
    ("truth", "signature", no_tolerance),
    ("truth", "rank", lambda Q, K: np.linalg.matrix_rank(K.T @ Q + Q.T @ K)),
    ("soundness", "proof", every_head_is_nondegenerate),
    ("soundness", "proof", singular_unless_rounded),
    ("theorem", "signature", all_of_one_sign),
    ("theorem", "witt", lambda head: signature(head.S).positive // 2),
    ("corank", "signature", all_of_one_sign),
    ("corank", "witt", lambda head: 0),
    ("balance", "signature", rank_of_the_stack),
    ("additivity", "signature", at_most_two),
    ("plane", "witt", lambda head: min(2, signature(head.S).positive)),
    ("zero", "signature", lambda head: (*signature(head.S)[:2], 0)),
    ("zero", "profile", lambda Q, K: (1 / Q.shape[1],) * 4),
    ("gauge", "rank-stacked", nonzero_rows),
    ("coordinates", "signature", signs_of_the_diagonal),
    ("orthogonal", "profile", of_the_diagonal),
    ("rotation", "rank-stacked", rows_that_begin),
    ("rotation", "signature", signs_of_the_diagonal),
    ("scaling", "signature", absolute_tolerance),
    ("permutation", "signature", first_rows),
    ("swap", "signature", lower_triangle),
    ("negation", "signature", larger_part_first),
    ("negation", "profile", lambda Q, K: (0.1, 0.2, 0.3, 0.4)),
    ("simplex", "profile", without_norm),
    ("faces", "profile", profile_without_sorting),
    ("rank_one", "profile", twice_antisymmetric),
    ("rank_one", "profile", of_the_first_rows),
    ("symmetric_share", "profile", relative_to_the_symmetric_part),
]  # fmt: skip


def half_the_dimension(form: Form) -> int:
    return form.dimension // 2


def half_the_rank(form: Form) -> int:
    return form.rank // 2


def zeros_on_the_diagonal(form: Form) -> int:
    return sum(form.gram[i, i] == 0 for i in range(form.dimension)) // 2


def diagonal_that_is_four(form: Form) -> int:
    return witt_index(form) + any(form.gram[i, i] == 4 for i in range(form.dimension))


def at_most_one(form: Form) -> int:
    return min(1, witt_index(form))


def real_index(form: Form) -> int:
    positive, negative, _ = form.signature()
    return min(positive, negative)


def at_two_places(form: Form) -> int:
    return min(witt_index(form.at(place)) for place in (RR, Qp(3)))


#: (law, a function that breaks it, the field over which it does).
OF_FORMS = [
    ("decomposition", half_the_rank, None),
    ("decomposition", real_index, QQ),
    ("decomposition", at_two_places, QQ),
    ("decomposition", half_the_rank, Qp(2)),
    ("decomposition", half_the_rank, Qp(3)),
    ("congruence", zeros_on_the_diagonal, None),
    ("squares", diagonal_that_is_four, None),
    ("planes", at_most_one, None),
    ("radical", half_the_dimension, None),
    ("opposite", at_most_one, None),
    ("classes", at_most_one, None),
]
