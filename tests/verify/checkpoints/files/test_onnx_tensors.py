import pytest
import torch
from onnx import TensorProto as Proto

from verify.checkpoints.bytes import HeldBytes, Span
from verify.checkpoints.files.onnx_tensors import FORMATS, OTHERS, TensorProto, dequantised
from verify.checkpoints.files.protobuf import Wire
from verify.errors import SourceError


def test_formats_have_the_numbers_and_names_of_the_specification() -> None:
    for number, (name, *_) in FORMATS.items():
        assert Proto.DataType.Name(number) == name
    for number, name in OTHERS.items():
        assert Proto.DataType.Name(number) == name


def parsed(proto: Proto, name: str | None = None) -> tuple[TensorProto, HeldBytes]:
    source = HeldBytes("x.onnx", proto.SerializeToString())
    return TensorProto.parse(Wire(source, "the graph"), Span(0, source.size), name), source


def test_a_tensor_is_described_before_it_is_read() -> None:
    proto, source = parsed(Proto(name="w", data_type=Proto.FLOAT, dims=[2, 1], float_data=[1.5, -2.0]))
    assert (proto.name, proto.shape, proto.numel, proto.kind) == ("w", (2, 1), 2, "FLOAT")
    assert proto.value(source, None).tolist() == [[1.5], [-2.0]]
    assert parsed(Proto(data_type=99), "given")[0].kind == "type 99"
    assert parsed(Proto(data_type=Proto.INT4), "given")[0].kind == "INT4"


def test_weights_in_another_file_need_that_file() -> None:
    proto = Proto(name="w", data_type=Proto.FLOAT, dims=[1], data_location=Proto.EXTERNAL)
    proto.external_data.add(key="location", value="w.data")
    found, source = parsed(proto)
    with pytest.raises(SourceError, match="tensor w lies in w.data, beside the graph; audit a local copy of both"):
        found.value(source, None)
    beside = HeldBytes("w.data", torch.tensor([2.5]).numpy().tobytes())
    assert found.value(source, lambda _: beside).tolist() == [2.5]


@pytest.mark.parametrize("axis", [0, 1, -1, None])
@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int32, torch.float8_e4m3fn], ids=str)
def test_dequantised_numbers_one_by_one(dtype: torch.dtype, axis: int | None) -> None:
    values = torch.arange(12).reshape(3, 4).float().to(dtype)
    along = 1 if axis is None else axis % 2
    scales, zeros = torch.rand((3, 4)[along]) + 0.5, torch.ones((3, 4)[along]).to(dtype)
    found = dequantised(values, scales, zeros, axis)
    for i in range(3):
        for j in range(4):
            at = (i, j)[along]
            assert found[i, j] == (float(values[i, j]) - 1) * float(scales[at])
    assert torch.equal(dequantised(values, torch.tensor(2.0), None, axis), values.float() * 2)
