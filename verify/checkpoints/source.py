"""What the user named, resolved to weight files and a configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from verify.checkpoints.config import Config
from verify.checkpoints.files import TensorFile, TensorInfo
from verify.checkpoints.files.memory import MemoryFile
from verify.checkpoints.files.opening import ENDINGS
from verify.checkpoints.naming import clean
from verify.checkpoints.places import Directory, Place
from verify.errors import SourceError
from verify.quoting import shown

#: Index files of sharded checkpoints, in order of preference, then single files under their usual names.
INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
USUAL = ("model.safetensors", "pytorch_model.bin")
#: Files of a training run that end like weights and are none.
NOT_WEIGHTS = ("training_args", "optimizer", "scheduler", "rng_state", "scaler", "trainer_state")
CONFIG = "config.json"
#: What lies beside weights in the form in which Meta and Mistral publish them first, and how those files are called.
PARAMS, CONSOLIDATED = "params.json", "consolidated"
#: Characters of a tensor's name. Names of absent ones are made from those of others, one for each layer.
MOST_NAME = 1024
#: What a name on the hub begins with.
HUB = "hf://"


@dataclass(frozen=True)
class Source:
    """Opened weight files and the model's configuration.

    Args:
        name: what the user named.
        files: the opened files.
        location: tensor name (without wrapper components) → its file and its name there.
        config: the configuration, or None where there is none.
        tensors: tensor name → shape and stored number format.
        live: whether it is a model in memory.
    """

    name: str
    files: tuple[TensorFile, ...]
    location: Mapping[str, tuple[TensorFile, str]]
    config: Config | None
    tensors: Mapping[str, TensorInfo] = field(default_factory=dict)
    live: bool = False


def resolve(name: str) -> Source:
    """Open what the user named: a directory of a model, one weights file, or a repository on the hub.

    Raises:
        SourceError: nothing readable is there; the message names the file and the remedy.
    """
    if name.startswith(HUB):
        from verify.checkpoints.hub import open_repository  # noqa: PLC0415 — an extra, and only for such names

        place, file = open_repository(name)
        return _from_place(name, place, file)
    path = Path(name)
    if not path.exists():
        hub = f"; a repository on the hub is written {HUB}{name}" if re.fullmatch(r"[\w.-]+/[\w.-]+", name) else ""
        raise SourceError(f"{name}: no such file or directory; name a model directory or a weights file{hub}")
    return _from_place(name, Directory(path)) if path.is_dir() else _from_place(name, Directory(path.parent), path.name)


def resolve_live(model: torch.nn.Module | Mapping[str, Any]) -> Source:
    """The tensors and the configuration of a model in memory.

    Raises:
        SourceError: it holds no tensor.
    """
    file = MemoryFile(model)
    return replace(_source(file.name, [file], None), live=True)


def _from_place(name: str, place: Place, file: str | None = None) -> Source:
    """All the weights of a place, or one file of it."""
    index, weight_map = _index(place) if file is None else ("", {})
    names = [file] if file is not None else list(dict.fromkeys(weight_map.values())) or _weight_files(place)
    config = _config(place, names)
    files = {one: place.open(one) for one in names}
    for tensor, shard in weight_map.items():
        if tensor not in files[shard].tensors:
            raise SourceError(
                f"{place.locate(index)}: says that tensor {shown(tensor)} is in {shown(shard)}, which does not hold "
                f"it; they are not of one checkpoint: fetch both again"
            )
    return _source(name, list(files.values()), config)


def _config(place: Place, weights: Sequence[str]) -> Config | None:
    """The configuration that lies beside some weights; that of consolidated files names no model type."""
    names = place.names()
    if PARAMS in names and (CONFIG not in names or weights[0].startswith(CONSOLIDATED)):
        return Config({"model_type": CONSOLIDATED, **place.json(PARAMS)}, place.locate(PARAMS))
    return Config(place.json(CONFIG), place.locate(CONFIG)) if CONFIG in names else None


def _source(name: str, files: Sequence[TensorFile], config: Config | None) -> Source:
    location: dict[str, tuple[TensorFile, str]] = {}
    for file in files:
        for stored in file.tensors:
            plain = clean(stored)
            if len(stored) > MOST_NAME:
                raise SourceError(f"{file.name}: a tensor is named {shown(stored)}; refused as hostile")
            if plain in location:
                first, other = location[plain]
                raise SourceError(
                    f"{file.name}: tensor {shown(plain)} is in {first.name} too; name one weights file instead"
                    if first is not file
                    else f"{file.name}: {shown(other)} and {shown(stored)} are both the tensor {shown(plain)}; keep one"
                )
            location[plain] = (file, stored)
    # What a file says of itself (GGUF) goes with its own names of tensors, whatever config.json lies beside it.
    kept = next((file for file in files if file.metadata), None)
    if kept is not None:
        config = Config(kept.metadata, kept.name)
    tensors = {plain: file.tensors[stored] for plain, (file, stored) in location.items()}
    return Source(name, tuple(files), location, config, tensors)


def _weight_files(place: Place) -> list[str]:
    """The files that together hold the weights of a place without an index."""
    names = place.names()
    for usual in USUAL:
        if usual in names:
            return [usual]
    for ending in ENDINGS:
        found = [name for name in names if name.endswith(ending) and not name.startswith(NOT_WEIGHTS)]
        if found:
            return found
    raise SourceError(
        f"{place.name}: holds no weights; looked for {', '.join([*USUAL, *INDEXES])} and *{', *'.join(ENDINGS)}"
    )


def _index(place: Place) -> tuple[str, dict[str, str]]:
    """The index of a sharded checkpoint: its name, and which file holds which tensor; empty if there is none."""
    names = place.names()
    index = next((index for index in INDEXES if index in names), None)
    if index is None:
        return "", {}
    where = place.locate(index)
    weight_map = place.json(index).get("weight_map")
    if not isinstance(weight_map, dict) or not weight_map or not all(isinstance(v, str) for v in weight_map.values()):
        raise SourceError(f"{where}: has no weight_map from tensor to file name; fetch it again")
    for shard in dict.fromkeys(weight_map.values()):
        if "/" in shard or "\\" in shard or shard in {"", ".", ".."}:
            raise SourceError(
                f"{where}: its weight_map points outside the directory, at {shown(shard)}; refused as hostile"
            )
        if shard not in names:
            raise SourceError(f"{where}: the shard {shown(shard)} that it names is missing; fetch it")
    return index, weight_map
