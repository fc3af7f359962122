"""Density of the nondegenerate heads, by pencils: on a line through a nondegenerate head almost all are.

On the line ``M_t = (1−t)M + tW`` from a head to a nondegenerate one the minor of W that is not zero becomes a
polynomial in t of degree at most 2n, not zero at t = 1. So at most 2n parameters are bad, whatever the head: over an
infinite field it lies in the closure of the nondegenerate heads, in the Zariski topology and, over ℝ, in the usual one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofs.errors import HypothesisError, ShapeError
from proofs.fields import Scalar
from proofs.heads import Head
from proofs.locus import condition
from proofs.matrices import submatrix


@dataclass(frozen=True)
class Pencil:
    """The line of heads ``(1−t)·base + t·target``.

    Args:
        base: any head.
        target: a nondegenerate head of the same shape over the same field.

    Raises:
        ShapeError: the shapes differ.
        HypothesisError: the fields differ.
    """

    base: Head
    target: Head

    def __post_init__(self) -> None:
        shapes = [(head.n, head.N) for head in (self.base, self.target)]
        if shapes[0] != shapes[1]:
            raise ShapeError(f"the base has n, N = {shapes[0]}, the target {shapes[1]}; a pencil needs one shape")
        if self.base.field != self.target.field:
            raise HypothesisError(f"the base is over {self.base.field}, the target over {self.target.field}")

    def at(self, t: Scalar) -> Head:
        """The head at parameter t.

        >>> Pencil(Head.of([[0, 0]], [[2, 0]]), condition(1, 2).witness()).at(1) == condition(1, 2).witness()
        True
        """
        base, target, s = self.base, self.target, self.base.field(t)
        return Head(base.Q + (target.Q - base.Q) * s, base.K + (target.K - base.K) * s, base.field)

    def minor(self) -> Any:
        """A minor of ``M_t`` that is not zero at t = 1, as a polynomial in t (a FLINT polynomial over the field).

        With the columns I of a minor of W and ``X = W_I⁻¹M_I`` it is ``det W_I · det(tI − (t−1)X)``: the
        characteristic polynomial of X, homogenised.

        Raises:
            HypothesisError: the target is degenerate.

        >>> Pencil(Head.of([[0, 0]], [[2, 0]]), condition(1, 2).witness()).minor()
        (-1)*x^2 + 2*x
        """
        field, size = self.base.field, 2 * self.base.n
        columns = condition(self.base.n, self.base.N).holds_with_witness(self.target)
        if columns is None:
            raise HypothesisError("the target of the pencil is degenerate; expected rank M = 2n")
        # The characteristic polynomial of the 1 × 1 zero matrix: x, over whichever field.
        t = field.zeros(1, 1).charpoly()
        if size == 0:
            return t - t + 1
        rows = range(size)
        W = submatrix(field, self.target.M, rows, columns)
        coefficients = W.solve(submatrix(field, self.base.M, rows, columns)).charpoly().coeffs()
        # Σ c_k t^k (t−1)^{2n−k} by Horner's scheme.
        total, power = t - t, t - t + 1
        for c in reversed(coefficients):
            total = total * t + c * power
            power = power * (t - 1)
        return total * W.det()

    def bad_parameters(self) -> tuple[Scalar, ...]:
        """The parameters t in the field for which the head at t is degenerate: at most 2n.

        Raises:
            HypothesisError: the target is degenerate.

        >>> pencil = Pencil(Head.of([[0, 0]], [[2, 0]]), condition(1, 2).witness())
        >>> pencil.bad_parameters()
        (0, 2)
        """
        is_good = condition(self.base.n, self.base.N).holds
        bad = [t for t, _ in self.minor().roots() if not is_good(self.at(t))]
        return tuple(sorted(bad, key=lambda t: t if self.base.field.characteristic == 0 else int(t)))
