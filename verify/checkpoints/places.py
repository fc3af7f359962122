"""Where the files of a checkpoint lie: a directory here, or a repository elsewhere."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Protocol

from verify.checkpoints.files import TensorFile, open_file
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
        """The regular files of the directory."""
        return sorted(entry.name for entry in self._path.iterdir() if entry.is_file())

    def locate(self, name: str) -> str:
        """The path of a file."""
        return str(self._path / name)

    def json(self, name: str) -> dict[str, Any]:
        """A file that holds a JSON object."""
        path = self._path / name
        try:
            if path.stat().st_size > MAX_JSON:
                raise SourceError(f"{path}: {path.stat().st_size} bytes are no configuration; fetch it again")
            raw = path.read_bytes()
        except OSError as error:
            raise SourceError(f"{path}: {error.strerror or error}; check the path and its permissions") from error
        return parse_json(raw, str(path))

    def open(self, name: str) -> TensorFile:
        """A weights file."""
        return open_file(self._path / name)


def parse_json(raw: bytes, where: str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        SourceError: it is not JSON, or not an object.

    >>> parse_json(b'{"model_type": "bert"}', "config.json")
    {'model_type': 'bert'}
    """
    try:
        table = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{where}: not valid JSON ({error}); fetch it again") from error
    if not isinstance(table, dict):
        raise SourceError(f"{where}: holds {type(table).__name__}; a JSON object was expected")
    return table
