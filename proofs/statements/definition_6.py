"""Definition 6 of the paper: the profile is a point of the 3-simplex, with its invariances."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb, fmpq

from proofs.fields import QQ
from proofs.heads import Head
from proofs.matrices import Matrix
from proofs.spectra import agree, agree_all, norm_squared, precise, profile
from proofs.statements.instances import heads, is_real, random_orthogonal
from proofs.statements.registry import Hypothesis, Statement


@dataclass(frozen=True)
class Move:
    """A head over ℚ, an N × N matrix U and a number: L becomes ``scale · UᵀLU``."""

    head: Head
    U: Matrix
    scale: fmpq

    @property
    def moved(self) -> Matrix:
        """``scale · UᵀLU``."""
        result: Matrix = self.U.transpose() * self.head.L * self.U * self.scale
        return result


def holds(move: Move) -> bool:
    """Whether both profiles exist, are equal, and lie in the simplex."""
    if norm_squared(move.head.L) == 0 or norm_squared(move.moved) == 0:
        return False
    before, after = profile(move.head.L).components(), profile(move.moved).components()
    with precise():
        total = sum(before, arb(0))
    return agree_all(before, after) and agree(total, fmpq(1)) and all(x == 0 or x > 0 for x in before)


def _instances() -> Iterator[Move]:
    rng = random.Random("definition-6")
    for head in heads(fields=[QQ], sizes=[(1, 1), (1, 2), (1, 4), (2, 3), (2, 5), (3, 4), (3, 6)], repeat=2):
        scale = fmpq(rng.randint(1, 9), rng.randint(1, 9))
        yield Move(head, random_orthogonal(rng, head.N), scale)


STATEMENT = Statement(
    id="definition-6",
    source="arXiv 2609.22990, Definition 6",
    title="the profile and its invariances",
    claim=(
        r"For $L \ne 0$ the profile $\pi(L) = (a, b, c, d)$ is a point of the 3-simplex, and "
        r"$\pi(\lambda U^T L U) = \pi(L)$ for every orthogonal $U$ and every $\lambda > 0$."
    ),
    subject=Move,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ with n ≤ 3, N ≤ 6, degenerate ones too; rational orthogonal U by Cayley's formula",
    hypotheses=(
        Hypothesis(
            name="orthogonal",
            text="UᵀU = I",
            satisfied=lambda move: move.U.transpose() * move.U == QQ.identity(move.head.N),
            counterexample=lambda: Move(Head.of([[0, 1]], [[1, 1]]), QQ.diagonal([2, 1]), fmpq(1)),
        ),
        Hypothesis(
            name="positive-scale",
            text="λ > 0",
            satisfied=lambda move: move.scale > 0,
            counterexample=lambda: Move(Head.of([[1]], [[1]]), QQ.identity(1), fmpq(-1)),
        ),
        Hypothesis(
            name="nonzero",
            text="L ≠ 0",
            satisfied=lambda move: norm_squared(move.head.L) != 0,
            counterexample=lambda: Move(Head.of([], [], N=1), QQ.identity(1), fmpq(1)),
        ),
    ),
    concerns=lambda move: is_real(move.head),
)
