"""Random matrices and heads with finitely many outcomes, whose expectations are finite sums: exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from flint import fmpq

from proofs.fields import QQ
from proofs.heads import Head
from proofs.matrices import Matrix
from proofs.spectra import norm_squared, symmetric_part

#: An entry's law: pairs of value and probability.
EntryLaw = Sequence[tuple[int, fmpq]]

SIGN: EntryLaw = ((1, fmpq(1, 2)), (-1, fmpq(1, 2)))
SKEWED: EntryLaw = ((2, fmpq(1, 3)), (-1, fmpq(2, 3)))
SPARSE: EntryLaw = ((0, fmpq(1, 2)), (3, fmpq(1, 4)), (-3, fmpq(1, 4)))
ONE: EntryLaw = ((1, fmpq(1)),)
ZERO: EntryLaw = ((0, fmpq(1)),)


@dataclass(frozen=True)
class RandomEntries:
    """A random vector of matrix entries: outcomes with their probabilities."""

    outcomes: tuple[tuple[fmpq, tuple[int, ...]], ...]

    @classmethod
    def independent(cls, laws: Sequence[EntryLaw]) -> RandomEntries:
        """Independent entries, each with its law."""
        outcomes = []
        for combination in product(*laws):
            probability = fmpq(1)
            for _, p in combination:
                probability *= p
            outcomes.append((probability, tuple(x for x, _ in combination)))
        return cls(tuple(outcomes))

    def marginals(self) -> list[defaultdict[int, fmpq]]:
        """The law of every entry."""
        result: list[defaultdict[int, fmpq]] = [defaultdict(fmpq) for _ in self.outcomes[0][1]]
        for p, entries in self.outcomes:
            for marginal, x in zip(result, entries, strict=True):
                marginal[x] += p
        return result

    def are_independent(self) -> bool:
        """Whether the probability of every outcome is the product of those of its entries."""
        marginals = self.marginals()
        joint: defaultdict[tuple[int, ...], fmpq] = defaultdict(fmpq)
        for p, entries in self.outcomes:
            joint[entries] += p
        covered = fmpq(0)
        for entries, p in joint.items():
            expected = fmpq(1)
            for marginal, x in zip(marginals, entries, strict=True):
                expected *= marginal[x]
            covered += expected
            if p != expected:
                return False
        return covered == 1

    def are_identical(self) -> bool:
        """Whether all entries have one law."""
        marginals = self.marginals()
        return all(marginal == marginals[0] for marginal in marginals)

    def are_centred(self) -> bool:
        """Whether all entries have mean 0."""
        return all(sum((x * p for x, p in marginal.items()), fmpq(0)) == 0 for marginal in self.marginals())

    def are_zero(self) -> bool:
        """Whether all entries are 0 almost surely."""
        return not any(any(entries) for p, entries in self.outcomes if p)


@dataclass(frozen=True)
class RandomForm:
    """A random N × N form."""

    entries: RandomEntries
    N: int

    def forms(self) -> Iterator[tuple[fmpq, Matrix]]:
        """Probability and L of every outcome."""
        for p, x in self.entries.outcomes:
            yield p, QQ.matrix([x[i * self.N : (i + 1) * self.N] for i in range(self.N)])


@dataclass(frozen=True)
class RandomHead:
    """A random head: the entries of Q row by row, then those of K."""

    entries: RandomEntries
    n: int
    N: int

    def heads(self) -> Iterator[tuple[fmpq, Head]]:
        """Probability and head of every outcome."""
        for p, x in self.entries.outcomes:
            rows = [x[i * self.N : (i + 1) * self.N] for i in range(2 * self.n)]
            yield p, Head.of(rows[: self.n], rows[self.n :], N=self.N)

    def forms(self) -> Iterator[tuple[fmpq, Matrix]]:
        """Probability and L of every outcome."""
        for p, head in self.heads():
            yield p, head.L


def expected_energies(of: RandomForm | RandomHead) -> tuple[fmpq, fmpq]:
    """``E‖S‖²`` and ``E‖L‖²``, by enumeration."""
    symmetric, whole = fmpq(0), fmpq(0)
    for p, L in of.forms():
        symmetric += p * norm_squared(symmetric_part(L))
        whole += p * norm_squared(L)
    return symmetric, whole
