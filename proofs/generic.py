"""The theorem on the generic head: Q and K with independent indeterminates as entries.

A polynomial identity on the generic head holds for every head over every field of the characteristic. The basis of the
theorem is found once, over the fraction field: with d the minor of M on its first 2n columns, every head with
``d ≠ 0`` gets its basis by substitution, and other nonzero minors serve the other nondegenerate heads.

Identities are stated with ``2S = L + Lᵀ`` and ``2T = L − Lᵀ``, which needs no ½; 2 is invertible in the field.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, factorial
from typing import Any

from proofs.errors import HypothesisError
from proofs.fields import QQ, Field
from proofs.heads import split_form, symplectic_form
from proofs.matrices import Matrix
from proofs.polynomials import Polynomial, PolynomialMatrix, constant, constant_matrix, polynomial_ring

#: Up to this many products of terms an identity is multiplied out although the theorem does not need it.
_AFFORDABLE = 40_000_000

#: Beyond this many products of terms the basis is not written down (about a minute, and a gigabyte).
_LARGEST = 100_000_000


@dataclass(frozen=True)
class GenericHead:
    """The generic head of size (n, N) over a field; made by :func:`generic_head`.

    Args:
        n: head dimension, at least 1.
        N: width.
        field: the ground field; only its characteristic matters.
        ring: the polynomial ring in the 2nN entries of K and Q.
        K: keys, the indeterminates ``k_i_j``.
        Q: queries, the indeterminates ``q_i_j``.
    """

    n: int
    N: int
    field: Field
    ring: Any
    K: PolynomialMatrix
    Q: PolynomialMatrix

    @cached_property
    def M(self) -> PolynomialMatrix:
        """``[K; Q]``, 2n × N."""
        return self.K.above(self.Q)

    @cached_property
    def L(self) -> PolynomialMatrix:
        """``KᵀQ``, N × N."""
        return self.K.transpose() * self.Q

    @cached_property
    def double_S(self) -> PolynomialMatrix:
        """``2S = L + Lᵀ``."""
        return self.L + self.L.transpose()

    @cached_property
    def double_T(self) -> PolynomialMatrix:
        """``2T = L − Lᵀ``."""
        return self.L - self.L.transpose()

    def constant(self, matrix: Matrix) -> PolynomialMatrix:
        """A matrix of residues or integers over the ring."""
        return constant_matrix(self.ring, ([int(str(x)) for x in row] for row in matrix.tolist()))

    @property
    def J(self) -> PolynomialMatrix:
        """The split form over the ring."""
        return self.constant(split_form(self.field, self.n))


def generic_head(n: int, N: int, *, field: Field = QQ) -> GenericHead:
    """The generic head: 2nN indeterminates over ℤ, or over F_p for a field of characteristic p.

    Raises:
        HypothesisError: n or N is not positive.

    >>> generic_head(1, 2).L.rows
    ((k_0_0*q_0_0, k_0_0*q_0_1), (k_0_1*q_0_0, k_0_1*q_0_1))
    """
    if n < 1 or N < 1:
        raise HypothesisError(f"a generic head needs n ≥ 1 and N ≥ 1; got n = {n}, N = {N}")
    ring = polynomial_ring(field, [f"{x}_{i}_{j}" for x in "kq" for i in range(n) for j in range(N)])
    variables = ring.gens()
    rows = [tuple(variables[i * N : (i + 1) * N]) for i in range(2 * n)]
    return GenericHead(n, N, field, ring, PolynomialMatrix(tuple(rows[:n])), PolynomialMatrix(tuple(rows[n:])))


@dataclass(frozen=True)
class GenericBasis:
    """The basis of the theorem over the fraction field: ``P = numerators · diag(2, …, 2, 1, …, 1) / denominator``.

    Args:
        numerators: N × N polynomials, ``[[adj, −adj·M_r], [0, d·I]]`` with adj the adjugate of the first 2n columns
            of M and M_r the other columns.
        inverse: ``[M; 0 I]``, the completion of M by unit rows; ``inverse · numerators = d·I``.
        denominator: d, the minor of M on its first 2n columns.
    """

    numerators: PolynomialMatrix
    inverse: PolynomialMatrix
    denominator: Polynomial


def generic_basis(head: GenericHead) -> GenericBasis:
    """The basis, explicitly; nothing is checked here, see :func:`prove`.

    Raises:
        HypothesisError: ``2n > N``.

    >>> basis = generic_basis(generic_head(1, 2))
    >>> basis.denominator
    k_0_0*q_0_1 - k_0_1*q_0_0
    """
    n, N, ring = head.n, head.N, head.ring
    if 2 * n > N:
        raise HypothesisError(f"2n = {2 * n} > N = {N}: every head is degenerate, the theorem needs 2n ≤ N")
    if (2 * n * N) ** 2 + 2 * n * N * factorial(2 * n) > _LARGEST:
        raise HypothesisError(
            f"n = {n}, N = {N}: the basis of the generic head is too large to write out; "
            f"take n ≤ 4 and a smaller N, the block algebra covers all sizes"
        )
    block = head.M.submatrix(range(2 * n), range(2 * n))
    adjugate = block.adjugate()
    d = block.determinant()
    if N == 2 * n:
        return GenericBasis(adjugate, head.M, d)
    unit = [[int(i == j) for j in range(N - 2 * n)] for i in range(N - 2 * n)]
    identity = constant_matrix(ring, unit)
    zero = constant_matrix(ring, [[0] * (2 * n)] * (N - 2 * n))
    rest = head.M.submatrix(range(2 * n), range(2 * n, N))
    upper = adjugate.beside((adjugate * rest).scale(constant(ring, -1)))
    return GenericBasis(upper.above(zero.beside(identity.scale(d))), head.M.above(zero.beside(identity)), d)


@dataclass(frozen=True)
class Step:
    """One checked step of a proof.

    Args:
        name: short name.
        statement: what holds.
        how: how it was checked, with its size.
        holds: the outcome.
    """

    name: str
    statement: str
    how: str
    holds: bool


@dataclass(frozen=True)
class GenericProof:
    """The checked steps for one size and field, with the basis they are about."""

    head: GenericHead
    basis: GenericBasis
    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """Whether every step holds."""
        return all(step.holds for step in self.steps)


def prove(n: int, N: int, *, field: Field = QQ) -> GenericProof:
    """Check the theorem on the generic head, step by step, and the identities around it.

    Raises:
        HypothesisError: ``2n > N``, or n = 0.

    >>> proof = prove(1, 3)
    >>> proof.holds, [step.name for step in proof.steps][:4]
    (True, ['symmetric part', 'antisymmetric part', 'basis', 'inverse'])
    """
    head = generic_head(n, N, field=field)
    basis = generic_basis(head)
    steps = [
        _symmetric_part(head),
        _antisymmetric_part(head),
        _basis(head, basis),
        _inverse(head, basis),
        _congruence(head, basis),
        _witness(head, basis),
        *_traces(head),
        *_determinant(head),
        *_cauchy_binet(head),
    ]
    return GenericProof(head, basis, tuple(steps))


def _symmetric_part(head: GenericHead) -> Step:
    holds = head.double_S == head.M.transpose() * head.J * head.M
    return Step("symmetric part", "2S = MᵀJM", _expanded(head.N**2), holds)


def _antisymmetric_part(head: GenericHead) -> Step:
    omega = head.constant(symplectic_form(QQ, head.n))
    holds = head.double_T == head.M.transpose() * omega * head.M
    return Step("antisymmetric part", "2T = MᵀΩM", _expanded(head.N**2), holds)


def _basis(head: GenericHead, basis: GenericBasis) -> Step:
    holds = head.M * basis.numerators == _selection(head).scale(basis.denominator)
    return Step("basis", "M·A = d·[I 0], A the numerators of the basis", _expanded(2 * head.n * head.N), holds)


def _inverse(head: GenericHead, basis: GenericBasis) -> Step:
    identity = constant_matrix(head.ring, [[int(i == j) for j in range(head.N)] for i in range(head.N)])
    holds = basis.inverse * basis.numerators == identity.scale(basis.denominator)
    return Step("inverse", "[M; 0 I]·A = d·I, so that A/d is invertible where d ≠ 0", _expanded(head.N**2), holds)


def _congruence(head: GenericHead, basis: GenericBasis) -> Step:
    """With P = A·D/d: MP = [I 0]·D by the step before, and PᵀSP = ½(MP)ᵀJ(MP), whose double is multiplied out here."""
    scaled = _selection(head) * _doubling(head)
    J, N = head.J.rows, head.N
    zero = head.ring.constant(0)
    expected = tuple(
        tuple(2 * J[i][j] if i < 2 * head.n and j < 2 * head.n else zero for j in range(N)) for i in range(N)
    )
    holds = scaled.transpose() * head.J * scaled == PolynomialMatrix(expected)
    statement = "PᵀSP = J ⊕ 0 for P = A·diag(2, …, 2, 1, …, 1)/d, from 2S = MᵀJM and M·A = d·[I 0]"
    return Step("congruence", statement, _expanded(N**2), holds)


def _witness(head: GenericHead, basis: GenericBasis) -> Step:
    """At K = [I 0 0], Q = [0 I 0]: the nondegenerate heads are a non-empty open set over every field."""
    values = [int(i == j) for i in range(2 * head.n) for j in range(head.N)]
    holds = basis.denominator(*values) == 1
    return Step("non-emptiness", "d = 1 at the head K = [I 0 0], Q = [0 I 0]", "evaluated", holds)


def _traces(head: GenericHead) -> list[Step]:
    """``tr(2S)ᵏ = tr(JG)ᵏ`` for the k that can be afforded; for every k it follows from 2S = MᵀJM."""
    steps, G = [], head.M * head.M.transpose()
    left, right = head.double_S, head.J * G
    power, other = left, right
    for k in range(1, 5):
        if k > 1:
            power, other = power * left, other * right
        holds = power.trace() == other.trace()
        steps.append(Step(f"trace {k}", f"tr (2S)^{k} = tr (JG)^{k}, G = MMᵀ", _expanded(1), holds))
        # The next power multiplies every entry by N sums of 2n monomials, most of which stay apart.
        if _terms(power) * head.N * 2 * head.n * 10 > _AFFORDABLE:
            break
    return steps


def _terms(matrix: PolynomialMatrix) -> int:
    return sum(len(entry) for row in matrix.rows for entry in row)


def _determinant(head: GenericHead) -> list[Step]:
    """``det 2S = (−1)ⁿ det(M)²`` for 2n = N: multiplied out for n ≤ 3, from 2S = MᵀJM and det J beyond."""
    if head.N != 2 * head.n:
        return []
    statement = f"det 2S = {'−' if head.n % 2 else ''}(det M)²"
    sign = constant(head.ring, (-1) ** head.n)
    if head.n <= 3:
        d = head.M.determinant()
        return [Step("determinant", statement, _expanded(1), head.double_S.determinant() == sign * d * d)]
    return [Step("determinant", statement, "det J expanded, and 2S = MᵀJM", head.J.determinant() == sign)]


def _cauchy_binet(head: GenericHead) -> list[Step]:
    """``det G = Σ minors²``, multiplied out where that can be afforded."""
    n, N = head.n, head.N
    # A minor has (2n)! terms, and so has det G, each a product of 2n sums of N monomials.
    if comb(N, 2 * n) * factorial(2 * n) ** 2 + factorial(2 * n) * N ** (2 * n) > _AFFORDABLE:
        return []
    minors = head.M.maximal_minors()
    total = head.ring.constant(0)
    for columns in combinations(range(N), 2 * n):
        total = total + minors[columns] * minors[columns]
    holds = (head.M * head.M.transpose()).determinant() == total
    return [Step("Cauchy–Binet", f"det G = Σ d², over the {len(minors)} maximal minors d of M", _expanded(1), holds)]


def _selection(head: GenericHead) -> PolynomialMatrix:
    """``[I 0]``, 2n × N."""
    return constant_matrix(head.ring, [[int(i == j) for j in range(head.N)] for i in range(2 * head.n)])


def _doubling(head: GenericHead) -> PolynomialMatrix:
    """``diag(2, …, 2, 1, …, 1)`` with n twos, N × N."""
    return constant_matrix(
        head.ring, [[(2 if i < head.n else 1) * (i == j) for j in range(head.N)] for i in range(head.N)]
    )


def _expanded(entries: int) -> str:
    return f"{entries} polynomial {'identity' if entries == 1 else 'identities'} multiplied out"
