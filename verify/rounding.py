"""Rigorous bounds for floating-point arithmetic, after Higham, *Accuracy and Stability of Numerical Algorithms*, ch. 3.

Everything here is an *upper* bound in the sense of proofs: each elementary operation of the bound itself is rounded
upwards by one unit in the last place, so that no bound is lost to its own rounding.

The only assumption on the hardware and its libraries: a float64 matrix product computes every entry as a sum of its
products in *some* order, each operation rounded to nearest (fused or not), and a product or a scaled entry that
underflows is off by at most the smallest normal number. Strassen-like and emulated products are excluded.
"""

from __future__ import annotations

import math

import torch

#: Unit roundoff of float64 and its smallest normal number.
UNIT_ROUNDOFF = 2.0**-53
SMALLEST_NORMAL = 2.0**-1022


def up(x: torch.Tensor) -> torch.Tensor:
    """The next float64 above ``x``: turns the rounded result of one operation into an upper bound of the exact one.

    >>> float(up(torch.tensor(1.0, dtype=torch.float64))) > 1.0
    True
    """
    return torch.nextafter(x, torch.full_like(x, math.inf))


def gamma(k: int) -> float:
    """``γ_k = ku / (1 − ku)``, rounded upwards: the relative error of a k-term dot product in any order (Higham 3.1).

    >>> gamma(1) >= 2.0 ** -53
    True
    """
    ku = k * UNIT_ROUNDOFF  # exact: k is an integer below 2**53 and u a power of two
    if ku >= 0.5:
        raise OverflowError(f"dot products of {k} terms have no useful float64 error bound")
    return math.nextafter(ku / math.nextafter(1.0 - ku, 0.0), math.inf)


def sum_up(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """An upper bound of the exact sum of the non-negative entries of ``x`` along ``dim``."""
    return scale_up(x.sum(dim), 1.0 + 2.0 * gamma(max(x.shape[dim], 1)))


def scale_up(x: torch.Tensor, factor: float) -> torch.Tensor:
    """An upper bound of ``factor · x`` for non-negative ``x``."""
    return up(x * factor)


def add_up(*terms: torch.Tensor) -> torch.Tensor:
    """An upper bound of the exact sum of non-negative terms."""
    total = terms[0]
    for term in terms[1:]:
        total = up(total + term)
    return total


def frobenius_up(x: torch.Tensor) -> torch.Tensor:
    """An upper bound of the Frobenius norm over the last two dimensions.

    Squares that underflow are covered by one smallest normal number per entry.
    """
    entries = x.shape[-1] * x.shape[-2]
    squares = sum_up(x.square().flatten(-2)) + entries * SMALLEST_NORMAL
    return up(torch.sqrt(up(squares)))


def scale_rows(M: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Scale each row by a power of two so that its largest entry lies in [½, 1).

    Args:
        M: ``(…, rows, N)`` float64, finite.

    Returns:
        The scaled matrix and the exponents ``e`` (int64, ``(…, rows)``) with ``M = diag(2^e) · scaled``. Scaling is
        exact up to underflow: an entry is off by at most the smallest normal number. Zero rows keep exponent 0.

    >>> scaled, e = scale_rows(torch.tensor([[3.0, 1.0], [0.0, 0.0]], dtype=torch.float64))
    >>> scaled.tolist(), e.tolist()
    ([[0.75, 0.25], [0.0, 0.0]], [2, 0])
    """
    largest = M.abs().amax(-1) if M.shape[-1] else M.new_zeros(M.shape[:-1])
    exponents = torch.frexp(largest).exponent.to(torch.int64)
    return shift(M, -exponents.unsqueeze(-1)), exponents


def shift(x: torch.Tensor, exponent: torch.Tensor | int) -> torch.Tensor:
    """``x · 2^exponent``, exact up to underflow, for exponents between −2044 and 2044.

    Two factors, since one alone may leave the float64 range, each built from its bits: ``pow`` is not exact on every
    device.
    """
    e = torch.as_tensor(exponent, dtype=torch.int64, device=x.device)
    first = torch.div(e, 2, rounding_mode="floor")
    return x * _power_of_two(first) * _power_of_two(e - first)


def _power_of_two(e: torch.Tensor) -> torch.Tensor:
    return ((e + 1023) << 52).view(torch.float64)


def times_power_of_two(x: float, exponent: int) -> float | None:
    """``x · 2^exponent``; None if it overflows or a nonzero number underflows to zero.

    >>> times_power_of_two(1.5, 2), times_power_of_two(1.0, 2000), times_power_of_two(1.0, -2000)
    (6.0, None, None)
    """
    try:
        result = math.ldexp(x, exponent)
    except OverflowError:
        return None
    return None if result == 0 and x != 0 else result
