"""Which reader opens a file: decided by its first bytes, not by its name."""

from __future__ import annotations

from pathlib import Path

from verify.checkpoints.bytes import LocalBytes, Span
from verify.checkpoints.files.gguf import MAGIC, GgufFile
from verify.checkpoints.files.interface import TensorFile
from verify.checkpoints.files.npz import NpzFile
from verify.checkpoints.files.onnx import OnnxFile
from verify.checkpoints.files.pytorch import PytorchFile
from verify.checkpoints.files.safetensors import SafetensorsFile
from verify.errors import SourceError

#: File name endings taken for weights when a directory is searched, in order of preference.
ENDINGS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".npz", ".onnx")


def open_file(path: Path) -> TensorFile:
    """Open a local weights file.

    Raises:
        SourceError: the file is missing, empty, of a format nobody reads here, or damaged.
    """
    source = LocalBytes(path)
    if source.size == 0:
        raise SourceError(f"{path}: the file is empty; fetch it again")
    head = bytes(source.read([Span(0, min(source.size, 64))]))
    if head.startswith(b"version https://git-lfs"):
        raise SourceError(f"{path}: a Git LFS pointer, not the weights themselves; run 'git lfs pull' first")
    if head.startswith(MAGIC):
        return GgufFile(source)
    if path.suffix == ".safetensors" or head[8:9] == b"{":
        return SafetensorsFile(source)
    if path.suffix == ".npz":
        return NpzFile(path)
    if path.suffix == ".onnx":
        return OnnxFile(path)
    if head.startswith((b"PK", b"\x80")) or path.suffix in ENDINGS:
        return PytorchFile(path)
    raise SourceError(f"{path}: not a weights file headforms reads; known endings: {', '.join(ENDINGS)}")
