"""ONNX graphs: initialisers and constants, quantised ones dequantised, found by the layers that use them.

Exporters often fold a transposition into a weight and lose its name (``onnx::MatMul_470``), while the node that
multiplies by it keeps its place in the model (``/encoder/layer.0/attention/self/query/MatMul``). A weight of such a
node is offered under that place too, as ``encoder.layer.0.attention.self.query.weight``, output dimension first, so
that the layout of the original model fits. The graph is never run. Its messages are parsed here, over spans of bytes;
the ``onnx`` package serves the tests as an oracle. Source of the field numbers: ``onnx.proto``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import torch

from verify.checkpoints.bytes import ByteSource, Span
from verify.checkpoints.files.interface import Identity, Part, TensorInfo, take
from verify.checkpoints.files.onnx_tensors import Beside, TensorProto, dequantised
from verify.checkpoints.files.protobuf import Message, Window, Wire
from verify.errors import SourceError
from verify.quoting import shown

#: Field numbers of the messages ModelProto, GraphProto, NodeProto and AttributeProto.
GRAPH = 7
NODE, INITIALIZER = 1, 5
INPUT, OUTPUT, NAME, OPERATOR, ATTRIBUTE = 1, 2, 3, 4, 5
ATTRIBUTE_NAME, ATTRIBUTE_INTEGER, ATTRIBUTE_TENSOR = 1, 3, 5

#: Operators whose second input is a weight, input dimension first.
MULTIPLY = ("MatMul", "Gemm", "MatMulInteger", "QLinearMatMul")
#: Endings by which quantising tools mark the integers, scales and zero points of a weight.
QUANTISED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"


@dataclass(frozen=True)
class _Tensor:
    info: TensorInfo
    value: Callable[[], torch.Tensor]


@dataclass(frozen=True)
class _Node:
    name: str
    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Message]


class OnnxFile:
    """An ONNX graph; its weights are decoded when they are read.

    Args:
        source: the bytes of the file.
        beside: opens a file of the same folder, where the graph keeps its weights outside itself.

    Raises:
        SourceError: it is not an ONNX graph, or a damaged or hostile one.
    """

    def __init__(self, source: ByteSource, beside: Beside | None = None) -> None:
        self._source = source
        self._beside = beside
        self._wire = Wire(Window(source), "the ONNX graph")
        try:
            graph = self._graph()
        except SourceError as error:
            raise SourceError(
                f"{source.name}: not an ONNX file, or a damaged one ({error}); export it again"
            ) from error
        nodes = [self._node(span) for span in self._wire.spans(graph, NODE)]
        self._tensors = self._collect(self._stored(graph, nodes), nodes)
        if not self._tensors:
            raise SourceError(f"{source.name}: an ONNX graph without weights; name the file that holds them")
        self.tensors: Mapping[str, TensorInfo] = {name: tensor.info for name, tensor in self._tensors.items()}
        self.metadata: Mapping[str, object] = {}

    @property
    def name(self) -> str:
        """How messages and records name the file."""
        return self._source.name

    def identity(self) -> Identity:
        """The size of the file, and a hash of the names, shapes and formats of its tensors."""
        described = "\n".join(f"{name} {info}" for name, info in self.tensors.items())
        digest = hashlib.sha256(described.encode(errors="surrogatepass")).hexdigest()
        return Identity(self._source.size, digest, "names, shapes and formats", getattr(self._source, "commit", None))

    def read(self, name: str, part: Part | None = None) -> torch.Tensor:
        """The values of one tensor or of a part of it, dequantised where they are quantised."""
        return take(self._tensors[name].value(), part)

    def _graph(self) -> Message:
        graphs = self._wire.spans(self._wire.message(Span(0, self._source.size)), GRAPH)
        if len(graphs) != 1:
            raise SourceError(f"it holds {len(graphs)} graphs")
        return self._wire.message(graphs[0])

    def _node(self, span: Span) -> _Node:
        wire = self._wire
        message = wire.message(span)
        operator = wire.text(message, OPERATOR)
        attributes: dict[str, Message] = {}
        if operator in {"Constant", "DequantizeLinear", "Gemm"}:
            for inner in wire.spans(message, ATTRIBUTE):
                attribute = wire.message(inner)
                attributes[wire.text(attribute, ATTRIBUTE_NAME)] = attribute
        wanted = operator in {"Constant", "DequantizeLinear", *MULTIPLY}
        inputs = tuple(wire.texts(message, INPUT)) if wanted else ()
        outputs = tuple(wire.texts(message, OUTPUT)) if wanted else ()
        return _Node(wire.text(message, NAME) if wanted else "", operator, inputs, outputs, attributes)

    def _stored(self, graph: Message, nodes: list[_Node]) -> dict[str, TensorProto]:
        """Initialisers and constants by name."""
        stored: dict[str, TensorProto] = {}
        found: list[tuple[str | None, Span]] = [(None, span) for span in self._wire.spans(graph, INITIALIZER)]
        for node in nodes:
            value = node.attributes.get("value") if node.operator == "Constant" and node.outputs else None
            spans = self._wire.spans(value, ATTRIBUTE_TENSOR) if value is not None else []
            found += [(node.outputs[0], span) for span in spans[-1:]]
        for name, span in found:
            proto = TensorProto.parse(self._wire, span, name)
            if proto.name in stored:
                raise SourceError(
                    f"{self.name}: two tensors of the graph are named {shown(proto.name)}; export it again"
                )
            stored[proto.name] = proto
        return stored

    def _collect(self, stored: Mapping[str, TensorProto], nodes: list[_Node]) -> dict[str, _Tensor]:
        known = {name: self._plain(proto) for name, proto in stored.items() if proto.numel > 1}
        for name in list(known):
            stem = name.removesuffix(QUANTISED)
            if stem != name and stem + SCALE in stored and stem not in known:
                known[stem] = self._dequantised(stored[name], stored[stem + SCALE], stored.get(stem + ZERO), None)
        for node in nodes:
            parts = [stored.get(part) for part in node.inputs]
            if node.operator != "DequantizeLinear" or len(parts) < 2 or not node.outputs:
                continue
            values, scale, zero = (*parts, None)[:3]
            if values is None or scale is None or (zero is None and any(node.inputs[2:3])) or values.numel < 2:
                continue
            if node.outputs[0] in known:
                raise SourceError(f"{self.name}: two tensors are named {shown(node.outputs[0])}; export it again")
            axis = self._wire.integer(node.attributes.get("axis", {}), ATTRIBUTE_INTEGER, 1)
            known[node.outputs[0]] = self._dequantised(values, scale, zero, axis)
        return known | {name: tensor for name, tensor in self._by_place(nodes, known).items() if name not in known}

    def _plain(self, proto: TensorProto) -> _Tensor:
        return _Tensor(TensorInfo(proto.shape, proto.kind), lambda: proto.value(self._source, self._beside))

    def _dequantised(
        self, values: TensorProto, scale: TensorProto, zero: TensorProto | None, axis: int | None
    ) -> _Tensor:
        def value() -> torch.Tensor:
            numbers, scales, *zeros = (
                proto.value(self._source, self._beside) for proto in (values, scale, zero) if proto is not None
            )
            try:
                return dequantised(numbers, scales, zeros[0] if zeros else None, axis)
            except SourceError as error:
                raise SourceError(f"{self.name}: tensor {shown(values.name)} {error}; export it plain") from error

        return _Tensor(TensorInfo(values.shape, f"{values.kind} with scale", quantised=True), value)

    def _by_place(self, nodes: list[_Node], known: Mapping[str, _Tensor]) -> dict[str, _Tensor]:
        """The weights of matrix products under the place of their node, output dimension first.

        A place where two nodes multiply by different weights says nothing of either.
        """
        found: dict[str, list[tuple[str, _Tensor]]] = {}
        for node in nodes:
            name, place = _weight(node, known), node.name.strip("/").rpartition("/")[0].replace("/", ".")
            if name is None or not place or len(known[name].info.shape) != 2:
                continue
            weight = known[name]
            transposed = node.operator == "Gemm" and self._wire.integer(
                node.attributes.get("transB", {}), ATTRIBUTE_INTEGER
            )
            if not transposed:
                info = replace(weight.info, shape=weight.info.shape[::-1])
                weight = _Tensor(info, partial(_transposed, weight.value))
            found.setdefault(f"{_beside_bias(place, known)}.weight", []).append((name, weight))
        return {place: weights[0][1] for place, weights in found.items() if len({name for name, _ in weights}) == 1}


def _transposed(value: Callable[[], torch.Tensor]) -> torch.Tensor:
    return value().T


def _beside_bias(place: str, known: Mapping[str, _Tensor]) -> str:
    """The place without what an export wrapper put in front of it, if the bias kept its name there."""
    rest = place
    while rest:
        if f"{rest}.bias" in known:
            return rest
        rest = rest.partition(".")[2]
    return place


def _weight(node: _Node, known: Mapping[str, _Tensor]) -> str | None:
    if node.operator not in MULTIPLY or len(node.inputs) < 2:
        return None
    name = node.inputs[3] if node.operator == "QLinearMatMul" and len(node.inputs) > 3 else node.inputs[1]
    stem = name.removesuffix(QUANTISED)
    return stem if stem in known else name if name in known else None
