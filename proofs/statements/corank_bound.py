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
    """``dim anisotropic ≤ k − t`` over the field (and over ℝ), and at least n − k hyperbolic planes."""
    S, k = Form.of_head(head), 2 * head.n - head.M.rank()
    inner = core(head)
    t = inner.nrows() - Form(inner, head.field).rank
    bounded = _bounded(S, head.n, k, t)
    return bounded and (not is_real(head) or _bounded(S.at(RR), head.n, k, t))


def _bounded(S: Form, n: int, k: int, t: int) -> bool:
    anisotropic = anisotropic_dimension(S)
    return anisotropic <= k - t and (S.rank - anisotropic) // 2 >= n - k


def _instances() -> Iterator[Head]:
    return heads(sizes=[(0, 2), (1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (2, 5), (3, 4), (3, 7)], repeat=2)


def _check_attained() -> int:
    """Every anisotropic dimension from 0 to k − t occurs: M of corank k with a chosen annihilator form.

    With rows ``e_i − d_i e_{n+i}`` for U the form A is ``diag(−2d_i)``: d_i = 1 makes it definite, alternating signs
    make it hyperbolic, d_i = 0 puts a row into the radical.
    """
    cases = 0
    for n in range(1, 4):
        for k in range(n + 1):
            for radical in range(k + 1):
                for negative in range(k - radical + 1):
                    ratios = [1] * (k - radical - negative) + [-1] * negative + [0] * radical
                    N = 2 * n
                    Q = [[int(j == i) for j in range(N)] for i in range(n)]
                    # Row i of K is d_i times row i of Q for i < k, and a new unit vector beyond.
                    K = [[d * x for x in Q[i]] for i, d in enumerate(ratios)]
                    K += [[int(j == n + i) for j in range(N)] for i in range(k, n)]
                    head = Head.of(Q, K)
                    found = anisotropic_dimension(Form.of_head(head).at(RR))
                    expected = abs(k - radical - 2 * negative)
                    cases += require(head.M.rank() == 2 * n - k, f"corank {k}")
                    cases += require(found == expected, f"anisotropic dimension {expected} for n = {n}, k = {k}")
    return cases


STATEMENT = Statement(
    id="corank-bound",
    source="headforms",
    title="the corank bound",
    claim=(
        r"If $\operatorname{rank} M = 2n - k$ and $t$ is the dimension of the radical of $\tfrac12 C^TJC$, then the "
        r"anisotropic part of $S$ has dimension at most $k - t$ (over $\mathbb R$: $|n_+ - n_-| \le k - t$) and at "
        r"least $n - k$ hyperbolic planes split off. For $k = 0$ this is the theorem; every value up to $k - t$ occurs."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ (and ℝ) and four finite fields, n ≤ 3, N ≤ 7, every degenerate sort",
    checks=(Check("exact", "attained: every corank and radical with n ≤ 3", _check_attained),),
)
