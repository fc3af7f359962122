"""From a batch of heads to a verdict, a proof and all numbers for each head.

The order of the routes is the order of their cost: a floating-point proof for the whole batch; for what it leaves
open, a minor modulo a prime; for what that leaves open, the exact analysis over the integers, which always ends.
Independently of the proof the signs of the eigenvalues of S are counted with rigorous bounds: the audit tests the
theorem, it does not assume it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

import torch

from proofs.decomposition import Decomposition, decompose
from proofs.inertia import Signature
from verify.certificates import exact_head, find_exact_minor, find_minor
from verify.dyadic import to_decimal
from verify.errors import InconsistencyError, NonFiniteError, SubnormalError
from verify.gram import scaled_gram, symmetric_part
from verify.heads import HeadBatch, HeadId
from verify.measurements import Measurement, measure
from verify.precise import precise_form, precise_margin
from verify.profiles import NAMES, Profiles, head_type, profiles_of
from verify.rounding import shift, times_power_of_two
from verify.signature import CholeskyProof, prove_full_rank
from verify.threads import single_threaded

T = TypeVar("T")

VerdictName = Literal["proved", "refuted", "not_applicable", "unreadable"]

#: Below this relative margin the smallest singular value has lost 23 of its 53 bits: take exact arithmetic.
FLOAT_MARGIN = 2.0**-30
#: Cancellation in L = KᵀQ beyond which a float64 profile might be off by more than 1e-12: take exact arithmetic.
CANCELLATION = 2.0**10
#: Bytes of float64 stacked matrices worked on at a time.
CHUNK_BYTES = 32 * 2**20

STATISTICS = (
    "symmetric_energy",
    "pairing",
    "rho",
    "pairing_bound",
    "lobe_departure",
    "trace_ratio",
    "participation",
    "stable_rank",
    "leading_share",
)


@dataclass(frozen=True)
class HeadVerdict:
    """Everything the audit says about one head. Ranks and indices are exact, floats are float64.

    Attributes:
        id: the head.
        n, N: head dimension and width.
        verdict: ``proved`` (nondegenerate, proof attached), ``refuted`` (degenerate, proof attached),
            ``not_applicable`` (big head, or no fixed bilinear form) or ``unreadable`` (not finite).
        reason: in words, for every verdict but ``proved``.
        proof: ``{"kind": "cholesky" | "minor" | "exact", …}``, ready for JSON; None where there is no verdict.
        signature: exact, of S on the whole N-dimensional space.
        rank_stacked, rank, radical: rank of M, rank of S, dimension of the radical of S.
        witt_index, isotropy_dimension, anisotropic_dimension: over ℝ.
        hyperbolic_plus_zero: whether S is a hyperbolic form plus a zero form, nondegenerate head or not.
        profile: ``{"a", "b", "c", "d"}``; None where there is none, with
        profile_reason: in words.
        type: the paper's type, ``II``, ``I+`` or ``I-``; None where S is zero beside L to the last digit of float64.
        statistics: the paper's other statistics by name, and ``balance = 1 − |n₊−n₋|/(n₊+n₋)``; None where undefined.
        margin: ``σ_2n(M)``, the Frobenius distance from (Q, K) to the nearest degenerate pair; 0 for a degenerate one.
        relative_margin: ``σ_2n/σ_1``.
        margin_in_roundings: the margin over ``u‖M‖_F``, u the unit roundoff of the stored dtype.
        norms: Frobenius norms of ``query``, ``key`` and ``score`` (L); None outside the float64 range.
        eigenvalue_signs: ``positive`` and ``negative`` as certainly counted by the second route, and ``undecided``,
            how many of the rank of S that route left open.
        route: how the floats were made, ``gram``, ``qr`` or ``exact``.
    """

    id: HeadId
    n: int
    N: int
    verdict: VerdictName
    reason: str | None = None
    proof: dict[str, Any] | None = None
    signature: Signature | None = None
    rank_stacked: int | None = None
    rank: int | None = None
    radical: int | None = None
    witt_index: int | None = None
    isotropy_dimension: int | None = None
    anisotropic_dimension: int | None = None
    hyperbolic_plus_zero: bool | None = None
    profile: dict[str, float] | None = None
    profile_reason: str | None = None
    type: str | None = None
    statistics: dict[str, float | None] | None = None
    margin: float | None = None
    relative_margin: float | None = None
    margin_in_roundings: float | None = None
    norms: dict[str, float | None] | None = None
    eigenvalue_signs: dict[str, int] | None = None
    route: str | None = None


def assess(batch: HeadBatch, *, exact_only: bool = False) -> Iterator[HeadVerdict]:
    """Verdict, proof and numbers of every head of a batch, in order.

    On the CPU the heads are shared out to a pool of threads, each with single-threaded linear algebra.

    Args:
        batch: the heads.
        exact_only: leave out the floats (profile, statistics, margin) and the second route of eigenvalue signs.

    Raises:
        InconsistencyError: two independent routes disagree about a head.
        SubnormalError: the process or the device flushes subnormal numbers to zero.

    >>> Q = torch.eye(2, 5).unsqueeze(0)
    >>> [v.verdict for v in assess(HeadBatch(torch.cat([Q, Q]), torch.cat([Q, Q.roll(2, 2)])))]
    ['refuted', 'proved']
    """
    size = max(1, CHUNK_BYTES // max(1, 16 * batch.n * batch.N))
    on_cpu = batch.Q.device.type == "cpu"
    if on_cpu:
        size = max(1, min(size, -(-batch.heads // torch.get_num_threads())))
    chunks = [batch.select(range(i, min(i + size, batch.heads))) for i in range(0, batch.heads, size)]
    work = partial(_assess_chunk, exact_only=exact_only)
    if not on_cpu or len(chunks) == 1:
        for chunk in chunks:
            yield from work(chunk)
        return
    with single_threaded() as n, ThreadPoolExecutor(n, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for verdicts in pool.map(work, chunks):
            yield from verdicts


def prove(batch: HeadBatch) -> list[HeadVerdict]:
    """A proof or a refutation for every head, with its exact invariants and no floating-point statistics.

    Args:
        batch: ``(heads, n, N)`` in any admitted dtype.

    >>> (verdict,) = prove(HeadBatch(torch.eye(1, 3).unsqueeze(0), 0.1 * torch.ones(1, 1, 3)))
    >>> verdict.verdict, verdict.proof["kind"], verdict.signature
    ('proved', 'cholesky', Signature(positive=1, negative=1, zero=1))
    """
    return list(assess(batch, exact_only=True))


def inertia(batch: HeadBatch) -> list[Signature]:
    """The exact signature of S of every head, on the whole N-dimensional space.

    Args:
        batch: ``(heads, n, N)`` in any admitted dtype.

    Raises:
        NonFiniteError: a head has NaN or infinite entries.

    >>> inertia(HeadBatch(torch.ones(1, 1, 2), torch.ones(1, 1, 2)))
    [Signature(positive=1, negative=0, zero=1)]
    """
    return [_known(verdict.signature) for verdict in _finite(prove(batch))]


def witt_index(batch: HeadBatch) -> list[int]:
    """The exact Witt index over ℝ of the non-degenerate part of S: its number of hyperbolic planes, ``min(n₊, n₋)``.

    Args:
        batch: ``(heads, n, N)`` in any admitted dtype.

    Raises:
        NonFiniteError: a head has NaN or infinite entries.

    >>> witt_index(HeadBatch(torch.ones(1, 1, 2), torch.ones(1, 1, 2)))
    [0]
    """
    return [_known(verdict.witt_index) for verdict in _finite(prove(batch))]


def profile(batch: HeadBatch) -> torch.Tensor:
    """The profile ``π(L) = (a, b, c, d)`` of every head (paper, Definition 6), to about 1e-12 absolute.

    Args:
        batch: ``(heads, n, N)`` in any admitted dtype.

    Returns:
        ``(heads, 4)`` float64 on the CPU; a row of NaN where L = 0.

    Raises:
        NonFiniteError: a head has NaN or infinite entries.

    >>> profile(HeadBatch(torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[0.0, 1.0]]])))
    tensor([[0.5000, 0.5000, 0.0000, 0.0000]], dtype=torch.float64)
    """
    undefined = dict.fromkeys(NAMES, math.nan)
    rows = [list((verdict.profile or undefined).values()) for verdict in _finite(list(assess(batch)))]
    return torch.tensor(rows, dtype=torch.float64).reshape(-1, len(NAMES))


def _finite(verdicts: list[HeadVerdict]) -> list[HeadVerdict]:
    unreadable = [verdict for verdict in verdicts if verdict.verdict == "unreadable"]
    if unreadable:
        raise NonFiniteError(
            f"{unreadable[0].id}: {unreadable[0].reason} ({len(unreadable)} of {len(verdicts)} heads are not finite); "
            f"leave such heads out, or call verify.prove for a verdict head by head"
        )
    return verdicts


def _assess_chunk(batch: HeadBatch, *, exact_only: bool) -> list[HeadVerdict]:
    _require_subnormals(batch.Q.device)
    finite = (torch.isfinite(batch.Q) & torch.isfinite(batch.K)).flatten(1).all(1).tolist()
    readable = [i for i, ok in enumerate(finite) if ok]
    verdicts = {i: _unreadable(batch, i) for i, ok in enumerate(finite) if not ok}
    if readable:
        chosen = batch if len(readable) == batch.heads else batch.select(readable)
        gram = scaled_gram(chosen.stacked(), chosen.rounding)
        proof = prove_full_rank(gram)
        measured = None if exact_only else measure(gram, proof)
        for j, i in enumerate(readable):
            verdict, analysis = _decide(chosen, j, proof)
            verdicts[i] = verdict if measured is None else _with_floats(verdict, analysis, measured[j], chosen, j)
    return [verdicts[i] for i in range(batch.heads)]


def _require_subnormals(device: torch.device) -> None:
    """Refuse to judge numbers that the device would alter on the way to float64."""
    single = torch.tensor(2.0**-149, dtype=torch.float32).to(device).to(torch.float64)
    double = torch.tensor(2.0**-1074, dtype=torch.float64).to(device) * 2.0**1000
    if float(single) != 2.0**-149 or float(double) != 2.0**-74:
        raise SubnormalError(
            f"subnormal numbers are flushed to zero on {device}, so stored numbers cannot be taken as they are; "
            f"call torch.set_flush_denormal(False), or use the CPU"
        )


def _unreadable(batch: HeadBatch, i: int) -> HeadVerdict:
    counts = " and ".join(
        f"{int((~torch.isfinite(X[i])).sum())} of the {X[i].numel()} entries of {name}"
        for name, X in (("Q", batch.Q), ("K", batch.K))
    )
    reason = f"{counts} are NaN or infinite"
    return HeadVerdict(batch.ids[i], batch.n, batch.N, "unreadable", reason, profile_reason=reason)


def _with_floats(
    verdict: HeadVerdict, analysis: Decomposition | None, measured: Measurement, batch: HeadBatch, i: int
) -> HeadVerdict:
    signature, rank = _known(verdict.signature), _known(verdict.rank)
    positive, negative = measured.signs
    if positive > signature.positive or negative > signature.negative:
        kind = _known(verdict.proof)["kind"]
        raise InconsistencyError(
            f"{verdict.id}: the {kind} proof gives signature {tuple(signature)}, but {positive} eigenvalues of S are "
            f"certainly positive and {negative} certainly negative"
        )
    return replace(
        verdict,
        eigenvalue_signs={"positive": positive, "negative": negative, "undecided": rank - positive - negative},
        **_margins(verdict, measured, batch, i),
        **_profile(verdict, analysis, measured, batch, i),
    )


def _decide(batch: HeadBatch, i: int, proof: CholeskyProof) -> tuple[HeadVerdict, Decomposition | None]:
    """Verdict, proof and exact invariants; the decomposition too, where one had to be made."""
    n, N = batch.n, batch.N
    head = HeadVerdict(batch.ids[i], n, N, "proved")
    certificate = _short_proof(batch, i, proof)
    if certificate is not None:
        proved = replace(
            head,
            proof=certificate,
            signature=Signature(n, n, N - 2 * n),
            rank_stacked=2 * n,
            rank=2 * n,
            radical=N - 2 * n,
            witt_index=n,
            isotropy_dimension=N - n,
            anisotropic_dimension=0,
            hyperbolic_plus_zero=True,
        )
        return proved, None
    d = decompose(exact_head(batch.exact_rows(i)))
    verdict: VerdictName = "proved" if d.nondegenerate else "not_applicable" if 2 * n > N else "refuted"
    return (
        replace(
            head,
            verdict=verdict,
            reason=_reason(d) if verdict != "proved" else None,
            proof={
                "kind": "exact",
                "rank": d.rank_stacked,
                "prime": d.minor.prime,
                "rows": list(d.minor.rows),
                "columns": list(d.minor.columns),
                "null_vectors": [[to_decimal(x) for x in u] for u in d.null_vectors],
            },
            signature=_known(d.signature),
            rank_stacked=d.rank_stacked,
            rank=d.rank,
            radical=d.radical,
            witt_index=d.witt_index,
            isotropy_dimension=d.isotropy_dimension,
            anisotropic_dimension=d.anisotropic_dimension,
            hyperbolic_plus_zero=d.hyperbolic_plus_zero,
        ),
        d,
    )


def _short_proof(batch: HeadBatch, i: int, proof: CholeskyProof) -> dict[str, Any] | None:
    """The floating-point proof or a minor modulo a prime, where one of them shows that the head is nondegenerate."""
    if bool(proof.proved[i]):
        numbers = {"shift": float(proof.shift[i]), "bound": float(proof.bound[i])}
        return {"kind": "cholesky", "dtype": "float64", **numbers}
    if batch.is_big:
        return None
    if batch.exact is not None:
        minor = find_exact_minor(batch.exact_rows(i))
    else:
        minor = find_minor(torch.cat([batch.K[i], batch.Q[i]]).to(torch.float64).cpu().numpy())
    return None if minor is None else {"kind": "minor", "prime": minor.prime, "columns": list(minor.columns)}


def _reason(d: Decomposition) -> str:
    if 2 * d.n > d.N:
        return f"big head: 2n = {2 * d.n} > N = {d.N}, so rank M = 2n is impossible and the theorem does not apply"
    holds = "S is hyperbolic plus zero all the same" if d.hyperbolic_plus_zero else "S is not hyperbolic plus zero"
    ranks = f"rank Q = {d.rank_query}, rank K = {d.rank_key}"
    return f"degenerate: rank M = {d.rank_stacked} < 2n = {2 * d.n} ({ranks}); {holds}"


def _margins(head: HeadVerdict, measured: Measurement, batch: HeadBatch, i: int) -> dict[str, Any]:
    margin: float | None
    relative: float | None
    n = head.n
    least, largest = measured.singular
    if head.rank_stacked != 2 * n or n == 0:
        margin, relative = (0.0, 0.0) if n else (None, None)
    elif least <= FLOAT_MARGIN * largest:
        margin, relative = precise_margin(batch.exact_rows(i))
    else:
        margin, relative = times_power_of_two(least, measured.top), least / largest
    whole = _norm(batch.K[i], batch.Q[i])
    return {
        "margin": margin,
        "relative_margin": relative,
        "margin_in_roundings": margin / whole / batch.roundoff if margin is not None and whole else None,
    }


def _profile(
    head: HeadVerdict, d: Decomposition | None, measured: Measurement, batch: HeadBatch, i: int
) -> dict[str, Any]:
    norms = {"key": _norm(batch.K[i]), "query": _norm(batch.Q[i])}
    if head.n == 0 or (d is not None and d.rank_score == 0):
        return {
            "profile_reason": "L = 0: the profile is undefined",
            "route": measured.route,
            "norms": {**norms, "score": 0.0},
        }
    form, eigenvalues, scale, route = measured.form, measured.eigenvalues, measured.scale, measured.route
    if measured.cancellation > CANCELLATION:
        precise = precise_form(batch.exact_rows(i))
        form, scale, route = torch.from_numpy(precise.form), precise.exponent, "exact"
        eigenvalues = torch.linalg.eigvalsh(symmetric_part(form))
    eigenvalues = _as_signed(eigenvalues, _known(head.signature))
    computed = profiles_of(form.unsqueeze(0), eigenvalues.unsqueeze(0))
    profile = dict(zip(NAMES, computed.profile[0].tolist(), strict=True))
    return {
        "profile": profile,
        "type": head_type((profile["a"], profile["b"], profile["c"], profile["d"])),
        "statistics": _statistics(computed, _known(head.signature)),
        "route": route,
        "norms": {**norms, "score": times_power_of_two(float(computed.norm[0]), scale)},
    }


def _as_signed(eigenvalues: torch.Tensor, signature: Signature) -> torch.Tensor:
    """Eigenvalues in ascending order without the noise that stands where the exact signature has zeros."""
    size, (positive, negative, _) = len(eigenvalues), signature
    place = torch.arange(size)
    below = torch.where(place < negative, eigenvalues.clamp(max=0), 0.0)
    return torch.where(place >= size - positive, eigenvalues.clamp(min=0), below)


def _statistics(computed: Profiles, signature: Signature) -> dict[str, float | None]:
    values = {name: float(getattr(computed, name)[0]) for name in STATISTICS}
    total = signature.positive + signature.negative
    values["balance"] = 1 - abs(signature.positive - signature.negative) / total if total else math.nan
    return {name: x if math.isfinite(x) else None for name, x in values.items()}


def _norm(*parts: torch.Tensor) -> float | None:
    """Frobenius norm without overflow on the way; None if it is itself outside the float64 range."""
    X = torch.cat([part.flatten() for part in parts]).to(torch.float64)
    largest = float(X.abs().max()) if X.numel() else 0.0
    if largest == 0:
        return 0.0
    _, exponent = math.frexp(largest)
    return times_power_of_two(float(torch.linalg.vector_norm(shift(X, -exponent))), exponent)


def _known(value: T | None) -> T:
    if value is None:
        raise InconsistencyError("a head with a verdict lacks one of its exact invariants")
    return value
