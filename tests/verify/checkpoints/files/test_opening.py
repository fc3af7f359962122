from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints.files import open_file
from verify.checkpoints.files.pytorch import PytorchFile
from verify.checkpoints.files.safetensors import SafetensorsFile
from verify.errors import SourceError


def test_the_content_decides_and_not_the_name(tmp_path: Path) -> None:
    save_file({"a": torch.zeros(1)}, tmp_path / "weights.bin")
    torch.save({"a": torch.zeros(1)}, tmp_path / "weights")
    assert isinstance(open_file(tmp_path / "weights.bin"), SafetensorsFile)
    assert isinstance(open_file(tmp_path / "weights"), PytorchFile)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.safetensors", b"", "the file is empty"),
        ("x.bin", b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer"),
        ("x.safetensors", b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer"),
        ("x.bin", b"\r\n <!DOCTYPE HTML><html>", "x.bin: an HTML page, which a failed download leaves; fetch"),
        ("x.safetensors", b"<html>" + b" " * 600, "x.safetensors: an HTML page"),
        ("x.npz", b"\xef\xbb\xbf<?xml version='1.0'?>", "x.npz: an XML text"),
        ("x.txt", b"hello", "not a weights file that headforms reads"),
        ("x.bin", b"hello", "x.bin: a pickle that holds no weights"),
        ("x.npz", b"hello world", "x.npz: not a weights file"),
        ("x.onnx", b"hello world", "x.onnx: not an ONNX file"),
        ("x.gguf", b"hello world", "x.gguf: not a weights file"),
        ("x.safetensors", b"hello world", "x.safetensors: not a safetensors file"),
        ("x.pt", b"PK\x03\x04 damaged", "x.pt: a damaged zip archive"),
    ],
)
def test_what_is_no_weights_file(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=words):
        open_file(tmp_path / name)
