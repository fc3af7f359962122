from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from verify.checkpoints import open_checkpoint
from verify.checkpoints.files import TensorFile, open_file
from verify.checkpoints.files.interface import Part
from verify.errors import SourceError

RNG = np.random.default_rng(0)
FORMATS = [
    "FLOAT", "FLOAT16", "BFLOAT16", "DOUBLE", "INT8", "UINT8", "INT16", "UINT16", "INT32", "INT64", "UINT32",
    "UINT64", "FLOAT8E4M3FN", "FLOAT8E5M2",
]  # fmt: skip
W = RNG.standard_normal((8, 8)).astype(np.float32)


def save(path: Path, nodes: list[Any], initialisers: list[Any]) -> TensorFile:
    graph = helper.make_graph(nodes, "g", [], [], initialisers)
    onnx.save(helper.make_model(graph), path)
    return open_file(path)


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
    file = open_file(tmp_path / "x.onnx")
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
    assert torch.equal(open_file(tmp_path / "x.onnx").read("w"), torch.from_numpy(W))
    (tmp_path / "w.data").write_bytes(b"short")
    with pytest.raises(SourceError, match="truncated"):
        open_file(tmp_path / "x.onnx").read("w")


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"location": "/etc/passwd"}, "lies outside the directory"),
        ({"location": "../secret"}, "lies outside the directory"),
        ({"location": "absent"}, "No such file"),
        ({"location": "here", "offset": "x"}, "has no valid place in here"),
        ({"location": "here", "offset": "-4"}, "has no valid place in here"),
        ({"location": "here", "length": "1"}, "has no valid place in here for 8 bytes"),
        ({"location": "here", "length": "9" * 5000}, "has no valid place in here"),
        ({"location": "here", "offset": "4"}, "truncated: 8 bytes are there and byte 12 is needed"),
        ({"location": "."}, "lies outside the directory"),
        ({"location": ""}, "lies outside the directory, at ''"),
        ({}, "lies outside the directory, at ''"),
        ({"location": "a\\b"}, "lies outside the directory"),
        ({"location": "\0"}, "lies outside the directory"),
        ({"location": "x" * 5000}, "File name too long"),
        ({"location": "x" * 9000}, "a name of more than 8192 bytes"),
    ],
)
def test_hostile_external_data(tmp_path: Path, entries: dict[str, str], words: str) -> None:
    (tmp_path / "here").write_bytes(b"x" * 8)
    proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        proto.external_data.add(key=key, value=value)
    file = save(tmp_path / "x.onnx", [], [proto])
    with pytest.raises(SourceError, match=words) as caught:
        file.read("w")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("content", [b"hello world", b"\xff" * 100, b"\x3a\x7f", b"\x3a\x00\x3a\x00", b"\x08\x08"])
def test_what_is_no_graph(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.onnx").write_bytes(content)
    with pytest.raises(SourceError, match=r"x.onnx: (not an ONNX file|an ONNX graph without weights)"):
        open_file(tmp_path / "x.onnx")


def test_a_shape_that_does_not_match_its_data(tmp_path: Path) -> None:
    for dims in ([2**31, 2**31], [-1, 4], [1] * 65, [2**62]):
        proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, raw_data=b"1234")
        with pytest.raises(SourceError, match="tensor w has shape|a list of more than 64 numbers"):
            save(tmp_path / "x.onnx", [], [proto])
    for raw in (b"1234", b"1" * 12, b""):
        proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], raw_data=raw)
        with pytest.raises(SourceError, match=r"x.onnx: tensor w has shape \[2\] of FLOAT, which needs 8 bytes"):
            save(tmp_path / "x.onnx", [], [proto]).read("w")
    for held in ({"float_data": [1.0] * 3}, {"int32_data": [1] * 9}, {}):
        proto = TensorProto(name="w", data_type=TensorProto.FLOAT16 if held else 1, dims=[2], **held)
        with pytest.raises(SourceError, match="tensor w has shape|tensor w has more numbers than its shape"):
            save(tmp_path / "x.onnx", [], [proto]).read("w")


@pytest.mark.parametrize("name", ["", "w", "evil\n\x1b[31m"])
def test_formats_that_are_not_read_are_named_with_their_tensor(tmp_path: Path, name: str) -> None:
    proto = TensorProto(name=name, data_type=TensorProto.COMPLEX64, dims=[2], float_data=[1.0] * 4)
    with pytest.raises(SourceError, match=r"x.onnx: tensor .* is stored as COMPLEX64, which is not read") as caught:
        save(tmp_path / "x.onnx", [], [proto]).read(name)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("data_type", FORMATS)
