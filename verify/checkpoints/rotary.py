"""Rotary position: which rows a rotation pairs, and by what angle each pair turns per position.

The frequencies follow the published rules: RoFormer (Su et al. 2021) for the plain ones, Chen et al. 2023 for linear
interpolation, YaRN (Peng et al. 2023), LongRoPE (Ding et al. 2024), and the piecewise rescaling of Llama 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from verify.checkpoints.config import MOST, Config, is_positive
from verify.checkpoints.layout import Position, Style
from verify.errors import LayoutError
from verify.quoting import shown

#: Angles that are larger leave no digit of a position.
LARGEST = 1e15


@dataclass(frozen=True)
class Rotary:
    """The rotation of one layer.

    Args:
        style: which rows form a pair.
        dims: how many rows, counted from the head's beginning, turn; the rest stand still.
        frequencies: radians per position of each pair, ``dims / 2`` of them.
        factor: what queries and keys are each multiplied by on the turned rows (YaRN, LongRoPE); 1 otherwise.
        offset: the first turned row.

    >>> Rotary(Style.HALF, 4, (1.0, 0.01)).pairs()
    ((0, 2), (1, 3))
    >>> Rotary(Style.INTERLEAVED, 4, (1.0, 0.01)).pairs()
    ((0, 1), (2, 3))
    """

    style: Style
    dims: int
    frequencies: tuple[float, ...]
    factor: float = 1.0
    offset: int = 0

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The two rows of each pair; the pair (i, j) turns by ``(cos, −sin; sin, cos)``."""
        half, o = self.dims // 2, self.offset
        if self.style is Style.HALF:
            return tuple((o + i, o + i + half) for i in range(half))
        return tuple((o + 2 * i, o + 2 * i + 1) for i in range(half))

    def matrix(self, position: int, n: int) -> torch.Tensor:
        """The ``n × n`` float64 matrix by which a query or key at a position is multiplied, without ``factor``.

        It is orthogonal, and its value at a difference of positions is what relates two tokens.

        >>> Rotary(Style.HALF, 2, (math.pi,)).matrix(1, 3).round().tolist()
        [[-1.0, -0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
        """
        turned = torch.eye(n, dtype=torch.float64)
        for (i, j), frequency in zip(self.pairs(), self.frequencies, strict=True):
            cosine, sine = math.cos(position * frequency), math.sin(position * frequency)
            turned[i, i], turned[i, j], turned[j, i], turned[j, j] = cosine, -sine, sine, cosine
        return turned

    def between(self, distance: int, n: int) -> torch.Tensor:
        """What Q is multiplied by, ``n × n``, in the form of a query ``distance`` positions after its key.

        The turn, and the square of ``factor`` on the turned rows, once for the query and once for the key.

        >>> Rotary(Style.HALF, 2, (0.0,), factor=1.5).between(7, 3).diagonal().tolist()
        [2.25, 2.25, 1.0]
        """
        scale = torch.ones(n, dtype=torch.float64)
        scale[self.offset : self.offset + self.dims] = self.factor**2
        return scale.unsqueeze(-1) * self.matrix(distance, n)


def rotary_for(position: Position, config: Config, layer: int, n: int) -> Rotary | None:
    """The rotation of one layer, or None where the layer has none or its angle is not one number per position.

    Raises:
        LayoutError: the configuration asks for a rescaling of frequencies that is not known here, or its numbers give
            no rotation of at most n rows.
    """
    if position.style is None or position.axes != 1:
        return None
    if position.layers is not None and not position.layers.holds(config, layer):
        return None
    scaling = _scaling(config, layer)
    local = position.local is not None and position.local.holds(config, layer)
    base = scaling.number("rope_theta", None)
    if base is None:
        base = config.positive(position.local_theta if local else position.theta, "the rotary base")
        scaling = Scaling({}, config) if local else scaling
    dims = config.number(position.dims, "the number of rotated rows") if position.dims else None
    if dims is None:
        fraction = scaling.number("partial_rotary_factor", None)
        if fraction is None:
            fraction = config.positive(position.fraction, "the fraction of rotated rows")
        dims = int(min(n * (1.0 if fraction is None else fraction), MOST))
    if dims + dims % 2 > n:
        raise LayoutError(f"{config.file}: {dims} rows of a head would turn in pairs, and it has {n}")
    try:
        frequencies, factor = _frequencies(n, dims, base or 10000.0, scaling)
    except ArithmeticError as error:
        raise LayoutError(f"{config.file}: the rotary parameters give no frequencies ({error})") from error
    if not all(0 <= number < LARGEST for number in (*frequencies, factor)):
        raise LayoutError(f"{config.file}: the rotary parameters give frequencies that are not finite")
    return Rotary(position.style, 2 * len(frequencies), frequencies, factor)


@dataclass(frozen=True)
class Scaling:
    """The table of a configuration that rescales frequencies, and the configuration itself."""

    table: Mapping[str, Any]
    config: Config

    @property
    def kind(self) -> str:
        """The published rule, by the name that configurations use."""
        return str(self.table.get("rope_type") or self.table.get("type") or "default")

    def number(self, key: str, otherwise: float | None) -> float | None:
        """A positive number of the table; zero counts as absent, as it does in the model library.

        Raises:
            LayoutError: something else is there.
        """
        found = self.table.get(key)
        if found is None or found == 0:
            return otherwise
        if not is_positive(found):
            raise LayoutError(
                f"{self.config.file}: the rotary parameter {key} is {shown(found, quoted=True)}; "
                f"a positive number was expected"
            )
        return float(found)

    def need(self, key: str, otherwise: float | None = None) -> float:
        """The same, of a number without which there is no rule.

        Raises:
            LayoutError: it is missing or something else is there.
        """
        found = self.number(key, otherwise)
        if found is None:
            raise LayoutError(
                f"{self.config.file}: rotary scaling {shown(self.kind, quoted=True)} lacks its number {key}"
            )
        return found


