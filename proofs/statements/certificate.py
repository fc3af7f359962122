"""Certificates: a minor that is not zero modulo a prime proves that a rational head is nondegenerate."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from proofs.errors import FieldError
from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.matrices import submatrix
from proofs.ranks import primitive_rows, rank_with_proof
from proofs.statements.instances import heads
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class Certificate:
    """A rational head, an odd prime and 2n columns of M."""

    head: Head
    prime: int
    columns: tuple[int, ...]

    @property
    def is_valid(self) -> bool:
        """Whether the minor on these columns is not zero modulo the prime, which divides no denominator."""
        size = 2 * self.head.n
        if len(set(self.columns)) != size or not set(self.columns) <= set(range(self.head.N)):
            return False
        try:
            field = GF(self.prime)
            block = field.matrix(submatrix(QQ, self.head.M, range(size), self.columns).tolist(), columns=size)
        except FieldError:
            return False
        return bool(block.det() != 0)


def holds(certificate: Certificate) -> bool:
    """Whether the head is nondegenerate over ℚ."""
    return certificate.head.M.rank() == 2 * certificate.head.n


def _instances() -> Iterator[Certificate]:
    rng = random.Random("certificate")
    for head in heads(fields=[QQ], sizes=[(0, 1), (1, 2), (1, 3), (2, 4), (2, 6), (3, 7)], repeat=3):
        for prime in (3, 5, 101, 2**61 - 1):
            yield Certificate(head, prime, tuple(rng.sample(range(head.N), 2 * head.n)))


def _check_converse() -> int:
    """A nondegenerate head has a certificate modulo every prime but the divisors of its minors: one is found.

    And a minor of 0 modulo p proves nothing: ``M = diag(1, p)`` is nondegenerate, with the only minor p.
    """
    cases = 0
    for head in heads(fields=[QQ], sizes=[(1, 2), (2, 4), (2, 6), (3, 7)], repeat=3):
        integers, _ = primitive_rows(head.M)
        proof = rank_with_proof(integers)
        proof.check(integers)
        certified = proof.rank == 2 * head.n
        cases += require(certified == (head.M.rank() == 2 * head.n), "a certificate exactly for nondegenerate heads")
        if certified:
            rows = integers.tolist()
            scaled = Head.of(rows[head.n :], rows[: head.n])
            found = Certificate(scaled, proof.minor.prime, proof.minor.columns)
            cases += require(found.is_valid, "the certificate that was found is valid")
    for p in (3, 5, 101):
        head = Head.of([[0, p]], [[1, 0]])
        valid = any(Certificate(head, p, columns).is_valid for columns in combinations(range(2), 2))
        cases += require(not valid and head.M.rank() == 2, f"a zero minor modulo {p} proves nothing")
    return cases


STATEMENT = Statement(
    id="certificate",
    source="headforms",
    title="certificates modulo a prime",
    claim=(
        r"If a $2n \times 2n$ minor of a rational $M$ is not zero modulo a prime that divides no denominator, then "
        r"$\operatorname{rank} M = 2n$ over $\mathbb Q$ and $\mathbb R$. Every nondegenerate head has such a "
        r"certificate for all but finitely many primes."
    ),
    subject=Certificate,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ with n ≤ 3, N ≤ 7, four primes, random columns",
    hypotheses=(
        Hypothesis(
            name="nonzero-minor",
            text="the minor is not zero modulo the prime",
            satisfied=lambda certificate: certificate.is_valid,
            counterexample=lambda: Certificate(Head.of([[0, 0]], [[0, 0]]), 3, (0, 1)),
        ),
    ),
    checks=(
        Check("exact", "a certificate is found for every nondegenerate head; zero proves nothing", _check_converse),
    ),
    concerns=lambda certificate: certificate.head.field == QQ,
)
