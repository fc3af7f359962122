"""What theory says about an ensemble, and what several ensembles have in common.

Sources: A. O'Desky, *On attention heads and bilinear forms*, arXiv 2609.22990 (Corollaries 1 and 2, Proposition 5,
Theorems 3 and 5); where nothing is cited, the docstring of the ensemble has the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs.moments import Energies
from verify.ensembles.statistics import Frequency, Mean, Ratio, Statistic


@dataclass(frozen=True)
class Expectation:
    """Something theory says about an ensemble: a statistic is within ``within`` of ``value``.

    Attributes:
        statistic: what it is about.
        value: the expected value.
        source: where it is stated or proved.
        within: 0 where the value is exact, else a proved bound.
        rounds: whether it stays true, exactly, when every entry is rounded to a shorter floating-point type.
    """

    statistic: Statistic
    value: Fraction
    source: str
    within: Fraction = Fraction(0)
    rounds: bool = False


def share(N: int, source: str) -> Expectation:
    """``E[‖S‖²/‖L‖²] = (N+1)/(2N)`` over the heads with L ≠ 0, where (Q, KU) has the law of (Q, K) for every signed
    permutation U.

    That is enough for Proposition 5: over all U the mean of ``tr (UᵀL)²`` is ``‖L‖²/N``, and whether L = 0 does not
    depend on U. Rounding the entries is an odd function, so that it commutes with U.
    """
    return Expectation(Mean("share"), Fraction(N + 1, 2 * N), source, rounds=True)


def parity(source: str = "K → −K") -> Expectation:
    """``E[c − d] = 0`` where (Q, −K) has the law of (Q, K), since K → −K exchanges c and d."""
    return Expectation(Mean("parity"), Fraction(0), source, rounds=True)


def signatures(n: int, N: int) -> list[Expectation]:
    """Of heads whose law is absolutely continuous and symmetric under ``K → −K``, which swaps n₊ and n₋.

    For 2n ≤ N the degenerate heads are a null set, and the theorem leaves one signature. For 2n > N almost surely
    ``rank S = N``; if N is odd this leaves ``n₊ > n₋`` and ``n₊ < n₋``, by symmetry with probability ½ each; if
    N = 2n − 1, by ``n₊, n₋ ≤ n`` (Lemma 3), the signatures (n, n−1) and (n−1, n).
    """
    if 2 * n <= N:
        return [Expectation(Frequency("signature", (n, n, N - 2 * n)), Fraction(1), "Theorem 3")]
    if N == 2 * n - 1:
        return [
            Expectation(Frequency("signature", (p, N - p, 0)), Fraction(1, 2), "Lemma 3, K → −K") for p in (n, n - 1)
        ]
    if N % 2:
        return [Expectation(Frequency("majority", 1), Fraction(1, 2), "K → −K, N odd")]
    return []


def energies(law: Energies, source: str, *, scale: Fraction = Fraction(1)) -> list[Expectation]:
    """``E‖S‖²/E‖L‖²``, and both of them times ``scale``."""
    score, symmetric = exact(law.score), exact(law.symmetric)
    return [
        Expectation(Ratio("symmetric", "score"), symmetric / score, source),
        Expectation(Mean("score"), score * scale, source),
        Expectation(Mean("symmetric"), symmetric * scale, source),
    ]


def exact(x: object) -> Fraction:
    """A FLINT rational as a fraction."""
    return Fraction(str(x))
