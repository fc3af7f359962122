"""Unit spectra with as many positive as negative eigenvalues: the subjects of Lemmas 7 and 8 of the paper."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from proofs.statements.registry import Hypothesis


@dataclass(frozen=True)
class PairedSpectrum:
    """Rational eigenvalues ``λ₁ ≥ … ≥ λ_2m``; what the lemmas call λ₊ and λ₋ are read off by place."""

    values: tuple[fmpq, ...]

    @property
    def m(self) -> int:
        """Half the number of eigenvalues."""
        return len(self.values) // 2

    @property
    def upper(self) -> tuple[fmpq, ...]:
        """``λ₊ = (λ₁, …, λ_m)``."""
        return self.values[: self.m]

    @property
    def lower(self) -> tuple[fmpq, ...]:
        """``λ₋ = (−λ_2m, …, −λ_{m+1})``."""
        return tuple(-x for x in self.values[: self.m - 1 : -1])

    @property
    def reversed(self) -> tuple[fmpq, ...]:
        """``ιλ``, ``(ιλ)ᵢ = −λ_{2m+1−i}``."""
        return tuple(-x for x in reversed(self.values))

    def unpaired(self) -> fmpq:
        """``(1 − P)² = ‖α − β‖²/‖S‖²``, from the signs of the eigenvalues themselves (Lemma 2)."""
        alpha = sorted((x for x in self.values if x > 0), reverse=True)
        beta = sorted((-x for x in self.values if x < 0), reverse=True)
        length = max(len(alpha), len(beta))
        alpha += [fmpq(0)] * (length - len(alpha))
        beta += [fmpq(0)] * (length - len(beta))
        return dot([x - y for x, y in zip(alpha, beta, strict=True)]) / dot(self.values)


def dot(x: list[fmpq] | tuple[fmpq, ...], y: list[fmpq] | tuple[fmpq, ...] | None = None) -> fmpq:
    """``⟨x, y⟩``, or ``‖x‖²``."""
    return sum((a * b for a, b in zip(x, x if y is None else y, strict=True)), fmpq(0))


def is_sorted(spectrum: PairedSpectrum) -> bool:
    """The standing assumption: an even number of eigenvalues, decreasing, not all zero."""
    values = spectrum.values
    return len(values) % 2 == 0 and any(values) and all(x >= y for x, y in pairwise(values))


def instances() -> Iterator[PairedSpectrum]:
    """Rational points of spheres, half of their coordinates negative; and the symmetric ones."""
    rng = random.Random("unit spectra")
    for m in range(1, 5):
        for _ in range(12):
            point = _sphere(rng, 2 * m)
            signed = [abs(x) if i < m else -abs(x) for i, x in enumerate(point)]
            yield PairedSpectrum(tuple(sorted(signed, reverse=True)))
        for k in (1, 2):
            # k² · 2 · (1/(2k))² · 2 = 1: for m = 2k² equal values; else a multiple of a Pythagorean pair.
            equal = [fmpq(1, 2 * k)] * (2 * k * k)
            yield PairedSpectrum(tuple(equal + [-x for x in equal]))
    half = [fmpq(1, 2), fmpq(1, 2)]
    yield PairedSpectrum(tuple(half + [-x for x in half]))


def _sphere(rng: random.Random, size: int) -> list[fmpq]:
    """A rational point of the unit sphere without zero coordinates, by stereographic projection."""
    while True:
        t = [fmpq(rng.randint(1, 6), rng.randint(1, 4)) for _ in range(size - 1)]
        square = dot(t)
        if square != 1:
            return [2 * x / (1 + square) for x in t] + [(1 - square) / (1 + square)]


def unit_norm(counterexample: PairedSpectrum) -> Hypothesis[PairedSpectrum]:
    """The hypothesis ``Σλ² = 1``."""
    return Hypothesis(
        name="unit-norm",
        text="Σλ² = 1",
        satisfied=lambda spectrum: dot(spectrum.values) == 1,
        counterexample=lambda: counterexample,
    )


def balanced(counterexample: PairedSpectrum) -> Hypothesis[PairedSpectrum]:
    """The hypothesis of m positive and m negative eigenvalues."""
    return Hypothesis(
        name="balanced",
        text="m eigenvalues are positive and m are negative",
        satisfied=lambda spectrum: all(x > 0 for x in spectrum.upper + spectrum.lower),
        counterexample=lambda: counterexample,
    )
