"""The interface every format reader implements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch

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
