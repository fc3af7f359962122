"""One reader per file format behind one interface: names, shapes, and the values of a part of one tensor."""

from __future__ import annotations

from verify.checkpoints.files.interface import Part, TensorFile, TensorInfo
from verify.checkpoints.files.opening import open_file

__all__ = ["Part", "TensorFile", "TensorInfo", "open_file"]