def _scaling(config: Config, layer: int) -> Scaling:
    """The rescaling in force for one layer; newer configurations keep one for each kind of layer."""
    table = config.get("rope_parameters")
    if not isinstance(table, Mapping):
        table = config.get("rope_scaling")
    if not isinstance(table, Mapping):
        return Scaling({}, config)
    kinds = config.get("layer_types")
    kind = kinds[layer] if isinstance(kinds, list) and layer < len(kinds) else None
    own = table.get(kind) if isinstance(kind, str) else None
    return Scaling(own if isinstance(own, Mapping) else table, config)


def _frequencies(n: int, dims: int, base: float, scaling: Scaling) -> tuple[tuple[float, ...], float]:
    plain = [base ** (-2 * i / dims) for i in range((dims + 1) // 2)]
    match scaling.kind:
        case "default" | "dynamic" | "mrope":
            return tuple(plain), 1.0  # dynamic rescaling begins only beyond the training length
        case "proportional":
            turned = min(int(scaling.need("partial_rotary_factor", 1.0) * n // 2), n // 2)
            factor = scaling.need("factor", 1.0)
            return (*(base ** (-2 * i / n) / factor for i in range(turned)), *([0.0] * (n // 2 - turned))), 1.0
        case "linear":
            factor = scaling.need("factor")
            return tuple(f / factor for f in plain), 1.0
        case "llama3":
            return tuple(_llama3(f, scaling) for f in plain), 1.0
        case "yarn":
            return _yarn(plain, dims, base, scaling)
        case "longrope" | "su":
            return _longrope(plain, scaling)
        case other:
            raise LayoutError(
                f"{scaling.config.file}: rotary scaling {shown(other, quoted=True)} is not known; "
                f"its distances cannot be profiled"
            )


def _llama3(frequency: float, scaling: Scaling) -> float:
    low, high = scaling.need("low_freq_factor"), scaling.need("high_freq_factor")
    turns = scaling.need("original_max_position_embeddings") * frequency / (2 * math.pi)
    weight = min(1.0, max(0.0, (turns - low) / (high - low)))
    return weight * frequency + (1 - weight) * frequency / scaling.need("factor")


def _yarn(plain: list[float], dims: int, base: float, scaling: Scaling) -> tuple[tuple[float, ...], float]:
    factor = scaling.need("factor")
    longest = scaling.config.positive(("max_position_embeddings",), "the longest text")
    length = scaling.need("original_max_position_embeddings", longest)

    def index(turns: float) -> float:
        return dims * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = index(scaling.need("beta_fast", 32)), index(scaling.need("beta_slow", 1))
    if scaling.table.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dims - 1)
    ramp = [min(1.0, max(0.0, (i - low) / max(high - low, 1e-3))) for i in range(len(plain))]
    attention = scaling.number("attention_factor", None)
    if attention is None:
        scale, scale_all = scaling.number("mscale", None), scaling.number("mscale_all_dim", None)
        attention = _mscale(factor, scale) / _mscale(factor, scale_all) if scale and scale_all else _mscale(factor, 1)
    return tuple(r * f / factor + (1 - r) * f for r, f in zip(ramp, plain, strict=True)), attention


def _mscale(factor: float, scale: float) -> float:
    return 0.1 * scale * math.log(factor) + 1.0 if factor > 1 else 1.0


def score_correction(config: Config) -> float:
    """The factor on scores that YaRN's ``mscale_all_dim`` asks for; 1 where it is not set.

    Raises:
        LayoutError: what is there is not a positive number.

    >>> score_correction(Config({"rope_scaling": {"type": "yarn", "factor": 40, "mscale_all_dim": 1.0}}, "config.json"))
    1.8738542070926265
    """
    scaling = _scaling(config, 0)
    scale, factor = scaling.number("mscale_all_dim", None), scaling.number("factor", None)
    return _mscale(factor, scale) ** 2 if scale and factor else 1.0


def _longrope(plain: list[float], scaling: Scaling) -> tuple[tuple[float, ...], float]:
    """The factors for texts up to the training length, which is where distances are profiled."""
    trained = scaling.number("original_max_position_embeddings", None)
    if trained is None:
        trained = scaling.config.positive(("original_max_position_embeddings",), "the longest text in training")
    longest = scaling.config.positive(("max_position_embeddings",), "the longest text")
    factor = longest / trained if trained and longest else scaling.need("factor", 1.0)
    attention = scaling.number("attention_factor", None)
    if attention is None:
        attention = math.sqrt(1 + math.log(factor) / math.log(trained)) if trained and factor > 1 else 1.0
    short = scaling.table.get("short_factor")
    if not isinstance(short, list) or len(short) != len(plain) or not all(map(is_positive, short)):
        raise LayoutError(f"{scaling.config.file}: rotary scaling needs {len(plain)} positive numbers in short_factor")
    return tuple(f / s for f, s in zip(plain, short, strict=True)), attention
