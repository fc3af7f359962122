"""Certificate text, read back and multiplied out with Python integers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flint import fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs.errors import HypothesisError, ShapeError
from proofs.kernel_certificates import exact_text, minor_text
from proofs.ranks import rank_with_proof

Table = list[list[int]]


class Reader:
    """The same grammar as the driver of the extracted checker reads."""

    def __init__(self, text: str) -> None:
        self.words: Iterator[str] = iter(text.split())
        assert [next(self.words), next(self.words)] == ["headforms-certificate", "1"]

    def keyword(self, word: str) -> None:
        assert next(self.words) == word

    def numbers(self, count: int) -> list[int]:
        return [int(next(self.words)) for _ in range(count)]

    def section(self, word: str, rows: int, columns: int) -> Table:
        self.keyword(word)
        return [self.numbers(columns) for _ in range(rows)]


def is_inverse(A: Table, columns: Table, modulus: int) -> bool:
    """Whether AW = 1 modulo m, W given by columns: what the checker computes."""
    size = range(len(A))
    return all(
        (sum(a * w for a, w in zip(A[i], columns[j], strict=True)) - (i == j)) % modulus == 0
        for i in size
        for j in size
    )


matrices = st.integers(1, 3).flatmap(
    lambda n: st.integers(1, 7).flatmap(
        lambda N: st.lists(st.lists(st.integers(-3, 3), min_size=N, max_size=N), min_size=2 * n, max_size=2 * n)
    )
)


@given(matrices)
def test_everything_the_checker_multiplies_out_holds(M: Table) -> None:
    n, N = len(M) // 2, len(M[0])
    matrix = fmpz_mat(M)
    proof = rank_with_proof(matrix)
    r, k = proof.rank, 2 * n - proof.rank
    kernel = fmpz_mat(matrix.transpose()).nullspace()[0]
    vectors = [[int(kernel[i, j]) for i in range(2 * n)] for j in range(k)]
    prime, rows, columns = (int(proof.minor.prime), list(proof.minor.rows), list(proof.minor.columns))
    text = exact_text(matrix, rank=r, prime=prime, rows=rows, columns=columns, null_vectors=vectors, exponent=-3)
    reader = Reader(text)
    reader.keyword("exact")
    assert reader.section("head", 1, 2) == [[n, N]]
    assert reader.section("rank", 1, 1) == [[r]]
    assert reader.section("rows", 1, r) == [rows]
    assert reader.section("columns", 1, r) == [columns]
    assert reader.section("modulus", 1, 1) == [[prime]]
    block = [[M[i][j] for j in columns] for i in rows]
    assert is_inverse(block, reader.section("inverse", r, r), prime)
    U = reader.section("null-vectors", k, 2 * n)
    assert U == vectors
    assert not any(sum(u[i] * M[i][j] for i in range(2 * n)) for u in U for j in range(N))
    null_columns = reader.section("null-columns", 1, k)[0]
    modulus = reader.section("null-modulus", 1, 1)[0][0]
    assert is_inverse([[u[j] for j in null_columns] for u in U], reader.section("null-inverse", k, k), modulus)
    P = reader.section("orthogonaliser", k, k)
    modulus = reader.section("orthogonaliser-modulus", 1, 1)[0][0]
    assert is_inverse(P, reader.section("orthogonaliser-inverse", k, k), modulus)
    V = [[sum(p[a] * U[a][i] for a in range(k)) for i in range(2 * n)] for p in P]
    for a in range(k):
        for b in range(a):
            assert sum(V[a][i] * V[b][n + i] + V[a][n + i] * V[b][i] for i in range(n)) == 0
    weights = reader.section("matrix", 2 * n, 2 * N)
    assert [row[::2] for row in weights] == M
    assert {e for row in weights for e in row[1::2]} == {-3}
    assert list(reader.words) == []


def test_the_inverse_of_a_minor() -> None:
    M = [[1, 2, 3, 4], [5, 6, 7, 9]]
    reader = Reader(minor_text(fmpz_mat(M), prime=2**89 - 1, columns=[3, 0]))
    reader.keyword("minor")
    reader.section("head", 1, 2)
    assert reader.section("columns", 1, 2) == [[3, 0]]
    assert reader.section("modulus", 1, 1) == [[2**89 - 1]]
    assert is_inverse([[4, 1], [9, 5]], reader.section("inverse", 2, 2), 2**89 - 1)


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ([0, 1], "the minor vanishes modulo 11: it proves nothing; take another"),
        ([0], "a minor of 2 rows and 1 columns is not square"),
        ([0, 4], "column 4 of the minor: M has 4 columns, counted from 0"),
        ([0, -1], "column -1 of the minor: M has 4 columns, counted from 0"),
    ],
)
def test_a_minor_that_is_none(columns: list[int], found: str) -> None:
    with pytest.raises(HypothesisError, match=f"^{found}$"):
        minor_text(fmpz_mat([[1, 2, 3, 4], [5, 21, 7, 9]]), prime=11, columns=columns)


def test_shapes() -> None:
    with pytest.raises(ShapeError, match=r"^M has 1 rows; it stacks K on Q, so the number is even$"):
        minor_text(fmpz_mat([[1, 2]]), prime=7, columns=[0])
    degenerate = fmpz_mat([[1, 2, 3], [2, 4, 6]])
    with pytest.raises(ShapeError, match=r"^0 null vectors of lengths \[\]: rank 1 and n = 1 ask for 1 of length 2$"):
        exact_text(degenerate, rank=1, prime=7, rows=[0], columns=[0], null_vectors=[])
    with pytest.raises(HypothesisError, match=r"^1 null vectors span only 0 dimensions; give independent ones$"):
        exact_text(degenerate, rank=1, prime=7, rows=[0], columns=[0], null_vectors=[[0, 0]])
