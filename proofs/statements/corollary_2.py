"""Corollary 2 of the paper: the expected symmetric energy of a product KᵀQ."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from proofs.indeterminates import indeterminate_matrices, norm_squared, require, symmetric_double
from proofs.moments import Moments, expectation, gaussian, head_energies, rademacher
from proofs.statements.finite_laws import ONE, SIGN, SKEWED, ZERO, RandomEntries, RandomHead, expected_energies
from proofs.statements.registry import Check, Hypothesis, Statement


def holds(head: RandomHead) -> bool:
    """Whether ``E‖S‖²/E‖L‖² = (N+1)/(2N)``, by enumeration of all outcomes."""
    symmetric, whole = expected_energies(head)
    return whole != 0 and symmetric / whole == fmpq(head.N + 1, 2 * head.N)


def _instances() -> Iterator[RandomHead]:
    for n, N, laws in ((1, 1, (SIGN, SKEWED)), (1, 2, (SIGN, SKEWED)), (1, 3, (SIGN, SKEWED)), (2, 2, (SIGN,))):
        for law in laws:
            yield RandomHead(RandomEntries.independent([law] * (2 * n * N)), n, N)


def _check_moments() -> int:
    cases = 0
    moments: tuple[Moments, ...] = (gaussian, rademacher)
    for n, N in ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)):
        m = indeterminate_matrices(K=(n, N), Q=(n, N))
        L = m["K"].transpose() * m["Q"]
        S4, whole, expected = norm_squared(symmetric_double(L)), norm_squared(L), head_energies(n, N)
        for moment in moments:
            found = (expectation(S4, moment) / 4, expectation(whole, moment))
            cases += require(found == (expected.symmetric, expected.score), f"energies for n = {n}, N = {N}")
    return cases


def _check_correlated() -> int:
    """Q = ρX + √(1−ρ²)Y, K = X with Gaussian X, Y: ρ = 3/5 and 4/5 keep the square root rational."""
    cases = 0
    for n, N in ((1, 1), (1, 2), (1, 3), (2, 2)):
        m = indeterminate_matrices(X=(n, N), Y=(n, N))
        for c, s in ((3, 4), (4, -3), (5, 0), (0, 5)):
            L = m["X"].transpose() * (m["X"] * m["X"].domain(c) + m["Y"] * m["X"].domain(s))
            expected = head_energies(n, N, correlation=fmpq(c, 5))
            found = (
                expectation(norm_squared(symmetric_double(L)), gaussian) / 100,
                expectation(norm_squared(L), gaussian) / 25,
            )
            cases += require(found == (expected.symmetric, expected.score), f"correlation {c}/5, n = {n}, N = {N}")
    return cases


def _dependent() -> RandomHead:
    return RandomHead(RandomEntries(((fmpq(1, 2), (1,) * 4), (fmpq(1, 2), (-1,) * 4))), 1, 2)


STATEMENT = Statement(
    id="corollary-2",
    source="arXiv 2609.22990, Corollary 2",
    title="symmetric energy of random heads",
    claim=(
        r"For $Q, K$ with independent, identically distributed, centred entries of finite nonzero variance, "
        r"$E\|S\|^2 / E\|L\|^2 = (N+1)/(2N)$ for every $n$."
    ),
    subject=RandomHead,
    holds=holds,
    instances=_instances,
    scope="two entry laws, n ≤ 2, N ≤ 3, every outcome enumerated",
    kind="expectation",
    hypotheses=(
        Hypothesis(
            name="independent",
            text="the entries are independent",
            satisfied=lambda head: head.entries.are_independent(),
            counterexample=_dependent,
        ),
        Hypothesis(
            name="identical",
            text="the entries have one law",
            satisfied=lambda head: head.entries.are_identical(),
            counterexample=lambda: RandomHead(RandomEntries.independent([SIGN, ZERO, SIGN, ZERO]), 1, 2),
        ),
        Hypothesis(
            name="centred",
            text="the entries have mean 0",
            satisfied=lambda head: head.entries.are_centred(),
            counterexample=lambda: RandomHead(RandomEntries.independent([ONE] * 4), 1, 2),
        ),
        Hypothesis(
            name="nonzero",
            text="the entries are not 0 almost surely",
            satisfied=lambda head: not head.entries.are_zero(),
            counterexample=lambda: RandomHead(RandomEntries.independent([ZERO] * 2), 1, 1),
        ),
    ),
    checks=(
        Check("expectation", "Gaussian and sign entries from their moments, n ≤ 3, N ≤ 3", _check_moments),
        Check("expectation", "correlated Gaussian entries by Wick's formula, n ≤ 2, N ≤ 3", _check_correlated),
    ),
)
