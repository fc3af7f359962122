"""Where the drawn heads lie: a table of kinds.

All but the strata are told by measuring the head; from which stratum a stored head was drawn, the batch says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np
import torch
from hypothesis import HealthCheck, Phase, given, seed, settings

from proofs.fields import QQ
from proofs.heads import Head
from proofs.matrices import Matrix, submatrix
from verify.heads import HeadBatch
from verify.strategies.arithmetic import fields
from verify.strategies.exact import heads
from verify.strategies.floats import exact, float_heads
from verify.strategies.formats import FORMATS
from verify.strategies.strata import STRATA

#: A ratio at which floating point begins to lose the smaller number.
FAR = 2.0**20


@dataclass(frozen=True)
class Kind:
    """A kind of head.

    Attributes:
        name: a few words.
        holds: whether a head is of the kind; of exact heads the stored numbers are None.
    """

    name: str
    holds: Callable[[Head, HeadBatch | None], bool]


def _corank(head: Head) -> int:
    return 2 * head.n - head.M.rank()


def _nonzero(matrix: Matrix) -> bool:
    return any(x != 0 for x in matrix.entries())


def _square(matrix: Matrix) -> Fraction:
    return sum((Fraction(int(x.numerator), int(x.denominator)) ** 2 for x in matrix.entries()), Fraction(0))


EXACT: tuple[Kind, ...] = (
    Kind("over ℚ", lambda head, _: not head.field.characteristic),
    Kind("over F_p, p below 2⁶", lambda head, _: 0 < head.field.characteristic < 2**6),
    Kind("over F_p, p above 2⁶", lambda head, _: head.field.characteristic > 2**6),
    Kind("n = 0", lambda head, _: head.n == 0),
    Kind("generic: rank M = 2n, 0 < 2n < N", lambda head, _: 0 < 2 * head.n < head.N and _corank(head) == 0),
    Kind("square: 2n = N", lambda head, _: 2 * head.n == head.N),
    Kind("big: 2n > N", lambda head, _: head.is_big),
    Kind("corank 1, 2n ≤ N", lambda head, _: not head.is_big and _corank(head) == 1),
    Kind("corank 2, 2n ≤ N", lambda head, _: not head.is_big and _corank(head) == 2),
    Kind("corank 3, 2n ≤ N", lambda head, _: not head.is_big and _corank(head) == 3),
    Kind("corank 4 or more, 2n ≤ N", lambda head, _: not head.is_big and _corank(head) >= 4),
    Kind("K = Q ≠ 0", lambda head, _: head.K == head.Q and _nonzero(head.Q)),
    Kind("one of K and Q zero", lambda head, _: head.n > 0 and _nonzero(head.K) != _nonzero(head.Q)),
    Kind("K = Q = 0, n > 0", lambda head, _: head.n > 0 and not _nonzero(head.M)),
    Kind("S = 0 ≠ L", lambda head, _: _nonzero(head.L) and not _nonzero(head.S)),
)


def _stored(holds: Callable[[HeadBatch], bool]) -> Callable[[Head, HeadBatch | None], bool]:
    return lambda _, batch: batch is not None and batch.n > 0 and holds(batch)


def _magnitudes(batch: HeadBatch) -> torch.Tensor:
    """Absolute values of the nonzero entries."""
    values = batch.stacked().abs()
    return values[values > 0]


def _any_magnitude(holds: Callable[[torch.Tensor, torch.finfo], torch.Tensor]) -> Callable[[HeadBatch], bool]:
    return lambda batch: bool(holds(_magnitudes(batch), torch.finfo(batch.Q.dtype)).any())


def _spread(axis: int) -> Callable[[HeadBatch], bool]:
    """Whether the largest entries of rows, or of columns, differ by more than FAR."""

    def holds(batch: HeadBatch) -> bool:
        largest = batch.stacked()[0].abs().amax(axis)
        logs = [math.log2(x) for x in largest.tolist() if x]
        return bool(logs) and max(logs) - min(logs) > math.log2(FAR)

    return holds


def _sides(batch: HeadBatch) -> list[float]:
    return [float(X.double().abs().max()) for X in (batch.K, batch.Q)]


def _unbalanced(batch: HeadBatch) -> bool:
    small, large = sorted(_sides(batch))
    return small > 0 and math.log2(large) - math.log2(small) > math.log2(FAR)


def _near_degenerate(head: Head, batch: HeadBatch | None) -> bool:
    """Nondegenerate, and after scaling the rows to length one σ_2n is below σ_1 / FAR."""
    if batch is None or head.n == 0 or _corank(head):
        return False
    rows = batch.stacked()[0].numpy()
    _, exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True))
    singular = np.linalg.svd(np.ldexp(rows, -exponents), compute_uv=False)
    return bool(singular[-1] < singular[0] / FAR)


def _near_tied(head: Head, batch: HeadBatch | None) -> bool:
    return batch is not None and 0 < _square(head.K - head.Q) < _square(head.Q) / int(FAR)


def _cancelling(head: Head, batch: HeadBatch | None) -> bool:
    rows = ((submatrix(QQ, X, [i], range(head.N)) for X in (head.K, head.Q)) for i in range(head.n))
    terms = [_square(k) * _square(q) for k, q in rows]
    return batch is not None and 0 < _square(head.L) * 16 < max(terms, default=Fraction(0))


def _near_antisymmetric(head: Head, batch: HeadBatch | None) -> bool:
    return batch is not None and 0 < _square(head.S) * 16 < _square(head.T)


def _of_dtype(dtype: torch.dtype) -> Kind:
    def holds(_: Head, batch: HeadBatch | None) -> bool:
        return batch is not None and batch.Q.dtype is dtype

    return Kind(str(dtype).removeprefix("torch."), holds)


def _of_stratum(name: str) -> Kind:
    def holds(_: Head, batch: HeadBatch | None) -> bool:
        return batch is not None and batch.provenance.get("stratum") == name

    return Kind(f"from the stratum {name}", holds)


FLOAT: tuple[Kind, ...] = (
    *map(_of_dtype, FORMATS),
    *map(_of_stratum, STRATA),
    *EXACT[3:],
    Kind("nearly degenerate: σ_2n < 2⁻²⁰ σ_1, rows scaled", _near_degenerate),
    Kind("K near Q: ‖K − Q‖² < 2⁻²⁰ ‖Q‖²", _near_tied),
    Kind("cancelling: ‖L‖ < ¼ of the largest term", _cancelling),
    Kind("nearly antisymmetric: ‖S‖ < ¼ ‖T‖, S ≠ 0", _near_antisymmetric),
    Kind("rows that differ by 2²⁰", _stored(_spread(-1))),
    Kind("columns that differ by 2²⁰", _stored(_spread(0))),
    Kind("K and Q that differ by 2²⁰", _stored(_unbalanced)),
    Kind("entries whose square overflows", _stored(_any_magnitude(lambda x, f: x > math.sqrt(f.max)))),
    Kind("entries whose square underflows", _stored(_any_magnitude(lambda x, f: x < math.sqrt(f.tiny)))),
    Kind("subnormal entries", _stored(_any_magnitude(lambda x, f: x < f.tiny))),
    Kind("entries of full precision", _stored(lambda batch: _bits(batch) >= FORMATS[batch.Q.dtype].precision - 2)),
    Kind("zeros of both signs", _stored(lambda batch: _signs_of_zeros(batch) == {False, True})),
)


def _bits(batch: HeadBatch) -> int:
    """The longest significand."""
    odd = [int(abs(x).numerator) for x in exact(batch).M.entries() if x != 0]
    return max(((m // (m & -m)).bit_length() for m in odd), default=0)


def _signs_of_zeros(batch: HeadBatch) -> set[bool]:
    values = batch.stacked()
    return set(torch.signbit(values[values == 0]).tolist())


def coverage(*, stored: bool, examples: int = 2000, random: Random | None = None) -> dict[str, int]:
    """How many of some drawn heads are of each kind; kinds overlap.

    Args:
        stored: from :func:`float_heads`; else from :func:`heads` over all fields.
        examples: heads to draw.
        random: what they are drawn with.

    >>> counts = coverage(stored=False, examples=300)
    >>> counts["corank 1, 2n ≤ N"] > 10
    True
    """
    counts = {kind.name: 0 for kind in (FLOAT if stored else EXACT)}

    def look(head: Head, batch: HeadBatch | None) -> None:
        for kind in FLOAT if stored else EXACT:
            counts[kind.name] += kind.holds(head, batch)

    if stored:
        strategy = float_heads().map(lambda batch: (exact(batch), batch))
        draw = given(strategy)(lambda drawn: look(*drawn))
    else:
        draw = given(heads(field=fields()))(lambda head: look(head, None))
    run = settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    run(seed((random or Random(0)).getrandbits(64))(draw))()
    return counts
