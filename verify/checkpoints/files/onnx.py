"""ONNX graphs: initialisers and constants, quantised ones dequantised, found by the layers that use them.

Exporters often fold a transposition into a weight and lose its name (``onnx::MatMul_470``), while the node that
multiplies by it keeps its place in the model (``/encoder/layer.0/attention/self/query/MatMul``). A weight of such a
node is offered under that place too, as ``encoder.layer.0.attention.self.query.weight``, output dimension first, so
that the layout of the original model fits. The graph is parsed by the ``onnx`` package (an extra) and never run.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

import numpy as np
import torch

from verify.checkpoints.bytes import LocalBytes, Span
from verify.checkpoints.files.interface import Identity, Part, TensorInfo
from verify.checkpoints.files.pytorch import take
from verify.errors import SourceError

#: Operators whose second input is a weight, input dimension first.
MULTIPLY = ("MatMul", "Gemm", "MatMulInteger", "QLinearMatMul")
#: Endings by which quantising tools mark the integers, scales and zero points of a weight.
QUANTISED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"


@dataclass(frozen=True)
class _Tensor:
    info: TensorInfo
    value: Callable[[], torch.Tensor]


class OnnxFile:
    """An ONNX graph; its weights are decoded when they are read.

    Args:
        path: the file. External data must lie in the same directory.

    Raises:
        SourceError: it is not an ONNX graph, its external data lie elsewhere, or the ``onnx`` package is missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._library = _library()
        raw = path.read_bytes()
        try:
            graph = self._library.ModelProto.FromString(raw).graph
        except Exception as error:
            raise SourceError(f"{path}: not an ONNX file, or a damaged one; export it again") from error
        self._digest = hashlib.sha256(raw).hexdigest()
        self._size = len(raw)
        self._tensors = dict(self._collect(graph))
        if not self._tensors:
            raise SourceError(f"{path}: an ONNX graph without weights; name the file that holds them")
        self.tensors: Mapping[str, TensorInfo] = {name: tensor.info for name, tensor in self._tensors.items()}
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return str(self._path)

    def identity(self) -> Identity:
        """Size and hash of the graph (of external data, only their place is part of it)."""
        return Identity(self._size, self._digest, "ONNX graph")

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it, dequantised where they are quantised."""
        return take(self._tensors[name].value(), part)

    def _collect(self, graph: Any) -> Iterator[tuple[str, _Tensor]]:
        stored = {proto.name: proto for proto in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                value = next((attribute.t for attribute in node.attribute if attribute.name == "value"), None)
                if value is not None:
                    stored[node.output[0]] = value
        known = {name: self._plain(proto) for name, proto in stored.items() if math.prod(proto.dims) > 1}
        for name in list(known):
            stem = name.removesuffix(QUANTISED)
            if stem != name and stem + SCALE in stored:
                known[stem] = self._dequantised(stored[name], stored[stem + SCALE], stored.get(stem + ZERO), None)
        for node in graph.node:
            if node.op_type == "DequantizeLinear" and all(part in stored for part in node.input if part):
                protos = [stored[part] if part else None for part in node.input]
                axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
                known[node.output[0]] = self._dequantised(protos[0], protos[1], (*protos, None)[2], axis)
        yield from known.items()
        yield from ((name, tensor) for name, tensor in _by_place(graph, known) if name not in known)

    def _plain(self, proto: Any) -> _Tensor:
        return _Tensor(TensorInfo(tuple(proto.dims), self._kind(proto)), lambda: self._decoded(proto))

    def _dequantised(self, values: Any, scale: Any, zero: Any, axis: int | None) -> _Tensor:
        """``(values − zero) · scale`` in float32, as the operator DequantizeLinear defines it."""

        def value() -> torch.Tensor:
            integers = self._decoded(values).to(torch.int32)
            scales = self._decoded(scale).float().reshape(-1)
            zeros = (
                torch.zeros(1, dtype=torch.int32) if zero is None else self._decoded(zero).to(torch.int32).reshape(-1)
            )
            shape = [1] * integers.ndim
            if scales.numel() > 1:
                along = (axis if axis is not None else integers.ndim - 1) % integers.ndim
                if scales.numel() != integers.shape[along]:
                    raise SourceError(
                        f"{self.name}: {values.name} is quantised in blocks, which are not read; export it plain"
                    )
                shape[along] = -1
            return (
                integers - zeros.reshape(shape if zeros.numel() > 1 else [1] * integers.ndim)
            ).float() * scales.reshape(shape)

        return _Tensor(TensorInfo(tuple(values.dims), f"{self._kind(values)} with scale", quantised=True), value)

    def _kind(self, proto: Any) -> str:
        try:
            return str(self._library.TensorProto.DataType.Name(proto.data_type))
        except ValueError:
            return f"type {proto.data_type}"

    def _decoded(self, proto: Any) -> torch.Tensor:
        if proto.data_location == self._library.TensorProto.EXTERNAL:
            proto = self._fetched(proto)
        if proto.data_type == self._library.TensorProto.BFLOAT16 and proto.raw_data:
            values = torch.frombuffer(bytearray(proto.raw_data), dtype=torch.bfloat16)
        else:
            try:
                values = torch.from_numpy(np.array(self._library.numpy_helper.to_array(proto)))
            except (ValueError, TypeError) as error:
                raise SourceError(
                    f"{self.name}: tensor {proto.name} cannot be decoded ({error}); export it again"
                ) from error
        if values.numel() != math.prod(proto.dims):
            raise SourceError(
                f"{self.name}: tensor {proto.name} has {values.numel()} values for shape {list(proto.dims)}"
            )
        return values.reshape(tuple(proto.dims))

    def _fetched(self, proto: Any) -> Any:
        """The tensor with its external bytes in place; they must lie beside the graph."""
        entries = {entry.key: entry.value for entry in proto.external_data}
        location = entries.get("location", "")
        relative = PurePosixPath(location)
        if not location or relative.is_absolute() or ".." in relative.parts or "\\" in location:
            raise SourceError(f"{self.name}: tensor {proto.name} lies outside the directory, at {location!r}; refused")
        source = LocalBytes(self._path.parent / location)
        try:
            offset, length = int(entries.get("offset", 0)), int(entries.get("length", source.size))
        except ValueError as error:
            raise SourceError(f"{self.name}: tensor {proto.name} has no valid place in {location}") from error
        if offset < 0 or length < 0:
            raise SourceError(f"{self.name}: tensor {proto.name} has no valid place in {location}")
        whole = self._library.TensorProto(name=proto.name, data_type=proto.data_type, dims=proto.dims)
        whole.raw_data = bytes(source.read([Span(offset, length)]))
        return whole


def _by_place(graph: Any, known: Mapping[str, _Tensor]) -> Iterator[tuple[str, _Tensor]]:
    """The weights of matrix products under the place of their node, output dimension first."""
    for node in graph.node:
        weight = _weight(node, known)
        place = node.name.strip("/").rpartition("/")[0].replace("/", ".")
        if weight is None or not place or len(weight.info.shape) != 2:
            continue
        place = _beside_bias(place, known)
        transposed = node.op_type == "Gemm" and any(a.name == "transB" and a.i for a in node.attribute)
        shape = weight.info.shape if transposed else weight.info.shape[::-1]
        value = weight.value if transposed else (lambda inner=weight.value: inner().T)
        yield f"{place}.weight", _Tensor(replace(weight.info, shape=shape), value)


def _beside_bias(place: str, known: Mapping[str, _Tensor]) -> str:
    """The place without what an export wrapper put in front of it, if the bias kept its name there."""
    rest = place
    while rest:
        if f"{rest}.bias" in known:
            return rest
        rest = rest.partition(".")[2]
    return place


def _weight(node: Any, known: Mapping[str, _Tensor]) -> _Tensor | None:
    if node.op_type not in MULTIPLY or len(node.input) < 2:
        return None
    name = node.input[3] if node.op_type == "QLinearMatMul" and len(node.input) > 3 else node.input[1]
    return known.get(name.removesuffix(QUANTISED), known.get(name))


def _library() -> ModuleType:
    try:
        import onnx  # noqa: PLC0415 — an extra
        import onnx.numpy_helper  # noqa: PLC0415
    except ImportError as error:
        raise SourceError("reading ONNX files needs the onnx package: pip install 'headforms[onnx]'") from error
    module: ModuleType = onnx
    return module
