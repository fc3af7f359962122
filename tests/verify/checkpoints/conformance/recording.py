"""Watch a model's forward pass: what enters every linear map, and every score before its softmax.

Nothing here knows the model: events are recorded by intercepting torch functions, and a projection is recognised by its
weight containing the very row that a layout calls a head's first query row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

SOFTMAX = (torch.nn.functional.softmax, torch.softmax, torch.Tensor.softmax)
MATMUL = (torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)


@dataclass
class Linear:
    """A linear map was applied: its weight, output dimension first, and the vectors it was applied to."""

    weight: torch.Tensor
    inputs: torch.Tensor


@dataclass
class Scores:
    """A softmax was taken of these scores."""

    values: torch.Tensor


@dataclass
class Recorder(TorchFunctionMode):
    """Records the linear maps and softmaxes of everything run inside it, in order."""

    events: list[Linear | Scores] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in SOFTMAX:
            self.events.append(Scores(args[0].detach().clone()))
        elif func is torch.nn.functional.linear:
            weight = args[1] if len(args) > 1 else kwargs["weight"]
            self.events.append(Linear(weight.detach(), args[0].detach().clone()))
        elif func in MATMUL and args[1].ndim == 2:
            self.events.append(Linear(args[1].detach().T, args[0].detach().clone()))
        elif func is torch.addmm:
            self.events.append(Linear(args[2].detach().T, args[1].detach().clone()))
        return func(*args, **kwargs)

    def projections(self, row: torch.Tensor) -> list[int]:
        """The positions of the events whose weight contains a given row."""
        return [
            index
            for index, event in enumerate(self.events)
            if isinstance(event, Linear)
            and event.weight.shape[-1] == row.shape[0]
            and bool((event.weight == row).all(-1).any())
        ]

    def scores_after(self, index: int, count: int) -> torch.Tensor:
        """The first scores after an event that have ``count`` entries."""
        return next(
            event.values for event in self.events[index:] if isinstance(event, Scores) and event.values.numel() == count
        )
