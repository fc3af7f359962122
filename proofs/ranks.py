"""The exact rank of an integer matrix, proved from both sides.

A minor that is nonzero modulo a prime proves the rank from below; integer vectors that annihilate the matrix from
the left prove it from above, where the number of columns does not already. Elimination happens modulo a word-sized
prime only, the null vectors come from one p-adic (Dixon) solution on the pivot block, and both halves are checked by
themselves: no prime has to be lucky for the answer to be right. On 256 × 4096 matrices this is some twenty times
faster than elimination over ℤ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import prod
from typing import NamedTuple

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat

from proofs.errors import InconsistencyError
from proofs.fields import Field, PrimeField
from proofs.matrices import Matrix, integral, pivots, submatrix


class Minor(NamedTuple):
    """A square submatrix whose determinant is nonzero modulo ``prime``."""

    prime: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class RankProof:
    """The rank of a matrix with m rows and what proves it.

    Args:
        rank: the rank r.
        minor: an r × r minor that does not vanish modulo its prime, so that the rank is at least r.
        null_vectors: m − r independent primitive integer vectors u with ``u · matrix = 0``, so that it is at most r.
            Vector number i is supported on the rows of the minor and on one further row, its own. Empty where r is
            the number of columns, which needs no such proof.
    """

    rank: int
    minor: Minor
    null_vectors: tuple[tuple[int, ...], ...]

    def check(self, matrix: fmpz_mat) -> None:
        """Check both halves against the matrix by multiplication and one determinant modulo the prime.

        Raises:
            InconsistencyError: the proof does not hold for this matrix.
        """
        prime, rows, columns = self.minor
        if not fmpz(prime).is_prime() or not len(rows) == len(columns) == self.rank:
            raise InconsistencyError(f"the minor modulo {prime} is no {self.rank} × {self.rank} minor modulo a prime")
        if int(nmod_mat(_block(matrix, rows, columns), prime).det()) == 0:
            raise InconsistencyError(f"the {self.rank} × {self.rank} minor vanishes modulo {prime}")
        if self.rank == matrix.ncols():
            return
        dependent = [i for i in range(matrix.nrows()) if i not in set(rows)]
        if len(self.null_vectors) != len(dependent):
            raise InconsistencyError(f"{len(self.null_vectors)} null vectors; expected {len(dependent)}")
        for own, vector in zip(dependent, self.null_vectors, strict=True):
            if [i for i in dependent if vector[i] != 0] != [own]:
                raise InconsistencyError(f"the null vector of row {own} involves another row outside the minor")
        kernel = fmpz_mat(len(dependent), matrix.nrows(), [x for u in self.null_vectors for x in u])
        if not (kernel * matrix).is_zero():
            raise InconsistencyError("a null vector does not annihilate the matrix")


def word_primes() -> Iterator[int]:
    """The primes below 2⁶², in decreasing order.

    >>> next(word_primes()) == 2**62 - 57
    True
    """
    candidate = 2**62 - 1
    while candidate > 2:
        if fmpz(candidate).is_prime():
            yield candidate
        candidate -= 2


def rank_with_proof(matrix: fmpz_mat, *, coprime_to: int | fmpz = 1) -> RankProof:
    """The exact rank of an integer matrix, with its proof.

    Args:
        matrix: m × N integers of any size.
        coprime_to: primes that divide this number are not used for the minor.

    >>> rank_with_proof(fmpz_mat([[1, 2, 3], [2, 4, 6], [0, 0, 5]])).null_vectors
    ((-2, 1, 0),)
    """
    for prime in word_primes():
        if fmpz(coprime_to) % prime == 0:
            continue
        reduced = nmod_mat(matrix, prime)
        echelon, rank = reduced.rref()
        columns = pivots(echelon, rank)
        restricted = nmod_mat(_block(matrix, range(matrix.nrows()), columns), prime).transpose()
        rows = pivots(restricted.rref()[0], rank)
        minor = Minor(prime, rows, columns)
        if rank == matrix.ncols():
            return RankProof(rank, minor, ())
        kernel = left_kernel(matrix, minor)
        if (kernel * matrix).is_zero():
            vectors = tuple(tuple(int(x) for x in row) for row in kernel.tolist())
            return RankProof(rank, minor, vectors)
        # The rank over ℤ exceeds the one modulo this prime; that happens for finitely many primes.
    raise InconsistencyError("no prime below 2⁶² shows the rank; their product exceeds every minor")  # pragma: no cover


def left_kernel(matrix: fmpz_mat, minor: Minor) -> fmpz_mat:
    """For each row outside the minor its relation with the rows of the minor, as its columns determine it.

    These are primitive integer vectors. They span the left kernel of the matrix if the size of the minor is the rank;
    if the rank is larger, they do not annihilate the matrix.

    >>> matrix = fmpz_mat([[2, 0], [0, 1], [1, 1]])
    >>> left_kernel(matrix, rank_with_proof(matrix).minor)
    [-1, -2, 2]
    """
    _, rows, columns = minor
    dependent = [i for i in range(matrix.nrows()) if i not in set(rows)]
    kernel = fmpz_mat(len(dependent), matrix.nrows())
    if not dependent:
        return kernel
    solution = fmpq_mat(0, len(dependent))
    if rows:
        pivot_block = _block(matrix, rows, columns).transpose()
        solution = fmpq_mat(pivot_block).solve(_block(matrix, dependent, columns).transpose(), "dixon")
    for index, own in enumerate(dependent):
        column = fmpq_mat(len(rows), 1, [solution[i, index] for i in range(len(rows))])
        numerators, denominator = column.numer_denom()
        kernel[index, own] = denominator
        for i, row in enumerate(rows):
            kernel[index, row] = -numerators[i, 0]
    return kernel


def _block(matrix: fmpz_mat, rows: Sequence[int], columns: Sequence[int]) -> fmpz_mat:
    return fmpz_mat(len(rows), len(columns), [matrix[i, j] for i in rows for j in columns])


def rank_over(field: Field, matrix: Matrix) -> RankProof:
    """The rank of a matrix over ℚ or F_p, with its proof.

    Over F_p the prime of the minor is p and the null vectors are residues in [0, p); over ℚ the prime divides no
    denominator and no row content, and the null vectors are primitive integer vectors.

    >>> from proofs.fields import QQ
    >>> rank_over(QQ, QQ.matrix([["1/2", 1], ["1/3", "2/3"]])).null_vectors
    ((-2, 3),)
    """
    if isinstance(field, PrimeField):
        echelon, rank = matrix.rref()
        columns = pivots(echelon, rank)
        restricted = submatrix(field, matrix, range(matrix.nrows()), columns)
        minor = Minor(field.p, pivots(restricted.transpose().rref()[0], rank), columns)
        kernel = fmpz_mat(0, 0) if rank == matrix.ncols() else left_kernel_over(field, matrix, minor)
        return RankProof(rank, minor, tuple(tuple(int(x) for x in row) for row in kernel.tolist()))
    whole, denominator = integral(matrix)
    if denominator == 1:  # making rows primitive costs more than it saves where there is nothing to clear
        return rank_with_proof(whole)
    integers, factors = primitive_rows(matrix)
    bad = prod((numerator * denominator for numerator, denominator in factors), start=fmpz(1))
    proof = rank_with_proof(integers, coprime_to=bad)
    kernel = _unscale(fmpz_mat(len(proof.null_vectors), matrix.nrows(), list(chain(*proof.null_vectors))), factors)
    return RankProof(proof.rank, proof.minor, tuple(tuple(int(x) for x in row) for row in kernel.tolist()))


def left_kernel_over(field: Field, matrix: Matrix, minor: Minor) -> Matrix:
    """:func:`left_kernel` over a field: a basis of the left kernel, given a nonzero minor of the size of the rank.

    >>> from proofs.fields import GF
    >>> F = GF(5)
    >>> matrix = F.matrix([[1, 2], [2, 4], [3, 0]])
    >>> left_kernel_over(F, matrix, rank_over(F, matrix).minor)
    [3, 1, 0]
    """
    if not isinstance(field, PrimeField):
        integers, factors = primitive_rows(matrix)
        return fmpq_mat(_unscale(left_kernel(integers, minor), factors))
    _, rows, columns = minor
    dependent = [i for i in range(matrix.nrows()) if i not in set(rows)]
    block = submatrix(field, matrix, rows, columns).transpose()
    solution = block.solve(submatrix(field, matrix, dependent, columns).transpose())
    kernel = field.zeros(len(dependent), matrix.nrows())
    for index, own in enumerate(dependent):
        kernel[index, own] = field(1)
        for i, row in enumerate(rows):
            kernel[index, row] = -solution[i, index]
    return kernel


def _unscale(kernel: fmpz_mat, factors: Sequence[tuple[fmpz, fmpz]]) -> fmpz_mat:
    """The primitive left null vectors of ``diag(factors) · A`` from those of A."""
    result = fmpz_mat(kernel.nrows(), kernel.ncols())
    for i in range(kernel.nrows()):
        support = [j for j in range(kernel.ncols()) if kernel[i, j] != 0]
        values = [fmpq(kernel[i, j]) * fmpq(factors[j][1], factors[j][0]) for j in support]
        integers, _ = fmpq_mat(1, len(values), values).numer_denom()
        content = reduce(lambda a, b: a.gcd(b), integers.entries(), fmpz(0))
        for j, x in zip(support, integers.entries(), strict=True):
            result[i, j] = x // content
    return result


def primitive_rows(matrix: Matrix) -> tuple[fmpz_mat, list[tuple[fmpz, fmpz]]]:
    """A rational matrix as positive rational multiples of primitive integer rows.

    Returns:
        The integer matrix (a zero row stays zero) and for each row the factor as (numerator, denominator).

    >>> from proofs.fields import QQ
    >>> primitive_rows(QQ.matrix([["2/3", "4/3"], [0, 0]]))
    ([1, 2]
    [0, 0], [(2, 3), (1, 1)])
    """
    integers, denominator = integral(matrix)
    factors = []
    for i in range(integers.nrows()):
        content = fmpz(0)
        for j in range(integers.ncols()):
            content = content.gcd(integers[i, j])
            if content == 1:
                break
        if content == 0:
            factors.append((fmpz(1), fmpz(1)))
            continue
        if content != 1:
            for j in range(integers.ncols()):
                integers[i, j] = integers[i, j] // content
        common = content.gcd(denominator)
        factors.append((content // common, denominator // common))
    return integers, factors
