"""Repositories of the Hugging Face hub: ``hf://org/name[@revision][/subfolder or file]``.

Only headers and the bytes of queries and keys are fetched from safetensors, GGUF and PyTorch files. Those of other
formats (.onnx, .npz) are downloaded whole into the hub library's cache. Requests go through the session of
``huggingface_hub`` (an extra), with its token, endpoint, proxies and offline switch.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any
from urllib.parse import quote, unquote

from verify.checkpoints.files import TensorFile, open_file
from verify.checkpoints.files.opening import PICKLES, open_bytes
from verify.checkpoints.places import MAX_JSON, Directory, Place, parse_json
from verify.checkpoints.remote import RemoteBytes, Transport
from verify.errors import SourceError

PREFIX = "hf://"
#: Formats that are read by spans of bytes.
BY_SPANS = (".safetensors", ".gguf", *PICKLES)


@dataclass(frozen=True)
class Address:
    """The parts of a name on the hub.

    >>> Address.parse("hf://org/name@refs%2Fpr%2F1/sub/model.gguf")
    Address(repository='org/name', revision='refs/pr/1', path='sub/model.gguf')
    >>> Address.parse("hf://gpt2")
    Address(repository='gpt2', revision='main', path='')
    """

    repository: str
    revision: str = "main"
    path: str = ""

    @classmethod
    def parse(cls, name: str) -> Address:
        """Take a name apart.

        Raises:
            SourceError: it is not of the form ``hf://org/name[@revision][/path]``.
        """
        parts = name.removeprefix(PREFIX).split("/")
        marked = next((i for i, part in enumerate(parts[:2]) if "@" in part), None)
        repository = parts[: 2 if marked is None else marked + 1]
        last, at, revision = repository[-1].partition("@")
        repository[-1] = last
        path = parts[len(repository) :]
        if not all(repository) or (at and not revision) or not all(path) or ".." in path:
            raise SourceError(
                f"{name}: not a name on the hub; write hf://org/name, hf://org/name@revision or with a path"
            )
        return cls("/".join(repository), unquote(revision) or "main", "/".join(path))


def open_repository(name: str) -> tuple[Place, str | None]:
    """The place a name on the hub speaks of, and the file in it if it names one.

    Raises:
        SourceError: the name is malformed, the hub library is missing, or the hub refuses or cannot be reached; each
            with its own remedy.
    """
    address = Address.parse(name)
    library = _library()
    if library.constants.HF_HUB_OFFLINE:
        return _cached(library, address, name)
    repository = Repository(library, address, name)
    if address.path and address.path in repository.files:
        folder, _, file = address.path.rpartition("/")
        return repository.folder(folder), file
    return repository.folder(address.path), None


def _library() -> ModuleType:
    try:
        import huggingface_hub  # noqa: PLC0415 — an extra
        import huggingface_hub.constants  # noqa: PLC0415
    except ImportError as error:
        raise SourceError("reading from the hub needs huggingface_hub: pip install 'headforms[hub]'") from error
    module: ModuleType = huggingface_hub
    return module


def _cached(library: ModuleType, address: Address, name: str) -> tuple[Place, str | None]:
    """Offline, what an earlier download left in the cache."""
    try:
        root = Path(library.snapshot_download(address.repository, revision=address.revision, local_files_only=True))
    except Exception as error:
        raise SourceError(
            f"{name}: HF_HUB_OFFLINE is set and the cache does not hold it; unset it, or audit a downloaded directory"
        ) from error
    place = root / address.path
    return (Directory(place.parent), place.name) if place.is_file() else (Directory(place), None)


class Repository:
    """One repository at one commit.

    Args:
        library: the ``huggingface_hub`` package.
        address: what to open.
        name: what the user wrote.
    """

    def __init__(self, library: ModuleType, address: Address, name: str) -> None:
        self.name = name
        self._library = library
        self._address = address
        self._endpoint = os.environ.get("HF_ENDPOINT", library.constants.ENDPOINT).rstrip("/")
        client = library.get_session()
        self._transport = Transport(
            client, library.utils.build_hf_headers(library_name="headforms"), self._explain, *_failures(client)
        )
        revision = quote(address.revision, safe="")
        where = f"{self._endpoint}/api/models/{quote(address.repository)}/revision/{revision}?blobs=true"
        table = parse_json(bytes(self._transport.fetch(where, name, limit=MAX_JSON)), where)
        self.commit = str(table.get("sha"))
        siblings = table.get("siblings")
        if not re.fullmatch("[0-9a-f]{40,64}", self.commit) or not isinstance(siblings, list):
            raise SourceError(
                f"{name}: {self._endpoint} does not say which commit it is at and which files are there; "
                f"check HF_ENDPOINT"
            )
        self.files = {
            entry["rfilename"]: entry.get("size")
            for entry in siblings
            if isinstance(entry, Mapping) and isinstance(entry.get("rfilename"), str)
        }

    def folder(self, path: str) -> Folder:
        """One folder of the repository."""
        return Folder(self, path.strip("/"))

    def locate(self, path: str) -> str:
        """How messages and records name a file."""
        return f"{PREFIX}{self._address.repository}@{self.commit[:12]}/{path}"

    def json(self, path: str) -> dict[str, Any]:
        """A small file that holds a JSON object."""
        return parse_json(
            bytes(self._transport.fetch(self._url(path), self.locate(path), limit=MAX_JSON)), self.locate(path)
        )

    def open(self, path: str) -> TensorFile:
        """A weights file: by spans where its format allows, else downloaded whole."""
        size = self.files.get(path)
        if path.endswith(BY_SPANS):
            if type(size) is not int or size < 0:
                raise SourceError(f"{self.locate(path)}: the hub does not say how long it is; try again later")
            remote = RemoteBytes(self._transport, self._url(path), self.locate(path), size, self.commit)
            return open_bytes(remote, PurePosixPath(path).suffix)
        return open_file(self._downloaded(path))

    def _downloaded(self, path: str) -> Path:
        try:
            return Path(
                self._library.hf_hub_download(
                    self._address.repository, path, revision=self.commit, endpoint=self._endpoint
                )
            )
        except Exception as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise SourceError(f"{self.locate(path)}: cannot be downloaded ({reason[:160]}); try again") from error

    def _url(self, path: str) -> str:
        return f"{self._endpoint}/{quote(self._address.repository)}/resolve/{self.commit}/{quote(path)}"

    def _explain(self, status: int, headers: Mapping[str, str], what: str) -> SourceError:
        """The reason and the remedy of an unsuccessful answer."""
        code = headers.get("x-error-code", "")
        repository = self._address.repository
        if code == "GatedRepo":
            return SourceError(
                f"{what}: {repository} is gated; accept its terms at {self._endpoint}/{repository}, then set HF_TOKEN"
            )
        if status == 403:
            return SourceError(
                f"{what}: {self._endpoint} forbids it (403); check that the token may read {repository}, or the proxy"
            )
        if code == "RevisionNotFound":
            return SourceError(
                f"{what}: {repository} has no revision {self._address.revision!r}; check the part after @"
            )
        if code == "EntryNotFound":
            return SourceError(f"{what}: no such file in {repository}; check the path")
        if status == 401 or code == "RepoNotFound":
            return SourceError(
                f"{what}: {repository} does not exist, or is private and needs a token: run 'hf auth login' or set "
                f"HF_TOKEN"
            )
        if status == 404:
            return SourceError(f"{what}: not found at {self._endpoint} (404); check the name")
        if status == 429:
            return SourceError(f"{what}: too many requests (429); wait a while, or set HF_TOKEN for a higher limit")
        if status >= 500:
            return SourceError(f"{what}: {self._endpoint} fails with status {status}; try again later")
        return SourceError(f"{what}: {self._endpoint} answered with status {status}; check the name and HF_ENDPOINT")


class Folder:
    """One folder of a repository, as a place of files.

    Args:
        repository: the repository.
        path: the folder in it; empty for the top.
    """

    def __init__(self, repository: Repository, path: str) -> None:
        self._repository = repository
        self._path = path

    @property
    def name(self) -> str:
        """What the user wrote."""
        return self._repository.name

    def names(self) -> Collection[str]:
        """The files of the folder."""
        prefix = f"{self._path}/" if self._path else ""
        inside = (name.removeprefix(prefix) for name in self._repository.files if name.startswith(prefix))
        return sorted(name for name in inside if "/" not in name)

    def locate(self, name: str) -> str:
        """How messages name one file."""
        return self._repository.locate(self._full(name))

    def json(self, name: str) -> dict[str, Any]:
        """A file that holds a JSON object."""
        return self._repository.json(self._full(name))

    def open(self, name: str) -> TensorFile:
        """A weights file."""
        return self._repository.open(self._full(name))

    def _full(self, name: str) -> str:
        return f"{self._path}/{name}" if self._path else name


Exceptions = tuple[type[Exception], ...]
#: What the exceptions of an HTTP client are called that mean a broken connection, or an answer nobody can use.
BROKEN = ("RequestError",)
UNUSABLE = ("TooManyRedirects", "DecodingError", "UnsupportedProtocol", "InvalidURL")


def _failures(client: object) -> tuple[Exceptions, Exceptions]:
    """The exceptions of a client's library that mean a broken connection, and of these the ones that stay."""
    libraries = [__import__(kind.__module__.partition(".")[0]) for kind in type(client).__mro__]

    def found(names: Collection[str]) -> Exceptions:
        kinds = (getattr(library, name, None) for library in libraries for name in names)
        return tuple(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception))

    return (ConnectionError, TimeoutError, *found(BROKEN)), found(UNUSABLE)
