"""Files made to hurt, each given to the command in a process of its own: one line, exit 2, and little time and memory.

The tests of each reader look at single refusals; these look at the whole, as a stranger's file meets it.
"""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save

from tests.verify.checkpoints.fuzzing import CONFIG, LAYOUT, Q, config, onnx_file, weights
from tests.verify.contained import Contained, Warden

MIB = 1 << 20


@pytest.fixture(scope="module")
def warden() -> Iterator[Warden]:
    with Warden() as running:
        yield running


def folder(path: Path, **more: Any) -> Path:
    """A valid checkpoint, with another configuration if asked."""
    (path / "config.json").write_bytes(config(**more))
    (path / "model.safetensors").write_bytes(save(weights()))
    return path


def headed(path: Path, header: bytes, length: int | None = None) -> Path:
    folder(path)
    (path / "model.safetensors").write_bytes((length or len(header)).to_bytes(8, "little") + header)
    return path


def only(path: Path, name: str, content: bytes = b"") -> Path:
    folder(path)
    (path / "model.safetensors").unlink()
    (path / name).write_bytes(content)
    return path


def described(path: Path, content: bytes) -> Path:
    folder(path)
    (path / "config.json").write_bytes(content)
    return path


def long_name(path: Path) -> Path:
    """Each absent layer would be reported by a name as long."""
    folder(path, num_hidden_layers=4000)
    (path / "model.safetensors").write_bytes(save({"x" * 900_000 + "." + Q.removeprefix("model."): weights()[Q]}))
    return path


def pickled(path: Path, state: Any) -> Path:
    only(path, "pytorch_model.bin")
    torch.save(state, path / "pytorch_model.bin")
    return path


def instructions(path: Path, code: bytes) -> Path:
    only(path, "pytorch_model.bin")
    with zipfile.ZipFile(path / "pytorch_model.bin", "w") as archive:
        archive.writestr("archive/data.pkl", code)
    return path


def laughing(width: int, levels: int) -> Any:
    value: Any = weights()
    for _ in range(levels):
        value = {str(i): value for i in range(width)}
    return value


def expanded(path: Path) -> Path:
    value = torch.zeros(1).expand(1 << 20, 1 << 20)
    pickled(path, dict.fromkeys(weights(), value))
    heads = {"num_attention_heads": 1 << 10, "num_key_value_heads": 1 << 10, "head_dim": 1 << 10}
    (path / "config.json").write_bytes(config(hidden_size=1 << 20, **heads))
    return path


def packed_array(path: Path) -> Path:
    folder(path)
    (path / "model.safetensors").unlink()
    np.savez_compressed(path / "model.npz", **{Q: np.zeros((1 << 13, 1 << 13))})
    return path


def packed_pickle(path: Path) -> Path:
    only(path, "pytorch_model.bin")
    with zipfile.ZipFile(path / "pytorch_model.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"N" * (1 << 27))
    return path


def directory_of_members(path: Path) -> Path:
    only(path, "pytorch_model.bin")
    entry = b"PK\x01\x02" + bytes(24) + (1).to_bytes(2, "little") + bytes(16) + b"a"
    end = b"PK\x05\x06" + bytes(4) + b"\xfe\xff" * 2 + (len(entry) * 65534).to_bytes(4, "little") + b"\2" + bytes(5)
    (path / "pytorch_model.bin").write_bytes(b"PK" + entry * 65534 + end)
    return path


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def gguf_strings(path: Path) -> Path:
    head = b"GGUF\3\0\0\0" + words(0, 1, 1) + b"a" + b"\x09\0\0\0" + b"\x08\0\0\0" + words(1 << 60)
    return only(path, "model.gguf", head + bytes(8 * 5_000_000))


def gguf_table(path: Path) -> Path:
    rows = b"".join(words(7) + b"%07d" % i + bytes(4) + bytes(4) + words(0) for i in range(99_999))
    return only(path, "model.gguf", b"GGUF\3\0\0\0" + words(99_999, 0) + rows + bytes(64))


def varint(number: int) -> bytes:
    return bytes([number & 127 | 128]) + varint(number >> 7) if number > 127 else bytes([number])


def graph_of_nothing(path: Path) -> Path:
    graph = b"\x2a\x00" * 20_000_000
    return only(path, "model.onnx", b"\x3a" + varint(len(graph)) + graph)


def outside(path: Path) -> Path:
    folder(path)
    (path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {Q: "../../../etc/passwd"}}))
    return path


def fifo(path: Path) -> Path:
    folder(path)
    (path / "config.json").unlink()
    os.mkfifo(path / "config.json")
    return path


def nested_models(path: Path) -> Path:
    inner: dict[str, Any] = {}
    for _ in range(200):
        inner = {"model_type": "llava", "text_config": inner, "vision_config": inner if len(str(inner)) < 5000 else {}}
    folder(path)
    (path / "config.json").write_text(json.dumps({**CONFIG, **inner}))
    return path


class Code:
    def __reduce__(self) -> Any:
        return os.system, ("touch code-was-run",)


