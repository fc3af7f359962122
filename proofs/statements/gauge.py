"""Gauge and coordinates: what leaves the form, the row space of M and nondegeneracy as they are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from proofs.heads import Head
from proofs.indeterminates import indeterminate_matrices, require
from proofs.matrices import Matrix, stack
from proofs.statements.all_sizes import uniform
from proofs.statements.instances import heads, random_invertible
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class Gauge:
    """A head and two n × n matrices: the pair ``(Q, K)`` becomes ``(AQ, BK)``."""

    head: Head
    A: Matrix
    B: Matrix

    @property
    def transformed(self) -> Head:
        """The head ``(AQ, BK)``."""
        return Head(self.A * self.head.Q, self.B * self.head.K, self.head.field)


def holds(gauge: Gauge) -> bool:
    """Whether L and the row space of M are the same before and after."""
    before, after = gauge.head, gauge.transformed
    together = stack(before.field, before.M, after.M).rank()
    return before.L == after.L and before.M.rank() == after.M.rank() == together


def _instances() -> Iterator[Gauge]:
    rng = random.Random("gauge")
    for head in heads():
        A = random_invertible(rng, head.field, head.n)
        yield Gauge(head, A, A.inv().transpose())


def _check_identity() -> int:
    """``(adj(A)ᵀK)ᵀ(AQ) = det(A) · KᵀQ``: the gauge identity without a denominator."""
    cases = 0
    for n, N in ((1, 2), (2, 2), (2, 3), (3, 2)):
        m = indeterminate_matrices(A=(n, n), K=(n, N), Q=(n, N))
        adjugate, det = m["A"].adj_det()
        left = (adjugate.transpose() * m["K"]).transpose() * (m["A"] * m["Q"])
        cases += require(left == m["K"].transpose() * m["Q"] * det, f"(adj(A)ᵀK)ᵀAQ = det(A) L for n = {n}, N = {N}")
    return cases


STATEMENT = Statement(
    id="gauge",
    source="headforms",
    title="gauge transformations",
    claim=(
        r"If $B^T A = I$, then $(Q, K) \mapsto (AQ, BK)$ leaves $L = K^T Q$ and the row space of $M$ as they are, "
        r"hence nondegeneracy, signature and profile."
    ),
    subject=Gauge,
    holds=holds,
    instances=_instances,
    scope="heads with n ≤ 4, N ≤ 9 over ℚ and four finite fields, random invertible A",
    hypotheses=(
        Hypothesis(
            name="inverse",
            text="BᵀA = I, so that A is invertible and B is its inverse transposed",
            satisfied=lambda gauge: gauge.B.transpose() * gauge.A == gauge.head.field.identity(gauge.head.n),
            counterexample=lambda: Gauge(Head.of([[1]], [[1]]), Head.of([[0]], [[0]]).Q, Head.of([[1]], [[1]]).Q),
        ),
    ),
    checks=(uniform("gauge"), Check("identity", "A, K, Q of indeterminates: n ≤ 3, N ≤ 3", _check_identity)),
)
