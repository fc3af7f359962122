from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch

from verify.checkpoints.bytes import LocalBytes
from verify.checkpoints.files.gguf import GgufFile
from verify.checkpoints.files.interface import Part
from verify.errors import SourceError

QUANTISED = [
    kind
    for kind in gguf.GGMLQuantizationType
    if kind in gguf.quants._type_traits and kind is not gguf.GGMLQuantizationType.BF16
]


def write(path: Path, tensors: dict[str, Any], **kinds: gguf.GGMLQuantizationType) -> GgufFile:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(2)
    writer.add_head_count(4)
    writer.add_array("tokenizer.ggml.tokens", [f"<{i}>" for i in range(5000)])
    writer.add_array("tokenizer.ggml.scores", [0.5] * 5000)
    writer.add_array("llama.attention.pattern", [1, 0, 1])
    writer.add_array("general.tags", ["a", "b"])
    for name, value in tensors.items():
        writer.add_tensor(name, value, raw_dtype=kinds.get(name))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return GgufFile(LocalBytes(path))


def test_metadata_become_a_configuration_and_vocabularies_are_passed_over(tmp_path: Path) -> None:
    file = write(tmp_path / "x.gguf", {"a.weight": np.zeros((2, 32), np.float32)})
    assert file.metadata["model_type"] == "gguf"
    assert file.metadata["general.architecture"] == "llama"
    assert (file.metadata["block_count"], file.metadata["attention.head_count"]) == (2, 4)
    assert file.metadata["attention.pattern"] == [1, 0, 1]
    assert file.metadata["general.tags"] == ["a", "b"]
    assert file.metadata["tokenizer.ggml.tokens"] is None
    assert file.metadata["tokenizer.ggml.scores"] is None


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64], ids=str)
def test_plain_numbers(tmp_path: Path, dtype: Any) -> None:
    value = np.random.default_rng(0).standard_normal((6, 32)).astype(dtype)
    file = write(tmp_path / "x.gguf", {"first": np.zeros(3, np.float32), "a": value, "vector": value[0]})
    assert file.tensors["a"].shape == (6, 32)
    assert torch.equal(file.read("a"), torch.from_numpy(value))
    assert torch.equal(file.read("a", Part(((0, 1), (4, 6)))), torch.from_numpy(value[[0, 4, 5]]))
    assert torch.equal(file.read("a", Part(((3, 5),), axis=1)), torch.from_numpy(value[:, 3:5]))
    assert torch.equal(file.read("vector", Part(((3, 5),))), torch.from_numpy(value[0, 3:5]))


def test_bfloat16(tmp_path: Path) -> None:
    value = torch.randn(4, 32).bfloat16()
    raw = value.view(torch.uint8).numpy()
    file = write(tmp_path / "x.gguf", {"a": raw}, a=gguf.GGMLQuantizationType.BF16)
    assert file.tensors["a"].stored == "BF16"
    assert not file.tensors["a"].quantised
    assert torch.equal(file.read("a"), value)


def test_three_dimensions(tmp_path: Path) -> None:
    value = np.arange(2 * 3 * 32, dtype=np.float32).reshape(2, 3, 32)
    file = write(tmp_path / "x.gguf", {"a": value})
    assert torch.equal(file.read("a"), torch.from_numpy(value))
    assert torch.equal(file.read("a", Part(((1, 2),))), torch.from_numpy(value[1:]))


@pytest.mark.parametrize("kind", QUANTISED, ids=lambda kind: kind.name)
def test_quantised_blocks_are_what_the_reference_dequantiser_gives(tmp_path: Path, kind: Any) -> None:
    block, size = gguf.GGML_QUANT_SIZES[kind]
    raw = np.random.default_rng(0).integers(0, 255, (5, 2 * size), dtype=np.uint8)
    file = write(tmp_path / "x.gguf", {"a": raw}, a=kind)
    assert file.tensors["a"].shape == (5, 2 * block)
    assert file.tensors["a"].quantised
    assert file.tensors["a"].stored == kind.name
    theirs = torch.from_numpy(np.array(gguf.quants.dequantize(raw, kind), dtype=np.float32))
    assert torch.equal(file.read("a").view(torch.int32), theirs.view(torch.int32))
    assert torch.equal(file.read("a", Part(((1, 2), (3, 5)))).view(torch.int32), theirs[[1, 3, 4]].view(torch.int32))


def test_the_reader_of_the_gguf_package_agrees(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    tensors = {f"t{i}": rng.standard_normal((i + 1, 32)).astype(np.float32) for i in range(5)}
    ours = write(tmp_path / "x.gguf", tensors)
    theirs = gguf.GGUFReader(tmp_path / "x.gguf")
    assert {t.name for t in theirs.tensors} == set(ours.tensors)
    for tensor in theirs.tensors:
        assert torch.equal(ours.read(tensor.name), torch.from_numpy(np.array(tensor.data)))


def spoiled(content: bytes, at: int, new: bytes) -> bytes:
    return content[:at] + new + content[at + len(new) :]


HUGE = (2**62).to_bytes(8, "little")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda c: b"GGUX" + c[4:], "does not begin with GGUF"),
        (lambda c: spoiled(c, 4, b"\x09"), "GGUF version 9"),
        (lambda c: spoiled(c, 8, HUGE), "truncated or damaged|appears twice|dimensions"),
        (lambda c: spoiled(c, 16, HUGE), "truncated or damaged|unknown type"),
        (lambda c: spoiled(c, 24, HUGE), "truncated or damaged: its GGUF header asks for"),
        (lambda c: c[:60], "truncated or damaged"),
        (lambda c: c[:-64], "truncated; fetch it again"),
    ],
)
def test_broken_files(tmp_path: Path, spoil: Any, words: str) -> None:
    write(tmp_path / "x.gguf", {"a": np.zeros((4, 32), np.float32)})
    (tmp_path / "y.gguf").write_bytes(spoil((tmp_path / "x.gguf").read_bytes()))
    with pytest.raises(SourceError, match=words) as caught:
        GgufFile(LocalBytes(tmp_path / "y.gguf"))
    assert "y.gguf" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_number_format(tmp_path: Path) -> None:
    write(tmp_path / "x.gguf", {"name-of-it": np.zeros((4, 32), np.float32)})
    content = (tmp_path / "x.gguf").read_bytes()
    at = content.index(b"name-of-it") + len(b"name-of-it") + 4 + 16
    (tmp_path / "x.gguf").write_bytes(spoiled(content, at, (999).to_bytes(4, "little")))
    with pytest.raises(SourceError, match="tensor name-of-it has the unknown number format 999"):
        GgufFile(LocalBytes(tmp_path / "x.gguf"))
