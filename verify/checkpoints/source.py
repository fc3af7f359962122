"""What the user named, resolved to weight files and a configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import torch

from verify.checkpoints.config import Config
from verify.checkpoints.files import TensorFile, TensorInfo, open_file
from verify.checkpoints.files.memory import MemoryFile
from verify.checkpoints.files.opening import ENDINGS
from verify.checkpoints.naming import clean
from verify.errors import SourceError

#: Index files of sharded checkpoints, in order of preference, then single files under their usual names.
INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
USUAL = ("model.safetensors", "pytorch_model.bin", "adapter_model.safetensors")
#: Files of a training run that end like weights and are none.
NOT_WEIGHTS = ("training_args", "optimizer", "scheduler", "rng_state", "scaler", "trainer_state")
#: No sane configuration or index is longer.
MAX_JSON = 64 << 20


@dataclass(frozen=True)
class Source:
    """Opened weight files and the model's configuration.

    Args:
        name: what the user named.
        files: the opened files.
        location: tensor name (without wrapper components) → its file and its name there.
        config: the configuration, or None where there is none.
    """

    name: str
    files: tuple[TensorFile, ...]
    location: Mapping[str, tuple[TensorFile, str]]
    config: Config | None
    tensors: Mapping[str, TensorInfo] = field(default_factory=dict)


def resolve(name: str) -> Source:
    """Open what the user named: a directory of a model, or one weights file.

    Raises:
        SourceError: nothing readable is there; the message names the file and the remedy.
    """
    path = Path(name)
    if not path.exists():
        raise SourceError(f"{name}: no such file or directory; name a model directory or a weights file")
    if path.is_dir():
        files = [_open(file, path) for file in _weight_files(path)]
        return _source(name, files, _config(path / "config.json"))
    return _source(name, [open_file(path)], _config(path.parent / "config.json"))


def resolve_live(model: torch.nn.Module | Mapping[str, Any]) -> Source:
    """The tensors and the configuration of a model in memory.

    Raises:
        SourceError: it holds no tensor.
    """
    file = MemoryFile(model)
    return _source(file.name, [file], None)


def _source(name: str, files: Sequence[TensorFile], config: Config | None) -> Source:
    location: dict[str, tuple[TensorFile, str]] = {}
    for file in files:
        for stored in file.tensors:
            plain = clean(stored)
            if plain in location:
                raise SourceError(
                    f"{file.name}: tensor {plain} is in {location[plain][0].name} too; name one weights file instead"
                )
            location[plain] = (file, stored)
    kept = next((file for file in files if file.metadata), None)
    if kept is not None and config is None:
        config = Config(kept.metadata, kept.name)
    tensors = {plain: file.tensors[stored] for plain, (file, stored) in location.items()}
    return Source(name, tuple(files), location, config, tensors)


def _weight_files(directory: Path) -> list[Path]:
    """The files that together hold the weights of a directory."""
    for index in INDEXES:
        if (directory / index).is_file():
            return _sharded(directory, directory / index)
    for usual in USUAL:
        if (directory / usual).is_file():
            return [directory / usual]
    for ending in ENDINGS:
        found = sorted(
            file for file in directory.glob(f"*{ending}") if file.is_file() and not file.stem.startswith(NOT_WEIGHTS)
        )
        if found:
            return found
    raise SourceError(
        f"{directory}: holds no weights; looked for {', '.join([*USUAL[:2], *INDEXES])} and *{', *'.join(ENDINGS)}"
    )


def _sharded(directory: Path, index: Path) -> list[Path]:
    table = read_json(index)
    weight_map = table.get("weight_map")
    if not isinstance(weight_map, dict) or not all(isinstance(file, str) for file in weight_map.values()):
        raise SourceError(f"{index}: has no weight_map from tensor to file name; fetch it again")
    files = []
    for shard in dict.fromkeys(weight_map.values()):
        relative = PurePosixPath(shard)
        if relative.is_absolute() or ".." in relative.parts or "\\" in shard:
            raise SourceError(f"{index}: its weight_map points outside the directory, at {shard!r}; refused as hostile")
        if not (directory / shard).is_file():
            raise SourceError(f"{directory / shard}: a shard named by {index.name} is missing; fetch it")
        files.append(directory / shard)
    return files


def _open(file: Path, directory: Path) -> TensorFile:
    if not file.resolve().is_file():
        raise SourceError(f"{file}: a broken link in {directory}; fetch the file again")
    return open_file(file)


def _config(path: Path) -> Config | None:
    return Config(read_json(path), str(path)) if path.is_file() else None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file.

    Raises:
        SourceError: it is unreadable, far too long, not JSON, or not an object.
    """
    try:
        if path.stat().st_size > MAX_JSON:
            raise SourceError(f"{path}: {path.stat().st_size} bytes are no configuration; fetch it again")
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}; check the path and its permissions") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: not valid JSON ({error}); fetch it again") from error
    if not isinstance(table, dict):
        raise SourceError(f"{path}: holds {type(table).__name__}; a JSON object was expected")
    return table
