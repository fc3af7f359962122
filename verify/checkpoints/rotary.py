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

from verify.checkpoints.config import Config
from verify.checkpoints.layout import Position, Style
from verify.errors import LayoutError


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
        LayoutError: the configuration asks for a rescaling of frequencies that is not known here.
    """
    if position.style is None or position.axes != 1:
        return None
    if position.layers is not None and not position.layers.holds(config, layer):
        return None
    parameters = _parameters(config, layer)
    local = position.local is not None and position.local.holds(config, layer)
    theta = parameters.get("rope_theta") or config.first(position.local_theta if local else position.theta)
    if local and "rope_theta" not in parameters:
        parameters = {}
    dims = config.number(position.dims, "the number of rotated rows") if position.dims else None
    if dims is None:
        fraction = parameters.get("partial_rotary_factor") or config.first(position.fraction) or 1.0
        dims = int(n * fraction)
    frequencies, factor = _frequencies(n, dims, float(theta or 10000.0), parameters, config)
    return Rotary(position.style, 2 * len(frequencies), frequencies, factor)


def _parameters(config: Config, layer: int) -> dict[str, Any]:
    """The rescaling in force for one layer; newer configurations keep one for each kind of layer."""
    table = config.get("rope_parameters")
    if not isinstance(table, Mapping):
        table = config.get("rope_scaling")
    if not isinstance(table, Mapping):
        return {}
    kinds = config.get("layer_types")
    if isinstance(kinds, list) and layer < len(kinds) and isinstance(table.get(kinds[layer]), Mapping):
        table = table[kinds[layer]]
    return {**table, "rope_type": table.get("rope_type", table.get("type", "default"))}


def _frequencies(
    n: int, dims: int, theta: float, parameters: Mapping[str, Any], config: Config
) -> tuple[tuple[float, ...], float]:
    plain = [theta ** (-2 * i / dims) for i in range((dims + 1) // 2)]
    kind = parameters.get("rope_type", "default")
    if kind in {"default", "dynamic", "mrope"}:
        return tuple(plain), 1.0  # dynamic rescaling begins only beyond the training length
    if kind == "proportional":
        turned = int(parameters.get("partial_rotary_factor", 1.0) * n // 2)
        base = [theta ** (-2 * i / n) / parameters.get("factor", 1.0) for i in range(turned)]
        return (*base, *([0.0] * (n // 2 - turned))), 1.0
    if kind == "linear":
        return tuple(f / parameters["factor"] for f in plain), 1.0
    if kind == "llama3":
        return tuple(_llama3(f, parameters) for f in plain), 1.0
    if kind == "yarn":
        return _yarn(plain, dims, theta, parameters, config)
    if kind in {"longrope", "su"}:
        return _longrope(plain, parameters, config)
    raise LayoutError(f"{config.file}: rotary scaling {kind!r} is not known; its distances cannot be profiled")


def _llama3(frequency: float, parameters: Mapping[str, Any]) -> float:
    low, high = float(parameters["low_freq_factor"]), float(parameters["high_freq_factor"])
    turns = float(parameters["original_max_position_embeddings"]) * frequency / (2 * math.pi)
    weight = min(1.0, max(0.0, (turns - low) / (high - low)))
    return weight * frequency + (1 - weight) * frequency / float(parameters["factor"])


def _yarn(
    plain: list[float], dims: int, theta: float, parameters: Mapping[str, Any], config: Config
) -> tuple[tuple[float, ...], float]:
    factor = parameters["factor"]
    length = parameters.get("original_max_position_embeddings") or config.get("max_position_embeddings")

    def index(turns: float) -> float:
        return dims * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(theta))

    low, high = index(parameters.get("beta_fast") or 32), index(parameters.get("beta_slow") or 1)
    if parameters.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dims - 1)
    ramp = [min(1.0, max(0.0, (i - low) / max(high - low, 1e-3))) for i in range(len(plain))]
    attention = parameters.get("attention_factor")
    if attention is None:
        scale, scale_all = parameters.get("mscale"), parameters.get("mscale_all_dim")
        attention = _mscale(factor, scale) / _mscale(factor, scale_all) if scale and scale_all else _mscale(factor, 1)
    return tuple(r * f / factor + (1 - r) * f for r, f in zip(ramp, plain, strict=True)), float(attention)


def _mscale(factor: float, scale: float) -> float:
    return 0.1 * scale * math.log(factor) + 1.0 if factor > 1 else 1.0


def score_correction(config: Config) -> float:
    """The factor on scores that YaRN's ``mscale_all_dim`` asks for; 1 where it is not set.

    >>> score_correction(Config({"rope_scaling": {"type": "yarn", "factor": 40, "mscale_all_dim": 1.0}}, "config.json"))
    1.8738542070926265
    """
    parameters = _parameters(config, 0)
    scale = parameters.get("mscale_all_dim")
    return _mscale(float(parameters["factor"]), float(scale)) ** 2 if scale and "factor" in parameters else 1.0


def _longrope(plain: list[float], parameters: Mapping[str, Any], config: Config) -> tuple[tuple[float, ...], float]:
    """The factors for texts up to the training length, which is where distances are profiled."""
    trained = parameters.get("original_max_position_embeddings") or config.get("original_max_position_embeddings")
    longest = config.get("max_position_embeddings")
    factor = longest / trained if trained and longest else parameters.get("factor", 1.0)
    attention = parameters.get("attention_factor")
    if attention is None:
        attention = math.sqrt(1 + math.log(factor) / math.log(trained)) if factor > 1 else 1.0
    return tuple(f / s for f, s in zip(plain, parameters["short_factor"], strict=True)), float(attention)
