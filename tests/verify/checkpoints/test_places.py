import os
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints.places import MAX_JSON, Directory
from verify.errors import SourceError


def test_a_directory_lists_its_files_and_opens_them(tmp_path: Path) -> None:
    save_file({"a": torch.zeros(1)}, tmp_path / "b.safetensors")
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "sub").mkdir()
    place = Directory(tmp_path)
    assert list(place.names()) == ["a.json", "b.safetensors"]
    assert set(place.open("b.safetensors").tensors) == {"a"}
    assert place.locate("x") == str(tmp_path / "x")
    assert place.json("a.json") == {}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"[]", "holds list"),
        (b"\xff", "not valid JSON"),
        (b"[" * 99999, "not valid JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "holds an integer of 5000 digits"),
        (b'{"a": 1, "a": 2}', "the name a appears twice"),
        (b"{" + b'"a":[],' * 1_500_000 + b'"b":1}', "values where at most 2000000 are sane"),
        (b"\n<!DOCTYPE html><html>", "an HTML page, which a failed download leaves"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer"),
    ],
)
def test_bad_json(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(SourceError, match=words):
        Directory(tmp_path).json("config.json")


def test_a_file_that_is_no_configuration_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "config.json").open("wb") as file:
        file.truncate(MAX_JSON + 1)
    with pytest.raises(SourceError, match="bytes are no configuration"):
        Directory(tmp_path).json("config.json")
    with pytest.raises(SourceError, match="No such file"):
        Directory(tmp_path).json("absent.json")


def test_a_byte_order_mark_is_no_part_of_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(b"\xef\xbb\xbf{}")
    assert Directory(tmp_path).json("config.json") == {}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def dangling(path: Path) -> None:
    path.symlink_to("absent")


@pytest.mark.parametrize("name", ["config.json", "x.safetensors"])
@pytest.mark.parametrize(
    ("make", "words"),
    [(pipe, "not a regular file"), (loop, "Too many levels of symbolic links"), (dangling, "No such file")],
)
def test_what_is_there_and_no_file_is_said_and_not_waited_for(tmp_path: Path, make: Any, words: str, name: str) -> None:
    make(tmp_path / name)
    place = Directory(tmp_path)
    assert list(place.names()) == [name]
    with pytest.raises(SourceError, match=f"{name}: {words}"):
        place.json(name) if name == "config.json" else place.open(name)


def test_a_folder_that_cannot_be_listed(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file or directory; check"):
        Directory(tmp_path / "absent").names()
