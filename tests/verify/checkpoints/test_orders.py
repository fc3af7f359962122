import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.orders import Order, fused_starts, separate_starts
from verify.errors import LayoutError


def views(order: Order, rows: torch.Tensor, heads: int, kv_heads: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Queries and keys as the model libraries take them apart: by views, never by row numbers."""
    match order:
        case Order.CAT:
            q, k, _ = rows.split([heads * size, kv_heads * size, kv_heads * size])
            return q.view(heads, size), k.view(kv_heads, size)
        case Order.HEAD:
            fused = rows.view(heads, 3, size)
            return fused[:, 0], fused[:, 1]
        case Order.GROUP:
            fused = rows.view(kv_heads, heads // kv_heads + 2, size)
            return fused[:, :-2].reshape(heads, size), fused[:, -2]
        case Order.MP4_QVK:
            q, _, k = rows.view(4, 3 * heads * size // 4).split(heads * size // 4, dim=-1)
            return q.reshape(heads, size), k.reshape(heads, size)


@given(st.sampled_from(Order), st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))
def test_starts_agree_with_the_views_of_the_model_libraries(order: Order, kv: int, per_group: int, size: int) -> None:
    if order is Order.MP4_QVK:
        kv, per_group = 4 * kv, 1
    if order is Order.HEAD:
        per_group = 1
    heads = kv * per_group
    starts = fused_starts(order, heads, kv, size)
    rows = torch.arange(starts.rows)
    q, k = views(order, rows, heads, kv, size)
    assert q[:, 0].tolist() == list(starts.query)
    assert k[:, 0].tolist() == list(starts.key)
    assert torch.equal(torch.stack([rows[s : s + size] for s in starts.query]), q)
    assert list(starts.query) == sorted(starts.query)


def test_separate_rows() -> None:
    assert separate_starts(3, 4) == ((0, 4, 8), 12)
    assert separate_starts(2, 4, gated=True) == ((0, 8), 16)


@pytest.mark.parametrize(("order", "heads", "kv"), [(Order.HEAD, 4, 2), (Order.MP4_QVK, 6, 6), (Order.MP4_QVK, 8, 4)])
def test_impossible_head_counts_are_refused(order: Order, heads: int, kv: int) -> None:
    with pytest.raises(LayoutError, match=f"the order '{order}' needs"):
        fused_starts(order, heads, kv, 2)
