"""Certificates as text for the checker extracted from the machine-checked development.

``proofs/rocq/checker`` holds a program that the Rocq kernel has proved sound: if it accepts a certificate then the
head is nondegenerate (:func:`minor_text`), or has the rank and the signature it prints (:func:`exact_text`);
:func:`proof_text` takes the proof of an audit record, of whatever kind, and :func:`read_answer` what the program
prints. The program checks products, it does not search, so this module adds to the claim of an audit record what
makes it cheap to check: an inverse of each minor modulo the prime, and a basis change that makes the null vectors
J-orthogonal. Nothing here has to be trusted: a wrong certificate is refused. The format is described at the head of
``checker/check.ml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from flint import fmpz, fmpz_mat, fmpz_mod_ctx, fmpz_mod_mat, nmod_mat

from proofs.errors import HypothesisError, ShapeError
from proofs.fields import QQ
from proofs.forms import Form
from proofs.matrices import integral, pivots
from proofs.ranks import Minor, left_kernel, word_primes

#: The first modulus tried for the inverses of the auxiliary matrices.
PRIME = 2**31 - 1


def proof_text(proof: Mapping[str, Any], matrix: fmpz_mat, *, exponent: int = 0) -> str:
    """The certificate of what the proof of an audit record claims.

    The soundness of a ``cholesky`` proof is a matter of floating-point arithmetic: the same claim, rank 2n, is proved
    again by a minor.

    Args:
        proof: the ``proof`` of a record, of kind ``cholesky``, ``minor`` or ``exact``.
        matrix: integers, the rows of K on top of those of Q.
        exponent: of the power of two by which ``matrix`` is multiplied.

    Raises:
        ShapeError, HypothesisError: as :func:`minor_text` and :func:`exact_text`; or no minor is found.

    >>> text = proof_text({"kind": "cholesky", "bound": "0x1p-50"}, fmpz_mat([[1, 0, 0], [1, 2, 0]]))
    >>> text.splitlines()[1:5]
    ['minor', 'head 1 3', 'columns 0 1', 'modulus 2147483647']
    """
    if proof["kind"] == "exact":
        return exact_text(
            matrix,
            rank=proof["rank"],
            prime=proof["prime"],
            rows=proof["rows"],
            columns=proof["columns"],
            null_vectors=[[fmpz(x) for x in u] for u in proof["null_vectors"]],
            exponent=exponent,
        )
    if proof["kind"] == "minor":
        return minor_text(matrix, prime=proof["prime"], columns=proof["columns"], exponent=exponent)
    prime, columns = _maximal_minor(matrix)
    return minor_text(matrix, prime=prime, columns=columns, exponent=exponent)


def read_answer(line: str) -> tuple[int, tuple[int, int, int]] | None:
    """The rank of M and the signature of S that the checker has proved; None where it has proved nothing.

    >>> read_answer("proved: rank 64, signature (32, 32, 320)")
    (64, (32, 32, 320))
    """
    found = re.fullmatch(r"proved: rank (\d+), signature \((\d+), (\d+), (\d+)\)", line.strip())
    if found is None:
        return None
    rank, positive, negative, zero = map(int, found.groups())
    return rank, (positive, negative, zero)


def minor_text(matrix: fmpz_mat, *, prime: int, columns: Sequence[int], exponent: int = 0) -> str:
    """The certificate that ``M = matrix · 2^exponent``, 2n × N, has rank 2n.

    Args:
        matrix: integers, the rows of K on top of those of Q.
        prime: a modulus by which the minor is not divisible.
        columns: the 2n columns of the minor.
        exponent: any integer.

    Raises:
        ShapeError: an odd number of rows.
        HypothesisError: an index out of range, not 2n columns, or a minor that vanishes modulo ``prime``: no proof.

    >>> print(minor_text(fmpz_mat([[1, 0, 0], [1, 2, 0]]), prime=7, columns=[0, 1], exponent=-1))
    headforms-certificate 1
    minor
    head 1 3
    columns 0 1
    modulus 7
    inverse
    1 3
    0 4
    matrix
    1 -1 0 -1 0 -1
    1 -1 2 -1 0 -1
    """
    n = _half(matrix)
    lines = ["minor", f"head {n} {matrix.ncols()}"]
    lines += [_numbers("columns", columns), f"modulus {prime}"]
    lines += ["inverse", *_inverse_columns(_block(matrix, range(2 * n), columns), prime)]
    return _text(lines, matrix, exponent)


def exact_text(
    matrix: fmpz_mat,
    *,
    rank: int,
    prime: int,
    rows: Sequence[int],
    columns: Sequence[int],
    null_vectors: Sequence[Sequence[int | fmpz]],
    exponent: int = 0,
) -> str:
    """The certificate of the rank of M and of the signature of S, for a degenerate or a big head.

    Args:
        matrix, exponent: as in :func:`minor_text`.
        rank, prime, rows, columns: the rank r of M and an r × r minor that is not divisible by ``prime``.
        null_vectors: the 2n − r independent left null vectors of M, in integers. A record of a big head with
            ``r = N`` has none, since that rank needs no upper bound; they are computed here.

    Raises:
        ShapeError: an odd number of rows, or not 2n − r null vectors of length 2n.
        HypothesisError: an index out of range, a minor that vanishes modulo ``prime``, or dependent null vectors.

    >>> text = exact_text(
    ...     fmpz_mat([[1, 2], [1, 2]]), rank=1, prime=7, rows=[0], columns=[0], null_vectors=[[1, -1]]
    ... )
    >>> text.splitlines()[3:11]
    ['rank 1', 'rows 0', 'columns 0', 'modulus 7', 'inverse', '1', 'null-vectors', '1 -1']
    """
    n = _half(matrix)
    k = 2 * n - rank
    inverse = list(_inverse_columns(_block(matrix, rows, columns), prime))
    if rank == matrix.ncols() and not null_vectors:
        kernel = left_kernel(matrix, Minor(prime, tuple(rows), tuple(columns)))
        null_vectors = [[int(x) for x in u] for u in kernel.tolist()]
    if len(null_vectors) != k or any(len(u) != 2 * n for u in null_vectors):
        raise ShapeError(
            f"{len(null_vectors)} null vectors of lengths {sorted({len(u) for u in null_vectors})}: "
            f"rank {rank} and n = {n} ask for {k} of length {2 * n}"
        )
    vectors = fmpz_mat(k, 2 * n, [x for u in null_vectors for x in u])
    echelon, independent = QQ.matrix(vectors).rref()
    if independent < k:
        raise HypothesisError(f"{k} null vectors span only {independent} dimensions; give independent ones")
    null_columns = pivots(echelon, k)
    orthogonaliser = _orthogonaliser(vectors, n)
    lines = ["exact", f"head {n} {matrix.ncols()}", f"rank {rank}"]
    lines += [_numbers("rows", rows), _numbers("columns", columns), f"modulus {prime}"]
    lines += ["inverse", *inverse, "null-vectors", *_rows(vectors)]
    for name, heading, square in (
        ("null", [_numbers("null-columns", null_columns)], _block(vectors, range(k), null_columns)),
        ("orthogonaliser", ["orthogonaliser", *_rows(orthogonaliser)], orthogonaliser),
    ):
        modulus = _modulus(square)
        lines += [*heading, f"{name}-modulus {modulus}", f"{name}-inverse", *_inverse_columns(square, modulus)]
    return _text(lines, matrix, exponent)


def _maximal_minor(matrix: fmpz_mat) -> tuple[int, tuple[int, ...]]:
    """A prime and columns such that the minor on them is not divisible by it."""
    primes = [PRIME, *islice(word_primes(), 3)]
    for prime in primes:
        echelon, rank = nmod_mat(matrix, prime).rref()
        if rank == matrix.nrows():
            return prime, pivots(echelon, rank)
    raise HypothesisError(
        f"every maximal minor vanishes modulo {', '.join(map(str, primes))}: rank M = 2n has no proof"
    )


def _half(matrix: fmpz_mat) -> int:
    if matrix.nrows() % 2:
        raise ShapeError(f"M has {matrix.nrows()} rows; it stacks K on Q, so the number is even")
    return int(matrix.nrows()) // 2


def _block(matrix: fmpz_mat, rows: Sequence[int], columns: Sequence[int]) -> fmpz_mat:
    """The chosen square submatrix; an index out of range is refused."""
    if len(rows) != len(columns):
        raise HypothesisError(f"a minor of {len(rows)} rows and {len(columns)} columns is not square")
    for name, indices, bound in (("row", rows, matrix.nrows()), ("column", columns, matrix.ncols())):
        if outside := [i for i in indices if not 0 <= i < bound]:
            raise HypothesisError(f"{name} {outside[0]} of the minor: M has {bound} {name}s, counted from 0")
    return fmpz_mat(len(rows), len(columns), [matrix[i, j] for i in rows for j in columns])


def _inverse_columns(square: fmpz_mat, modulus: int) -> Iterator[str]:
    """The inverse modulo a prime, one column a line."""
    size = square.nrows()
    if size == 0:
        return iter(())
    context = fmpz_mod_ctx(modulus)
    try:
        inverse = fmpz_mod_mat(square, context).inv()
    except ZeroDivisionError as error:
        raise HypothesisError(f"the minor vanishes modulo {modulus}: it proves nothing; take another") from error
    return (" ".join(str(inverse[i, j]) for i in range(size)) for j in range(size))


def _modulus(square: fmpz_mat) -> int:
    """A prime at which a matrix with nonzero determinant is invertible; a short one where it serves."""
    determinant = int(square.det())
    return next(p for p in chain([PRIME], word_primes()) if determinant % p)


def _orthogonaliser(vectors: fmpz_mat, n: int) -> fmpz_mat:
    """An invertible integer matrix P such that ``(PU)J(PU)ᵀ`` is diagonal, U the rows of ``vectors``."""
    k = vectors.nrows()
    first = fmpz_mat(k, n, [vectors[i, j] for i in range(k) for j in range(n)])
    second = fmpz_mat(k, n, [vectors[i, n + j] for i in range(k) for j in range(n)])
    gram = first * second.transpose()
    basis = Form(QQ.matrix(gram + gram.transpose())).diagonalisation.P.transpose()
    # A multiple of a row keeps the diagonal shape: clear the denominators of each row by itself.
    rows = [integral(QQ.matrix([row]))[0].tolist()[0] for row in basis.tolist()]
    return fmpz_mat(k, k, [x for row in rows for x in row])


def _numbers(keyword: str, values: Iterable[int]) -> str:
    return " ".join([keyword, *map(str, values)])


def _rows(matrix: fmpz_mat) -> Iterator[str]:
    return (" ".join(map(str, row)) for row in matrix.tolist())


def _text(lines: Sequence[str], matrix: fmpz_mat, exponent: int) -> str:
    weights = (" ".join(f"{x} {exponent}" for x in row) for row in matrix.tolist())
    return "\n".join(["headforms-certificate 1", *lines, "matrix", *weights])
