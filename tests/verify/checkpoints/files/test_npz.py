import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from verify.checkpoints.bytes import LocalBytes
from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.npz import NpzFile
from verify.errors import SourceError


def opened(path: Path) -> NpzFile:
    return NpzFile(LocalBytes(path))


A = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_are_read(tmp_path: Path, save: Any) -> None:
    save(tmp_path / "x.npz", **{"layer/q": A, "half": A.astype(np.float16), "fortran": np.asfortranarray(A)})
    file = opened(tmp_path / "x.npz")
    assert file.tensors["layer/q"].shape == (3, 4)
    assert torch.equal(file.read("layer/q", Part(((1, 3),))), torch.from_numpy(A[1:]))
    assert torch.equal(file.read("fortran"), torch.from_numpy(A))
    assert file.read("half").dtype is torch.float16
    assert file.identity().size == (tmp_path / "x.npz").stat().st_size


@pytest.mark.parametrize("order", ["<", ">", "="])
@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_either_order_of_bytes_and_of_axes_gives_the_numbers_that_numpy_reads(
    tmp_path: Path, order: str, kind: str, version: tuple[int, int]
) -> None:
    value = (100 * np.random.default_rng(0).standard_normal((3, 4))).astype(order + kind)
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as file:
        file.writestr("c.npy", npy(value, version=version))
        file.writestr("f.npy", npy(np.asfortranarray(value), version=version))
        file.writestr("scalar.npy", npy(value[1, 2], version=version))
    ours, theirs = opened(tmp_path / "x.npz"), np.load(tmp_path / "x.npz")
    for name in ("c", "f", "scalar"):
        assert ours.tensors[name].shape == theirs[name].shape
        assert ours.read(name).numpy().dtype == value.dtype.newbyteorder("=")
        assert np.array_equal(ours.read(name).numpy(), theirs[name])
    assert np.array_equal(ours.read("f", Part(((1, 2),), axis=1)).numpy(), value[:, 1:2])


def npy(array: np.ndarray[Any, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


def headed(header: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def shaped(shape: str) -> bytes:
    return headed(f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}")


def archive(path: Path, content: bytes, *, name: str = "a.npy", compress: bool = False) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED) as file:
        file.writestr(name, content)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: archive(p, npy(np.array([{"a": 1}], dtype=object), allow_pickle=True)), "headforms never unpickles"),
        (lambda p: archive(p, npy(np.array(["text"]))), "holds '<U4', not numbers"),
        (lambda p: archive(p, npy(np.zeros(2, [("a", "f4")]))), "not numbers that torch can hold"),
        (lambda p: archive(p, npy(np.zeros(2, np.longdouble))), "holds '<f16', not numbers that torch can hold"),
        (lambda p: archive(p, npy(np.zeros(2, np.complex64))), "holds '<c8', not numbers"),
        (lambda p: archive(p, npy(np.zeros(2, "M8[s]"))), "not numbers that torch can hold"),
        (lambda p: archive(p, headed("(" * 3000)), "has no valid header"),
        (
            lambda p: archive(p, headed("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1," * 65 + "), }")),
            "dam",
        ),
        (
            lambda p: archive(p, headed("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 900 + ",), }")),
            "n",
        ),
        (lambda p: archive(p, headed("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }")), "no valid header"),
        (lambda p: archive(p, headed("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,), }")), "has no valid header"),
        (lambda p: archive(p, headed(" " * 60_000)), "has no valid header"),
        (lambda p: archive(p, b"\x93NUMPY\x09\x00" + bytes(9)), "does not begin like an array"),
        (lambda p: archive(p, b"\x93NUMPY"), "does not begin like an array"),
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
        opened(tmp_path / "x.npz")
    assert "x.npz" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damage_inside_an_array_is_found_when_it_is_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", a=np.ones((512, 512)))
    content = bytearray((tmp_path / "x.npz").read_bytes())
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(SourceError, match="member a.npy is damaged: its checksum is another"):
        opened(tmp_path / "x.npz").read("a")
