"""Which reader opens a file: decided by its content where that speaks, and only then by its name."""

from __future__ import annotations

from pathlib import Path

from verify.checkpoints.bytes import ByteSource, LocalBytes, Span
from verify.checkpoints.files import archives, gguf
from verify.checkpoints.files.gguf import GgufFile
from verify.checkpoints.files.interface import TensorFile
from verify.checkpoints.files.npz import NpzFile
from verify.checkpoints.files.onnx import OnnxFile
from verify.checkpoints.files.onnx_tensors import Beside
from verify.checkpoints.files.pytorch import PytorchFile
from verify.checkpoints.files.safetensors import SafetensorsFile
from verify.checkpoints.impostors import BEGINNING, refuse_impostor
from verify.errors import SourceError

#: File name endings taken for weights when a directory is searched, in order of preference.
ENDINGS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".npz", ".onnx")
PICKLES = (".bin", ".pt", ".pth", ".ckpt")


def open_file(path: Path) -> TensorFile:
    """Open a local weights file.

    Raises:
        SourceError: the file is missing, empty, of a format nobody reads here, or damaged.
    """
    return open_bytes(LocalBytes(path), path.suffix, beside=lambda name: LocalBytes(path.parent / name))


def open_bytes(source: ByteSource, ending: str, *, beside: Beside | None = None) -> TensorFile:
    """A weights file, wherever its bytes lie.

    Args:
        source: the bytes.
        ending: of its name.
        beside: opens another file of the same folder, where a format keeps some of its tensors.

    Raises:
        SourceError: the file is empty, not the file itself, of a format nobody reads here, or damaged.
    """
    if source.size == 0:
        raise SourceError(f"{source.name}: the file is empty; fetch it again")
    head = bytes(source.read([Span(0, min(source.size, BEGINNING))]))
    refuse_impostor(head, source.name)
    if head.startswith(gguf.MAGIC):
        return GgufFile(source)
    if head.startswith(archives.MAGIC):
        archive = archives.Archive(source)
        return NpzFile(source, archive) if ending == ".npz" else PytorchFile(source, archive)
    if ending == ".onnx":
        return OnnxFile(source, beside)
    if ending == ".safetensors" or head[8:9] == b"{":
        return SafetensorsFile(source)
    if head.startswith(b"\x80") or ending in PICKLES:
        return PytorchFile(source)
    raise SourceError(f"{source.name}: not a weights file that headforms reads; known endings: {', '.join(ENDINGS)}")