#: What it is → how it is made, words of the refusal, and the bytes it may cost.
CASES: dict[str, tuple[Callable[[Path], Path], str, int]] = {
    "layers": (lambda p: folder(p, num_hidden_layers=10**9), "layers and more", 50 * MIB),
    "layers of a long name": (long_name, "(900033 characters); refused as hostile", 50 * MIB),
    "heads": (lambda p: folder(p, num_attention_heads=10**9), "1000000000 heads a layer", 50 * MIB),
    "head size": (lambda p: folder(p, head_dim=10**9), "of dimension 1000000000", 50 * MIB),
    "digits": (lambda p: headed(p, b'{"model.layers.%s.q":[]}' % (b"9" * 5000)), "no dtype, shape and pair", 50 * MIB),
    "header": (lambda p: headed(p, b'{"__metadata__":{%s}}' % (b'"a":"",' * 10**6 + b'"b":""')), "twice", 400 * MIB),
    "brackets": (lambda p: headed(p, b'{"a":[' + b"[]," * 10**7 + b"[]]}"), "values where at most", 150 * MIB),
    "length": (lambda p: headed(p, b"{}", (1 << 64) - 1), "announces a header of", 50 * MIB),
    "config": (lambda p: described(p, b'{"a":[' + b"[]," * 10**7 + b"[]]}"), "values where at", 150 * MIB),
    "nested": (lambda p: described(p, b'{"a":' * 10**5), "nested too deep", 50 * MIB),
    "models": (nested_models, "a model in a model", 50 * MIB),
    "index": (outside, "points outside the directory", 50 * MIB),
    "pipe": (fifo, "not a regular file", 50 * MIB),
    "page": (lambda p: only(p, "pytorch_model.bin", b"<!DOCTYPE html>" + bytes(99)), "an HTML page", 50 * MIB),
    "laughs": (lambda p: pickled(p, laughing(40, 7)), "unfold to more than any checkpoint", 400 * MIB),
    "long names": (lambda p: pickled(p, laughing(9, 3) | {"a" * 10**6: laughing(9, 3)}), "unfold to more", 400 * MIB),
    "expanded": (expanded, "repeats 1 numbers to make 1099511627776", 50 * MIB),
    "code": (lambda p: pickled(p, weights() | {"x": Code()}), "never runs code from a file", 50 * MIB),
    "bare code": (lambda p: only(p, "pytorch_model.bin", pickle.dumps(Code())), "never runs code", 50 * MIB),
    "instructions": (lambda p: instructions(p, b"\x80\x02" + b"}" * 4_000_000), "more than 3000000", 500 * MIB),
    "deep": (lambda p: instructions(p, b"\x80\x02)" + b"\x85" * 2_900_000 + b"Q."), "is no storage", 500 * MIB),
    "memory": (lambda p: instructions(p, b"\x80\x02}r\xff\xff\xff\xff0."), "holds no weights", 50 * MIB),
    "packed pickle": (packed_pickle, "is compressed", 50 * MIB),
    "members": (directory_of_members, "appears twice|overlaps", 100 * MIB),
    "packed array": (packed_array, "unpacks to far more than its", 50 * MIB),
    "strings": (gguf_strings, "more than 2000000 strings", 200 * MIB),
    "table": (gguf_table, "overlap", 200 * MIB),
    "graph": (graph_of_nothing, "more than 2000000 fields", 600 * MIB),
}


def refused(done: Contained, path: Path, words: str) -> None:
    assert done.code == 2, done
    assert done.stdout == ""
    assert done.stderr.startswith("headforms: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr[:-1].isprintable()
    assert str(path) in done.stderr
    assert any(word in done.stderr for word in words.split("|")), done.stderr


#: Those that take seconds.
LARGE = {"graph", "strings", "deep", "packed array", "packed pickle"}


@pytest.mark.parametrize("case", [pytest.param(c, marks=[pytest.mark.slow] if c in LARGE else []) for c in CASES])
def test_one_line_and_little_cost(tmp_path: Path, warden: Warden, case: str) -> None:
    make, words, most = CASES[case]
    done = warden.run("audit", make(tmp_path))
    refused(done, tmp_path, words)
    assert done.grown < most
    assert done.seconds < 15
    assert not (Path.cwd() / "code-was-run").exists()


@pytest.mark.parametrize(
    "text", [LAYOUT + "a" + ".a" * 50_000 + " = 1", LAYOUT + "x = " + "[" * 50_000, LAYOUT + "x = " + "9" * 9999]
)
def test_layout_files_are_bounded_too(tmp_path: Path, warden: Warden, text: str) -> None:
    for name, content in onnx_file(quantised=False).items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "my.toml").write_text(text)
    done = warden.run("audit", tmp_path / "model.onnx", "--layout", tmp_path / "my.toml")
    refused(done, tmp_path / "my.toml", "dots; write it as several|nested too deep|not valid TOML")
    assert done.grown < 50 * MIB


def test_the_same_files_without_malice_are_proved(tmp_path: Path, warden: Warden) -> None:
    done = warden.run("audit", folder(tmp_path))
    assert done.code == 0
    assert "2 of 2 heads proved" in done.stdout


def test_the_warden_sees_what_a_run_costs(warden: Warden, tmp_path: Path) -> None:
    """Without this the bounds above could hold of anything."""
    big = folder(tmp_path, hidden_size=1 << 14, num_attention_heads=64, num_key_value_heads=64, head_dim=64)
    generator = torch.Generator().manual_seed(0)
    tensors = {name: torch.randn(1 << 12, 1 << 14, generator=generator) for name in weights()}
    (big / "model.safetensors").write_bytes(save(tensors))
    assert warden.run("audit", big, memory=256 * MIB).code != 0
