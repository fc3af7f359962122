"""Corollary 1 of the paper: the expected symmetric energy of a form with independent entries."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from proofs.indeterminates import indeterminate_matrices, norm_squared, require, symmetric_double
from proofs.moments import Moments, expectation, gaussian, rademacher, square_energies, symmetric_share_moments
from proofs.statements.finite_laws import ONE, SIGN, SKEWED, SPARSE, ZERO, RandomEntries, RandomForm, expected_energies
from proofs.statements.registry import Check, Hypothesis, Statement


def holds(form: RandomForm) -> bool:
    """Whether ``E‖S‖²/E‖L‖² = (N+1)/(2N)``, by enumeration of all outcomes."""
    symmetric, whole = expected_energies(form)
    return whole != 0 and symmetric / whole == fmpq(form.N + 1, 2 * form.N)


def _instances() -> Iterator[RandomForm]:
    for N, laws in ((1, (SIGN, SKEWED, SPARSE)), (2, (SIGN, SKEWED, SPARSE)), (3, (SIGN,))):
        for law in laws:
            yield RandomForm(RandomEntries.independent([law] * (N * N)), N)


def _check_moments() -> int:
    """Energies from moments; for Gaussian entries also mean and variance of the share itself.

    The share of an isotropic vector is independent of its norm, so ``E‖S‖^{2k} = E shareᵏ · E‖L‖^{2k}``.
    """
    cases = 0
    moments: tuple[Moments, ...] = (gaussian, rademacher)
    for N in range(1, 5):
        L = indeterminate_matrices(L=(N, N))["L"]
        S4, whole = norm_squared(symmetric_double(L)), norm_squared(L)
        expected = square_energies(N)
        for moment in moments:
            found = (expectation(S4, moment) / 4, expectation(whole, moment))
            cases += require(found == (expected.symmetric, expected.score), f"energies for N = {N}")
        mean, variance = symmetric_share_moments(N)
        square = expectation(S4**2, gaussian) / 16 / expectation(whole**2, gaussian)
        cases += require((mean, square) == (expected.ratio, variance + mean**2), f"law of the share for N = {N}")
    return cases


def _dependent() -> RandomForm:
    return RandomForm(RandomEntries(((fmpq(1, 2), (1,) * 4), (fmpq(1, 2), (-1,) * 4))), 2)


STATEMENT = Statement(
    id="corollary-1",
    source="arXiv 2609.22990, Corollary 1",
    title="symmetric energy of independent entries",
    claim=(
        r"For an $N \times N$ form with independent, identically distributed, centred entries of finite nonzero "
        r"variance, $E\|S\|^2 / E\|L\|^2 = (N+1)/(2N)$."
    ),
    subject=RandomForm,
    holds=holds,
    instances=_instances,
    scope="three entry laws, N ≤ 3, every outcome enumerated",
    kind="expectation",
    hypotheses=(
        Hypothesis(
            name="independent",
            text="the entries are independent",
            satisfied=lambda form: form.entries.are_independent(),
            counterexample=_dependent,
        ),
        Hypothesis(
            name="identical",
            text="the entries have one law",
            satisfied=lambda form: form.entries.are_identical(),
            counterexample=lambda: RandomForm(RandomEntries.independent([SIGN, ZERO, ZERO, SIGN]), 2),
        ),
        Hypothesis(
            name="centred",
            text="the entries have mean 0",
            satisfied=lambda form: form.entries.are_centred(),
            counterexample=lambda: RandomForm(RandomEntries.independent([ONE] * 4), 2),
        ),
        Hypothesis(
            name="nonzero",
            text="the entries are not 0 almost surely",
            satisfied=lambda form: not form.entries.are_zero(),
            counterexample=lambda: RandomForm(RandomEntries.independent([ZERO]), 1),
        ),
    ),
    checks=(Check("expectation", "Gaussian and sign entries from their moments, N ≤ 4", _check_moments),),
)
