"""Lemma 1 of the paper: polynomials of degree at most one in each of two groups of variables."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from flint import fmpq_mpoly, fmpq_mpoly_ctx

from proofs.indeterminates import require
from proofs.statements.registry import Check, Hypothesis, Statement


@dataclass(frozen=True)
class TwoGroups:
    """A polynomial ``f(x, y)`` over ℚ in ``x₁ … x_p`` and ``y₁ … y_q``, the first p variables and the others.

    Its ring has p + q further variables ``x'``, ``y'`` and one more, ``s``, to write linearity down.
    """

    f: fmpq_mpoly
    p: int
    q: int

    def at(self, x: Sequence[fmpq_mpoly], y: Sequence[fmpq_mpoly]) -> fmpq_mpoly:
        """``f(x, y)`` for polynomials x and y."""
        rest = self.f.context().gens()[self.p + self.q :]
        return self.f.compose(*x, *y, *rest, ctx=self.f.context())

    @property
    def points(self) -> tuple[list[fmpq_mpoly], ...]:
        """The points x, y, x', y' of indeterminates."""
        gens, p, q = list(self.f.context().gens()), self.p, self.q
        return gens[:p], gens[p : p + q], gens[p + q : 2 * p + q], gens[2 * p + q : 2 * (p + q)]


def ring(p: int, q: int) -> fmpq_mpoly_ctx:
    """The ring of :class:`TwoGroups`."""
    names = [f"{v}{i}" for v, m in (("x", p), ("y", q), ("xx", p), ("yy", q)) for i in range(m)]
    return fmpq_mpoly_ctx.get([*names, "s"], "lex")


def parts(of: TwoGroups, x: Sequence[fmpq_mpoly], y: Sequence[fmpq_mpoly]) -> tuple[fmpq_mpoly, ...]:
    """The four difference formulas at (x, y): bilinear, linear in x, linear in y, constant."""
    zero = [of.f.context().constant(0)]
    x0, y0 = zero * of.p, zero * of.q
    f00, fx, fy = of.at(x0, y0), of.at(x, y0), of.at(x0, y)
    return of.at(x, y) - fx - fy + f00, fx - f00, fy - f00, f00


def holds(of: TwoGroups) -> bool:
    """Whether the four differences are bilinear, linear, linear and constant, and add up to f."""
    x, y, xx, yy = of.points
    s = of.f.context().gens()[-1]
    moved_x = [a + s * b for a, b in zip(x, xx, strict=True)]
    moved_y = [a + s * b for a, b in zip(y, yy, strict=True)]
    bilinear, in_x, in_y, constant = parts(of, x, y)
    along_x, along_y = parts(of, moved_x, y), parts(of, x, moved_y)
    return bool(
        bilinear + in_x + in_y + constant == of.at(x, y)
        and along_x[0] == bilinear + s * parts(of, xx, y)[0]
        and along_y[0] == bilinear + s * parts(of, x, yy)[0]
        and along_x[1] == in_x + s * parts(of, xx, y)[1]
        and along_y[2] == in_y + s * parts(of, x, yy)[2]
        and constant.is_constant()
    )


def polynomial(p: int, q: int, terms: dict[tuple[int, ...], int]) -> TwoGroups:
    """The polynomial with the given coefficients by exponents of the first p + q variables."""
    context = ring(p, q)
    padding = (0,) * (p + q + 1)
    return TwoGroups(context.from_dict({exponents + padding: c for exponents, c in terms.items()}), p, q)


def _admissible_exponents(p: int, q: int) -> list[tuple[int, ...]]:
    unit_x = [tuple(int(i == j) for j in range(p)) for i in range(-1, p)]
    unit_y = [tuple(int(i == j) for j in range(q)) for i in range(-1, q)]
    return [a + b for a, b in product(unit_x, unit_y)]


def _instances() -> Iterator[TwoGroups]:
    rng = random.Random("lemma-1")
    for p, q in product(range(4), repeat=2):
        for _ in range(4):
            yield polynomial(p, q, {e: rng.randint(-5, 5) for e in _admissible_exponents(p, q)})


def _check_uniqueness() -> int:
    """The monomials of the four parts are disjoint, so a sum of such parts that is 0 has all four equal to 0."""
    cases = 0
    for p, q in product(range(4), repeat=2):
        exponents = _admissible_exponents(p, q)
        sorts = {e: (sum(e[:p]), sum(e[p:])) for e in exponents}
        found = [sum(sort == wanted for sort in sorts.values()) for wanted in ((1, 1), (1, 0), (0, 1), (0, 0))]
        cases += require(found == [p * q, p, q, 1], f"dimensions of the four parts for p = {p}, q = {q}")
        for e in exponents:
            of = polynomial(p, q, {e: 1})
            nonzero = [not part.is_zero() for part in parts(of, *of.points[:2])]
            wanted = [sorts[e] == sort for sort in ((1, 1), (1, 0), (0, 1), (0, 0))]
            cases += require(nonzero == wanted, f"the monomial {e} lies in exactly one part")
    return cases


def _degree(of: TwoGroups, start: int, stop: int) -> int:
    return max((sum(e[start:stop]) for e in of.f.to_dict()), default=0)


STATEMENT = Statement(
    id="lemma-1",
    source="arXiv 2609.22990, Lemma 1",
    title="polynomials of bidegree at most (1, 1)",
    claim=(
        r"A polynomial $f(x, y)$ of degree at most 1 in $x$ and in $y$ is in one way the sum of a bilinear form "
        r"$f(x,y) - f(x,0) - f(0,y) + f(0,0)$, linear forms $f(x,0) - f(0,0)$ and $f(0,y) - f(0,0)$, and a constant "
        r"$f(0,0)$."
    ),
    subject=TwoGroups,
    holds=holds,
    instances=_instances,
    scope="random polynomials with up to 3 + 3 variables; linearity as an identity in indeterminates",
    hypotheses=(
        Hypothesis(
            name="degree-in-x",
            text="degree at most 1 in x",
            satisfied=lambda of: _degree(of, 0, of.p) <= 1,
            counterexample=lambda: polynomial(1, 0, {(2,): 1}),
        ),
        Hypothesis(
            name="degree-in-y",
            text="degree at most 1 in y",
            satisfied=lambda of: _degree(of, of.p, of.p + of.q) <= 1,
            counterexample=lambda: polynomial(0, 1, {(2,): 1}),
        ),
    ),
    checks=(Check("identity", "uniqueness: every monomial with up to 3 + 3 variables", _check_uniqueness),),
)
