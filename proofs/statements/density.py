"""Nondegenerate heads are dense: on a line through one of them at most 2n others are degenerate."""

from __future__ import annotations

import random
from collections.abc import Iterator

from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.indeterminates import require
from proofs.locus import condition
from proofs.pencils import Pencil
from proofs.statements.instances import heads, random_matrix
from proofs.statements.registry import Check, Hypothesis, Statement


def holds(pencil: Pencil) -> bool:
    """Whether at most 2n parameters are bad, and some parameter but that of the target is good.

    The second makes a sequence: the same line between the base and a good head ever closer to it. Over ℚ the integers
    0, 2, 3, … are tried, over F_p all parameters.
    """
    field, n = pencil.base.field, pencil.base.n
    c = condition(n, pencil.base.N)
    if not c.holds(pencil.target):
        return False
    bad = pencil.bad_parameters()
    if len(bad) > 2 * n or any(c.holds(pencil.at(t)) for t in bad):
        return False
    tried = [t for t in range(2 * n + 3 if field.characteristic == 0 else field.characteristic) if t != 1]
    return any(field(t) not in bad and c.holds(pencil.at(t)) for t in tried)


def _instances() -> Iterator[Pencil]:
    for base in heads(fields=[QQ], sizes=[(0, 1), (1, 2), (1, 3), (2, 4), (2, 6), (3, 6), (3, 8)], repeat=2):
        yield Pencil(base, condition(base.n, base.N).witness())
        rng = random.Random(f"density {base.n} {base.N}")
        target = Head(random_matrix(rng, QQ, base.n, base.N), random_matrix(rng, QQ, base.n, base.N))
        yield Pencil(base, target)


def _check_all_parameters() -> int:
    """Over F_11 and F_101, by trying every parameter: the bad ones are those that the polynomial gives."""
    cases = 0
    for field in (GF(11), GF(101)):
        for base in heads(fields=[field], sizes=[(1, 2), (1, 3), (2, 4), (2, 5)], repeat=1):
            c = condition(base.n, base.N)
            pencil = Pencil(base, c.witness(field=field))
            bad = tuple(field(t) for t in range(field.p) if not c.holds(pencil.at(t)))
            cases += require(bad == pencil.bad_parameters() and len(bad) <= 2 * base.n, f"the bad parameters {bad}")
    return cases


def _check_sharp() -> int:
    """2n bad parameters occur: a diagonal pencil with a root of its own for each row."""
    cases = 0
    for n in range(1, 5):
        c = condition(n, 2 * n)
        # (1−t) r/(r−1) + t vanishes at t = r.
        diagonal = QQ.diagonal([QQ(r) / (r - 1) for r in range(2, 2 * n + 2)]).tolist()
        base = Head.of(diagonal[n:], diagonal[:n])
        bad = Pencil(base, c.witness()).bad_parameters()
        cases += require(bad == tuple(QQ(r) for r in range(2, 2 * n + 2)), f"2n bad parameters for n = {n}")
    return cases


STATEMENT = Statement(
    id="density",
    source="headforms",
    title="density by pencils",
    claim=(
        r"Over an infinite field, on the line from any head to a nondegenerate one at most $2n$ parameters give a "
        r"degenerate head. So for $2n \le N$ the nondegenerate heads are dense."
    ),
    subject=Pencil,
    holds=holds,
    instances=_instances,
    scope="lines over ℚ from heads of every degenerate sort, n ≤ 3, N ≤ 8",
    hypotheses=(
        Hypothesis(
            name="target",
            text="the line passes through a nondegenerate head",
            satisfied=lambda pencil: condition(pencil.base.n, pencil.base.N).holds(pencil.target),
            counterexample=lambda: Pencil(Head.of([[0, 0]], [[0, 0]]), Head.of([[0, 0]], [[0, 0]])),
        ),
        Hypothesis(
            name="infinite",
            text="the field is infinite",
            satisfied=lambda pencil: pencil.base.field.characteristic == 0,
            counterexample=lambda: Pencil(
                Head.of([[0, -1]], [[0, 0]], field=GF(3)), Head.of([[0, 1]], [[1, 0]], field=GF(3))
            ),
        ),
    ),
    checks=(
        Check("exact", "every parameter of F_11 and F_101", _check_all_parameters),
        Check("exact", "the bound 2n is attained, n ≤ 4", _check_sharp),
    ),
)
