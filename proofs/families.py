"""For which parametrisations of attention the theorem holds, each with a proof.

The parameters of a family run through an affine space, over an infinite field; K, Q and M = [K; Q] are polynomial in
them. Two facts about one family and one set of sizes decide:

* *bound*: an identity ``M = CB`` in the parameters, with inner dimension r, proves rank M ≤ r for all parameters;
  likewise for K and Q, which bound rank L by some m, hence rank S by 2m;
* *witness*: one exact point of the parameter space. What a rank attains there it attains on a non-empty Zariski-open,
  hence dense, set, since its minors are polynomials; an intersection of finitely many such sets is one again, so that
  all heads of a layer can be asked at once.

Outcomes:

* ``theorem``: rank M = 2n at the witness, so S ≅ nH ⊥ 0 on a dense open set.
* ``fewer planes``: every M has rank < 2n, but rank S = 2m at the witness with m < n: ``L = K'ᵀQ'`` for a head of
  dimension m, nondegenerate there by the exact condition, so S ≅ mH ⊥ 0 on a dense open set.
* ``fails``: every M has rank ≤ r < 2n, and at the witness S has rank r and over ℝ more eigenvalues of one sign than
  of the other. Near the witness the rank can only stay, the signature with it: S is not hyperbolic plus zero on a
  non-empty set that is open over ℝ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Literal

from flint import arb, fmpq
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from proofs.attention_maps import FamilyHead, Product, Sizes
from proofs.decomposition import decompose, hyperbolic_basis
from proofs.errors import HeadformsError, InconsistencyError, ShapeError
from proofs.heads import Head
from proofs.indeterminates import indeterminate_matrices
from proofs.parametrisations import PARAMETRISATIONS, Parametrisation

Conclusion = Literal["theorem", "fewer planes", "fails"]


@dataclass(frozen=True)
class Outcome:
    """What is proved of a family at given sizes.

    Args:
        family, sizes: which.
        conclusion: see the head of this module.
        bounds: proved bounds of rank K, rank Q and rank M, the same for all heads of a layer.
        parameters: the witness, integer matrices by name.
        heads: the exact heads at the witness, on which :meth:`check` repeats the claim.
    """

    family: str
    sizes: tuple[tuple[str, int], ...]
    conclusion: Conclusion
    bounds: tuple[int, int, int]
    parameters: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]
    heads: tuple[Head, ...]

    @property
    def planes(self) -> int | None:
        """Hyperbolic planes of S on a dense open set; None where the conclusion fails on an open set."""
        return None if self.conclusion == "fails" else min(self.bounds[0], self.bounds[1])

    def check(self) -> None:
        """Repeat the claim about the witness on each of its heads.

        Raises:
            InconsistencyError: it does not hold.
        """
        for head in self.heads:
            if _conclusion(head, self.bounds) != self.conclusion:
                raise InconsistencyError(f"{self.family} {dict(self.sizes)}: the witness does not show the conclusion")
            if self.conclusion == "theorem":
                hyperbolic_basis(head).check()


def _conclusion(head: Head, bounds: tuple[int, int, int]) -> Conclusion | None:
    """What one head proves, given the bounds; None if the witness is not good enough."""
    key, query, stacked = bounds
    d = decompose(head)
    if d.rank_stacked > stacked or d.rank_key > key or d.rank_query > query:
        raise InconsistencyError(f"ranks {d.rank_key}, {d.rank_query}, {d.rank_stacked} exceed their bounds {bounds}")
    if d.rank_stacked != stacked:
        return None
    if stacked == 2 * head.n:
        return "theorem"
    if d.rank == 2 * min(key, query) and d.hyperbolic_plus_zero:
        return "fewer planes"
    return "fails" if d.rank == stacked and not d.hyperbolic_plus_zero else None


def family(id: str) -> Parametrisation:
    """The parametrisation of a given id.

    Raises:
        HeadformsError: there is none, naming those there are.

    >>> family("tied").map
    'K = Q'
    """
    for item in PARAMETRISATIONS:
        if item.id == id:
            return item
    raise HeadformsError(f"no family {id!r}; the families: {', '.join(p.id for p in PARAMETRISATIONS)}")


def outcome(item: Parametrisation, sizes: Sizes) -> Outcome:
    """Decide a family at given sizes: bounds by identities, then a witness.

    Raises:
        ShapeError: a size the family needs is missing or not positive.
        InconsistencyError: an identity fails, or no witness is found.

    >>> result = outcome(family("tied"), {"n": 2, "N": 5})
    >>> result.conclusion, result.bounds, result.heads[0].S.rank()
    ('fails', (2, 2, 2), 2)
    """
    needed = item.sizes[0]
    if set(sizes) != set(needed) or any(x < 1 for x in sizes.values()):
        raise ShapeError(f"family {item.id} needs positive sizes {', '.join(needed)}; found {dict(sizes)}")
    return _outcome(item.id, tuple(sizes.items()))


@lru_cache(maxsize=256)
def _outcome(id: str, pairs: tuple[tuple[str, int], ...]) -> Outcome:
    item, sizes = family(id), dict(pairs)
    all_bounds = {_bounds(head) for head in item.heads(indeterminate_matrices(over=QQ, **item.shapes(sizes)), sizes)}
    if len(all_bounds) != 1:
        raise InconsistencyError(f"the heads of one layer of {id} have different bounds {sorted(all_bounds)}")
    bounds = all_bounds.pop()
    for parameters in _points(item, sizes):
        heads = tuple(_exact(head) for head in item.heads(_as_matrices(parameters), sizes))
        conclusions = {_conclusion(head, bounds) for head in heads}
        conclusion = conclusions.pop()
        if conclusion is not None and not conclusions:
            table = tuple((name, tuple(map(tuple, rows))) for name, rows in parameters.items())
            result = Outcome(id, pairs, conclusion, bounds, table, heads)
            result.check()
            return result
    raise InconsistencyError(f"no witness found for {id} at {sizes}")


def _bounds(head: FamilyHead) -> tuple[int, int, int]:
    """The best bounds of rank K, Q and M from their factorisations, multiplied out."""
    n, width = head.K.shape
    key = min([n, width, *(_inner(head.K, through) for through in head.key)])
    query = min([n, width, *(_inner(head.Q, through) for through in head.query)])
    M = head.K.vstack(head.Q)
    stacked = min([key + query, width, *(_inner(M, through) for through in head.stacked)])
    return key, query, stacked


def _inner(matrix: DomainMatrix, through: Product) -> int:
    C, B = through
    if C * B != matrix:
        raise InconsistencyError("a factorisation of a family does not multiply out to its matrix")
    return int(C.shape[1])


def _points(item: Parametrisation, sizes: Sizes) -> Iterator[dict[str, list[list[int]]]]:
    """Points of the parameter space with small integer entries, the smallest entries first, always the same."""
    rng = random.Random(f"{item.id} {sorted(sizes.items())}")
    for bound in (1, 2, 3):
        for _ in range(300):
            yield {
                name: [[rng.randint(-bound, bound) for _ in range(columns)] for _ in range(rows)]
                for name, (rows, columns) in item.shapes(sizes).items()
            }


def _as_matrices(parameters: dict[str, list[list[int]]]) -> dict[str, DomainMatrix]:
    return {
        name: DomainMatrix([[QQ(x) for x in row] for row in rows], (len(rows), len(rows[0])), QQ)
        for name, rows in parameters.items()
    }


def _exact(head: FamilyHead) -> Head:
    """The exact head of a head with numbers for parameters."""

    def rows(matrix: DomainMatrix) -> list[list[fmpq]]:
        return [[fmpq(int(x.numerator), int(x.denominator)) for x in row] for row in matrix.to_list()]

    return Head.of(rows(head.Q), rows(head.K))


def all_outcomes() -> Iterator[Outcome]:
    """Every family at every one of its sizes."""
    for item in PARAMETRISATIONS:
        for sizes in item.sizes:
            yield outcome(item, sizes)


@dataclass(frozen=True)
class Score:
    """A way to score a pair of tokens x, y, looked at in width 1 with K = Q = [1].

    Args:
        id, title: what it is.
        formula: the score for the reader.
        remark: what is true instead.
        value: the score of two numbers, exactly or as an enclosure.
    """

    id: str
    title: str
    formula: str
    remark: str
    value: Callable[[int, int], Any]

    def additivity_failure(self) -> tuple[int, int, int] | None:
        """Numbers x, y, z with ``s(x, y + z) ≠ s(x, y) + s(x, z)``, certainly; None if none is found.

        >>> NOT_BILINEAR[0].additivity_failure()
        (-1, -1, -1)
        """
        for x, y, z in product((-1, 0, 1, 2), repeat=3):
            difference = self.value(x, y + z) - self.value(x, y) - self.value(x, z)
            if difference != 0:
                return x, y, z
        return None


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)


#: Scores that are no bilinear form of the residual stream: the theorem says nothing about them as they stand.
NOT_BILINEAR: tuple[Score, ...] = (
    Score(
        id="query-key-normalisation",
        title="normalised queries and keys",
        formula="⟨Kx/|Kx|, Qy/|Qy|⟩",
        remark="homogeneous of degree 0, not 1",
        value=lambda x, y: fmpq(_sign(x) * _sign(y)),
    ),
    Score(
        id="soft-capping",
        title="soft-capped logits",
        formula="c tanh(⟨Kx, Qy⟩/c)",
        remark="bounded; an increasing function of a bilinear form, which can be audited",
        value=lambda x, y: arb(x * y).tanh(),
    ),
    Score(
        id="relative-bias",
        title="relative-position bias",
        formula="⟨Kx, Qy⟩ + b_Δ",
        remark="bilinear on C ⊕ ℝ, with another form for each displacement",
        value=lambda x, y: fmpq(x * y) + 1,
    ),
    Score(
        id="disentangled",
        title="disentangled content and position",
        formula="⟨Kx, Qy⟩ + ⟨Kx, q_Δ⟩ + ⟨k_Δ, Qy⟩",
        remark="bilinear on C ⊕ ℝ, with another form for each displacement",
        value=lambda x, y: fmpq(x * y) + 2 * x + 3 * y,
    ),
)
