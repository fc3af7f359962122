"""Theorem 4 of the paper: which forms lie over the faces and vertices of the simplex."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

from flint import fmpq, fmpq_mat

from proofs.fields import QQ
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.inertia import signature
from proofs.matrices import Matrix
from proofs.spectra import agree, norm_squared, profile, spectrum
from proofs.statements.instances import heads, heads_of_spectrum, is_real, random_orthogonal
from proofs.statements.registry import Check, Hypothesis, Statement


def holds(head: Head) -> bool:
    """Every equivalence, the left side from the profile, the right side from L and S by other means.

    The components of a profile add up to 1, so that ``b = 1`` is ``a = c = d = 0``, decided exactly.
    """
    L, S = head.L, head.S
    if norm_squared(L) == 0:
        return False
    p = profile(L)
    symmetric, antisymmetric = L == L.transpose(), L == -L.transpose()
    positive, negative, _ = signature(S)
    mirrored = _is_mirrored(S)
    return (
        (p.a == 0) == symmetric
        and (p.a == 1) == antisymmetric
        and (p.b == 0) == (positive == 0 or negative == 0)
        and (p.a == 0 and p.c == 0 and p.d == 0) == (symmetric and mirrored)
        and (p.d == 0) == _dominates(S, 1)
        and (p.c == 0) == _dominates(S, -1)
        and (p.a == 0 and p.b == 0 and p.d == 0) == (symmetric and negative == 0)
        and (p.a == 0 and p.b == 0 and p.c == 0) == (symmetric and positive == 0)
    )


def _is_mirrored(S: Matrix) -> bool:
    """Whether the spectrum is symmetric about 0: the characteristic polynomial is even or odd."""
    coefficients = S.charpoly().coeffs()
    return all(c == 0 for c in coefficients[len(coefficients) - 2 :: -2])


def _dominates(S: Matrix, sign: int) -> bool:
    """Whether α ≥ β entrywise (sign 1), or β ≥ α (sign −1), by counting eigenvalues beyond ±x, exactly.

    α ≥ β means that for every x > 0 at least as many eigenvalues exceed x as lie below −x; between two neighbours
    among the absolute values the counts do not change, so one rational x for each gap is enough.
    """
    values = [fmpq(*_fraction(level.value)) for level in spectrum(S).levels] + [fmpq(0)]
    identity = QQ.identity(S.nrows())
    for larger, smaller in pairwise(values):
        x = (larger + smaller) / 2
        above = signature(S - identity * x).positive
        below = signature(S + identity * x).negative
        if (above - below) * sign < 0:
            return False
    return True


def _fraction(ball: object) -> tuple[int, int]:
    mantissa, exponent = ball.mid().man_exp()  # type: ignore[attr-defined]
    m, e = int(mantissa), int(exponent)
    return (m << e, 1) if e >= 0 else (m, 1 << -e)


def _instances() -> Iterator[Head]:
    yield from heads(fields=[QQ], sizes=[(1, 1), (1, 2), (1, 3), (2, 2), (2, 4), (3, 3), (3, 6)], repeat=2)
    yield from heads_of_spectrum(
        [[2, 1, -1], [2, -2, 1, -1], [3, 3], [-1, -2], [3, 1, -2], [2, -1, -1], [2, -3, 1, 0], [1, 1, -2], [1, 0, 0]]
    )


def _check_splitting() -> int:
    """``d = 0`` exactly for ``S = H + P`` with commuting H (spectrum symmetric about 0) and P ⪰ 0, ‖P‖² = c‖L‖²."""
    rng, cases = random.Random("theorem-4"), 0
    for _ in range(40):
        m = rng.randint(1, 3)
        beta = sorted((fmpq(rng.randint(0, 3)) for _ in range(m)), reverse=True)
        alpha = sorted((x + rng.randint(0, 2) for x in beta), reverse=True)
        U = random_orthogonal(rng, 2 * m)
        # Where the lobes are sorted, αᵢ ≥ βᵢ; H takes ±βᵢ on the pair, P what is left.
        H = _rotated(U, [*beta, *(-x for x in beta)])
        P = _rotated(U, [*(x - y for x, y in zip(alpha, beta, strict=True)), *[fmpq(0)] * m])
        S = _rotated(U, [*alpha, *(-x for x in beta)])
        cases += require(H + P == S and H * P == P * H, "S = H + P with HP = PH")
        cases += require(_is_mirrored(H) and signature(P).negative == 0, "H symmetric about 0, P ⪰ 0")
        if norm_squared(S):
            p = profile(S)
            same = agree(p.c, norm_squared(P) / norm_squared(S))
            cases += require(p.d == 0 and same, "d = 0 and ‖P‖² = c‖L‖²")
        # The converse for any commuting pair, sorted or not.
        mixed = _rotated(U, [*beta, *(-x for x in beta)]) + _rotated(U, [fmpq(rng.randint(0, 3)) for _ in range(2 * m)])
        if norm_squared(mixed):
            cases += require(profile(mixed).d == 0, "H + P has d = 0")
    return cases


def _rotated(U: Matrix, values: list[fmpq]) -> fmpq_mat:
    result: fmpq_mat = U.transpose() * QQ.diagonal(values) * U
    return result


STATEMENT = Statement(
    id="theorem-4",
    source="arXiv 2609.22990, Theorem 4",
    title="fibres over faces and vertices",
    claim=(
        r"For $L \ne 0$: $a = 0$ iff $L = L^T$; $a = 1$ iff $L = -L^T$; $b = 0$ iff $S$ is semidefinite; $b = 1$ iff "
        r"$L = S$ and $\alpha = \beta$; $d = 0$ iff $\alpha \ge \beta$ entrywise, iff $S = H + P$ with commuting $H$ "
        r"(spectrum symmetric about 0) and $P \succeq 0$, and then $\|P\|^2 = c\|L\|^2$; $c = 0$ the mirror of this; "
        r"$c = 1$ iff $L$ is symmetric and positive semidefinite, $d = 1$ iff symmetric and negative semidefinite."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ with n ≤ 3, N ≤ 6, and chosen rational spectra with ties in rotated bases",
    hypotheses=(
        Hypothesis(
            name="nonzero",
            text="L ≠ 0",
            satisfied=lambda head: norm_squared(head.L) != 0,
            counterexample=lambda: Head.of([], [], N=1),
        ),
    ),
    checks=(Check("exact", "S = H + P, both ways: 40 rational spectra in rotated bases", _check_splitting),),
    concerns=is_real,
)
