"""Lemma 7 of the paper: imbalance and coupling of a balanced unit spectrum."""

from __future__ import annotations

from flint import fmpq

from proofs.statements.registry import Statement
from proofs.statements.unit_spectra import PairedSpectrum, balanced, dot, instances, is_sorted, unit_norm


def holds(spectrum: PairedSpectrum) -> bool:
    """Every formula, with I and C as defined and P from the lobes themselves."""
    upper, lower = spectrum.upper, spectrum.lower
    imbalance, coupling = dot(upper) - dot(lower), dot(upper, lower)
    difference = [x - y for x, y in zip(upper, lower, strict=True)]
    # Σ(λ₊ + iλ₋)²: real and imaginary part.
    real = sum((x * x - y * y for x, y in zip(upper, lower, strict=True)), fmpq(0))
    imaginary = sum((2 * x * y for x, y in zip(upper, lower, strict=True)), fmpq(0))
    return bool(
        2 * dot(upper) == 1 + imbalance
        and 2 * dot(lower) == 1 - imbalance
        and dot(difference) == 1 - 2 * coupling
        and spectrum.unpaired() == 1 - 2 * coupling
        and (real, imaginary) == (imbalance, 2 * coupling)
    )


STATEMENT = Statement(
    id="lemma-7",
    source="arXiv 2609.22990, Lemma 7",
    title="imbalance and coupling",
    claim=(
        r"For a unit spectrum with $m$ positive and $m$ negative eigenvalues, "
        r"$I = \|\lambda_+\|^2 - \|\lambda_-\|^2$ and $C = \langle\lambda_+, \lambda_-\rangle$: "
        r"$\|\lambda_\pm\|^2 = (1 \pm I)/2$, $\|\lambda_+ - \lambda_-\|^2 = 1 - 2C$, $P = 1 - \sqrt{1 - 2C}$ and "
        r"$\sum(\lambda_+ + i\lambda_-)^2 = I + 2iC$."
    ),
    subject=PairedSpectrum,
    holds=holds,
    instances=instances,
    scope="rational points of spheres of dimension up to 7, and equal eigenvalues",
    hypotheses=(
        unit_norm(PairedSpectrum((fmpq(1), fmpq(-1)))),
        balanced(PairedSpectrum((fmpq(4, 5), fmpq(3, 5)))),
    ),
    concerns=is_sorted,
)
