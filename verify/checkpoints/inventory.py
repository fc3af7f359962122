"""The names and shapes of a checkpoint's tensors, and which of them a layout knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from verify.checkpoints.files import TensorInfo
from verify.checkpoints.naming import lookup
from verify.checkpoints.skeleton import Pattern, looks_like_queries, patterns

#: Endings of tensors that quantising tools put in place of a weight.
PACKED = (".qweight", ".weight_packed", ".weight.absmax", ".SCB", ".qzeros")


@dataclass(frozen=True)
class Inventory:
    """The tensors of a checkpoint as the planner sees them: names, shapes, and how messages name the checkpoint."""

    tensors: Mapping[str, TensorInfo]
    file: str
    _claimed: set[str] = field(default_factory=set)

    def find(self, stem: str) -> str | None:
        """The tensor called ``stem`` or ``stem.weight``, if there is one; it counts as known from now on."""
        name = lookup(self.tensors, stem)
        if name is not None:
            self._claimed.add(name)
        return name

    def claim(self, prefix: str) -> None:
        """Count every tensor whose name begins so as known."""
        self._claimed.update(name for name in self.tensors if name.startswith(prefix))

    def unclaimed(self) -> list[Pattern]:
        """Tensors that look like projections to queries and that nothing asked for.

        >>> names = ["h.0.q_proj.weight", "x.q_proj.weight"]
        >>> inventory = Inventory(dict.fromkeys(names, TensorInfo((4, 4), "F32")), "weights")
        >>> inventory.find("h.0.q_proj")
        'h.0.q_proj.weight'
        >>> [pattern.name for pattern in inventory.unclaimed()]
        ['x.q_proj.weight']
        """
        rest = {
            name: info
            for name, info in self.tensors.items()
            if name not in self._claimed and len(info.shape) == 2 and looks_like_queries(name)
        }
        return patterns(rest)


def packed_weights(file: str, tensor: str) -> str:
    """What is said of integers in place of weights."""
    return (
        f"{file}: tensor {tensor} belongs to packed integers (GPTQ, AWQ, bitsandbytes or the like), which are no "
        f"weights; audit the original checkpoint, or dequantise this one first"
    )
