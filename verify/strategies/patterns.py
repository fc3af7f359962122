"""The ranks that a head may have: of Q, of K, and how far their row spaces overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

#: Rank of Q, rank of K, dimension of the intersection of their row spaces.
Ranks: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Pattern:
    """The ranks that a head is built from; None where the caller leaves the number open.

    ``rank M = rank_query + rank_key − overlap``, overlap being the dimension of the intersection of the row spaces.
    """

    corank: int | None = None
    rank_query: int | None = None
    rank_key: int | None = None
    overlap: int | None = None
    tied: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nothing is prescribed."""
        return self == Pattern()

    def solutions(self, n: int, N: int) -> Iterator[Ranks]:
        """The ranks of Q and K and the overlap of all n × N heads that fit."""
        most = min(n, N)
        for q in range(most + 1) if self.rank_query is None else [self.rank_query]:
            for k in range(most + 1) if self.rank_key is None else [self.rank_key]:
                low, high = max(0, q + k - N), min(q, k)
                if self.corank is not None:
                    exact = q + k - (2 * n - self.corank)
                    low, high = max(low, exact), min(high, exact)
                if self.overlap is not None:
                    low, high = max(low, self.overlap), min(high, self.overlap)
                if self.tied:
                    low = max(low, q, k)
                if max(q, k) <= most:
                    yield from ((q, k, overlap) for overlap in range(low, high + 1))

    def __str__(self) -> str:
        given = [
            f"{f.name}={getattr(self, f.name)}"
            for f in fields(self)
            if getattr(self, f.name) is not None and getattr(self, f.name) is not False
        ]
        return ", ".join(given)
