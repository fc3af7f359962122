"""Where the files of a checkpoint lie: a directory here, or a repository elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Protocol

from verify.checkpoints.bounded_json import json_object
from verify.checkpoints.bytes import LocalBytes, Span
from verify.checkpoints.files import TensorFile, open_file
from verify.checkpoints.impostors import refuse_impostor
from verify.errors import SourceError

#: No sane configuration or index is longer.
MAX_JSON = 64 << 20


class Place(Protocol):
    """A collection of named files."""

    @property
    def name(self) -> str:
        """How messages name the place."""
        ...

    def names(self) -> Collection[str]:
        """The files that lie there, without those of subfolders."""
        ...

    def locate(self, name: str) -> str:
        """How messages name one file."""
        ...

    def json(self, name: str) -> dict[str, Any]:
        """A file that holds a JSON object.

        Raises:
            SourceError: it cannot be read, is far too long, or is no JSON object.
        """
        ...

    def open(self, name: str) -> TensorFile:
        """A weights file.

        Raises:
            SourceError: it is missing, damaged, or of a format nobody reads.
        """
        ...


class Directory:
    """A directory on this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        """The path."""
        return str(self._path)

    def names(self) -> Collection[str]:
        """Everything in the directory but its subfolders.

        Raises:
            SourceError: it cannot be listed.
        """
        try:
            return sorted(entry.name for entry in self._path.iterdir() if not entry.is_dir())
        except OSError as error:
            raise SourceError(f"{self._path}: {error.strerror or error}; check its permissions") from error

    def locate(self, name: str) -> str:
        """The path of a file."""
        return str(self._path / name)

    def json(self, name: str) -> dict[str, Any]:
        """A file that holds a JSON object."""
        source = LocalBytes(self._path / name)
        if source.size > MAX_JSON:
            raise SourceError(f"{source.name}: {source.size} bytes are no configuration; fetch it again")
        return parse_json(bytes(source.read([Span(0, source.size)])), source.name)

    def open(self, name: str) -> TensorFile:
        """A weights file."""
        return open_file(self._path / name)


def parse_json(raw: bytes, where: str) -> dict[str, Any]:
    """The JSON object of a configuration, an index, or an answer of the hub.

    Raises:
        SourceError: it is not the file itself, not JSON, not an object, or larger than any.

    >>> parse_json(b'{"model_type": "bert"}', "config.json")
    {'model_type': 'bert'}
    """
    refuse_impostor(raw, where)
    return json_object(raw, where)
