import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch

from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.pytorch import PytorchFile, flatten
from verify.errors import SourceError


@pytest.mark.parametrize("modern", [True, False], ids=["zip", "legacy"])
def test_both_generations_are_read(tmp_path: Path, modern: bool) -> None:
    weight = torch.randn(6, 4)
    state = {"epoch": 3, "model": {"q.weight": weight, "transposed": weight.T, "half": weight.half()}, "lr": [0.1]}
    torch.save(state, tmp_path / "x.pt", _use_new_zipfile_serialization=modern)
    file = PytorchFile(tmp_path / "x.pt")
    assert set(file.tensors) == {"model.q.weight", "model.transposed", "model.half"}
    assert torch.equal(file.read("model.q.weight"), weight)
    assert torch.equal(file.read("model.transposed", Part(((0, 1), (2, 4)))), weight.T[[0, 2, 3]])
    assert torch.equal(file.read("model.q.weight", Part(((1, 3),), axis=1)), weight[:, 1:3])
    assert file.tensors["model.half"].stored == "float16"
    assert file.identity().size == (tmp_path / "x.pt").stat().st_size


def test_a_read_is_a_copy(tmp_path: Path) -> None:
    torch.save({"w": torch.zeros(4)}, tmp_path / "x.pt")
    file = PytorchFile(tmp_path / "x.pt")
    file.read("w").add_(1)
    file.read("w", Part(((0, 4),))).add_(1)
    assert torch.equal(file.read("w"), torch.zeros(4))


class Bomb:
    def __reduce__(self) -> Any:
        return os.mkdir, ("bomb-went-off",)


@pytest.mark.parametrize("modern", [True, False], ids=["zip", "legacy"])
def test_code_in_a_pickle_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, modern: bool) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({"w": torch.zeros(1), "x": Bomb()}, "x.pt", _use_new_zipfile_serialization=modern)
    with pytest.raises(
        SourceError, match=r"x.pt: a pickle that asks for more than tensors to be built; headforms never"
    ):
        PytorchFile(Path("x.pt"))
    assert not Path("bomb-went-off").exists()


def test_bare_pickles_of_code_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.bin").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(SourceError, match=r"x.bin: "):
        PytorchFile(Path("x.bin"))
    assert not Path("bomb-went-off").exists()


def plain_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")


def zip_bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\0" * 10_000_000)


def truncated(path: Path) -> None:
    torch.save({"w": torch.randn(1000)}, path)
    path.write_bytes(path.read_bytes()[:2000])


def legacy_truncated(path: Path) -> None:
    torch.save({"w": torch.randn(1000)}, path, _use_new_zipfile_serialization=False)
    path.write_bytes(path.read_bytes()[:2000])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (plain_zip, "without one data.pkl: not a file saved by PyTorch"),
        (zip_bomb, "unpack to more than its .* bytes; refused as hostile"),
        (truncated, "not readable|holds no weights|damaged"),
        (legacy_truncated, "not readable|holds no weights|damaged"),
        (lambda path: path.write_bytes(pickle.dumps({"a": 1})), "a pickle that holds no weights"),
        (lambda path: path.write_bytes(b"\x80garbage"), "not readable|holds no weights|damaged"),
        (lambda path: torch.save({"a": 1}, path), "holds no tensor"),
    ],
)
def test_broken_files(tmp_path: Path, make: Any, words: str) -> None:
    make(tmp_path / "x.bin")
    with pytest.raises(SourceError, match=words) as caught:
        PytorchFile(tmp_path / "x.bin")
    assert "x.bin" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nesting_is_bounded() -> None:
    nested: Any = torch.zeros(1)
    for _ in range(50):
        nested = {"a": nested}
    assert list(flatten(nested)) == []
