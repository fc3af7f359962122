"""The floating-point formats in which heads are stored."""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Format:
    """A binary floating-point format.

    Attributes:
        dtype: the torch dtype.
        precision: bits of the significand.
        least: exponent of the smallest subnormal number.
        normal: exponent of the smallest normal number.
        most: exponent of the largest power of two.
    """

    dtype: torch.dtype
    precision: int
    least: int
    normal: int
    most: int


FORMATS = {
    torch.float64: Format(torch.float64, 53, -1074, -1022, 1023),
    torch.float32: Format(torch.float32, 24, -149, -126, 127),
    torch.bfloat16: Format(torch.bfloat16, 8, -133, -126, 127),
    torch.float16: Format(torch.float16, 11, -24, -14, 15),
}
