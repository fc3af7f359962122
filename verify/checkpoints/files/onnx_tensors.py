"""One tensor of an ONNX graph: where its numbers stand, and their values.

Source of the field numbers, of the number formats and of where each keeps its numbers: ``onnx.proto``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

import torch

from verify.checkpoints.bytes import ByteSource, Span
from verify.checkpoints.files.protobuf import Message, Wire
from verify.errors import SourceError
from verify.quoting import shown

#: Opens a file of the same folder.
Beside = Callable[[str], ByteSource]

#: Field numbers of TensorProto and of StringStringEntryProto.
DIMS, DATA_TYPE, FLOATS, INTEGERS, LONGS, NAME, RAW, DOUBLES, UNSIGNED, EXTERNAL, LOCATION = (
    1, 2, 4, 5, 7, 8, 9, 10, 11, 13, 14,
)  # fmt: skip
KEY, VALUE = 1, 2
OUTSIDE = 1
MOST_AXES, MOST_NUMEL = 64, 1 << 48

#: Number of a format → its name, the dtype of its values, and the field that holds them unless they are raw.
FORMATS = {
    1: ("FLOAT", torch.float32, FLOATS),
    2: ("UINT8", torch.uint8, INTEGERS),
    3: ("INT8", torch.int8, INTEGERS),
    4: ("UINT16", torch.uint16, INTEGERS),
    5: ("INT16", torch.int16, INTEGERS),
    6: ("INT32", torch.int32, INTEGERS),
    7: ("INT64", torch.int64, LONGS),
    9: ("BOOL", torch.bool, INTEGERS),
    10: ("FLOAT16", torch.float16, INTEGERS),
    11: ("DOUBLE", torch.float64, DOUBLES),
    12: ("UINT32", torch.uint32, UNSIGNED),
    13: ("UINT64", torch.uint64, UNSIGNED),
    16: ("BFLOAT16", torch.bfloat16, INTEGERS),
    17: ("FLOAT8E4M3FN", torch.float8_e4m3fn, INTEGERS),
    19: ("FLOAT8E5M2", torch.float8_e5m2, INTEGERS),
}
OTHERS = {
    8: "STRING", 14: "COMPLEX64", 15: "COMPLEX128", 18: "FLOAT8E4M3FNUZ", 20: "FLOAT8E5M2FNUZ", 21: "UINT4",
    22: "INT4", 23: "FLOAT4E2M1",
}  # fmt: skip
#: What a dequantising operator admits.
QUANTISED = (
    torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.float8_e4m3fn, torch.float8_e5m2,
)  # fmt: skip


@dataclass(frozen=True)
class TensorProto:
    """A tensor of a graph, not yet read.

    Args:
        wire: the file it is in.
        message: its fields.
        name: its name in the graph.
        shape: natural numbers.
        data_type: the number of its format.
    """

    wire: Wire
    message: Message
    name: str
    shape: tuple[int, ...]
    data_type: int

    @classmethod
    def parse(cls, wire: Wire, span: Span, name: str | None) -> TensorProto:
        """The tensor that a span describes.

        Raises:
            SourceError: its shape is no shape.
        """
        message = wire.message(span)
        name = wire.text(message, NAME) if name is None else name
        shape = tuple(wire.integers(message, DIMS, MOST_AXES))
        if any(not 0 <= length < MOST_NUMEL for length in shape) or math.prod(shape) >= MOST_NUMEL:
            raise SourceError(f"{wire.source.name}: tensor {shown(name)} has shape {shown(list(shape))}; damaged")
        return cls(wire, message, name, shape, wire.integer(message, DATA_TYPE))

    @property
    def numel(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def kind(self) -> str:
        """The name of its format."""
        known = FORMATS.get(self.data_type)
        return known[0] if known else OTHERS.get(self.data_type, f"type {self.data_type}")

    def value(self, source: ByteSource, beside: Beside | None) -> torch.Tensor:
        """Its values.

        Raises:
            SourceError: they are not there, not as many as the shape says, or of a format that is not read.
        """
        where = f"{source.name}: tensor {shown(self.name)}"
        if self.data_type not in FORMATS:
            raise SourceError(f"{where} is stored as {self.kind}, which is not read; export it as FLOAT or FLOAT16")
        _, dtype, held = FORMATS[self.data_type]
        size = self.numel * dtype.itemsize
        if self.wire.integer(self.message, LOCATION) == OUTSIDE:
            data = self._outside(where, beside, size)
        elif raw := self.wire.spans(self.message, RAW):
            data = bytes(source.read(raw[-1:])) if raw[-1].size == size else b""
        elif held in {FLOATS, DOUBLES}:
            spans = self.wire.spans(self.message, held)
            data = bytes(source.read(spans)) if sum(span.size for span in spans) == size else b""
        else:
            data = self._integers(held, dtype, where)
        if len(data) != size:
            raise SourceError(
                f"{where} has shape {list(self.shape)} of {self.kind}, which needs {size} bytes, and has another "
                f"number of them; the file is damaged: export it again"
            )
        return torch.frombuffer(bytearray(data), dtype=dtype).reshape(self.shape) if data else torch.empty(self.shape)

    def _integers(self, held: int, dtype: torch.dtype, where: str) -> bytes:
        """The numbers, or the bits of them, that stand in a list of integers."""
        spans = self.wire.spans(self.message, held)
        if sum(span.size for span in spans) > 10 * self.numel:
            raise SourceError(f"{where} has more numbers than its shape {list(self.shape)}; export it again")
        return self.wire.varints(self.message, held).astype(f"<i{dtype.itemsize}").tobytes()

    def _outside(self, where: str, beside: Beside | None, size: int) -> bytes:
        """The bytes that stand in another file of the same folder."""
        entries = [self.wire.message(span) for span in self.wire.spans(self.message, EXTERNAL)]
        given = {self.wire.text(entry, KEY): self.wire.text(entry, VALUE) for entry in entries}
        location = given.get("location", "")
        relative = PurePosixPath(location)
        if (
            relative.is_absolute()
            or not relative.name
            or ".." in relative.parts
            or "\\" in location
            or "\0" in location
        ):
            raise SourceError(f"{where} lies outside the directory, at {shown(location, quoted=True)}; refused")
        if beside is None:
            raise SourceError(f"{where} lies in {shown(location)}, beside the graph; audit a local copy of both")
        file = beside(location)
        numbers = [given.get("offset", "0"), given.get("length", str(size))]
        if not all(number.isdecimal() and len(number) < 20 for number in numbers) or int(numbers[1]) != size:
            raise SourceError(f"{where} has no valid place in {shown(location)} for {size} bytes; export it again")
        return bytes(file.read([Span(int(numbers[0]), size)]))


def dequantised(
    values: torch.Tensor, scales: torch.Tensor, zeros: torch.Tensor | None, axis: int | None
) -> torch.Tensor:
    """``(values − zeros) · scales`` in float32, as the operator DequantizeLinear defines it.

    Args:
        values: integers of 8 to 32 bits or floating-point numbers of 8, of any shape.
        scales: one number, or one for each index of an axis.
        zeros: of the format of the values and of the shape of the scales, or None.
        axis: which axis; the last by default.

    Raises:
        SourceError: the formats or shapes do not go together; the message is only the end of a sentence.

    >>> dequantised(torch.tensor([[3, 5]], dtype=torch.uint8), torch.tensor([0.5]), torch.tensor([4]).byte(), None)
    tensor([[-0.5000,  0.5000]])
    """
    if (
        values.dtype not in QUANTISED
        or not scales.is_floating_point()
        or (zeros is not None and zeros.dtype != values.dtype)
    ):
        raise SourceError(
            f"is quantised with numbers of {values.dtype} and scales of {scales.dtype}, which is not read"
        )
    along = (values.ndim - 1 if axis is None else axis) % max(values.ndim, 1)
    shapes = [list(part.shape) for part in (scales, zeros) if part is not None]
    for part in (scales, zeros):
        if part is not None and part.numel() != 1 and (part.ndim != 1 or part.numel() != values.shape[along]):
            raise SourceError(f"is quantised in blocks, with scales of shape {shapes[0]}, which are not read")
    shape = [-1 if place == along else 1 for place in range(values.ndim)]
    exact = torch.float32 if values.is_floating_point() else torch.int64
    offset = values.to(exact)
    if zeros is not None:
        offset = offset - zeros.to(exact).reshape(shape)
    return offset.float() * scales.float().reshape(shape)
