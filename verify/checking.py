"""Re-checks every claim of a run against the weights, by other means than those that made it.

Nothing here computes with FLINT or trusts a floating-point operation. Ranks come from elimination modulo a prime over
64-bit integers, relations from products of Python integers, signatures from fraction-free symmetric elimination. A
``cholesky`` proof is not repeated but replaced: the claim it proves is proved again, by a minor.

What proves a claim again is a :data:`Prover`; the other one is the machine-checked program (:mod:`verify.kernel`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from verify.checkpoints import Checkpoint, Status
from verify.dyadic import ExactRows, from_decimal
from verify.errors import RecordError
from verify.heads import HeadBatch
from verify.records import Record

#: Primes below 2³¹, so that products of residues fit 64 bits; tried in turn where a minor vanishes by accident.
PRIMES = (2**31 - 1, 2**31 - 19, 2**31 - 61)

Residues = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Finding:
    """The outcome for one head: what was confirmed, or what is wrong.

    Attributes:
        head: stack, layer and head in words.
        confirmed: whether every claim of the record was proved again.
        detail: how it was, or what failed.
    """

    head: str
    confirmed: bool
    detail: str


class WrongClaimError(Exception):
    """A claim of a record that does not hold. Not an error of the program: it becomes a :class:`Finding`."""


@dataclass(frozen=True)
class Confirmed:
    """What a record's proof proves.

    Attributes:
        rank_stacked: the rank of M.
        signature: of S.
        how: in words.
    """

    rank_stacked: int
    signature: tuple[int, int, int]
    how: str


#: Proves the rank of M and the signature of S again from a record and the exact ``[K; Q]`` of its head, whose shape
#: is that of the record; raises :class:`WrongClaimError` where the record's proof does not hold.
Prover = Callable[[Record, ExactRows], Confirmed]


def check_head(record: Record, rows: ExactRows, prover: Prover | None = None) -> Finding:
    """Re-check one record with a verdict against the exact ``[K; Q]`` of its head.

    Args:
        record: of a head that is ``proved``, ``refuted`` or a big head; see :mod:`verify.records`.
        rows: the stored numbers.
        prover: what proves the claim again; integer arithmetic by default.

    >>> from verify import HeadBatch, assess
    >>> from verify.records import head_record
    >>> import torch
    >>> batch = HeadBatch(torch.eye(1, 3).unsqueeze(0), torch.ones(1, 1, 3))
    >>> record = head_record(next(assess(batch)), source="", provenance={}, computation={})
    >>> check_head(record, batch.exact_rows(0)).detail
    'rank M = 2 by a minor modulo 2147483647'
    """
    name = f"{record['stack']} layer {record['layer']} head {record['head']}"
    try:
        return Finding(name, True, _confirm(record, rows, prover or by_integers))
    except WrongClaimError as wrong:
        return Finding(name, False, str(wrong))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        return Finding(name, False, f"the record is malformed ({type(error).__name__}: {error})")


def has_rank(M: Sequence[Sequence[int]], rank: int, prime: int) -> bool:
    """Whether an integer matrix has at least this rank modulo a prime, hence over ℚ; False for a modulus that is none.

    >>> has_rank([[1, 2], [3, 4]], 2, 5), has_rank([[1, 2], [3, 8]], 2, 2**31 - 1), has_rank([[1, 0], [0, 5]], 2, 5)
    (True, True, False)
    """
    if prime < 3 or prime % 2 == 0 or any(prime % q == 0 for q in _small_divisors(prime)):
        return False
    if rank == 0:
        return True
    if prime < 2**31:
        return _rank_of_residues(np.array([[x % prime for x in row] for row in M], dtype=np.int64), prime) >= rank
    return _rank_of_integers([[x % prime for x in row] for row in M], prime) >= rank


def _confirm(record: Record, rows: ExactRows, prover: Prover) -> str:
    height, width = rows.integers.nrows(), rows.integers.ncols()
    if height != 2 * record["n"] or (height and width != record["N"]):
        raise WrongClaimError(
            f"the record says n = {record['n']}, N = {record['N']}, and the weights are {height} × {width}"
        )
    if record["proof"] is None:
        raise WrongClaimError("the record has a verdict and no proof")
    confirmed = prover(record, rows)
    _compare(record, confirmed.rank_stacked, confirmed.signature)
    return confirmed.how


def by_integers(record: Record, rows: ExactRows) -> Confirmed:
    """Proves a claim again with Python's integers and elimination modulo a prime, a :data:`Prover`."""
    n, N, proof = record["n"], record["N"], record["proof"]
    M: list[list[int]] = [[int(x) for x in row] for row in rows.integers.tolist()]
    if proof["kind"] != "exact":
        return Confirmed(2 * n, (n, n, N - 2 * n), _full_rank(M, n, proof))
    rank_stacked = _exact_rank(M, N, proof)
    vectors = [[from_decimal(x) for x in u] for u in proof["null_vectors"]]
    if len(vectors) == 2 * n - rank_stacked:
        signature = _signature_by_annihilator(vectors, n, N)
    else:
        signature = _inertia(_symmetric(M, n))
    how = f"rank M = {rank_stacked} by a minor modulo {proof['prime']} and {len(vectors)} null vectors"
    return Confirmed(rank_stacked, signature, how)


