"""Stored heads: batches of floating-point numbers from every stratum, and the exact head they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.heads import Head
from verify.heads import HeadBatch
from verify.strategies.arithmetic import as_strategy, check_size, lazily, require
from verify.strategies.strata import FORMATS, STRATA, Rows


def exact(batch: HeadBatch, index: int = 0) -> Head:
    """The exact rational head that one head of a batch stores: every finite float is a fraction.

    >>> batch = HeadBatch(torch.tensor([[[0.5, 3.0]]]), torch.tensor([[[1.0, 0.0]]]))
    >>> exact(batch).Q
    [1/2, 3]
    """
    tables = ([[Fraction(x) for x in row] for row in X[index].to(torch.float64).tolist()] for X in (batch.Q, batch.K))
    return Head.of(*tables, N=batch.N)


@st.composite
def _batches(draw: st.DrawFn, dtype: torch.dtype, name: str, sizes: Sequence[tuple[int, int]]) -> HeadBatch:
    n = draw(st.sampled_from(sorted({rows for rows, _ in sizes})))
    N = draw(st.sampled_from([width for rows, width in sizes if rows == n]))
    rows = STRATA[name].build(draw, n, N, FORMATS[dtype])
    K, Q = _tensor(rows[:n], N, dtype), _tensor(rows[n:], N, dtype)
    return HeadBatch(Q, K, provenance={"stratum": name})


def _tensor(rows: Rows, N: int, dtype: torch.dtype) -> torch.Tensor:
    return torch.tensor(rows, dtype=torch.float64).reshape(1, len(rows), N).to(dtype)


@lru_cache
def _sizes(name: str, n: int | None, N: int | None, max_n: int, max_N: int) -> list[tuple[int, int]]:
    ns = range(max_n + 1) if n is None else [n]
    Ns = range(1, max_N + 1) if N is None else [N]
    return [(a, b) for a in ns for b in Ns if STRATA[name].fits(a, b)]


def float_heads(
    *,
    dtype: torch.dtype | SearchStrategy[torch.dtype] | None = None,
    stratum: str | SearchStrategy[str] | None = None,
    n: int | SearchStrategy[int] | None = None,
    N: int | SearchStrategy[int] | None = None,
    max_n: int = 3,
    max_N: int = 8,
) -> SearchStrategy[HeadBatch]:
    """Batches of one stored head, from a stratum that ``provenance["stratum"]`` names.

    Ranks are exact by construction: nothing is rounded on the way to the dtype. :func:`exact` gives the head as
    rational numbers.

    Args:
        dtype: float64, float32, bfloat16, float16, or a strategy of them; drawn from all four if not given.
        stratum: a name of :data:`STRATA`, or a strategy of names; drawn from all that have heads of the given size.
        n: head dimension; drawn up to ``max_n`` if not given.
        N: width; drawn up to ``max_N`` if not given.
        max_n: bound of a drawn n.
        max_N: bound of a drawn N.

    Raises:
        InvalidArgument: an unknown dtype or stratum, or a stratum without heads of that size.

    >>> from hypothesis import find
    >>> batch = find(float_heads(stratum="near_degenerate", dtype=torch.float16), lambda batch: True)
    >>> (batch.n, batch.N, str(batch.Q.dtype))
    (1, 2, 'torch.float16')
    """

    def build() -> SearchStrategy[HeadBatch]:
        for name, value, least in (("n", n, 0), ("N", N, 1), ("max_n", max_n, 0), ("max_N", max_N, 1)):
            check_size(name, value, least=least)
        return st.tuples(
            as_strategy(dtype, st.sampled_from(list(FORMATS))),
            as_strategy(n, st.none()),
            as_strategy(N, st.none()),
        ).flatmap(lambda drawn: of_stratum(*drawn))

    def of_stratum(kind: Any, rows: int | None, width: int | None) -> SearchStrategy[HeadBatch]:
        require(kind in FORMATS, f"dtype={kind!r} is not supported; pass one of {', '.join(map(str, FORMATS))}")
        names = [name for name in STRATA if _sizes(name, rows, width, max_n, max_N)]
        return as_strategy(stratum, st.sampled_from(names) if names else st.just("")).flatmap(
            lambda name: of_size(kind, name, rows, width)
        )

    def of_size(kind: torch.dtype, name: str, rows: int | None, width: int | None) -> SearchStrategy[HeadBatch]:
        require(name in STRATA, f"stratum={name!r} is unknown; pass one of {', '.join(STRATA)}")
        sizes = _sizes(name, rows, width, max_n, max_N)
        asked = f"n={'any' if rows is None else rows}, N={'any' if width is None else width}"
        require(
            bool(sizes),
            f"no head of stratum {name!r} ({STRATA[name].description}) has {asked} with n ≤ {max_n}, N ≤ {max_N} where "
            "not given; pass other sizes or raise max_n or max_N",
        )
        return _batches(kind, name, sizes)

    return lazily(build)
