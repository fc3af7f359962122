import json
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import save_file

from verify.checkpoints.bytes import LocalBytes
from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.safetensors import DTYPES, SafetensorsFile
from verify.errors import SourceError


def opened(path: Path) -> SafetensorsFile:
    return SafetensorsFile(LocalBytes(path))


def write(path: Path, header: object, data: bytes = b"", *, length: int | None = None) -> Path:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(raw) if length is None else length).to_bytes(8, "little") + raw + data)
    return path


def entry(shape: object, start: int, stop: int, dtype: str = "F32") -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, stop]}


@pytest.mark.parametrize("dtype", sorted(DTYPES.values(), key=str), ids=str)
def test_every_dtype_as_the_formats_own_library_reads_it(tmp_path: Path, dtype: torch.dtype) -> None:
    data = torch.randint(0, 255, (6, 4 * dtype.itemsize), dtype=torch.uint8)
    value = (data % 2 if dtype is torch.bool else data).view(dtype)
    save_file({"a": value, "b": value[:0].clone(), "scalar": value[0, 0].clone()}, tmp_path / "x.safetensors")
    file = opened(tmp_path / "x.safetensors")
    with safe_open(tmp_path / "x.safetensors", "pt") as oracle:
        assert set(oracle.keys()) == set(file.tensors)
        for name in file.tensors:
            theirs, ours = oracle.get_tensor(name), file.read(name)
            assert ours.dtype is theirs.dtype
            assert ours.shape == theirs.shape == file.tensors[name].shape
            assert torch.equal(ours.reshape(-1).view(torch.uint8), theirs.reshape(-1).view(torch.uint8))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), st.data())
def test_parts_are_slices(tmp_path_factory: pytest.TempPathFactory, shape: list[int], data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("parts") / "x.safetensors"
    value = torch.randn(shape)
    save_file({"other": torch.zeros(3), "value": value}, path)
    axis = data.draw(st.integers(0, len(shape) - 1))
    bounds = sorted(data.draw(st.sets(st.integers(0, shape[axis]), min_size=2)))
    spans = tuple(zip(bounds[::2], bounds[1::2], strict=False))
    expected = torch.cat([value.narrow(axis, a, b - a) for a, b in spans], dim=axis)
    assert torch.equal(opened(path).read("value", Part(spans, axis)), expected)


BAD = {
    "short": (b"123", "truncated: 3 bytes cannot hold a safetensors header"),
    "long header": ((2**40).to_bytes(8, "little"), "not a safetensors file: it announces a header of"),
    "cut header": ((99).to_bytes(8, "little") + b"{", "truncated: a header of 99 bytes is announced"),
}
HEADERS = {
    "not json": (b"{nonsense", b"", "not valid JSON"),
    "deep": (b"[" * 100_000, b"", "not valid JSON"),
    "list": ([], b"", "not a JSON object"),
    "twice": (b'{"a":1,"a":1}', b"", "a name appears twice"),
    "no dtype": ({"a": {"shape": [1]}}, b"", "has no dtype, shape and pair of data_offsets"),
    "three offsets": ({"a": {"dtype": "F32", "shape": [], "data_offsets": [0, 1, 2]}}, b"", "pair of data_offsets"),
    "dtype": ({"a": entry([1], 0, 4, "Q4")}, b"", "has the unknown dtype 'Q4'"),
    "negative": ({"a": entry([-1], 0, 4)}, b"", "natural numbers were expected"),
    "fraction": ({"a": entry([1.5], 0, 4)}, b"", "natural numbers were expected"),
    "string": ({"a": entry("11", 0, 4)}, b"", "natural numbers were expected"),
    "absurd": ({"a": entry([2**62, 2**62], 0, 4)}, b"", "needs .* bytes and its offsets span 4"),
    "backwards": ({"a": entry([1], 4, 0)}, b"1234", "its offsets span -4"),
    "overlap": ({"a": entry([2], 0, 8), "b": entry([2], 4, 12)}, b"x" * 12, "a and b overlap"),
    "hole": ({"a": entry([1], 0, 4), "b": entry([1], 8, 12)}, b"x" * 12, "4 unaccounted bytes between a and b"),
    "cut data": ({"a": entry([4], 0, 16)}, b"x" * 12, "truncated"),
    "tail": ({"a": entry([1], 0, 4)}, b"x" * 5, "1 unaccounted bytes after the last tensor"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_files(tmp_path: Path, case: str) -> None:
    content, words = BAD[case]
    (tmp_path / "x.safetensors").write_bytes(content)
    with pytest.raises(SourceError, match=f"x.safetensors: {words}"):
        opened(tmp_path / "x.safetensors")


@pytest.mark.parametrize("case", HEADERS)
def test_broken_headers(tmp_path: Path, case: str) -> None:
    header, data, words = HEADERS[case]
    with pytest.raises(SourceError, match=words) as caught:
        opened(write(tmp_path / "x.safetensors", header, data))
    assert "x.safetensors" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_format_torch_cannot_hold_is_listed_but_not_read(tmp_path: Path) -> None:
    file = opened(write(tmp_path / "x.safetensors", {"a": entry([4], 0, 2, "F4")}, b"12"))
    assert file.tensors["a"].stored == "F4"
    with pytest.raises(SourceError, match="tensor a is stored as F4"):
        file.read("a")


def test_the_identity_hashes_the_header_and_not_the_weights(tmp_path: Path) -> None:
    first = opened(write(tmp_path / "1.safetensors", {"a": entry([1], 0, 4)}, b"1234")).identity()
    again = opened(write(tmp_path / "2.safetensors", {"a": entry([1], 0, 4)}, b"5678")).identity()
    other = opened(write(tmp_path / "3.safetensors", {"b": entry([1], 0, 4)}, b"1234")).identity()
    assert first == again
    assert first.sha256 != other.sha256
