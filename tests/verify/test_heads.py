"""Batches refuse what does not fit together, and convert exactly."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from verify.dyadic import ExactRows
from verify.errors import ShapeError, SourceError
from verify.heads import HeadBatch, HeadId
from verify.verdicts import prove


@pytest.mark.parametrize(
    ("Q", "K", "message"),
    [
        (torch.eye(2), torch.eye(2), r"single matrices of shape \(2, 2\) and \(2, 2\).*unsqueeze"),
        (torch.ones(1, 2, 3), torch.ones(2, 2, 3), "repeat each key head for its query heads"),
        (torch.ones(1, 2, 3), torch.ones(1, 2, 4), r"both must be \(heads, n, N\)"),
        (torch.ones(1, 2, 3).int(), torch.ones(1, 2, 3).int(), "one dtype among float64, float32, bfloat16, float16"),
        (torch.ones(1, 2, 3), torch.ones(1, 2, 3).double(), "Q is torch.float32 and K torch.float64"),
    ],
)
def test_what_does_not_fit_is_refused(Q: torch.Tensor, K: torch.Tensor, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        HeadBatch(Q, K)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(2)[None], "Q is a numpy.ndarray; give a dense torch tensor"),
        ([[[1.0]]], "Q is a builtins.list"),
        (None, "Q is a builtins.NoneType"),
        (torch.ones(1, 2, 3, device="meta"), "on meta"),
        (torch.ones(1, 2, 3).to_sparse(), "layout torch.sparse_coo"),
    ],
)
def test_only_tensors_with_numbers_in_them(matrix: object, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        HeadBatch(matrix, matrix)  # type: ignore[arg-type]


def test_gradients_are_left_behind() -> None:
    parameter = torch.nn.Parameter(torch.eye(2, 5)[None])
    batch = HeadBatch(parameter, parameter)
    assert not batch.Q.requires_grad
    assert prove(batch)[0].verdict == "refuted"


def test_batches_compare_by_identity() -> None:
    Q = torch.ones(1, 1, 3)
    one, other = HeadBatch(Q, Q), HeadBatch(Q, Q)
    assert one == one  # noqa: PLR0124
    assert one != other
    assert len({one, other}) == 2


def test_devices_that_are_not_there() -> None:
    with pytest.raises(SourceError, match="device 'warp' cannot be used"):
        HeadBatch(torch.ones(1, 1, 3), torch.ones(1, 1, 3)).to("warp")


def test_ids_are_counted() -> None:
    with pytest.raises(ShapeError, match="1 head ids for 2 heads"):
        HeadBatch(torch.ones(2, 1, 3), torch.ones(2, 1, 3), (HeadId("decoder", 0, 0, 0),))


def test_exact_rows_come_with_their_bound() -> None:
    Q = torch.ones(2, 1, 3)
    rows = ExactRows.of(np.ones((2, 3)))
    with pytest.raises(ShapeError, match="give both or neither"):
        HeadBatch(Q, Q, exact=(lambda: rows, lambda: rows))
    with pytest.raises(ShapeError, match="1 exact heads, 2 bounds for 2 heads"):
        HeadBatch(Q, Q, exact=(lambda: rows,), rounding=torch.zeros(2))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_stacking_is_exact_and_puts_keys_on_top(dtype: torch.dtype) -> None:
    smallest = torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    Q = torch.tensor([[[1.0, smallest, torch.finfo(dtype).max]]], dtype=dtype)
    K = torch.tensor([[[0.1, -smallest, 3.0]]], dtype=dtype)
    M = HeadBatch(Q, K).stacked()
    assert M.dtype == torch.float64
    assert M[0].tolist() == [K[0, 0].tolist(), Q[0, 0].tolist()]
    assert M[0, 1, 1] > 0


def test_selection_keeps_names_and_exact_rows_together() -> None:
    rows = [ExactRows.of(np.full((2, 3), float(i))) for i in range(3)]
    Q = torch.arange(3.0).reshape(3, 1, 1).expand(3, 1, 3)
    bounds = torch.tensor([0.0, 0.1, 0.2])
    batch = HeadBatch(Q, Q, exact=tuple((lambda r=r: r) for r in rows), rounding=bounds)
    chosen = batch.select([2, 0])
    assert [head.head for head in chosen.ids] == [2, 0]
    assert chosen.exact_rows(0) is rows[2]
    assert chosen.rounding.tolist() == bounds[[2, 0]].tolist()
    assert batch.exact_rows(1).integers[0, 0] == 1


def test_the_roundoff_is_that_of_what_was_stored() -> None:
    Q = torch.ones(1, 1, 3)
    assert HeadBatch(Q, Q).roundoff == 2.0**-24
    assert HeadBatch(Q, Q, stored_dtype=torch.bfloat16).roundoff == 2.0**-8
