"""Which reader opens a file: decided by its first bytes, not by its name."""

from __future__ import annotations

from pathlib import Path

from verify.checkpoints.bytes import ByteSource, LocalBytes, Span
from verify.checkpoints.files.gguf import MAGIC, GgufFile
from verify.checkpoints.files.interface import TensorFile
from verify.checkpoints.files.npz import NpzFile
from verify.checkpoints.files.onnx import OnnxFile
from verify.checkpoints.files.pytorch import PytorchFile
from verify.checkpoints.files.safetensors import SafetensorsFile
from verify.checkpoints.impostors import BEGINNING, refuse_impostor
from verify.errors import SourceError

#: File name endings taken for weights when a directory is searched, in order of preference.
ENDINGS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".npz", ".onnx")


def open_file(path: Path) -> TensorFile:
    """Open a local weights file.

    Raises:
        SourceError: the file is missing, empty, of a format nobody reads here, or damaged.
    """
    source = LocalBytes(path)
    opened = open_bytes(source, path.suffix)
    if opened is not None:
        return opened
    head = bytes(source.read([Span(0, min(source.size, 8))]))
    if path.suffix == ".npz":
        return NpzFile(path)
    if path.suffix == ".onnx":
        return OnnxFile(path)
    if head.startswith((b"PK", b"\x80")) or path.suffix in ENDINGS:
        return PytorchFile(path)
    raise SourceError(f"{path}: not a weights file headforms reads; known endings: {', '.join(ENDINGS)}")


def open_bytes(source: ByteSource, ending: str) -> TensorFile | None:
    """A file of a format that is read by spans of bytes, wherever they lie; None if it is of another format.

    Raises:
        SourceError: the file is empty, not the file itself, or damaged.
    """
    if source.size == 0:
        raise SourceError(f"{source.name}: the file is empty; fetch it again")
    head = bytes(source.read([Span(0, min(source.size, BEGINNING))]))
    refuse_impostor(head, source.name)
    if head.startswith(MAGIC):
        return GgufFile(source)
    if ending == ".safetensors" or head[8:9] == b"{":
        return SafetensorsFile(source)
    return None
