from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from verify.checkpoints import open_checkpoint
from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.onnx import OnnxFile
from verify.errors import SourceError

RNG = np.random.default_rng(0)
W = RNG.standard_normal((8, 8)).astype(np.float32)


def save(path: Path, nodes: list[Any], initialisers: list[Any]) -> OnnxFile:
    graph = helper.make_graph(nodes, "g", [], [], initialisers)
    onnx.save(helper.make_model(graph), path)
    return OnnxFile(path)


def test_a_weight_is_found_under_the_place_of_its_node_output_first(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("MatMul", ["x", "onnx::MatMul_1"], ["y"], name="/net/layer.0/query/MatMul"),
        helper.make_node("Gemm", ["x", "k.w"], ["z"], name="/net/layer.0/key/Gemm", transB=1),
        helper.make_node("MatMul", ["x", "onnx::MatMul_2"], ["y2"], name="/wrapper/net/layer.1/query/MatMul"),
        helper.make_node("MatMul", ["y", "z"], ["s"], name="/net/layer.0/scores/MatMul"),
    ]
    bias = numpy_helper.from_array(np.ones(8, np.float32), "net.layer.1.query.bias")
    weights = [numpy_helper.from_array(W, name) for name in ("onnx::MatMul_1", "k.w", "onnx::MatMul_2")]
    file = save(tmp_path / "x.onnx", nodes, [*weights, bias])
    value = torch.from_numpy(W)
    assert torch.equal(file.read("onnx::MatMul_1"), value)
    assert torch.equal(file.read("net.layer.0.query.weight"), value.T)
    assert torch.equal(file.read("net.layer.0.key.weight"), value)
    assert torch.equal(file.read("net.layer.1.query.weight", Part(((0, 3),))), value.T[:3])
    assert "net.layer.0.scores.weight" not in file.tensors


@pytest.mark.parametrize(
    ("data_type", "dtype"),
    [
        (TensorProto.FLOAT, torch.float32),
        (TensorProto.FLOAT16, torch.float16),
        (TensorProto.BFLOAT16, torch.bfloat16),
        (TensorProto.DOUBLE, torch.float64),
    ],
)
def test_number_formats(tmp_path: Path, data_type: int, dtype: torch.dtype) -> None:
    value = torch.from_numpy(W).to(dtype)
    proto = TensorProto(name="w", data_type=data_type, dims=[8, 8], raw_data=value.view(torch.uint8).numpy().tobytes())
    file = save(tmp_path / "x.onnx", [], [proto])
    assert torch.equal(file.read("w"), value)


def test_constants(tmp_path: Path) -> None:
    node = helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(W, "inner"))
    assert torch.equal(save(tmp_path / "x.onnx", [node], []).read("c"), torch.from_numpy(W))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_quantised_weights_are_what_the_operator_defines(tmp_path: Path, axis: int | None, kind: Any) -> None:
    from onnx.reference import ReferenceEvaluator

    integers = RNG.integers(0, 100, (8, 6)).astype(kind)
    shape = () if axis is None else (integers.shape[axis],)
    scale, zero = RNG.random(shape).astype(np.float32) + 0.1, np.full(shape, 7, kind)
    parts = [numpy_helper.from_array(np.asarray(v), n) for n, v in (("w_q", integers), ("w_s", scale), ("w_z", zero))]
    extra = {} if axis is None else {"axis": axis}
    node = helper.make_node("DequantizeLinear", ["w_q", "w_s", "w_z"], ["w"], **extra)
    output = helper.make_tensor_value_info("w", TensorProto.FLOAT, [8, 6])
    model = helper.make_model(helper.make_graph([node], "g", [], [output], parts))
    onnx.save(model, tmp_path / "x.onnx")
    file = OnnxFile(tmp_path / "x.onnx")
    [theirs] = ReferenceEvaluator(model).run(None, {})
    assert torch.equal(file.read("w"), torch.from_numpy(np.array(theirs)))
    assert file.tensors["w"].stored.endswith("with scale")
    assert file.tensors["w"].quantised


