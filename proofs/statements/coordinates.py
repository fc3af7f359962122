"""Coordinates, exchange and sign: what else leaves nondegeneracy as it is, and what becomes of S and T."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from proofs.fields import QQ
from proofs.forms import Form
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.inertia import signature
from proofs.matrices import Matrix
from proofs.spectra import agree_all, norm_squared, profile
from proofs.statements.all_sizes import uniform
from proofs.statements.instances import heads, is_real, random_invertible, random_matrix
from proofs.statements.registry import Check, Hypothesis, Statement
from proofs.witt import is_isometric


@dataclass(frozen=True)
class Moved:
    """A head and an N × N matrix U: the pair (Q, K) becomes (QU, KU)."""

    head: Head
    U: Matrix

    @property
    def transformed(self) -> Head:
        """The head (QU, KU)."""
        return self.head.change_coordinates(self.U)


def holds(moved: Moved) -> bool:
    """Whether S and T are moved by U, S into an isometric form, and rank M stays."""
    before, after, U = moved.head, moved.transformed, moved.U
    return (
        after.S == U.transpose() * before.S * U
        and after.T == U.transpose() * before.T * U
        and after.M.rank() == before.M.rank()
        and is_isometric(Form.of_head(before), Form.of_head(after))
    )


def _instances() -> Iterator[Moved]:
    rng = random.Random("coordinates")
    for head in heads(repeat=1, sizes=[(0, 2), (1, 1), (1, 2), (1, 4), (2, 3), (2, 5), (3, 4), (3, 7)]):
        yield Moved(head, random_invertible(rng, head.field, head.N))


def _check_exchange() -> int:
    """Exchanging Q and K leaves S and negates T; negating K negates both: with signature and profile over ℚ."""
    cases = 0
    for head in heads(repeat=1):
        exchanged, negated = Head(head.K, head.Q, head.field), replace(head, K=-head.K)
        cases += require((exchanged.S, exchanged.T) == (head.S, -head.T), "Q and K exchanged: S and −T")
        cases += require((negated.S, negated.T) == (-head.S, -head.T), "K negated: −S and −T")
        cases += require(head.M.rank() == exchanged.M.rank() == negated.M.rank(), "rank M stays")
        if is_real(head):
            positive, negative, zero = signature(head.S)
            cases += require(signature(negated.S) == (negative, positive, zero), "n₊ and n₋ exchanged")
        if is_real(head) and norm_squared(head.L):
            a, b, c, d = profile(head.L).components()
            cases += require(agree_all(profile(exchanged.L).components(), (a, b, c, d)), "the profile stays")
            cases += require(agree_all(profile(negated.L).components(), (a, b, d, c)), "c and d exchanged")
    return cases


def _check_singular() -> int:
    """For singular U too: S becomes UᵀSU, of rank 2n exactly where rank MU = 2n; U the mean removal of LayerNorm."""
    rng, cases = random.Random("singular coordinates"), 0
    for head in heads(fields=[QQ], repeat=2):
        N = head.N
        centring = QQ.identity(N) - QQ.matrix([[QQ(1) / N] * N] * N)
        for U in (centring, random_matrix(rng, QQ, N, N) * QQ.diagonal([0, *[1] * (N - 1)])):
            moved = head.change_coordinates(U)
            nondegenerate = (head.M * U).rank() == 2 * head.n
            cases += require(moved.S == U.transpose() * head.S * U, "S becomes UᵀSU")
            cases += require((moved.S.rank() == 2 * head.n) == nondegenerate, "rank S = 2n exactly for rank MU = 2n")
            cases += require(not nondegenerate or 2 * head.n < N, "U of rank N − 1 leaves room for 2n ≤ N − 1")
    return cases


STATEMENT = Statement(
    id="coordinates",
    source="headforms",
    title="coordinates, exchange and sign",
    claim=(
        r"If $U$ is invertible, $(Q, K) \mapsto (QU, KU)$ turns $S$ into $U^TSU \cong S$ and $T$ into $U^TTU$ and "
        r"leaves $\operatorname{rank} M$. For any $U$ the head $(QU, KU)$ is nondegenerate if and only if "
        r"$\operatorname{rank} MU = 2n$. Exchanging $Q$ and $K$ leaves $S$ and the profile and negates $T$; negating "
        r"$K$ negates $S$ and $T$, so that $n_+$ and $n_-$ change places, and $c$ and $d$."
    ),
    subject=Moved,
    holds=holds,
    instances=_instances,
    scope="heads with n ≤ 3, N ≤ 7 over ℚ and four finite fields, every degenerate sort, random invertible U",
    hypotheses=(
        Hypothesis(
            name="invertible",
            text="U is invertible",
            satisfied=lambda moved: moved.U.nrows() == moved.U.ncols() == moved.U.rank(),
            counterexample=lambda: Moved(Head.of([[1]], [[1]]), QQ.matrix([[0]])),
        ),
    ),
    checks=(
        uniform("coordinates"),
        Check("exact", "Q and K exchanged, K negated: n ≤ 4, N ≤ 9 over ℚ and four finite fields", _check_exchange),
        Check("exact", "singular U, LayerNorm's mean removal among them: n ≤ 4, N ≤ 9 over ℚ", _check_singular),
    ),
)
