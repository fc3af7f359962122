"""The law of ranks against the count of all matrices."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
import torch
from flint import nmod_mat

from proofs.locus import condition
from verify.ensembles import ENSEMBLES, Frequency
from verify.ensembles.finite import rank_law
from verify.errors import FieldError, HypothesisError


@pytest.mark.parametrize(("rows", "columns", "q"), [(2, 2, 3), (2, 3, 3), (1, 4, 5), (4, 2, 3), (2, 2, 7)])
def test_the_law_of_the_rank_by_enumeration(rows: int, columns: int, q: int) -> None:
    every = product(range(q), repeat=rows * columns)
    counts = Counter(nmod_mat(rows, columns, list(entries), q).rank() for entries in every)
    total = q ** (rows * columns)
    assert rank_law(rows, columns, q) == {rank: Fraction(count, total) for rank, count in counts.items()}


@pytest.mark.parametrize(("n", "N", "q"), [(1, 2, 3), (4, 16, 3), (3, 5, 11)])
def test_expectations(n: int, N: int, q: int) -> None:
    found = ENSEMBLES["finite-field"].expectations(n=n, N=N, parameters={"q": q})
    chances = {e.statistic: e.value for e in found}
    if 2 * n <= N:
        assert chances[Frequency("rank", 2 * n)] == Fraction(str(condition(n, N).share(q)))
    assert 1 - Fraction(1, 10**9) < sum(chances.values()) <= 1


def test_residues_are_uniform() -> None:
    batch = ENSEMBLES["finite-field"].sample(5000, n=2, N=4, parameters={"q": 5})
    shares = torch.bincount(batch.stacked().to(torch.int64).flatten()) / batch.stacked().numel()
    assert torch.allclose(shares, torch.full((5,), 0.2), atol=0.01)


@pytest.mark.parametrize("q", [2, 1, 3.5, float("nan"), float("inf"), 2**31 + 11])
def test_what_is_no_odd_prime(q: float) -> None:
    with pytest.raises(HypothesisError, match="an odd prime q below 2³¹, not"):
        ENSEMBLES["finite-field"].expectations(n=1, N=2, parameters={"q": q})


def test_composite_numbers() -> None:
    with pytest.raises(FieldError, match="9"):
        ENSEMBLES["finite-field"].sample(2, n=1, N=2, parameters={"q": 9})


@pytest.mark.parametrize(("dtype", "q"), [(torch.bfloat16, 257), (torch.float16, 2053)])
def test_residues_that_a_type_cannot_hold(dtype: torch.dtype, q: int) -> None:
    fits = {torch.bfloat16: 251, torch.float16: 2039}[dtype]
    batch = ENSEMBLES["finite-field"].sample(500, n=2, N=4, dtype=dtype, parameters={"q": fits})
    assert torch.equal(
        batch.stacked(), ENSEMBLES["finite-field"].sample(500, n=2, N=4, parameters={"q": fits}).stacked()
    )
    with pytest.raises(HypothesisError, match="cannot hold the residues"):
        ENSEMBLES["finite-field"].sample(2, n=1, N=2, dtype=dtype, parameters={"q": q})
