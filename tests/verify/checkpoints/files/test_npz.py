import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.npz import NpzFile
from verify.errors import SourceError

A = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_are_read(tmp_path: Path, save: Any) -> None:
    save(tmp_path / "x.npz", **{"layer/q": A, "half": A.astype(np.float16), "fortran": np.asfortranarray(A)})
    file = NpzFile(tmp_path / "x.npz")
    assert file.tensors["layer/q"].shape == (3, 4)
    assert torch.equal(file.read("layer/q", Part(((1, 3),))), torch.from_numpy(A[1:]))
    assert torch.equal(file.read("fortran"), torch.from_numpy(A))
    assert file.read("half").dtype is torch.float16
    assert file.identity().size == (tmp_path / "x.npz").stat().st_size


def npy(array: np.ndarray[Any, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


def archive(path: Path, content: bytes, *, name: str = "a.npy", compress: bool = False) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED) as file:
        file.writestr(name, content)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: archive(p, npy(np.array([{"a": 1}], dtype=object), allow_pickle=True)), "headforms never unpickles"),
        (lambda p: archive(p, npy(np.array(["text"]))), "not numbers"),
        (lambda p: archive(p, npy(A)[:-4]), r"shape \[3, 4\] of float32 needs 48 bytes and 44 are there"),
        (lambda p: archive(p, npy(A).replace(b"(3, 4)", b"(3,999999999999)".ljust(6))), "needs|no valid header"),
        (lambda p: archive(p, b"not an array"), "has no valid header"),
        (lambda p: archive(p, b"", name="readme.txt"), "holds no array"),
        (lambda p: archive(p, b"\0" * 200_000_000, compress=True), "unpacks to far more than its"),
        (lambda p: p.write_bytes(b"PK\x03\x04 damaged"), "a damaged zip archive"),
    ],
)
def test_broken_and_hostile_archives(tmp_path: Path, make: Any, words: str) -> None:
    make(tmp_path / "x.npz")
    with pytest.raises(SourceError, match=words) as caught:
        NpzFile(tmp_path / "x.npz")
    assert "x.npz" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damage_inside_an_array_is_found_when_it_is_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", a=np.ones((512, 512)))
    content = bytearray((tmp_path / "x.npz").read_bytes())
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(SourceError, match="array a is damaged"):
        NpzFile(tmp_path / "x.npz").read("a")