def test_weights_of_dynamic_quantisation(tmp_path: Path) -> None:
    integers = RNG.integers(0, 100, (8, 6)).astype(np.uint8)
    parts = [
        numpy_helper.from_array(integers, "q.weight_quantized"),
        numpy_helper.from_array(np.asarray(np.float32(0.25)), "q.weight_scale"),
        numpy_helper.from_array(np.asarray(np.uint8(50)), "q.weight_zero_point"),
    ]
    node = helper.make_node(
        "MatMulInteger", ["x", "q.weight_quantized", "x_zero", "q.weight_zero_point"], ["y"], name="/l.0/q/M"
    )
    file = save(tmp_path / "x.onnx", [node], parts)
    expected = (torch.from_numpy(integers).float() - 50) / 4
    assert torch.equal(file.read("q.weight"), expected)
    assert torch.equal(file.read("l.0.q.weight"), expected.T)


def test_external_data_beside_the_graph(tmp_path: Path) -> None:
    graph = helper.make_graph([], "g", [], [], [numpy_helper.from_array(W, "w")])
    onnx.save(
        helper.make_model(graph), tmp_path / "x.onnx", save_as_external_data=True, location="w.data", size_threshold=0
    )
    assert torch.equal(OnnxFile(tmp_path / "x.onnx").read("w"), torch.from_numpy(W))
    (tmp_path / "w.data").write_bytes(b"short")
    with pytest.raises(SourceError, match="truncated"):
        OnnxFile(tmp_path / "x.onnx").read("w")


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"location": "/etc/passwd"}, "lies outside the directory"),
        ({"location": "../secret"}, "lies outside the directory"),
        ({"location": "absent"}, "No such file"),
        ({"location": "here", "offset": "x"}, "has no valid place in here"),
        ({"location": "here", "offset": "-4"}, "has no valid place in here"),
        ({"location": "here", "length": "1"}, "cannot be decoded|has .* values for shape"),
    ],
)
def test_hostile_external_data(tmp_path: Path, entries: dict[str, str], words: str) -> None:
    (tmp_path / "here").write_bytes(b"x" * 8)
    proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        proto.external_data.add(key=key, value=value)
    file = save(tmp_path / "x.onnx", [], [proto])
    with pytest.raises(SourceError, match=words):
        file.read("w")


@pytest.mark.parametrize("content", [b"hello world", b"", b"\xff" * 100])
def test_what_is_no_graph(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.onnx").write_bytes(content)
    with pytest.raises(SourceError, match=r"x.onnx: (not an ONNX file|an ONNX graph without weights)"):
        OnnxFile(tmp_path / "x.onnx")


def test_a_shape_that_does_not_match_its_data(tmp_path: Path) -> None:
    proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2**31, 2**31], raw_data=b"1234")
    with pytest.raises(SourceError, match="cannot be decoded"):
        save(tmp_path / "x.onnx", [], [proto]).read("w")


def test_a_graph_is_read_through_a_layout_of_a_few_lines(tmp_path: Path) -> None:
    nodes = [
        helper.make_node(
            "MatMul", ["x", f"onnx::{name}"], [name], name=f"/bert/encoder/layer.0/attention/self/{name}/MatMul"
        )
        for name in ("query", "key")
    ]
    save(tmp_path / "x.onnx", nodes, [numpy_helper.from_array(W, f"onnx::{name}") for name in ("query", "key")])
    (tmp_path / "my.toml").write_text("[mine]\nlike = 'bert'\nheads = 2\n")
    checkpoint = open_checkpoint(tmp_path / "x.onnx", layout=tmp_path / "my.toml")
    [plan] = checkpoint.layers()
    assert torch.equal(checkpoint.read(plan).Q.reshape(8, 8), torch.from_numpy(W.T.copy()))
