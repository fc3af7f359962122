"""Eight-bit floating-point weights with scales: each stored number times the scale of its block, in float32.

Two conventions are published: ``weight_scale_inv``, a grid of scales for blocks (DeepSeek-V3), and ``weight_scale``,
one scale for the tensor or for each row (compressed-tensors). The product in float32 is what model libraries compute.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

from verify.checkpoints.files import Part, TensorInfo
from verify.errors import LayoutError

EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2)
#: Rows and columns of a published block; the last one of a tensor may be smaller.
BLOCK = 128


def scale_name(name: str, tensors: Mapping[str, TensorInfo]) -> str | None:
    """The tensor of scales that belongs to a weight, if there is one.

    >>> info = TensorInfo((1, 1), "F32")
    >>> scale_name("q.weight", {"q.weight_scale_inv": info}), scale_name("q.weight", {})
    ('q.weight_scale_inv', None)
    """
    return next((found for found in (f"{name}_scale_inv", f"{name}_scale") if found in tensors), None)


def rescaled(
    values: torch.Tensor, scales: torch.Tensor | None, shape: tuple[int, ...], part: Part | None
) -> torch.Tensor:
    """Some rows of a tensor of eight-bit numbers, in float32.

    Args:
        values: the stored numbers of the rows that were read.
        scales: all scales of the tensor, or None where there are none.
        shape: of the whole tensor.
        part: which rows were read; all by default.

    Raises:
        LayoutError: the scales do not form a grid over the tensor.

    >>> stored = torch.ones(2, 4).to(torch.float8_e4m3fn)
    >>> rescaled(stored, torch.tensor([[1.0, 2.0], [3.0, 4.0]]), (2, 4), None)
    tensor([[1., 1., 2., 2.],
            [3., 3., 4., 4.]])
    """
    if scales is None:
        return values.float()
    if part is not None and part.axis != 0:
        raise LayoutError(
            "eight-bit weights stored input dimension first are not read; dequantise the checkpoint first"
        )
    grid = scales.float()
    if len(shape) != 2 or grid.ndim > 2:
        raise LayoutError(f"scales of shape {list(grid.shape)} do not form a grid over shape {list(shape)}")
    if grid.ndim < 2:
        grid = grid.reshape(-1, 1) if grid.numel() in {1, shape[0]} else grid.reshape(1, -1)
    rows = torch.arange(shape[0]) if part is None else torch.cat([torch.arange(a, b) for a, b in part.spans])
    row_of = rows // _block(shape[0], grid.shape[0])
    column_of = torch.arange(shape[1]) // _block(shape[1], grid.shape[1])
    return values.float() * grid[row_of][:, column_of]


def _block(size: int, cells: int) -> int:
    """How many indices share one of so many scales."""
    if -(-size // BLOCK) == cells:
        return BLOCK
    if cells and size % cells == 0:
        return size // cells
    raise LayoutError(f"{cells} scales do not divide {size} rows or columns, nor are they one for each {BLOCK}")
