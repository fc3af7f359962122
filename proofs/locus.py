"""The degeneracy locus ``D = {rank M < 2n}`` in the space of heads, and the conditions that cut it out.

Conditions. D is the zero set of the ``C(N, 2n)`` maximal minors of M. Two shorter descriptions follow from

    det G = Σ_I det(M_I)²          (Cauchy–Binet),
    det (L + Lᵀ)_I = (−1)ⁿ det(M_I)²     (from ``L + Lᵀ = MᵀJM`` and ``det J = (−1)ⁿ``),

I running through the sets of 2n columns: over an ordered field the one polynomial ``det G`` is enough; and over every
field the principal 2n × 2n minors of ``L + Lᵀ`` are, which only know L. Their sum, a coefficient of the
characteristic polynomial of ``L + Lᵀ``, is ``(−1)ⁿ det G``.

Geometry, for 2n ≤ N. The pairs of a line ``[u] ∈ P^{2n−1}`` and an M with ``uM = 0`` form a vector bundle of rank
``(2n−1)N`` over projective space: irreducible of dimension ``(2n−1)N + 2n − 1``. It maps onto D, one to one over
rank 2n − 1. So D is irreducible of codimension ``N − 2n + 1``. Its degree is ``C(N, 2n−1)`` (the Giambelli–Porteous
formula for matrices of linear forms; W. Fulton, *Intersection Theory*, 14.4). For 2n > N every head lies in D.

Points. Over the field with q elements ``∏_{i<2n} (q^N − q^i)`` heads are nondegenerate: 2n independent rows are
chosen one after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from flint import fmpq, fmpz_poly

from proofs.errors import HypothesisError, ShapeError
from proofs.fields import QQ, Field, Scalar
from proofs.heads import Head
from proofs.matrices import submatrix
from proofs.ranks import rank_over


@dataclass(frozen=True)
class Condition:
    """What ``rank M = 2n`` means for heads of one shape; made by :func:`condition`.

    Args:
        n: head dimension.
        N: width of the residual stream.
    """

    n: int
    N: int

    @property
    def is_possible(self) -> bool:
        """Whether there are nondegenerate heads: ``2n ≤ N``."""
        return 2 * self.n <= self.N

    @property
    def codimension(self) -> int:
        """Codimension of the locus: ``N − 2n + 1``, and 0 for big heads.

        For n = 0 the locus is empty and its codimension, by convention, ``N + 1``, more than the dimension.
        """
        return self.N - 2 * self.n + 1 if self.is_possible else 0

    @property
    def degree(self) -> int:
        """Degree of the locus: ``C(N, 2n−1)``; 1 for big heads (the whole space), 0 for n = 0 (empty)."""
        if not self.is_possible:
            return 1
        return comb(self.N, 2 * self.n - 1) if self.n else 0

    def columns(self) -> Iterator[tuple[int, ...]]:
        """The sets of 2n columns, in lexicographic order."""
        return combinations(range(self.N), 2 * self.n)

    def minors(self, head: Head) -> Iterator[tuple[tuple[int, ...], Scalar]]:
        """The maximal minors ``det M_I`` of a head of this shape, with their columns I.

        >>> list(condition(1, 3).minors(Head.of(Q=[[0, 1, 2]], K=[[1, 0, 0]])))
        [((0, 1), 1), ((0, 2), 2), ((1, 2), 0)]
        """
        self._require(head)
        for chosen in self.columns():
            yield chosen, submatrix(head.field, head.M, range(2 * self.n), chosen).det()

    def principal_minors(self, head: Head) -> Iterator[tuple[tuple[int, ...], Scalar]]:
        """The principal minors ``det (L + Lᵀ)_I = (−1)ⁿ det(M_I)²``, from L alone.

        >>> list(condition(1, 3).principal_minors(Head.of(Q=[[0, 1, 2]], K=[[1, 0, 0]])))
        [((0, 1), -1), ((0, 2), -4), ((1, 2), 0)]
        """
        self._require(head)
        doubled = head.L + head.L.transpose()
        for chosen in self.columns():
            yield chosen, submatrix(head.field, doubled, chosen, chosen).det()

    def gram_determinant(self, head: Head) -> Scalar:
        """``det G = Σ det(M_I)²``: over an ordered field it vanishes exactly on the locus.

        >>> condition(1, 3).gram_determinant(Head.of(Q=[[0, 1, 2]], K=[[1, 0, 0]]))
        5
        """
        self._require(head)
        return (head.M * head.M.transpose()).det()

    def score_polynomial(self, head: Head) -> Scalar:
        """``(−1)ⁿ`` times the sum of the principal 2n × 2n minors of ``L + Lᵀ``: equal to ``det G``, from L alone.

        >>> condition(1, 3).score_polynomial(Head.of(Q=[[0, 1, 2]], K=[[1, 0, 0]]))
        5
        """
        self._require(head)
        if not self.is_possible:
            return head.field(0)
        coefficients = (head.L + head.L.transpose()).charpoly().coeffs()
        coefficients += [head.field(0)] * (self.N + 1 - len(coefficients))
        return coefficients[self.N - 2 * self.n] * (-1) ** self.n

    def holds(self, head: Head) -> bool:
        """Whether a head of this shape is nondegenerate."""
        return self.holds_with_witness(head) is not None

    def holds_with_witness(self, head: Head) -> tuple[int, ...] | None:
        """2n columns whose minor is not zero; None for a degenerate head.

        >>> condition(1, 3).holds_with_witness(Head.of(Q=[[0, 0, 2]], K=[[1, 0, 0]]))
        (0, 2)
        >>> condition(1, 3).holds_with_witness(Head.of(Q=[[2, 0, 0]], K=[[1, 0, 0]])) is None
        True
        """
        self._require(head)
        proof = rank_over(head.field, head.M)
        return proof.minor.columns if proof.rank == 2 * self.n else None

    def witness(self, *, field: Field = QQ) -> Head:
        """A nondegenerate head, which proves that the complement of the locus is not empty: ``M = [I 0]``.

        Raises:
            HypothesisError: ``2n > N``, where there is none.

        >>> condition(1, 3).witness().M
        [1, 0, 0]
        [0, 1, 0]
        """
        if not self.is_possible:
            raise HypothesisError(f"2n = {2 * self.n} > N = {self.N}: every head of this shape is degenerate")
        rows = field.identity(self.N).tolist()
        return Head.of(rows[self.n : 2 * self.n], rows[: self.n], field=field, N=self.N)

    def count(self, q: int) -> int:
        """The number of nondegenerate heads over a field with q elements, of ``q^{2nN}``.

        Raises:
            HypothesisError: q < 2.

        >>> condition(1, 2).count(3)
        48
        """
        if q < 2:
            raise HypothesisError(f"a field has at least 2 elements; found q = {q}")
        result = 1
        for i in range(2 * self.n):
            result *= q**self.N - q**i
        return result

    def share(self, q: int) -> fmpq:
        """The probability that a uniformly random head over a field with q elements is nondegenerate.

        >>> condition(1, 2).share(3)
        16/27
        """
        return fmpq(self.count(q), q ** (2 * self.n * self.N))

    def degenerate_count(self) -> fmpz_poly:
        """The number of degenerate heads as a polynomial in q.

        Its degree is the dimension of the locus, and its leading coefficient the number of components of that
        dimension (S. Lang and A. Weil, 1954).

        >>> condition(1, 2).degenerate_count()
        x^3 + x^2 + (-1)*x
        """
        q = fmpz_poly([0, 1])
        nondegenerate = fmpz_poly([1])
        for i in range(2 * self.n):
            nondegenerate *= q**self.N - q**i
        return q ** (2 * self.n * self.N) - nondegenerate

    def _require(self, head: Head) -> None:
        if (head.n, head.N) != (self.n, self.N):
            raise ShapeError(f"the head is {head.n} × {head.N}; this condition is for n = {self.n}, N = {self.N}")


def condition(n: int, N: int) -> Condition:
    """The condition ``rank M = 2n`` for heads with head dimension n and width N.

    Raises:
        ShapeError: n < 0 or N < 1.

    >>> c = condition(2, 10)
    >>> c.codimension, c.degree, c.holds(c.witness())
    (7, 120, True)
    """
    if n < 0 or N < 1:
        raise ShapeError(f"n = {n}, N = {N}; expected n ≥ 0 and N ≥ 1")
    return Condition(n, N)


def image_dimension(n: int, N: int) -> tuple[int, int]:
    """The dimensions of the images of ``(Q, K) ↦ S`` and ``(Q, K) ↦ L``.

    For 2n ≤ N the fibres over S are torsors of the orthogonal group of J, of dimension ``n(2n−1)``, else S is
    generic of any kind; for n ≤ N the fibres over L are torsors of GL_n, else L is any matrix.

    >>> image_dimension(2, 5), image_dimension(2, 3)
    ((14, 16), (6, 8))
    """
    symmetric = 2 * n * N - n * (2 * n - 1) if 2 * n <= N else N * (N + 1) // 2
    return symmetric, 2 * n * N - n * n if n <= N else N * N
