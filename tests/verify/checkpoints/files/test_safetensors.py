import json
import os
import tracemalloc
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
    "deep": (b'{"a":' * 100_000, b"", "not valid JSON"),
    "list": ([], b"", "does not begin with '{'"),
    "byte order mark": (b"\xef\xbb\xbf{}", b"", "does not begin with '{'"),
    "utf-16": ("{}".encode("utf-16"), b"", "does not begin with '{'"),
    "not utf-8": (b'{"\xff": 1}', b"", "byte 2 is not UTF-8"),
    "twice": (b'{"a":1,"a":1}', b"", "the name a appears twice"),
    "digits": (b'{"a":{"dtype":"F32","shape":[' + b"9" * 5000 + b'],"data_offsets":[0,4]}}', b"", "of 5000 digits"),
    "metadata list": ({"__metadata__": []}, b"", "its __metadata__ is not a table of strings"),
    "metadata number": ({"__metadata__": {"a": 1}}, b"", "its __metadata__ is not a table of strings"),
    "string entry": ({"a": "xyz"}, b"", "has no dtype, shape and pair of data_offsets"),
    "list dtype": ({"a": {**entry([1], 0, 4), "dtype": ["F32"]}}, b"1234", r"has the unknown dtype \['F32'\]"),
    "dict dtype": ({"a": {**entry([1], 0, 4), "dtype": {"F32": 1}}}, b"1234", "has the unknown dtype {'F32': 1}"),
    "newline": ({"evil\nname\x1b[31m": entry([1], 0, 4, "X")}, b"1234", r"tensor 'evil\\nname\\x1b\[31m' has the unk"),
    "surrogate": (b'{"\\ud800": {"dtype": "X", "shape": [], "data_offsets": [0, 4]}}', b"", r"tensor '\\ud800' has"),
    "long name": ({"a" * 100_000: entry([1], 0, 4, "X")}, b"1234", r"aaa \(100000 characters\) has the unknown"),
    "empty name": ({"": entry([1], 0, 4, "X")}, b"1234", "tensor '' has the unknown dtype X"),
    "axes": ({"a": entry([1] * 65, 0, 4)}, b"1234", "has 65 axes; at most 64"),
    "long shape": ({"a": entry([2**62] * 5000, 0, 4)}, b"1234", "has 5000 axes"),
    "huge and empty": ({"a": entry([2**63, 0], 0, 0)}, b"", "natural numbers were expected"),
    "no dtype": ({"a": {"shape": [1]}}, b"", "has no dtype, shape and pair of data_offsets"),
    "three offsets": ({"a": {"dtype": "F32", "shape": [], "data_offsets": [0, 1, 2]}}, b"", "pair of data_offsets"),
    "dtype": ({"a": entry([1], 0, 4, "Q4")}, b"", "has the unknown dtype Q4"),
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
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_a_header_of_brackets_is_refused_before_it_costs_anything(tmp_path: Path) -> None:
    path = write(tmp_path / "x.safetensors", b'{"__metadata__":[' + b"[]," * 10_000_000 + b"[]]}")
    tracemalloc.start()
    with pytest.raises(SourceError, match="values where at most 2000000 are sane; refused as hostile"):
        opened(path)
    assert tracemalloc.get_traced_memory()[1] < 3 * path.stat().st_size
    tracemalloc.stop()


def test_a_header_longer_than_any_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes((99_000_000).to_bytes(8, "little"))
    os.truncate(path, 99_000_008)
    tracemalloc.start()
    with pytest.raises(SourceError, match="announces a header of 99000000 bytes, and 33554432 is the most"):
        opened(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


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
