"""Lemma 4 of the paper: the profile of L from that of S."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from proofs.fields import QQ
from proofs.heads import Head
from proofs.spectra import agree, norm_squared, precise, profile
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Hypothesis, Statement


def holds(head: Head) -> bool:
    """Whether ``(b, c, d) = (1 − a)(b_S, c_S, d_S)``, where S has a profile."""
    if norm_squared(head.S) == 0:
        return False
    whole, part = profile(head.L), profile(head.S)
    with precise():
        share = arb(1 - whole.a)
        pairs = ((whole.b, part.b), (whole.c, part.c), (whole.d, part.d))
        return part.a == 0 and all(agree(x, share * y) for x, y in pairs)


def _instances() -> Iterator[Head]:
    return heads(fields=[QQ], sizes=[(1, 1), (1, 2), (1, 4), (2, 2), (2, 5), (3, 4), (3, 7)], repeat=3)


STATEMENT = Statement(
    id="lemma-4",
    source="arXiv 2609.22990, Lemma 4",
    title="the profile of the symmetric part",
    claim=r"If $S \ne 0$, then $(b, c, d) = (1 - a)\,(b_S, c_S, d_S)$ with the profile $(0, b_S, c_S, d_S)$ of $S$.",
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="heads over ℚ with n ≤ 3, N ≤ 7, degenerate ones too",
    hypotheses=(
        Hypothesis(
            name="symmetric-part",
            text="S ≠ 0, so that S has a profile",
            satisfied=lambda head: norm_squared(head.S) != 0,
            counterexample=lambda: Head.of([], [], N=1),
        ),
    ),
    concerns=is_real,
)
