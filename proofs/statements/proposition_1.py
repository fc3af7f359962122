"""Proposition 1 of the paper: position-dependent forms that behave like rotary embeddings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from proofs.fields import GF, QQ, Field
from proofs.heads import rotary_matrix
from proofs.matrices import Matrix
from proofs.statements.instances import random_invertible, random_matrix
from proofs.statements.registry import Hypothesis, Statement

#: Displacements that are looked at: −REACH … REACH.
REACH = 3


@dataclass(frozen=True)
class Displacements:
    """The forms ``L_d`` of relative positions d from −REACH to REACH, N × N over a field."""

    forms: Mapping[int, Matrix]
    field: Field


def holds(subject: Displacements) -> bool:
    """Whether the ``T_d`` with ``L_d = L₀T_d`` are determined, and a group law is the same as being powers of one S."""
    forms, L0 = subject.forms, subject.forms[0]
    if L0.rank() < L0.nrows():
        # With L₀v = 0 and v ≠ 0, adding v to a column of T_d changes no equation.
        return False
    inverse = L0.inv()
    T = {d: inverse * L for d, L in forms.items()}
    rotary_like = all(T[d + e] == T[d] * T[e] for d in T for e in T if d + e in T)
    return rotary_like == _are_powers(T, subject.field)


def _are_powers(T: Mapping[int, Matrix], field: Field) -> bool:
    """Whether ``T_d = Sᵈ`` for one S; the equation for d = 1 leaves only S = T₁."""
    S = T[1]
    if S.rank() < S.nrows():
        return False
    inverse, upward, downward = S.inv(), field.identity(S.nrows()), field.identity(S.nrows())
    for d in range(REACH + 1):
        if T[d] != upward or T[-d] != downward:
            return False
        upward, downward = upward * S, downward * inverse
    return True


def _instances() -> Iterator[Displacements]:
    rng = random.Random("proposition-1")
    for field in (QQ, GF(5), GF(101)):
        for N in (1, 2, 3, 4):
            for _ in range(4):
                L0, S = random_invertible(rng, field, N), random_invertible(rng, field, N)
                powers = _powers(field, S)
                yield Displacements({d: L0 * P for d, P in powers.items()}, field)
                # One form changed: no longer powers, and no longer a group law.
                changed = rng.choice([d for d in powers if d != 0])
                other = {d: L0 * (P + field.identity(N) if d == changed else P) for d, P in powers.items()}
                yield Displacements(other, field)
                arbitrary = {d: random_matrix(rng, field, N, N) for d in powers}
                yield Displacements({**arbitrary, 0: L0}, field)
    R = {d: rotary_matrix(QQ, ["1/2", "1/3"], delta=d) for d in range(-REACH, REACH + 1)}
    yield Displacements(R, QQ)


def _powers(field: Field, S: Matrix) -> dict[int, Matrix]:
    powers, inverse = {0: field.identity(S.nrows())}, S.inv()
    for d in range(1, REACH + 1):
        powers[d], powers[-d] = powers[d - 1] * S, powers[1 - d] * inverse
    return powers


STATEMENT = Statement(
    id="proposition-1",
    source="arXiv 2609.22990, Proposition 1",
    title="forms like rotary embeddings",
    claim=(
        r"If $L_0$ is invertible, the operators $T_d = L_0^{-1}L_d$ are determined by $L_d = L_0T_d$, and "
        r"$T_{d+e} = T_dT_e$ for all $d, e$ if and only if $T_d = S^d$ for one $S$, which is then $T_1$."
    ),
    subject=Displacements,
    holds=holds,
    instances=_instances,
    scope="displacements −3 … 3, N ≤ 4 over ℚ, F_5, F_101: powers, powers with one change, arbitrary forms, rotations",
    hypotheses=(
        Hypothesis(
            name="invertible",
            text="L₀ is invertible",
            satisfied=lambda subject: subject.forms[0].rank() == subject.forms[0].nrows(),
            counterexample=lambda: Displacements({d: QQ.zeros(1, 1) for d in range(-REACH, REACH + 1)}, QQ),
        ),
    ),
)
