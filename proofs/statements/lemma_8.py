"""Lemma 8 of the paper: the involution that reverses and negates a spectrum."""

from __future__ import annotations

from flint import fmpq

from proofs.fields import QQ
from proofs.indeterminates import require
from proofs.statements.registry import Check, Statement
from proofs.statements.unit_spectra import PairedSpectrum, balanced, dot, instances, is_sorted, unit_norm


def holds(spectrum: PairedSpectrum) -> bool:
    """ι swaps λ₊ and λ₋, and ``2(1 − P)² = ‖λ − ιλ‖²`` with P from the lobes; P = 1 exactly for ιλ = λ."""
    image = PairedSpectrum(spectrum.reversed)
    swapped = (image.upper, image.lower) == (spectrum.lower, spectrum.upper)
    difference = [x - y for x, y in zip(spectrum.values, image.values, strict=True)]
    unpaired = spectrum.unpaired()
    return swapped and 2 * unpaired == dot(difference) and (unpaired == 0) == (image.values == spectrum.values)


def _check_involution() -> int:
    """ι as a matrix: symmetric, orthogonal, ι² = 1, and it keeps the order of a decreasing list."""
    cases = 0
    for m in range(1, 6):
        matrix = QQ.zeros(2 * m, 2 * m)
        for j in range(2 * m):
            basis = PairedSpectrum(tuple(fmpq(int(i == j)) for i in range(2 * m)))
            for i, x in enumerate(basis.reversed):
                matrix[i, j] = x
        cases += require(matrix.transpose() * matrix == QQ.identity(2 * m), f"ιᵀι = 1 for m = {m}")
        cases += require(matrix * matrix == QQ.identity(2 * m), f"ι² = 1 for m = {m}")
    for spectrum in instances():
        cases += require(is_sorted(PairedSpectrum(spectrum.reversed)), "ιλ is decreasing")
    return cases


STATEMENT = Statement(
    id="lemma-8",
    source="arXiv 2609.22990, Lemma 8",
    title="the reversing involution",
    claim=(
        r"$(\iota\lambda)_i = -\lambda_{2m+1-i}$ is an orthogonal involution that swaps $\lambda_+$ and $\lambda_-$. "
        r"For a unit spectrum with $m$ eigenvalues of each sign $P = 1 - \|\lambda - \iota\lambda\|/\sqrt2$, so that "
        r"$P = 1$ if and only if $\iota\lambda = \lambda$."
    ),
    subject=PairedSpectrum,
    holds=holds,
    instances=instances,
    scope="rational points of spheres of dimension up to 7, and equal eigenvalues",
    hypotheses=(
        unit_norm(PairedSpectrum((fmpq(2), fmpq(-1)))),
        balanced(PairedSpectrum((fmpq(4, 5), fmpq(3, 5)))),
    ),
    checks=(Check("identity", "ι as a matrix, m ≤ 5", _check_involution),),
    concerns=is_sorted,
)