def _compare(record: Record, rank_stacked: int, signature: tuple[int, int, int]) -> None:
    """Every exact field follows from the rank of M and the signature."""
    positive, negative, zero = signature
    witt = min(positive, negative)
    big = 2 * record["n"] > record["N"]
    verdict = "not_applicable" if big else "proved" if rank_stacked == 2 * record["n"] else "refuted"
    truth: dict[str, Any] = {
        "verdict": verdict,
        "rank_stacked": rank_stacked,
        "signature": {"positive": positive, "negative": negative, "zero": zero},
        "rank": positive + negative,
        "radical": zero,
        "witt_index": witt,
        "isotropy_dimension": zero + witt,
        "anisotropic_dimension": abs(positive - negative),
        "hyperbolic_plus_zero": positive == negative,
    }
    for field, value in truth.items():
        if record[field] != value:
            raise WrongClaimError(f"{field} is {value}, and the record says {record[field]}")


def _full_rank(M: list[list[int]], n: int, proof: Record) -> str:
    if not M:
        return "nothing to prove: n = 0"
    if proof["kind"] == "minor":
        prime, columns = proof["prime"], proof["columns"]
        if len(columns) != 2 * n or not has_rank([[row[j] for j in columns] for row in M], 2 * n, prime):
            raise WrongClaimError(f"the minor on the columns of the record vanishes modulo {prime}")
        return f"rank M = {2 * n} by the minor of the record modulo {prime}"
    for prime in PRIMES:
        if has_rank(M, 2 * n, prime):
            return f"rank M = {2 * n} by a minor modulo {prime}"
    raise WrongClaimError(
        f"rank M = {2 * n} is not confirmed: every maximal minor vanishes modulo {', '.join(map(str, PRIMES))}"
    )


def _exact_rank(M: list[list[int]], N: int, proof: Record) -> int:
    rank, prime, rows, columns = proof["rank"], proof["prime"], proof["rows"], proof["columns"]
    if not (len(rows) == len(columns) == rank and has_rank([[M[i][j] for j in columns] for i in rows], rank, prime)):
        raise WrongClaimError(f"the minor of the record does not show rank M ≥ {rank} modulo {prime}")
    vectors = [[from_decimal(x) for x in u] for u in proof["null_vectors"]]
    if not vectors and rank == N:
        return int(rank)
    if len(vectors) != len(M) - rank or not has_rank(vectors, len(vectors), prime):
        raise WrongClaimError(
            f"{len(vectors)} null vectors do not show rank M ≤ {rank}: {len(M) - rank} independent ones do"
        )
    for u in vectors:
        support = [(x, M[i]) for i, x in enumerate(u) if x]
        if any(sum(x * row[j] for x, row in support) for j in range(N)):
            raise WrongClaimError("a null vector of the record does not annihilate M")
    return int(rank)


def _small_divisors(prime: int) -> Iterator[int]:
    """Odd numbers up to the root, for a modulus below 2³¹; a larger one is tested by Fermat's and Lucas's theorems."""
    if prime < 2**31:
        yield from (q for q in range(3, int(prime**0.5) + 2, 2) if q < prime)
    elif not _strong_probable_prime(prime):
        yield prime


def _strong_probable_prime(p: int) -> bool:
    """Miller–Rabin to the first twelve primes: a proof for every p below 3.3·10²⁴ (Sorenson and Webster, 2017)."""
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, odd, p)
        if x in {1, p - 1}:
            continue
        for _ in range(twos - 1):
            x = x * x % p
            if x == p - 1:
                break
        else:
            return False
    return True


def _rank_of_residues(A: Residues, p: int) -> int:
    """Rank over F_p, p < 2³¹, by elimination on 64-bit integers."""
    rank = 0
    for j in range(A.shape[1]):
        below = np.flatnonzero(A[rank:, j])
        if not below.size:
            continue
        pivot = rank + int(below[0])
        A[[rank, pivot]] = A[[pivot, rank]]
        row = A[rank] * pow(int(A[rank, j]), -1, p) % p
        rest = A[rank + 1 :]
        rest -= rest[:, j : j + 1] * row % p
        rest %= p
        rank += 1
        if rank == A.shape[0]:
            break
    return rank


def _rank_of_integers(A: list[list[int]], p: int) -> int:
    """The same with Python integers, for primes of any size."""
    rank = 0
    for j in range(len(A[0]) if A else 0):
        pivot = next((i for i in range(rank, len(A)) if A[i][j]), None)
        if pivot is None:
            continue
        A[rank], A[pivot] = A[pivot], A[rank]
        inverse = pow(A[rank][j], -1, p)
        for i in range(rank + 1, len(A)):
            if factor := A[i][j] * inverse % p:
                A[i] = [(a - factor * b) % p for a, b in zip(A[i], A[rank], strict=True)]
        rank += 1
    return rank


