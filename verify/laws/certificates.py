"""The law of checkers of records: true claims with their proofs are confirmed, nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from proofs.fields import QQ
from proofs.inertia import signature
from proofs.matrices import pivots, submatrix
from verify.certificates import PRIME
from verify.fuzzing.calling import name_of
from verify.heads import HeadBatch
from verify.laws.law import LawError
from verify.laws.properties import Stated, on_every
from verify.laws.showing import shown_head
from verify.records import Record, head_record
from verify.strategies import exact, float_heads
from verify.verdicts import assess

#: Fields of a record that a checker has to compare, each a number.
_NUMBERS = ("rank_stacked", "rank", "radical", "witt_index", "isotropy_dimension", "anisotropic_dimension")
_VERDICTS = ("proved", "refuted", "not_applicable")
#: No odd primes.
_MODULI = (1, 2, 9, PRIME * (2**31 - 19))


@dataclass(frozen=True, repr=False)
class CertificateLaw(Stated):
    """A law of functions that check a record against the stored numbers of its head; call it on one to test that.

    Args:
        name: that of the variable of :mod:`verify.laws` which holds it.
        statement: the law in words.
    """

    def __call__(self, check: Callable[[Record, HeadBatch], bool], *, examples: int | None = None) -> None:
        """Test a checker on records of heads of every stratum, and on each of them tampered with in every way.

        Args:
            check: takes a record (:mod:`verify.records`) and a batch of the one head it is about, and answers whether
                all its claims are true and proved by what it holds. What is no proper record it must refuse too; an
                exception of its own is passed on.
            examples: heads to draw; as many as the Hypothesis profile in force says by default.

        Raises:
            LawError: the checker refuses a true record, or confirms one that was tampered with.
        """

        def obeys(batch: HeadBatch) -> None:
            record = head_record(next(assess(batch)), source="", provenance={}, computation={})
            if not check(record, batch):
                raise LawError(self._broken(check, "refuses a true record", batch, record))
            for what, false in tampered(record, batch):
                if check(false, batch):
                    raise LawError(self._broken(check, f"confirms a record with {what}", batch, false))

        on_every(float_heads(), obeys, examples)

    def _broken(self, check: Callable[..., Any], what: str, batch: HeadBatch, record: Record) -> str:
        claims = {field: record[field] for field in ("verdict", "signature", *_NUMBERS, "proof")}
        law = f"{name_of(check)} breaks the law {self.name!r}: {self.statement}"
        return f"{law}\nit {what}, for {shown_head(batch)}: {claims}"

    @property
    def subject(self) -> str:
        """Checkers."""
        return "checkers of records"


def tampered(record: Record, batch: HeadBatch) -> Iterator[tuple[str, Record]]:
    """False variants of a true record: false claims, proofs that prove nothing, and false claims with forged proofs.

    Args:
        record: what :func:`verify.records.head_record` says of the head.
        batch: the head.

    >>> import torch
    >>> batch = HeadBatch(torch.eye(1, 2).unsqueeze(0), torch.eye(1, 2).unsqueeze(0))
    >>> record = head_record(next(assess(batch)), source="", provenance={}, computation={})
    >>> [what for what, _ in tampered(record, batch)][:2]
    ['rank_stacked = 2', 'rank = 2']
    """
    yield from _false_claims(record)
    yield from _idle_proofs(record, batch)
    yield from _forged(record, batch)


def _false_claims(record: Record) -> Iterator[tuple[str, Record]]:
    for field in _NUMBERS:
        yield f"{field} = {record[field] + 1}", {**record, field: record[field] + 1}
    for part, number in record["signature"].items():
        yield f"{part} = {number + 1}", {**record, "signature": {**record["signature"], part: number + 1}}
    for verdict in _VERDICTS:
        if verdict != record["verdict"]:
            yield f"the verdict {verdict}", {**record, "verdict": verdict}
    conclusion = not record["hyperbolic_plus_zero"]
    yield f"hyperbolic_plus_zero = {conclusion}", {**record, "hyperbolic_plus_zero": conclusion}


def _idle_proofs(record: Record, batch: HeadBatch) -> Iterator[tuple[str, Record]]:
    proof = record["proof"]
    changes: list[tuple[str, Any]] = [("no proof", None)]
    if columns := proof.get("columns"):
        changes.append(("a minor short of a column", {**proof, "columns": columns[1:]}))
        if len(columns) > 1:
            changes.append(("a minor of equal columns", {**proof, "columns": [columns[1], *columns[1:]]}))
        changes += [(f"the modulus {modulus}", {**proof, "prime": modulus}) for modulus in _MODULI]
    if vectors := proof.get("null_vectors"):
        first, *rest = vectors
        changes.append(("a null vector that is zero", {**proof, "null_vectors": [["0"] * len(first), *rest]}))
        row = next((i for i, x in enumerate(exact(batch).M.tolist()) if any(y != 0 for y in x)), None)
        if row is not None:
            moved = [str(int(x) + (i == row)) for i, x in enumerate(first)]
            changes.append(("a vector that does not annihilate M", {**proof, "null_vectors": [moved, *rest]}))
        if rest:
            changes.append(("a null vector twice", {**proof, "null_vectors": [rest[0], *rest]}))
        # Where rank M = N no null vector is needed.
        if rest or proof["rank"] < record["N"]:
            changes.append(("a null vector missing", {**proof, "null_vectors": rest}))
    for what, changed in changes:
        yield what, {**record, "proof": changed}


def _forged(record: Record, batch: HeadBatch) -> Iterator[tuple[str, Record]]:
    """A rank too high or too low by one, everything else in agreement with it."""
    n, N, rank, proof = record["n"], record["N"], record["rank_stacked"], record["proof"]
    if rank < 2 * n <= N:
        full = _claims(n, N, 2 * n, (n, n, N - 2 * n))
        for columns in (list(range(2 * n)), proof["columns"]):
            minor = {"kind": "minor", "prime": PRIME, "columns": columns}
            yield f"the rank {2 * n} by the columns {columns}", {**record, **full, "proof": minor}
        yield f"the rank {2 * n} by floating point", {**record, **full, "proof": {"kind": "cholesky"}}
    if rank and rank == 2 * n:
        yield "one vector that does not annihilate M", _too_low(record, batch, [[1] + [0] * (2 * n - 1)])
    elif rank and (vectors := proof["null_vectors"]):
        known = [[int(x) for x in vector] for vector in vectors]
        yield "a null vector too many", _too_low(record, batch, [*known, known[0]])


def _too_low(record: Record, batch: HeadBatch, vectors: list[list[int]]) -> Record:
    """The rank that these vectors would show if they were independent null vectors, with a true minor of this size."""
    n, N, M = record["n"], record["N"], exact(batch).M
    U = QQ.matrix(vectors)
    P, Q = (submatrix(QQ, U, range(len(vectors)), range(i, i + n)) for i in (0, n))
    p, q, t = signature(P * Q.transpose() + Q * P.transpose())
    rank = 2 * n - len(vectors)
    rows = list(pivots(*M.transpose().rref()))[-rank:] if rank else []
    columns = list(pivots(*submatrix(QQ, M, rows, range(N)).rref())) if rank else []
    proof = {
        "kind": "exact",
        "rank": rank,
        "prime": PRIME,
        "rows": rows,
        "columns": columns,
        "null_vectors": [[str(x) for x in vector] for vector in vectors],
    }
    claims = _claims(n, N, rank, (n - p - t, n - q - t, N - 2 * n + p + q + 2 * t))
    return {**record, **claims, "proof": proof}


def _claims(n: int, N: int, rank_stacked: int, inertia: tuple[int, int, int]) -> Record:
    positive, negative, zero = inertia
    witt = min(positive, negative)
    return {
        "verdict": "not_applicable" if 2 * n > N else "proved" if rank_stacked == 2 * n else "refuted",
        "rank_stacked": rank_stacked,
        "signature": {"positive": positive, "negative": negative, "zero": zero},
        "rank": positive + negative,
        "radical": zero,
        "witt_index": witt,
        "isotropy_dimension": zero + witt,
        "anisotropic_dimension": abs(positive - negative),
        "hyperbolic_plus_zero": positive == negative,
    }


certificates = CertificateLaw(
    "certificates", "a record is confirmed if its claims are true and its proof proves them, and not else"
)
