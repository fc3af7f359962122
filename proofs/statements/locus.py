"""The degeneracy locus: its codimension and degree, irreducibility, points over finite fields, equations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from flint import fmpz_poly
from sympy import GF as SYMPY_GF
from sympy import groebner, symbols
from sympy.polys.matrices import DomainMatrix
from sympy.polys.orderings import grevlex

from proofs.fields import GF
from proofs.heads import Head
from proofs.indeterminates import indeterminate_matrices, require
from proofs.locus import Condition, condition, image_dimension
from proofs.statements.instances import heads, is_real
from proofs.statements.registry import Check, Hypothesis, Statement

#: The prime of the random linear sections.
PRIME = 10007


def holds(head: Head) -> bool:
    """The locus of this shape, by the number of its points, and whether det G tells on which side of it the head is.

    ``det G = 0`` says that all maximal minors vanish, that is ``rank M < 2n``. The number of degenerate heads over F_q
    is a polynomial in q of degree ``2nN − (N−2n+1)`` with leading coefficient 1.
    """
    n, N = head.n, head.N
    c = condition(n, N)
    points = c.degenerate_count()
    degenerate = head.M.rank() < 2 * n
    vanish = all(x == 0 for _, x in c.minors(head))
    return (
        points.degree() == 2 * n * N - (N - 2 * n + 1)
        and points.coeffs()[-1] == 1
        and degenerate == vanish == bool(c.gram_determinant(head) == 0)
    )


def _instances() -> Iterator[Head]:
    return (head for head in heads(repeat=3) if is_real(head))


def linear_section(c: Condition, parameters: int, *, seed: int) -> int | None:
    """Points of a random affine section of the locus over an algebraic closure of F_p, with multiplicity.

    ``M = A + t₁B₁ + … + t_cB_c`` with random A, B: the dimension of the algebra of the maximal minors, counted by
    the monomials under the staircase of a Gröbner basis; None if it is infinite.

    >>> linear_section(condition(1, 3), 2, seed=0), linear_section(condition(1, 3), 1, seed=0)
    (3, 0)
    """
    rng = random.Random(f"{c} {parameters} {seed}")
    if parameters == 0:
        return 0 if c.holds(_random_head(rng, c)) else None
    t = symbols(f"t:{parameters}")
    domain = SYMPY_GF(PRIME, symmetric=False)[t]
    rows = [
        [domain(rng.randrange(PRIME)) + sum(domain(rng.randrange(PRIME)) * x for x in domain.gens) for _ in range(c.N)]
        for _ in range(2 * c.n)
    ]
    M = DomainMatrix(rows, (2 * c.n, c.N), domain)
    minors = [M.extract(list(range(2 * c.n)), list(chosen)).charpoly()[-1].as_expr() for chosen in c.columns()]
    basis = groebner(minors, *t, modulus=PRIME, order=grevlex)
    leading = [tuple(p.monoms(order=grevlex)[0]) for p in basis.polys]
    return _below_staircase(leading, parameters)


def _random_head(rng: random.Random, c: Condition) -> Head:
    rows = [[rng.randrange(PRIME) for _ in range(c.N)] for _ in range(2 * c.n)]
    return Head.of(rows[c.n :], rows[: c.n], field=GF(PRIME))


def _below_staircase(leading: list[tuple[int, ...]], variables: int) -> int | None:
    """How many monomials no leading monomial divides; None for infinitely many."""
    bounds = []
    for i in range(variables):
        pure = [e[i] for e in leading if sum(e) == e[i]]
        if not pure:
            return None
        bounds.append(min(pure))
    return sum(
        not any(all(a <= b for a, b in zip(e, monomial, strict=True)) for e in leading)
        for monomial in product(*(range(b) for b in bounds))
    )


def _check_sections() -> int:
    """A random section of the codimension meets the locus in as many points as its degree; a smaller one not at all."""
    cases = 0
    for n, N in ((1, 2), (1, 3), (1, 4), (1, 5), (2, 4), (2, 5)):
        c = condition(n, N)
        cases += require(linear_section(c, c.codimension, seed=1) == c.degree, f"degree for n = {n}, N = {N}")
        if c.codimension > 0:
            cases += require(linear_section(c, c.codimension - 1, seed=1) == 0, f"codimension for n = {n}, N = {N}")
    return cases


def _check_counts() -> int:
    """The closed count against enumeration; its degree and leading coefficient: dimension and number of components."""
    cases = 0
    for n, N, p in ((1, 1, 3), (1, 2, 3), (1, 3, 3), (1, 2, 5), (2, 2, 3)):
        c, field = condition(n, N), GF(p)
        found = sum(
            field.matrix([entries[i * N : (i + 1) * N] for i in range(2 * n)]).rank() == 2 * n
            for entries in product(range(p), repeat=2 * n * N)
        )
        cases += require(found == c.count(p), f"{found} nondegenerate heads over F_{p} for n = {n}, N = {N}")
    for n in range(1, 6):
        for N in range(2 * n, 2 * n + 6):
            c, counts = condition(n, N), condition(n, N).degenerate_count()
            cases += require(counts.degree() == 2 * n * N - c.codimension, f"dimension for n = {n}, N = {N}")
            cases += require(counts.coeffs()[-1] == 1, f"one component of that dimension for n = {n}, N = {N}")
    return cases


def _check_irreducible() -> int:
    """For 2n = N the determinant is irreducible over ℚ; in general the locus is the image of a vector bundle.

    The bundle of :mod:`proofs.locus` has ``(q^{2n}−1)/(q−1) · q^{(2n−1)N}`` points over F_q. Over an M of rank r lie
    the lines of its left kernel, one line for r = 2n − 1: summed over all M of the locus, as polynomials in q, that
    must be the same number.
    """
    cases = 0
    for n in (1, 2):
        m = indeterminate_matrices(M=(2 * n, 2 * n))["M"]
        _, factors = m.charpoly()[-1].factor_list()
        cases += require([e for _, e in factors] == [1], f"det is irreducible for 2n = N = {2 * n}")
    for n in range(1, 4):
        for N in range(2 * n, 2 * n + 4):
            bundle = _lines(2 * n) * fmpz_poly([0, 1]) ** ((2 * n - 1) * N)
            fibres = sum((_of_rank(2 * n, N, r) * _lines(2 * n - r) for r in range(2 * n)), fmpz_poly(0))
            cases += require(bundle == fibres, f"points of the bundle for n = {n}, N = {N}")
            locus = sum((_of_rank(2 * n, N, r) for r in range(2 * n)), fmpz_poly(0))
            cases += require(locus == condition(n, N).degenerate_count(), f"points of the locus for n = {n}, N = {N}")
    return cases


def _lines(dimension: int) -> fmpz_poly:
    """The number of lines of a vector space, ``1 + q + … + q^{d−1}``."""
    return fmpz_poly([1] * dimension)


def _of_rank(rows: int, columns: int, rank: int) -> fmpz_poly:
    """The number of matrices of a given rank, ``∏_{i<r} (q^m−q^i)(q^N−q^i)/(q^r−q^i)``."""
    q = fmpz_poly([0, 1])
    above, below = fmpz_poly(1), fmpz_poly(1)
    for i in range(rank):
        above *= (q**rows - q**i) * (q**columns - q**i)
        below *= q**rank - q**i
    return above // below


def _check_images() -> int:
    """Dimensions of the images of (Q, K) ↦ S and ↦ L: the rank of the derivative at a random point."""
    cases, field = 0, GF(2**61 - 1)
    rng = random.Random("images")
    for n, N in ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (2, 5), (3, 4), (3, 6)):
        K, Q = (field.matrix([[rng.randrange(10**9) for _ in range(N)] for _ in range(n)]) for _ in range(2))
        scores, symmetric = [], []
        for which, i, j in product("KQ", range(n), range(N)):
            unit = field.zeros(n, N)
            unit[i, j] = field(1)
            dL = unit.transpose() * Q if which == "K" else K.transpose() * unit
            scores.append(dL.entries())
            symmetric.append((dL + dL.transpose()).entries())
        ranks = field.matrix(symmetric).rank(), field.matrix(scores).rank()
        cases += require(ranks == image_dimension(n, N), f"dimensions {ranks} for n = {n}, N = {N}")
    return cases


STATEMENT = Statement(
    id="locus",
    source="headforms",
    title="the degeneracy locus",
    claim=(
        r"For $2 \le 2n \le N$ the locus $\{\operatorname{rank} M < 2n\}$ is irreducible of codimension "
        r"$N - 2n + 1$ and degree $\binom{N}{2n-1}$, cut out by the maximal minors of $M$; over an ordered field by "
        r"$\det MM^T$ alone. Over $\mathbb F_q$ there are $\prod_{i<2n}(q^N - q^i)$ nondegenerate heads."
    ),
    subject=Head,
    holds=holds,
    instances=_instances,
    scope="det G against all minors, number of points: heads over ℚ with n ≤ 4, N ≤ 9, every degenerate sort",
    hypotheses=(
        Hypothesis(
            name="ordered",
            text="the field is ordered",
            satisfied=is_real,
            counterexample=lambda: Head.of([[1, -1, 0]], [[1, 1, 1]], field=GF(3)),
        ),
        Hypothesis(
            name="fits",
            text="2n ≤ N",
            satisfied=lambda head: not head.is_big,
            counterexample=lambda: Head.of([[0], [0]], [[0], [0]]),
        ),
    ),
    checks=(
        Check("exact", "codimension and degree by random linear sections, n ≤ 2, N ≤ 5", _check_sections),
        Check("exact", "points: enumeration over F_3, F_5; dimension and components, n ≤ 5, N ≤ 15", _check_counts),
        Check("identity", "irreducibility: the determinant, 2n ≤ 4; points of the bundle, n ≤ 3", _check_irreducible),
        Check("exact", "dimensions of the images, n ≤ 3, N ≤ 6", _check_images),
    ),
    concerns=lambda head: head.n > 0,
)
