"""The interface every format reader implements."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch

from verify.checkpoints.bytes import Span

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class TensorInfo:
    """What a file says of a tensor before it is read.

    Args:
        shape: as a model would see it, output dimension first for a linear map.
        stored: the name of the stored number format, as the file calls it (``BF16``, ``Q4_K`` …).
        quantised: whether the stored numbers are codes, and reading gives the values they stand for.
    """

    shape: tuple[int, ...]
    stored: str
    quantised: bool = False


@dataclass(frozen=True)
class Part:
    """The indices of one axis to read, as increasing disjoint half-open spans; everything on the other axes.

    >>> Part(((0, 2), (6, 8))).size
    4
    """

    spans: Spans
    axis: int = 0

    @property
    def size(self) -> int:
        """How many indices the spans hold."""
        return sum(stop - start for start, stop in self.spans)

    def shape(self, whole: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the part of a tensor of some shape.

        >>> Part(((0, 2), (6, 8)), axis=1).shape((3, 8))
        (3, 4)
        """
        return (*whole[: self.axis], self.size, *whole[self.axis + 1 :])


def row_major(offset: int, shape: tuple[int, ...], itemsize: int, part: Part | None) -> list[Span]:
    """Where the bytes of a part of a row-major tensor stand that begins at some offset.

    >>> row_major(100, (2, 3), 4, Part(((1, 2),), axis=1))
    [Span(offset=104, size=4), Span(offset=116, size=4)]
    """
    if part is None:
        return [Span(offset, math.prod(shape) * itemsize)]
    inner = math.prod(shape[part.axis + 1 :]) * itemsize
    stride = shape[part.axis] * inner
    return [
        Span(offset + block * stride + start * inner, (stop - start) * inner)
        for block in range(math.prod(shape[: part.axis]))
        for start, stop in part.spans
    ]


def take(value: torch.Tensor, part: Part | None) -> torch.Tensor:
    """A contiguous copy of a part of a tensor.

    >>> take(torch.arange(8).reshape(4, 2), Part(((0, 1), (3, 4))))
    tensor([[0, 1],
            [6, 7]])
    """
    value = value.detach()
    if part is None:
        return value.clone(memory_format=torch.contiguous_format)
    return torch.cat([value.narrow(part.axis, start, stop - start) for start, stop in part.spans], dim=part.axis)


@dataclass(frozen=True)
class Identity:
    """What a record repeats to say which file it speaks of, without reading the file whole.

    Args:
        size: length in bytes.
        sha256: of the part of the file that describes the tensors (``what``), not of all their bytes.
        what: which bytes the hash covers.
        commit: the commit the file was fetched at, for a hub source.
    """

    size: int
    sha256: str
    what: str
    commit: str | None = None


class TensorFile(Protocol):
    """A weights file opened for reading single tensors."""

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        ...

    @property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """Every tensor of the file, in file order."""
        ...

    @property
    def metadata(self) -> Mapping[str, object]:
        """The model configuration kept inside the file, where the format has one (GGUF); else empty."""
        ...

    def identity(self) -> Identity:
        """Size and hash for the record."""
        ...

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor, or of a part of it, on the CPU and owned by the caller.

        Raises:
            SourceError: the bytes are not there or cannot be decoded.
        """
        ...
