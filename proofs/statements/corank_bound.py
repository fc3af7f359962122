"""The corank bound: how far a degenerate head can be from hyperbolic plus zero."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.fields import RR
from proofs.forms import Form
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.lemmas import core
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Check, Statement
from proofs.witt import anisotropic_dimension


def holds(head: Head) -> bool:
    """The bounds of the anisotropic part, with their parity, over the field (and over ℝ); at least n − k planes."""
    S, k = Form.of_head(head), 2 * head.n - head.M.rank()
    inner = core(head)
    t = inner.nrows() - Form(inner, head.field).rank
    bounded = _bounded(S, head.n, k, t)
    return bounded and (not is_real(head) or _bounded(S.at(RR), head.n, k, t))


def _bounded(S: Form, n: int, k: int, t: int) -> bool:
    anisotropic = anisotropic_dimension(S)
    return (
        anisotropic <= min(k, 2 * n - k) - t and (k - t - anisotropic) % 2 == 0 and (S.rank - anisotropic) // 2 >= n - k
    )


def _instances() -> Iterator[Head]:
    return heads(sizes=[(0, 2), (1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (2, 5), (3, 4), (3, 7)], repeat=2)


def _check_attained() -> int:
    """Over ℝ each value of the right parity occurs: M of corank k with a chosen annihilator form.

    With rows ``e_i − d_i e_{n+i}`` for U the form A is ``diag(−2d_i)``: d_i = 1 makes it definite, alternating signs
    make it hyperbolic, d_i = 0 puts a row into the radical.
    """
    cases = 0
    for n in range(1, 4):
        for k in range(n + 1):
            for radical in range(k + 1):
                found = set()
                for negative in range(k - radical + 1):
                    head = _of_annihilator(n, [1] * (k - radical - negative) + [-1] * negative + [0] * radical)
                    t = Form(core(head), head.field)
                    cases += require(head.M.rank() == 2 * n - k, f"corank {k}")
                    cases += require(t.dimension - t.rank == radical, f"radical {radical}")
                    found.add(anisotropic_dimension(Form.of_head(head).at(RR)))
                wanted = set(range(k - radical, -1, -2))
                cases += require(found == wanted, f"dimensions {wanted} for n = {n}, k = {k}, t = {radical}")
    return cases


def _of_annihilator(n: int, ratios: list[int]) -> Head:
    """A head with N = 2n, row i of K ``ratios[i]`` times row i of Q, and a new unit vector beyond."""
    N, k = 2 * n, len(ratios)
    Q = [[int(j == i) for j in range(N)] for i in range(n)]
    K = [[d * x for x in Q[i]] for i, d in enumerate(ratios)]
    return Head.of(Q, K + [[int(j == n + i) for j in range(N)] for i in range(k, n)])


STATEMENT = Statement(
    id="corank-bound",
    source="headforms",
    title="the corank bound",
    claim=(
        r"Let $\operatorname{rank} M = 2n - k$ and $t$ be the dimension of the radical of $\tfrac12 C^TJC$. The "
        r"anisotropic part of $S$ has dimension at most $\min(k, 2n - k) - t$ and of the parity of $k - t$ (over "
        r"$\mathbb R$ this is $|n_+ - n_-|$), and at least $n - k$ hyperbolic planes split off ($k = 0$: the theorem). "
        r"Over $\mathbb R$ and for $k \le n$ every value up to $k - t$ of that parity occurs."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ (and ℝ) and four finite fields, n ≤ 3, N ≤ 7, every degenerate sort",
    checks=(Check("exact", "attained over ℝ: every corank k ≤ n ≤ 3, radical and value", _check_attained),),
)
