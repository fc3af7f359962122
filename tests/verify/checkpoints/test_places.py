from pathlib import Path

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
    [(b"{", "not valid JSON"), (b"[]", "holds list"), (b"\xff", "not valid JSON"), (b"[" * 99999, "not valid JSON")],
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
