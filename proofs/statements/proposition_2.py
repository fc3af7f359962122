"""Proposition 2 of the paper: how far a block with convex-combination attention moves the tokens."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from proofs.fields import QQ
from proofs.matrices import Matrix
from proofs.statements.instances import random_matrix
from proofs.statements.registry import Hypothesis, Statement


@dataclass(frozen=True)
class Block:
    """One block on rational tokens: ``y = x + A x Wᵀ`` (attention), then ``T(x) = y + f(y)``, token by token.

    ``f(y) = W₂ relu(W₁y) + offset``; norms are the maximum over all coordinates of all tokens.

    Args:
        x: tokens, one a row.
        A: attention weights, one row a receiving token.
        W: the value operator on a token.
        W1, W2, offset: the feed-forward part.
        value_bound, lipschitz: the numbers V and L of the statement.
    """

    x: Matrix
    A: Matrix
    W: Matrix
    W1: Matrix
    W2: Matrix
    offset: tuple[fmpq, ...]
    value_bound: fmpq
    lipschitz: fmpq

    def feed_forward(self, y: Matrix) -> Matrix:
        """``f`` on every row of y."""
        hidden = y * self.W1.transpose()
        for i in range(hidden.nrows()):
            for j in range(hidden.ncols()):
                hidden[i, j] = max(hidden[i, j], fmpq(0))
        image: Matrix = hidden * self.W2.transpose()
        for i in range(image.nrows()):
            for j, shift in enumerate(self.offset):
                image[i, j] += shift
        return image


def holds(block: Block) -> bool:
    """Whether ``‖T(x) − x‖ ≤ (L + V + LV)‖x‖`` at the tokens given."""
    y = block.x + block.A * block.x * block.W.transpose()
    moved = y + block.feed_forward(y) - block.x
    L, V = block.lipschitz, block.value_bound
    return _largest(moved) <= (L + V + L * V) * _largest(block.x)


def _largest(matrix: Matrix) -> fmpq:
    return max((abs(x) for x in matrix.entries()), default=fmpq(0))


def _norm(operator: Matrix) -> fmpq:
    """The operator norm for the maximum norm: the largest sum of absolute values in a row."""
    return max((sum((abs(x) for x in row), fmpq(0)) for row in operator.tolist()), default=fmpq(0))


def _instances() -> Iterator[Block]:
    rng = random.Random("proposition-2")
    for tokens in (1, 2, 4):
        for width in (1, 2, 3):
            for _ in range(6):
                weights = [[rng.randint(0, 4) for _ in range(tokens)] for _ in range(tokens)]
                rows = [[fmpq(w + (j == 0), sum(row) + 1) for j, w in enumerate(row)] for row in weights]
                W, W1, W2 = (random_matrix(rng, QQ, *shape) for shape in ((width,) * 2, (2, width), (width, 2)))
                yield Block(
                    x=random_matrix(rng, QQ, tokens, width),
                    A=QQ.matrix(rows),
                    W=W,
                    W1=W1,
                    W2=W2,
                    offset=(fmpq(0),) * width,
                    value_bound=_norm(W),
                    lipschitz=_norm(W1) * _norm(W2),
                )
    # The bound is attained: one token, every map a multiple of the identity.
    yield _scalar(x=1, weight=1, value=2, slope=3)


def _scalar(*, x: int, weight: int, value: int, slope: int, offset: int = 0, V: int = 2, L: int = 3) -> Block:
    """One token with one coordinate."""
    tokens, A, W, W1, W2 = (QQ.matrix([[entry]]) for entry in (x, weight, value, 1, slope))
    return Block(tokens, A, W, W1, W2, (fmpq(offset),), value_bound=fmpq(V), lipschitz=fmpq(L))


STATEMENT = Statement(
    id="proposition-2",
    source="arXiv 2609.22990, Proposition 2",
    title="displacement by a block",
    claim=(
        r"Let attention be a convex combination of values, $\|Wx\|_\infty \le V\|x\|_\infty$, and the feed-forward map "
        r"$f$ have Lipschitz constant $L$ and $f(0) = 0$. Then "
        r"$\|T(x) - x\|_\infty \le (L + V + LV)\|x\|_\infty$."
    ),
    subject=Block,
    holds=holds,
    instances=_instances,
    scope="rational blocks of up to 4 tokens of width up to 3, and one that attains the bound",
    hypotheses=(
        Hypothesis(
            name="convex",
            text="the attention weights of a token are nonnegative with sum 1",
            satisfied=lambda b: all(min(row) >= 0 and sum(row, fmpq(0)) == 1 for row in b.A.tolist()),
            counterexample=lambda: _scalar(x=1, weight=2, value=1, slope=0, V=1, L=0),
        ),
        Hypothesis(
            name="value-bound",
            text="the value operator has norm at most V",
            satisfied=lambda b: _norm(b.W) <= b.value_bound,
            counterexample=lambda: _scalar(x=1, weight=1, value=1, slope=0, V=0, L=0),
        ),
        Hypothesis(
            name="lipschitz",
            text="‖W₂‖‖W₁‖ ≤ L, so that f has Lipschitz constant L",
            satisfied=lambda b: _norm(b.W1) * _norm(b.W2) <= b.lipschitz,
            counterexample=lambda: _scalar(x=1, weight=1, value=0, slope=1, V=0, L=0),
        ),
        Hypothesis(
            name="fixes-zero",
            text="f(0) = 0",
            satisfied=lambda b: not any(b.offset),
            counterexample=lambda: _scalar(x=0, weight=1, value=0, slope=0, offset=1, V=0, L=0),
        ),
    ),
)
