"""Proposition 3 of the paper: attention with biases and positions as bilinear attention on C ⊕ ℝ."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import fmpq

from proofs.fields import QQ
from proofs.heads import Head, rotary_matrix
from proofs.indeterminates import indeterminate_matrices, require
from proofs.matrices import Matrix
from proofs.statements.instances import random_matrix
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class Attention:
    """Query-key-value attention on rational tokens at positions 0, 1, …, with biases and position operators.

    The receiving token i weighs token j by a positive function of its score, ``1 + score²`` (the proposition does
    not depend on which), divided by the sum where ``normalised``.

    Args:
        head: Q and K.
        query_bias, key_bias, value_bias: columns.
        V: the value matrix.
        rotations: the operator ``R_i`` at every position i; a query becomes ``R_i(Qx + b)``.
        tokens: one a row.
        normalised: whether the weights of a token are divided by their sum.
    """

    head: Head
    query_bias: tuple[fmpq, ...]
    key_bias: tuple[fmpq, ...]
    V: Matrix
    value_bias: tuple[fmpq, ...]
    rotations: Mapping[int, Matrix]
    tokens: Matrix
    normalised: bool = True

    def homogeneous(self) -> Head:
        """The head ``([Q b_q], [K b_k])`` on C ⊕ ℝ."""
        return self.head.with_bias(self.query_bias, self.key_bias)


def holds(attention: Attention) -> bool:
    """Whether scores are bilinear forms of the displacement alone, and the output of x̂ is the output of x beside 1."""
    n_tokens = attention.tokens.nrows()
    head, lifted = attention.head, attention.homogeneous()
    queries, keys = (
        _affine(A, bias, attention.tokens) for A, bias in ((head.Q, attention.query_bias), (head.K, attention.key_bias))
    )
    values = _affine(attention.V, attention.value_bias, attention.tokens)
    hats = [QQ.matrix([[x] for x in [*row, 1]]) for row in attention.tokens.tolist()]
    lift = _lift(attention.V, attention.value_bias)
    lifted_values = [lift * hat for hat in hats]
    # One form for every displacement, of rank at most n: that of the pair (0, d), or (−d, 0).
    forms = {}
    for d in range(-n_tokens + 1, n_tokens):
        i, j = (0, d) if d >= 0 else (-d, 0)
        forms[d] = lifted.K.transpose() * attention.rotations[j].transpose() * attention.rotations[i] * lifted.Q
    for i in range(n_tokens):
        scores = []
        for j in range(n_tokens):
            query = attention.rotations[i] * queries[i]
            key = attention.rotations[j] * keys[j]
            score = (key.transpose() * query)[0, 0]
            if score != (hats[j].transpose() * forms[j - i] * hats[i])[0, 0]:
                return False
            scores.append(score)
        weights = [1 + score * score for score in scores]
        total = sum(weights, fmpq(0)) if attention.normalised else fmpq(1)
        plain = _combine([w / total for w in weights], values)
        lifted_output = _combine([w / total for w in weights], lifted_values)
        if lifted_output != [*plain, fmpq(1)]:
            return False
    return True


def _affine(A: Matrix, bias: tuple[fmpq, ...], tokens: Matrix) -> list[Matrix]:
    """``Ax + b`` for every token x, as columns."""
    shift = QQ.matrix([[b] for b in bias], columns=1)
    return [A * QQ.matrix([[x] for x in row]) + shift for row in tokens.tolist()]


def _lift(V: Matrix, bias: tuple[fmpq, ...]) -> Matrix:
    """``[[V, b], [0, 1]]``."""
    rows = [[*row, b] for row, b in zip(V.tolist(), bias, strict=True)]
    return QQ.matrix([*rows, [0] * V.ncols() + [1]])


def _combine(weights: list[fmpq], columns: list[Matrix]) -> list[fmpq]:
    length = columns[0].nrows()
    return [sum((w * c[i, 0] for w, c in zip(weights, columns, strict=True)), fmpq(0)) for i in range(length)]


def _random(rng: random.Random, n: int, N: int, tokens: int) -> Attention:
    head = Head(random_matrix(rng, QQ, n, N), random_matrix(rng, QQ, n, N))
    biases = [tuple(fmpq(rng.randint(-3, 3)) for _ in range(size)) for size in (n, n, N)]
    tangents = [fmpq(rng.randint(1, 3), rng.randint(1, 3)) for _ in range(n // 2)]
    # An odd head dimension leaves one coordinate unrotated, as partial rotary embeddings do.
    rotations = {}
    for i in range(tokens):
        rotation = QQ.identity(n)
        plane = rotary_matrix(QQ, tangents, delta=i)
        for a in range(plane.nrows()):
            for b in range(plane.nrows()):
                rotation[a, b] = plane[a, b]
        rotations[i] = rotation
    return Attention(
        head,
        biases[0],
        biases[1],
        random_matrix(rng, QQ, N, N),
        biases[2],
        rotations,
        random_matrix(rng, QQ, tokens, N),
    )


def _instances() -> Iterator[Attention]:
    rng = random.Random("proposition-3")
    for n, N in ((1, 1), (1, 3), (2, 2), (2, 5), (3, 4), (4, 6)):
        for tokens in (1, 2, 4):
            yield _random(rng, n, N, tokens)


def _scalar(*, rotations: tuple[int, ...], normalised: bool) -> Attention:
    """Tokens 1 of width 1 with scalar operators."""
    one = Head.of([[1]], [[1]])
    zero = (fmpq(0),)
    operators = {i: QQ.matrix([[r]]) for i, r in enumerate(rotations)}
    tokens = QQ.matrix([[1]] * len(rotations))
    return Attention(one, zero, zero, QQ.matrix([[1]]), zero, operators, tokens, normalised)


def _check_identity() -> int:
    """``⟨Ky + c, Qx + b⟩ = ŷᵀ[K c]ᵀ[Q b]x̂`` with everything an indeterminate."""
    cases = 0
    for n, N in ((1, 1), (1, 3), (2, 2), (3, 2)):
        m = indeterminate_matrices(K=(n, N), Q=(n, N), b=(n, 1), c=(n, 1), x=(N, 1), y=(N, 1))
        one = m["x"].from_list([[m["x"].domain.one]], m["x"].domain)
        xhat, yhat = m["x"].vstack(one), m["y"].vstack(one)
        left = (m["K"] * m["y"] + m["c"]).transpose() * (m["Q"] * m["x"] + m["b"])
        right = yhat.transpose() * m["K"].hstack(m["c"]).transpose() * m["Q"].hstack(m["b"]) * xhat
        cases += require(left == right, f"the score is the lifted bilinear form for n = {n}, N = {N}")
    return cases


def _is_relative(attention: Attention) -> bool:
    products: dict[int, Matrix] = {}
    for i, R in attention.rotations.items():
        for j, P in attention.rotations.items():
            if products.setdefault(j - i, P.transpose() * R) != P.transpose() * R:
                return False
    return True


STATEMENT = Statement(
    id="proposition-3",
    source="arXiv 2609.22990, Proposition 3",
    title="attention homogenises",
    claim=(
        r"Query-key-value attention with biases and relative positions is bilinear attention on $C \oplus \mathbb R$: "
        r"with $\hat x = (x, 1)$, $\hat Q = [Q\; b_q]$, $\hat K = [K\; b_k]$ the score is "
        r"$\hat x_j^T \hat K^T R_j^T R_i \hat Q \hat x_i$, one form for each displacement $j - i$, and with normalised "
        r"weights the output is that of $\hat V = \begin{pmatrix} V & b_v \\ 0 & 1 \end{pmatrix}$, again with last "
        r"coordinate 1."
    ),
    subject=Attention,
    holds=holds,
    instances=_instances,
    scope="rational attention with rotary positions: n ≤ 4, N ≤ 6, up to 4 tokens",
    hypotheses=(
        Hypothesis(
            name="normalised",
            text="the weights of a token add up to 1",
            satisfied=lambda attention: attention.normalised,
            counterexample=lambda: _scalar(rotations=(1,), normalised=False),
        ),
        Hypothesis(
            name="relative",
            text="RⱼᵀRᵢ depends on j − i only",
            satisfied=_is_relative,
            counterexample=lambda: _scalar(rotations=(1, 2), normalised=True),
        ),
    ),
    checks=(Check("identity", "the lifted score: n ≤ 3, N ≤ 3", _check_identity),),
)
