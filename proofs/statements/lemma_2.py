"""Lemma 2 of the paper: the pairing score and its bound by the ratio of the lobes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from flint import arb

from proofs.fields import QQ
from proofs.heads import Head
from proofs.spectra import agree, lobe_sums, precise, spectrum
from proofs.statements.instances import heads, heads_of_spectrum, is_real
from proofs.statements.registry import Hypothesis, Statement


def holds(head: Head) -> bool:
    """Whether P has both formulas, is at most the bound, and equals it exactly if the lobes are proportional.

    An inequality is decided by disjoint enclosures; an equality by agreement to 128 bits.
    """
    s = spectrum(head.S)
    alpha, beta = s.alpha(), s.beta()
    with precise():
        alpha2, beta2 = _sum_of_squares(alpha), _sum_of_squares(beta)
        if alpha2 == 0:
            return False
        rho = (beta2 / alpha2).sqrt()
        product, above, below = lobe_sums(s)
        total = alpha2 + beta2
        # (1 − P)², from the definition and from the second formula; and its bound.
        defect, second = (above + below) / total, 1 - 2 * product / total
        bound = (1 - rho) * (1 - rho) / (1 + rho * rho)
        crosses = [alpha[i] * beta[j] - alpha[j] * beta[i] for i, j in combinations(range(len(alpha)), 2)]
        proportional = all(x.contains(0) for x in crosses)
        return agree(defect, second) and (agree(defect, bound) if proportional else bool(defect > bound))


def _sum_of_squares(values: list[arb]) -> arb:
    return sum((x * x for x in values), arb(0))


def _instances() -> Iterator[Head]:
    yield from heads(fields=[QQ], sizes=[(1, 1), (1, 2), (1, 4), (2, 3), (2, 5), (3, 4), (3, 7)], repeat=2)
    proportional = [[2, 1, -4, -2], [3, -1], [1, -1], [6, 4, 2, -3, -2, -1], [1, 1, -5, -5], [4]]
    yield from heads_of_spectrum(proportional)


STATEMENT = Statement(
    id="lemma-2",
    source="arXiv 2609.22990, Lemma 2",
    title="the pairing score and its bound",
    claim=(
        r"Let $\alpha \ne 0$ and $\rho = \|\beta\|/\|\alpha\|$. Then "
        r"$P = 1 - \|\alpha-\beta\|/\|S\| = 1 - \sqrt{1 - 2\langle\alpha,\beta\rangle/\|S\|^2} "
        r"\le 1 - |1-\rho|/\sqrt{1+\rho^2}$, with equality if and only if $\beta = \rho\alpha$."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ with n ≤ 3, N ≤ 7, and rational spectra with proportional lobes in rotated bases",
    hypotheses=(
        Hypothesis(
            name="positive-lobe",
            text="α ≠ 0: S has a positive eigenvalue, so that ρ exists",
            satisfied=lambda head: bool(spectrum(head.S).alpha()) and spectrum(head.S).alpha()[0] > 0,
            counterexample=lambda: Head.of([], [], N=1),
        ),
    ),
    concerns=is_real,
)
