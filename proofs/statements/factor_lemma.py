"""The factor lemma: the isometry class of S is that of a matrix of the size of rank M."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from proofs.forms import Form
from proofs.heads import Head, split_form
from proofs.indeterminates import indeterminate_matrices, require, symmetric_double
from proofs.lemmas import core, factor
from proofs.matrices import Matrix
from proofs.statements.all_sizes import uniform
from proofs.statements.instances import heads, random_invertible
from proofs.statements.registry import Check, Hypothesis, Statement
from proofs.witt import is_isometric


@dataclass(frozen=True)
class Factorisation:
    """A head with matrices C (2n × r) and B (r × N)."""

    head: Head
    C: Matrix
    B: Matrix

    @property
    def core(self) -> Form:
        """``½CᵀJC``, r × r."""
        F = self.head.field
        half = F(1) / F(2)
        return Form(self.C.transpose() * split_form(F, self.head.n) * self.C * half, F)


def holds(subject: Factorisation) -> bool:
    """Whether S is isometric to ``½CᵀJC ⊥ 0^{N−r}`` over the field of the head, by complete invariants."""
    head, core_form = subject.head, subject.core
    zeros = Form(
        head.field.zeros(max(head.N - core_form.dimension, 0), max(head.N - core_form.dimension, 0)), head.field
    )
    padded = core_form + zeros
    return padded.dimension == head.N and is_isometric(Form.of_head(head), padded)


def _instances() -> Iterator[Factorisation]:
    rng = random.Random("factor-lemma")
    for head in heads(sizes=[(0, 2), (1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (2, 5), (3, 4), (3, 7)], repeat=1):
        C, B = factor(head)
        yield Factorisation(head, C, B)
        U = random_invertible(rng, head.field, C.ncols())
        yield Factorisation(head, C * U, U.inv() * B)


def _check_identity() -> int:
    """``2S = Bᵀ(CᵀJC)B`` for ``[K; Q] = CB`` with everything an indeterminate."""
    cases = 0
    for n, r, N in ((1, 1, 2), (1, 2, 2), (2, 1, 3), (2, 3, 4), (3, 2, 3)):
        m = indeterminate_matrices(CK=(n, r), CQ=(n, r), B=(r, N))
        K, Q, B = m["CK"] * m["B"], m["CQ"] * m["B"], m["B"]
        inner = symmetric_double(m["CK"].transpose() * m["CQ"])
        whole = symmetric_double(K.transpose() * Q)
        cases += require(whole == B.transpose() * inner * B, f"2S = Bᵀ(CᵀJC)B for n = {n}, r = {r}, N = {N}")
    return cases


def _check_pivots() -> int:
    """With C the pivot columns of M the core is a principal submatrix of S, congruent to the core of any other C."""
    cases = 0
    for head in heads(sizes=[(1, 3), (2, 3), (2, 5), (3, 4)], repeat=1, seed=1):
        C, B = factor(head)
        cases += require(B.transpose() * core(head) * B == head.S, "S = Bᵀ · core · B")
        cases += require(C.ncols() == B.rank() == head.M.rank(), "the core has the size of rank M")
    return cases


def _minimal_without_rank() -> Factorisation:
    head = Head.of([[1]], [[1]])
    F = head.field
    return Factorisation(head, F.matrix([[1, 0], [0, 1]]), F.matrix([[1], [1]]))


def _minimal_without_product() -> Factorisation:
    head = Head.of([[1]], [[1]])
    F = head.field
    return Factorisation(head, F.matrix([[0], [0]]), F.matrix([[1]]))


STATEMENT = Statement(
    id="factor-lemma",
    source="headforms",
    title="reduction to the size of rank M",
    claim=(
        r"If $M = CB$ with $B$ ($r \times N$) of full row rank, then $S \cong \tfrac12 C^TJC \perp 0^{N-r}$: rank, "
        r"radical, signature, discriminant, Hasse invariants and Witt index of $S$ are those of an $r \times r$ matrix."
    ),
    subject=Factorisation,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ and four finite fields, n ≤ 3, N ≤ 7: complete invariants, two factorisations each",
    hypotheses=(
        Hypothesis(
            name="product",
            text="M = CB",
            satisfied=lambda subject: subject.C * subject.B == subject.head.M,
            counterexample=_minimal_without_product,
        ),
        Hypothesis(
            name="row-rank",
            text="B has full row rank",
            satisfied=lambda subject: subject.B.rank() == subject.B.nrows(),
            counterexample=_minimal_without_rank,
        ),
    ),
    checks=(
        uniform("factor lemma"),
        Check("identity", "C, B of indeterminates: n, r ≤ 3, N ≤ 4", _check_identity),
        Check("exact", "the core on pivot columns, n ≤ 3, N ≤ 5", _check_pivots),
    ),
)
