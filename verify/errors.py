"""Errors of the numerical side; the base class is :class:`proofs.errors.HeadformsError`."""

from proofs.errors import FieldError, HeadformsError, HypothesisError, InconsistencyError, ShapeError
from verify.quoting import one_line

__all__ = [
    "FieldError",
    "FileContentError",
    "HeadformsError",
    "HypothesisError",
    "InconsistencyError",
    "LayoutError",
    "MissingExtraError",
    "NonFiniteError",
    "RecordError",
    "ShapeError",
    "SourceError",
    "SubnormalError",
]


class FileContentError(HeadformsError):
    """What stands in a file. The message repeats words of the file, so what is not printable in it is escaped."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class SourceError(FileContentError):
    """A source that cannot be found, opened or trusted: missing or truncated files, unsafe pickles, bad metadata."""


class LayoutError(FileContentError):
    """A checkpoint whose tensors do not fit the layout of its model type, or a model type nobody registered."""


class MissingExtraError(HeadformsError, ImportError):
    """Something that needs an optional dependency which is not installed."""


class NonFiniteError(HeadformsError, ValueError):
    """Heads with NaN or infinite entries where a number for every head was asked for."""


class RecordError(FileContentError):
    """Records that do not follow the schema, or a proof in them that does not check."""


class SubnormalError(HeadformsError, RuntimeError):
    """Arithmetic that flushes subnormal numbers to zero, and so would judge other numbers than the stored ones."""
