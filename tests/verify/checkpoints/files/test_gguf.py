from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch

from verify.checkpoints.bytes import HeldBytes, LocalBytes
from verify.checkpoints.files.gguf import MAGIC, GgufFile
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
        (lambda c: spoiled(c, 8, HUGE), "announces 4611686018427387904 tensors"),
        (lambda c: spoiled(c, 16, HUGE), "announces 1 tensors and 4611686018427387904 metadata"),
        (lambda c: spoiled(c, 8, b"\xe8\x03"), "truncated or damaged|appears twice|dimensions"),
        (lambda c: spoiled(c, 16, b"\xe8\x03"), "truncated or damaged|unknown type|appear twice"),
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


def packed(*parts: Any) -> bytes:
    """Strings behind their length, numbers of 64 bits, and bytes as they are."""
    found = b""
    for part in parts:
        if isinstance(part, str):
            found += len(part.encode()).to_bytes(8, "little") + part.encode()
        else:
            found += part if isinstance(part, bytes) else part.to_bytes(8, "little")
    return found


def word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def table(*rows: tuple[str, tuple[int, ...], int, int], data: int = 0) -> bytes:
    """A file without metadata: for each tensor its name, its lengths, its number format and its offset."""
    entries = b"".join(packed(n, word(len(s)), *s, word(kind), offset) for n, s, kind, offset in rows)
    head = MAGIC + word(3) + packed(len(rows), 0) + entries
    return head + bytes(-len(head) % 32 + data)


def metadata(*rows: tuple[str, bytes]) -> bytes:
    return MAGIC + word(3) + packed(0, len(rows)) + b"".join(packed(key, value) for key, value in rows) + bytes(64)


TEXT = word(8) + packed("x")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (table(("a", (32,), 0, 2**63), data=128), "tensor a ends at byte 92233.* truncated"),
        (table(("a", (2**40, 2**40), 0, 0), data=128), "tensor a ends at byte .* truncated"),
        (table(("a", (2**63, 0), 0, 0), data=128), r"tensor a has shape \[0, 92.*\]; the file is damaged or hostile"),
        (table(("a", (1,) * 9, 0, 0), data=128), "tensor a appears twice or has 9 dimensions"),
        (table(("a", (4,), 0, 0), ("a", (4,), 0, 32), data=128), "tensor a appears twice"),
        (table(("a", (32,), 0, 0), ("b", (32,), 0, 64), data=256), "tensors a and b overlap"),
        (table(("a", (33,), 2, 0), data=128), "has rows of 33 numbers, which Q4_0 stores in blocks of 32"),
        (table(("evil\n\x1b[31m", (4,), 999, 0), data=64), r"tensor 'evil\\n\\x1b\[31m' has the unknown number format"),
        (metadata(("a", TEXT), ("a", TEXT)), "the metadata a appear twice"),
        (metadata(("general.architecture", TEXT), ("x.y", TEXT), ("y", TEXT)), "the metadata y appear twice, once wi"),
        (metadata(("model_type", TEXT)), "the metadata model_type appear twice"),
        (metadata(("general.alignment", TEXT)), "an alignment of x"),
        (metadata(("general.alignment", word(4) + word(0))), "an alignment of 0"),
        (metadata(("general.alignment", word(10) + packed(2**62))), "an alignment of 4611686018427387904"),
        (metadata(("a", word(13))), "metadata of the unknown type 13"),
        (metadata(("a", word(9) + word(9) + packed(1))), "an array of arrays"),
        (metadata(("a", word(9) + word(0) + packed(2**61))), "its GGUF header asks for 2305843009213693952 bytes"),
        (metadata(("a", word(9) + word(8) + packed(2**61))), "truncated or damaged"),
        (MAGIC + b"\0\0\0\3" + bytes(64), "GGUF version 50331648; versions 2 and 3 in little-endian order are read"),
    ],
)
def test_hostile_headers(content: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=f"x: .*{words}") as caught:
        GgufFile(HeldBytes("x", content))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_strings_without_end_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.checkpoints.files.gguf.MOST_STRINGS", 1000)
    content = metadata(("a", word(9) + word(8) + packed(2**61) + bytes(8 * 2000)))
    with pytest.raises(SourceError, match="more than 1000 strings in its GGUF header; refused as hostile"):
        GgufFile(HeldBytes("x", content))


def test_tensors_without_numbers() -> None:
    file = GgufFile(HeldBytes("x", table(("a", (32, 0), 2, 0), ("b", (0, 4), 0, 0), ("scalar", (), 0, 0), data=64)))
    assert file.read("a").shape == (0, 32)
    assert file.read("b").shape == (4, 0)
    assert file.read("scalar").shape == (1,)


def test_a_format_nobody_dequantises_is_named_with_its_tensor() -> None:
    file = GgufFile(HeldBytes("x", table(("a", (32,), gguf.GGMLQuantizationType.I8, 0), data=64)))
    with pytest.raises(SourceError, match="x: tensor a: nobody dequantises I8 here"):
        file.read("a")
