"""Where the rows of each query and key head stand inside a projection, separate or fused.

In every order met so far the rows of one head are contiguous, so an order is a rule for where each head begins. The
same numbers apply to a bias, and to the columns of a projection stored input dimension first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from verify.errors import LayoutError

#: The number of model-parallel shards that GPT-J's training code froze into CodeGen's tensors.
CODEGEN_SHARDS = 4


class Order(StrEnum):
    """The order of the rows of a fused projection; see :func:`fused_starts`."""

    CAT = "cat"
    HEAD = "head"
    GROUP = "group"
    MP4_QVK = "mp4_qvk"


@dataclass(frozen=True)
class Starts:
    """The first row of every query head and of every key head, and how many rows the projection has in all."""

    query: tuple[int, ...]
    key: tuple[int, ...]
    rows: int


def separate_starts(heads: int, size: int, *, gated: bool = False) -> tuple[tuple[int, ...], int]:
    """First rows of the heads of a separate projection, and its number of rows.

    With ``gated`` each query head is followed by as many rows of an output gate.

    >>> separate_starts(3, 2), separate_starts(2, 4, gated=True)
    (((0, 2, 4), 6), ((0, 8), 16))
    """
    step = 2 * size if gated else size
    return tuple(head * step for head in range(heads)), heads * step


def fused_starts(order: Order, heads: int, kv_heads: int, size: int) -> Starts:
    """First rows of the query and key heads in a fused query-key-value projection.

    ``cat``: all queries, all keys, all values. ``head``: for each head its query, key and value. ``group``: for each
    key head the queries paired with it, then its key and value. ``mp4_qvk``: four shards, each with its share of the
    queries, then of the *values*, then of the keys.

    Args:
        order: which of these.
        heads: query heads H.
        kv_heads: key heads G, a divisor of H.
        size: rows of a head, the same for queries, keys and values.

    Raises:
        LayoutError: the order does not admit these numbers of heads.

    >>> fused_starts(Order.CAT, 2, 1, 4)
    Starts(query=(0, 4), key=(8,), rows=16)
    >>> fused_starts(Order.HEAD, 2, 2, 4)
    Starts(query=(0, 12), key=(4, 16), rows=24)
    >>> fused_starts(Order.GROUP, 4, 2, 1)
    Starts(query=(0, 1, 4, 5), key=(2, 6), rows=8)
    >>> fused_starts(Order.MP4_QVK, 4, 4, 1)
    Starts(query=(0, 3, 6, 9), key=(2, 5, 8, 11), rows=12)
    """
    per_group = heads // kv_heads
    match order:
        case Order.CAT:
            query = tuple(h * size for h in range(heads))
            key = tuple((heads + g) * size for g in range(kv_heads))
            return Starts(query, key, (heads + 2 * kv_heads) * size)
        case Order.HEAD:
            if heads != kv_heads:
                raise LayoutError(
                    f"the order 'head' needs as many key heads as query heads; found {kv_heads} and {heads}"
                )
            step = 3 * size
            return Starts(
                tuple(h * step for h in range(heads)), tuple(h * step + size for h in range(heads)), heads * step
            )
        case Order.GROUP:
            step = (per_group + 2) * size
            query = tuple(h // per_group * step + h % per_group * size for h in range(heads))
            key = tuple(g * step + per_group * size for g in range(kv_heads))
            return Starts(query, key, kv_heads * step)
        case Order.MP4_QVK:
            if heads != kv_heads or heads % CODEGEN_SHARDS:
                raise LayoutError(
                    f"the order 'mp4_qvk' needs heads in {CODEGEN_SHARDS} equal shards, each with its key; "
                    f"found {heads} query and {kv_heads} key heads"
                )
            local = heads // CODEGEN_SHARDS * size
            query = tuple(h * size // local * 3 * local + h * size % local for h in range(heads))
            return Starts(query, tuple(start + 2 * local for start in query), 3 * heads * size)
        case _:
            assert_never(order)
