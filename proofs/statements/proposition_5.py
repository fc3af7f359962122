"""Proposition 5 of the paper: the expected share of the symmetric part for Gaussian heads."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations, product

from flint import fmpq

from proofs.fields import QQ
from proofs.indeterminates import indeterminate_matrices, require, trace
from proofs.indeterminates import norm_squared as norm_of
from proofs.matrices import Matrix
from proofs.moments import expectation, gaussian
from proofs.spectra import norm_squared, symmetric_part
from proofs.statements.finite_laws import RandomEntries, RandomHead
from proofs.statements.registry import Check, Hypothesis, Statement


def holds(head: RandomHead) -> bool:
    """Whether ``E[‖S‖²/‖L‖²] = (N+1)/(2N)``, by enumeration; undefined where L = 0 has positive probability."""
    share = fmpq(0)
    for p, L in head.forms():
        if norm_squared(L) == 0:
            return False
        share += p * norm_squared(symmetric_part(L)) / norm_squared(L)
    return share == fmpq(head.N + 1, 2 * head.N)


def signed_permutations(N: int) -> Iterator[Matrix]:
    """The 2ᴺ·N! signed permutation matrices."""
    for order in permutations(range(N)):
        for signs in product((1, -1), repeat=N):
            U = QQ.zeros(N, N)
            for i, j in enumerate(order):
                U[i, j] = QQ(signs[i])
            yield U


def orbit(entries: tuple[int, ...], n: int, N: int) -> RandomHead:
    """Uniform on the heads ``(Q, KU)``, U a signed permutation."""
    size = n * N
    K = QQ.matrix([entries[size + i * N : size + (i + 1) * N] for i in range(n)], columns=N)
    group = list(signed_permutations(N))
    share = fmpq(1, len(group))
    moved = [(K * U).entries() for U in group]
    return RandomHead(RandomEntries(tuple((share, entries[:size] + tuple(int(x) for x in k)) for k in moved)), n, N)


def _is_invariant(head: RandomHead) -> bool:
    """Whether the law of (Q, KU) is that of (Q, K) for the signed permutations U; generators suffice."""
    size, N = head.n * head.N, head.N
    law: defaultdict[tuple[int, ...], fmpq] = defaultdict(fmpq)
    for p, entries in head.entries.outcomes:
        law[entries] += p
    for move in range(N):
        # Negate coordinate 0 (move 0), or exchange coordinates move − 1 and move.
        image: defaultdict[tuple[int, ...], fmpq] = defaultdict(fmpq)
        for entries, p in law.items():
            key = list(entries[size:])
            for row in range(0, size, N):
                if move == 0:
                    key[row] = -key[row]
                else:
                    key[row + move - 1], key[row + move] = key[row + move], key[row + move - 1]
            image[entries[:size] + tuple(key)] += p
        if image != law:
            return False
    return True


def _instances() -> Iterator[RandomHead]:
    rng = random.Random("proposition-5")
    for n, N in ((1, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3)):
        for _ in range(4):
            yield orbit(tuple(rng.randint(-3, 3) for _ in range(2 * n * N)), n, N)


def _check_gaussian() -> int:
    """For Gaussian heads the share is uncorrelated with every power of the norm: ``E[(tr L² − ‖L‖²/N) ‖L‖^{2k}] = 0``.

    That is the statement after conditioning on the norm, by Lemma 5, tested on polynomials of the norm.
    """
    cases = 0
    for n, N, top in ((1, 1, 3), (1, 2, 2), (2, 2, 1), (1, 3, 1), (2, 3, 0)):
        m = indeterminate_matrices(K=(n, N), Q=(n, N))
        L = m["K"].transpose() * m["Q"]
        whole, difference = norm_of(L), N * trace(L * L) - norm_of(L)
        for k in range(top + 1):
            cases += require(expectation(difference * whole**k, gaussian) == 0, f"k = {k} for n = {n}, N = {N}")
    return cases


STATEMENT = Statement(
    id="proposition-5",
    source="arXiv 2609.22990, Proposition 5",
    title="mean symmetric share of Gaussian heads",
    claim=(
        r"For Gaussian $Q, K$ and every $n$, $E[\|S\|^2/\|L\|^2] = (N+1)/(2N)$. It is enough that $L \ne 0$ almost "
        r"surely and that $(Q, KU)$ has the law of $(Q, K)$ for every signed permutation $U$: the mean of "
        r"$\operatorname{tr}(U^TL)^2$ over them is $\|L\|^2/N$."
    ),
    subject=RandomHead,
    holds=holds,
    instances=_instances,
    scope="uniform laws on orbits of signed permutations, n ≤ 3, N ≤ 3",
    kind="expectation",
    hypotheses=(
        Hypothesis(
            name="invariant",
            text="(Q, KU) has the law of (Q, K) for signed permutations U",
            satisfied=_is_invariant,
            counterexample=lambda: RandomHead(RandomEntries(((fmpq(1), (0, 1, 0, 1)),)), 1, 2),
        ),
        Hypothesis(
            name="nonzero",
            text="L ≠ 0 almost surely",
            satisfied=lambda head: all(norm_squared(L) for _, L in head.forms()),
            counterexample=lambda: RandomHead(RandomEntries(((fmpq(1), (0, 0)),)), 1, 1),
        ),
    ),
    checks=(Check("expectation", "Gaussian heads against powers of the norm, n ≤ 2, N ≤ 3", _check_gaussian),),
)
