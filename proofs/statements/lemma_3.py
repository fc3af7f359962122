"""Lemma 3 of the paper, rank balance: at most n positive and at most n negative eigenvalues."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from proofs.errors import InconsistencyError
from proofs.fields import QQ
from proofs.heads import Head
from proofs.inertia import signature
from proofs.matrices import Matrix
from proofs.statements.instances import heads, random_invertible
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class BoundedForm:
    """A bilinear form L over ℚ, N × N, and the number n that is to bound its rank."""

    L: Matrix
    n: int


def holds(form: BoundedForm) -> bool:
    """Whether the symmetric part of L has at most n positive and at most n negative eigenvalues."""
    positive, negative, _ = signature((form.L + form.L.transpose()) / 2)
    return max(positive, negative) <= form.n


def _instances() -> Iterator[BoundedForm]:
    for head in heads(fields=[QQ], repeat=6):
        yield BoundedForm(head.L, head.n)
        yield BoundedForm(head.L, head.L.rank())


def head_of_signature(positive: int, negative: int, P: Matrix) -> Head:
    """A head with ``max(positive, negative)`` rows whose S is ``Pᵀ · diag(1, …, −1, …, 0, …) · P``.

    A pair of eigenvalues 1 and −1 is the symmetric part of one rank-one term: ``(u + w)(u − w)ᵀ`` for the rows u and
    w of P. A single eigenvalue is ``±uuᵀ``.
    """
    N = P.ncols()
    rows = P.tolist()
    upper, lower = rows[:positive], rows[positive : positive + negative]
    keys, queries = [], []
    for i in range(max(positive, negative)):
        u = upper[i] if i < positive else [QQ(0)] * N
        w = lower[i] if i < negative else [QQ(0)] * N
        keys.append([x + y for x, y in zip(u, w, strict=True)])
        queries.append([x - y for x, y in zip(u, w, strict=True)])
    return Head.of(queries, keys, N=N)


def _check_converse() -> int:
    cases = 0
    rng = random.Random("lemma-3")
    for N in range(1, 6):
        for positive in range(N + 1):
            for negative in range(N + 1 - positive):
                P = random_invertible(rng, QQ, N)
                head = head_of_signature(positive, negative, P)
                values = [1] * positive + [-1] * negative + [0] * (N - positive - negative)
                cases += 1
                if head.S != P.transpose() * QQ.diagonal(values) * P:
                    raise InconsistencyError(f"signature ({positive}, {negative}) is not reached for N = {N}")
    return cases


STATEMENT = Statement(
    id="lemma-3",
    source="arXiv 2609.22990, Lemma 3",
    title="rank balance",
    claim=(
        r"If $\operatorname{rank} L \le n$, then $n_+ \le n$ and $n_- \le n$ for $S = \tfrac12(L + L^T)$. Conversely "
        r"every real symmetric $S$ with $n_+, n_- \le n$ is the symmetric part of some $L$ of rank at most $n$."
    ),
    subject=BoundedForm,
    holds=holds,
    instances=_instances,
    scope="L of heads over ℚ, n ≤ 4, N ≤ 9, with the rank itself as bound too",
    hypotheses=(
        Hypothesis(
            name="rank",
            text="rank L ≤ n",
            satisfied=lambda form: form.L.rank() <= form.n,
            counterexample=lambda: BoundedForm(QQ.matrix([[1]]), 0),
        ),
    ),
    checks=(Check("exact", "converse: a head for every signature with N ≤ 5, in random coordinates", _check_converse),),
)