def _signature_by_annihilator(vectors: list[list[int]], n: int, N: int) -> tuple[int, int, int]:
    """Annihilator lemma: if ``UJUᵀ`` has signature (p, q, t), S has ``(n−p−t, n−q−t, N−2n+p+q+2t)``."""
    form = [[sum(u[i] * v[n + i] + u[n + i] * v[i] for i in range(n)) for v in vectors] for u in vectors]
    p, q, t = _inertia(form)
    return n - p - t, n - q - t, N - 2 * n + p + q + 2 * t


def _symmetric(M: list[list[int]], n: int) -> list[list[int]]:
    """``2S = KᵀQ + QᵀK``."""
    K, Q = np.array(M[:n], dtype=object), np.array(M[n:], dtype=object)
    L = K.T @ Q
    return [[int(x) for x in row] for row in L + L.T]


def _inertia(A: list[list[int]]) -> tuple[int, int, int]:
    """Signature of an integer symmetric matrix by symmetric elimination without fractions.

    A pivot a ≠ 0 on the diagonal replaces the rest by ``a·A_ij − A_i0·A_0j``, |a| times the Schur complement up to
    sign; without one, adding row and column j to i makes a diagonal entry ``2·A_ij ≠ 0``.
    """
    A = [list(row) for row in A]
    positive = negative = 0
    sign = 1  # of the factor by which the rest was multiplied
    while A:
        pivot = next((i for i in range(len(A)) if A[i][i]), None)
        if pivot is None:
            place = next(((i, j) for i in range(len(A)) for j in range(i) if A[i][j]), None)
            if place is None:
                break
            i, j = place
            A[i] = [x + y for x, y in zip(A[i], A[j], strict=True)]
            for row in A:
                row[i] += row[j]
            pivot = i
        a, column = A[pivot][pivot], [row[pivot] for row in A]
        if a * sign > 0:
            positive += 1
        else:
            negative += 1
        keep = [i for i in range(len(A)) if i != pivot]
        rest = [[a * A[i][j] - column[i] * column[j] for j in keep] for i in keep]
        common = _content(rest)
        A = [[x // common for x in row] for row in rest]
        sign *= 1 if a > 0 else -1
    return positive, negative, len(A)


def _content(A: list[list[int]]) -> int:
    return math.gcd(*(x for row in A for x in row)) or 1


def check_run(records: Iterable[Record], checkpoint: Checkpoint, *, prover: Prover | None = None) -> Iterator[Finding]:
    """Re-check every head of a run against a checkpoint, one layer in memory at a time.

    Heads without a verdict make no claim; of an ``unreadable`` one it is checked that its numbers are not finite.

    Args:
        records: header first, see :func:`verify.records.read_records`.
        checkpoint: the weights the run was made from, or others that are claimed to be the same.
        prover: as in :func:`check_head`.

    Raises:
        RecordError: no header, or fewer or more heads than it announces.
    """
    stream = iter(records)
    header = next(stream, None)
    if header is None or header.get("kind") != "run":
        raise RecordError(
            "the records have no run header in their first line; the file is no output of headforms audit"
        )
    plans = {(plan.stack, plan.layer): plan for plan in checkpoint.layers()}
    found = 0
    for (stack, layer), group in groupby(stream, key=lambda r: (r["stack"], r["layer"])):
        heads = list(group)
        found += len(heads)
        plan = plans.get((stack, layer))
        batch = (
            None if plan is None or plan.status is not Status.READABLE else checkpoint.read(plan, fold=header["fold"])
        )
        places = {} if batch is None else {head.head: i for i, head in enumerate(batch.ids)}
        for record in heads:
            yield _check_against(record, batch, places.get(record["head"]), prover)
    if found != header["heads"]:
        raise RecordError(f"the header announces {header['heads']} heads and {found} follow; the file is incomplete")


def _check_against(record: Record, batch: HeadBatch | None, place: int | None, prover: Prover | None) -> Finding:
    name = f"{record['stack']} layer {record['layer']} head {record['head']}"
    if batch is None or place is None:
        claimed = record["proof"] is not None
        return Finding(name, not claimed, "the checkpoint has no such head to read" if claimed else "no claim is made")
    finite = bool(torch.isfinite(batch.Q[place]).all() and torch.isfinite(batch.K[place]).all())
    if not finite or record["verdict"] == "unreadable":
        agree = not finite and record["verdict"] == "unreadable"
        what = "are finite" if finite else "are not finite"
        return Finding(name, agree, f"its numbers {what}, and the verdict is {record['verdict']}")
    if record["proof"] is None:
        return Finding(name, True, "no claim is made")
    return check_head(record, batch.exact_rows(place), prover)
