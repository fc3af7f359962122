"""The annihilator lemma: S from the left kernel of M, up to hyperbolic planes and zeros."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from proofs.forms import Form
from proofs.heads import Head, split_form
from proofs.inertia import signature
from proofs.lemmas import annihilator
from proofs.matrices import Matrix
from proofs.statements.all_sizes import uniform
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Hypothesis, Statement
from proofs.witt import is_isometric


@dataclass(frozen=True)
class Annihilated:
    """A head with the rows U (k × 2n), which are to be a basis of the left kernel of M."""

    head: Head
    U: Matrix

    @property
    def form(self) -> Form:
        """``A = UJUᵀ``, k × k."""
        return Form(self.U * split_form(self.head.field, self.head.n) * self.U.transpose(), self.head.field)


def holds(subject: Annihilated) -> bool:
    """``S ⊥ (k−n)H ≅ −½A₀ ⊥ 0`` with planes on the side where their number is positive; over ℝ the signature."""
    head, A = subject.head, subject.form
    F, n, N, k = head.field, head.n, head.N, A.dimension
    t = k - A.rank
    zeros = N - 2 * n + k + t
    if zeros < 0:
        return False
    # A₀ ⊥ 0ᵗ is A, so −½A brings t of the zeros with it.
    left, right = Form.of_head(head), A.scale(F(-1) / F(2)) + Form(F.zeros(max(zeros - t, 0), max(zeros - t, 0)), F)
    planes = Form(split_form(F, abs(k - n)), F)
    left, right = (left + planes, right) if k > n else (left, right + planes)
    if zeros < t or left.dimension != right.dimension or not is_isometric(left, right):
        return False
    if not is_real(head):
        return True
    p, q, _ = signature(A.gram)
    return signature(head.S) == (n - p - t, n - q - t, N - 2 * n + p + q + 2 * t)


def _instances() -> Iterator[Annihilated]:
    sizes = [(0, 2), (1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (2, 5), (3, 2), (3, 4), (3, 7)]
    for head in heads(sizes=sizes, repeat=1):
        yield Annihilated(head, annihilator(head))


def _tied(rows: list[list[int]]) -> Annihilated:
    head = Head.of([[1]], [[1]])
    return Annihilated(head, head.field.matrix(rows, columns=2))


STATEMENT = Statement(
    id="annihilator",
    source="headforms",
    title="S from the left kernel of M",
    claim=(
        r"Let the rows of $U$ be a basis of the left kernel of $M$, $k$ their number, $A = UJU^T$, $A_0$ its "
        r"non-degenerate part, $t = k - \operatorname{rank} A$. Then "
        r"$S \perp (k-n)H \cong -\tfrac12 A_0 \perp 0^{N-2n+k+t}$ (planes on the other side for $k < n$); if $A$ has "
        r"signature $(p, q, t)$, then $S$ has signature $(n-p-t, n-q-t, N-2n+p+q+2t)$."
    ),
    subject=Annihilated,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ and four finite fields, n ≤ 3, N ≤ 7: complete invariants of both sides",
    hypotheses=(
        Hypothesis(
            name="annihilates",
            text="UM = 0",
            satisfied=lambda subject: not any(x != 0 for x in (subject.U * subject.head.M).entries()),
            counterexample=lambda: _tied([[1, 1]]),
        ),
        Hypothesis(
            name="spans",
            text="the rank of U is 2n − rank M",
            satisfied=lambda subject: subject.U.rank() == 2 * subject.head.n - subject.head.M.rank(),
            counterexample=lambda: _tied([]),
        ),
        Hypothesis(
            name="independent",
            text="the rows of U are independent",
            satisfied=lambda subject: subject.U.rank() == subject.U.nrows(),
            counterexample=lambda: _tied([[1, -1], [1, -1]]),
        ),
    ),
    checks=(uniform("annihilator", "annihilator lemma"),),
)
