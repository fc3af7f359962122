"""What can be measured of a sample of heads: a statistic of a column, a column being a number for every head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

#: The columns by name, as a formula. ``signature`` has three numbers a head.
COLUMNS = {
    "rank": "rank M",
    "signature": "signature",
    "majority": "sign(n₊ − n₋)",
    "score": "‖L‖²",
    "symmetric": "‖S‖²",
    "hyperbolic": "2⟨α,β⟩",
    "positive": "‖(α−β)₊‖²",
    "negative": "‖(α−β)₋‖²",
    "trace": "tr L",
    "share": "‖S‖²/‖L‖²",
    "a": "a",
    "b": "b",
    "c": "c",
    "d": "d",
    "parity": "c − d",
    "margin": "σ_2n(M)",
    "relative_margin": "σ_2n/σ_1",
    "inverse": "tr (MMᵀ)⁻¹",
}


@dataclass(frozen=True)
class Mean:
    """The mean of a column, over the heads for which it is defined.

    >>> str(Mean("share"))
    'E[‖S‖²/‖L‖²]'
    """

    column: str

    def __str__(self) -> str:
        return f"E[{COLUMNS[self.column]}]"


@dataclass(frozen=True)
class Variance:
    """The variance of a column, over the heads for which it is defined."""

    column: str

    def __str__(self) -> str:
        return f"Var[{COLUMNS[self.column]}]"


@dataclass(frozen=True)
class Ratio:
    """The mean of a column over the mean of another.

    >>> str(Ratio("symmetric", "score"))
    'E[‖S‖²]/E[‖L‖²]'
    """

    column: str
    of: str

    def __str__(self) -> str:
        return f"E[{COLUMNS[self.column]}]/E[{COLUMNS[self.of]}]"


@dataclass(frozen=True)
class Frequency:
    """How often a column has a value.

    >>> str(Frequency("signature", (2, 2, 1)))
    'P(signature = (2, 2, 1))'
    """

    column: str
    value: int | tuple[int, int, int]

    def __str__(self) -> str:
        return f"P({COLUMNS[self.column]} = {self.value})"


Statistic: TypeAlias = Mean | Variance | Ratio | Frequency
