"""Stored heads: batches of floating-point numbers from every stratum, and the exact head they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import torch
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.heads import Head
from verify.errors import ShapeError
from verify.heads import HeadBatch
from verify.strategies.arguments import argument, check_sizes, lazily, require, size_argument
from verify.strategies.formats import FORMATS
from verify.strategies.rows import Rows
from verify.strategies.strata import STRATA


def exact(batch: HeadBatch, *, index: int = 0) -> Head:
    """The exact rational head that one head of a batch stores: every finite float is a fraction.

    Args:
        batch: stored heads, all finite.
        index: which of them.

    Raises:
        ShapeError: the batch has no such head.

    >>> batch = HeadBatch(torch.tensor([[[0.5, 3.0]]]), torch.tensor([[[1.0, 0.0]]]))
    >>> exact(batch).Q
    [1/2, 3]
    """
    if not 0 <= index < batch.heads:
        raise ShapeError(f"index={index}: the batch has {batch.heads} heads, counted from 0")
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


def check_dtype(name: str, value: object) -> None:
    """A dtype must be one of those that are stored exactly."""
    require(
        isinstance(value, torch.dtype) and value in FORMATS,
        f"{name}={value!r} is not supported; pass one of {', '.join(map(str, FORMATS))}",
    )


def _check_stratum(name: str, value: object) -> None:
    require(isinstance(value, str) and value in STRATA, f"{name}={value!r} is unknown; pass one of {', '.join(STRATA)}")


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
        check_sizes(max_n=max_n)
        check_sizes(max_N=max_N, least=1)
        return st.tuples(
            argument("dtype", dtype, check_dtype, default=st.sampled_from(list(FORMATS))),
            size_argument("n", n, default=st.none()),
            size_argument("N", N, default=st.none(), least=1),
        ).flatmap(lambda drawn: of_stratum(*drawn))

    def of_stratum(kind: torch.dtype, rows: int | None, width: int | None) -> SearchStrategy[HeadBatch]:
        # Every size has a stratum: n = 0, or small integers.
        names = [name for name in STRATA if _sizes(name, rows, width, max_n, max_N)]
        return argument("stratum", stratum, _check_stratum, default=st.sampled_from(names)).flatmap(
            lambda name: of_size(kind, name, rows, width)
        )

    def of_size(kind: torch.dtype, name: str, rows: int | None, width: int | None) -> SearchStrategy[HeadBatch]:
        sizes = _sizes(name, rows, width, max_n, max_N)
        asked = f"n={'any' if rows is None else rows}, N={'any' if width is None else width}"
        require(
            bool(sizes),
            f"no head of stratum {name!r} ({STRATA[name].description}) has {asked} with n ≤ {max_n}, N ≤ {max_N} where "
            "not given; pass other sizes or raise max_n or max_N",
        )
        return _batches(kind, name, sizes)

    return lazily(build)