@pytest.mark.parametrize("raw", [True, False])
def test_every_number_format_as_the_onnx_package_reads_it(tmp_path: Path, data_type: str, raw: bool) -> None:
    kind = getattr(TensorProto, data_type)
    values = (50 * RNG.standard_normal((5, 3))).astype(np.float32)
    if data_type.startswith("U"):
        values = np.abs(values)
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    proto = helper.make_tensor("w", kind, [5, 3], values.astype(dtype).tobytes() if raw else values.flatten(), raw=raw)
    ours = save(tmp_path / "x.onnx", [], [proto]).read("w")
    theirs = numpy_helper.to_array(proto)
    assert ours.shape == theirs.shape
    assert ours.reshape(-1).view(torch.uint8).numpy().tobytes() == theirs.tobytes()


def test_two_tensors_of_one_name(tmp_path: Path) -> None:
    first, second = numpy_helper.from_array(W, "w"), numpy_helper.from_array(W + 1, "w")
    with pytest.raises(SourceError, match="x.onnx: two tensors of the graph are named w; export it again"):
        save(tmp_path / "x.onnx", [], [first, second])
    node = helper.make_node("Constant", [], ["w"], value=second)
    with pytest.raises(SourceError, match="two tensors of the graph are named w"):
        save(tmp_path / "x.onnx", [node], [first])
    parts = [numpy_helper.from_array(np.ones((2, 2), np.int8), "q"), numpy_helper.from_array(np.float32(1), "s")]
    node = helper.make_node("DequantizeLinear", ["q", "s"], ["w"])
    with pytest.raises(SourceError, match="two tensors are named w"):
        save(tmp_path / "x.onnx", [node], [first, *parts])


def test_a_place_where_two_weights_are_multiplied_says_nothing_of_either(tmp_path: Path) -> None:
    names = ("onnx::MatMul_1", "onnx::MatMul_2")
    nodes = [helper.make_node("MatMul", ["x", name], [name + "y"], name=f"/layer.0/attn/{name[-1]}") for name in names]
    weights = [numpy_helper.from_array(W + i, name) for i, name in enumerate(names)]
    assert set(save(tmp_path / "x.onnx", nodes, weights).tensors) == set(names)
    assert "layer.0.attn.weight" in save(tmp_path / "x.onnx", nodes[:1] * 2, weights).tensors


@pytest.mark.parametrize(
    ("values", "scale", "zero", "words"),
    [
        (np.ones((4, 4), np.float32), np.float32(1), None, "is quantised with numbers of torch.float32"),
        (np.ones((4, 4), np.int8), np.int8(1), None, ".* and scales of torch.int8, which is not read"),
        (np.ones((4, 4), np.int8), np.float32(1), np.uint8(1), "is quantised with numbers of torch.int8"),
        (
            np.ones((4, 4), np.int8),
            np.ones((4, 2), np.float32),
            None,
            r"is quantised in blocks, .*\[4, 2\]",
        ),
        (np.ones((4, 4), np.int8), np.ones(3, np.float32), None, "is quantised in blocks"),
        (np.ones((4, 4), np.int8), np.float32(1), np.ones(3, np.int8), "is quantised in blocks"),
    ],
)
def test_quantised_weights_that_do_not_fit_together(
    tmp_path: Path, values: Any, scale: Any, zero: Any, words: str
) -> None:
    given = [("w_q", values), ("w_s", scale), ("w_z", zero)]
    parts = [numpy_helper.from_array(np.asarray(v), n) for n, v in given if v is not None]
    node = helper.make_node("DequantizeLinear", [part.name for part in parts], ["w"])
    with pytest.raises(SourceError, match=f"x.onnx: tensor w_q {words}"):
        save(tmp_path / "x.onnx", [node], parts).read("w")


def test_a_graph_that_unfolds_into_millions_of_messages_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.checkpoints.files.protobuf.MOST_FIELDS", 10_000)
    graph = b"\x2a\x00" * 20_000
    (tmp_path / "x.onnx").write_bytes(b"\x3a" + _varint(len(graph)) + graph)
    with pytest.raises(SourceError, match="has more than 10000 fields; refused as hostile"):
        open_file(tmp_path / "x.onnx")


def _varint(number: int) -> bytes:
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


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
