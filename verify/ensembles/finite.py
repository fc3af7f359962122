"""Uniform heads over a finite field."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import torch

from proofs.fields import GF, PrimeField
from verify.ensembles.ensemble import Ensemble, Matrices, Parameters
from verify.ensembles.laws import Expectation
from verify.ensembles.statistics import Frequency


class FiniteField(Ensemble):
    """K and Q uniform over F_q, q an odd prime; the entries are residues in [0, q).

    ``∏_{i<r} (qᵐ − qⁱ)(q^N − qⁱ)/(qʳ − qⁱ)`` of the ``q^{mN}`` matrices of m = 2n rows have rank r: choose the row
    space, then r independent vectors of ``F_qᵐ`` as coordinates. For r = 2n this is ``∏_{i<2n} (1 − q^{i−N})``.
    """

    name = "finite-field"
    description = "uniform over the field with q elements"
    parameters: ClassVar[Parameters] = {"q": 3.0}

    def check(self, n: int, N: int, parameters: Parameters) -> None:
        """An odd prime below 2³¹."""
        q = parameters["q"]
        self.need(2 < q < 2**31 and q == int(q), f"an odd prime q below 2³¹, not {q:g}")
        self.field(parameters)

    def field(self, parameters: Parameters) -> PrimeField:
        """``F_q``.

        Raises:
            FieldError: q is no prime.
        """
        return GF(int(parameters["q"]))

    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Uniform residues."""
        Q, K = torch.randint(0, int(parameters["q"]), (2, heads, n, N), generator=generator).to(torch.float64)
        return Q, K

    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """The law of rank M, as far down as a sample might see it."""
        law = rank_law(2 * n, N, int(parameters["q"]))
        return [
            Expectation(Frequency("rank", rank), chance, "matrices of each rank, counted", rounds=True)
            for rank, chance in law.items()
            if chance > Fraction(1, 10**12) or rank == 2 * n
        ]


def rank_law(rows: int, columns: int, q: int) -> dict[int, Fraction]:
    """The probability of each rank for a uniform matrix over F_q, the highest rank first.

    >>> {rank: str(p) for rank, p in rank_law(2, 2, 3).items()}
    {2: '16/27', 1: '32/81', 0: '1/81'}
    """
    law = {}
    for rank in range(min(rows, columns), -1, -1):
        count = Fraction(1)
        for i in range(rank):
            count *= Fraction((q**rows - q**i) * (q**columns - q**i), q**rank - q**i)
        law[rank] = count / q ** (rows * columns)
    return law
