"""Tiny valid checkpoints of every format, and damage of every kind."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import gguf
import numpy as np
import torch
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from safetensors.torch import save

#: File name → content.
Files = dict[str, bytes]

Q, K = (f"model.layers.0.self_attn.{x}_proj.weight" for x in "qk")
CONFIG = {
    "model_type": "llama",
    "hidden_size": 12,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 4,
    "num_hidden_layers": 1,
    "rope_theta": 10000.0,
    "rope_scaling": {"rope_type": "linear", "factor": 2.0},
}
LAYOUT = """[toy]
query = "model.layers.{layer}.self_attn.q_proj"
key = "model.layers.{layer}.self_attn.k_proj"
heads = 2
kv_heads = ["groups", 1]
head_dim = 4
norm = { kind = "rms", tensor = "model.layers.{layer}.input_layernorm" }
position = { method = "rotary", style = "half", theta = 10000.0 }
scale = { inverse_sqrt = "head_dim" }
not_bilinear = [{ text = "capped", when = { cap = { given = true } } }]
"""


def weights() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return {Q: torch.randn(8, 12, generator=generator), K: torch.randn(4, 12, generator=generator)}


def arrays() -> dict[str, np.ndarray]:
    return {name: value.numpy() for name, value in weights().items()}


def config(**more: object) -> bytes:
    return json.dumps({**CONFIG, **more}).encode()


def with_config(name: str, content: bytes) -> Files:
    return {"config.json": config(), name: content}


def safetensors_file() -> Files:
    return with_config("model.safetensors", save(weights(), {"format": "pt"}))


def sharded() -> Files:
    found = weights()
    index = {"metadata": {"total_size": 1}, "weight_map": {Q: "1.safetensors", K: "2.safetensors"}}
    return {
        "config.json": config(),
        "model.safetensors.index.json": json.dumps(index).encode(),
        "1.safetensors": save({Q: found[Q]}),
        "2.safetensors": save({K: found[K]}),
    }


def pickled(*, modern: bool) -> Files:
    buffer = io.BytesIO()
    torch.save({"epoch": 3, "model": weights()}, buffer, _use_new_zipfile_serialization=modern)
    return with_config("pytorch_model.bin", buffer.getvalue())


def npz(save_as: Callable[..., None]) -> Files:
    buffer = io.BytesIO()
    save_as(buffer, **arrays())
    return {"model.npz": buffer.getvalue(), "my.toml": LAYOUT.encode()}


def gguf_file(kind: gguf.GGMLQuantizationType) -> Callable[[Path], Files]:
    def make(folder: Path) -> Files:
        writer = gguf.GGUFWriter(folder / "made.gguf", "llama")
        writer.add_block_count(1)
        writer.add_head_count(2)
        writer.add_embedding_length(32)
        writer.add_array("tokenizer.ggml.tokens", ["a", "b"])
        for name in ("blk.0.attn_q.weight", "blk.0.attn_k.weight"):
            value = np.random.default_rng(name.count("k")).standard_normal((32, 32)).astype(np.float32)
            writer.add_tensor(name, gguf.quants.quantize(value, kind), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return {"model.gguf": (folder / "made.gguf").read_bytes()}

    return make


def onnx_file(*, quantised: bool) -> Files:
    nodes, parts = [], []
    for number, (name, value) in enumerate(arrays().items()):
        place = "/" + name.removesuffix(".weight").replace(".", "/")
        weight = f"onnx::MatMul_{number}"
        if quantised:
            integers = (40 * value.T).astype(np.int8)
            parts += [
                numpy_helper.from_array(integers, weight + "_q"),
                helper.make_tensor(weight + "_s", TensorProto.FLOAT, [], [0.025]),
                numpy_helper.from_array(np.asarray(np.int8(3)), weight + "_z"),
            ]
            inputs = [weight + part for part in ("_q", "_s", "_z")]
            nodes.append(helper.make_node("DequantizeLinear", inputs, [weight], axis=1))
        else:
            parts.append(numpy_helper.from_array(np.ascontiguousarray(value.T), weight))
        nodes.append(helper.make_node("MatMul", ["x", weight], [name], name=f"{place}/MatMul"))
    model = helper.make_model(helper.make_graph(nodes, "g", [], [], parts))
    return {"model.onnx": model.SerializeToString(), "my.toml": LAYOUT.encode()}


def rezipped(content: bytes, member: str, inner: bytes) -> bytes:
    """An archive with another content of one member, and every checksum right."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, inner if info.filename == member else old.read(info))
    return buffer.getvalue()


#: What is damaged → how the valid files are made, and the name of the file, or of the member of an archive in it.
TARGETS: Mapping[str, tuple[Callable[[Path], Files], str]] = {
    "safetensors": (lambda _: safetensors_file(), "model.safetensors"),
    "config": (lambda _: safetensors_file(), "config.json"),
    "index": (lambda _: sharded(), "model.safetensors.index.json"),
    "shard": (lambda _: sharded(), "2.safetensors"),
    "zip": (lambda _: pickled(modern=True), "pytorch_model.bin"),
    "legacy": (lambda _: pickled(modern=False), "pytorch_model.bin"),
    "npz": (lambda _: npz(np.savez), "model.npz"),
    "packed npz": (lambda _: npz(np.savez_compressed), "model.npz"),
    "npz member": (lambda _: npz(np.savez), f"model.npz/{Q}.npy"),
    "layout": (lambda _: npz(np.savez), "my.toml"),
    "gguf": (gguf_file(gguf.GGMLQuantizationType.F32), "model.gguf"),
    "gguf quantised": (gguf_file(gguf.GGMLQuantizationType.Q4_0), "model.gguf"),
    "onnx": (lambda _: onnx_file(quantised=False), "model.onnx"),
    "onnx quantised": (lambda _: onnx_file(quantised=True), "model.onnx"),
}

EXTREMES = [
    b"\0", b"\xff", b"\x7f", b"\x80", b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\xff" * 8, b"\0" * 8, b"\xff" * 7 + b"\x7f",
    b"\0\0\0\0\0\0\0\x01", b"[", b"{", b'"', b"-", b"9" * 25, b"1e999", b"null", b"NaN", b"[[[[", b"\n",
    b"\xed\xa0\x80", b"0", b"true", b"{}", b"[]", b"2147483648", b'"x"',
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with a change or a few, most of them near its beginning or end, where headers stand."""
    for _ in range(draw(st.sampled_from([1, 1, 1, 1, 2, 4]))):
        size = len(content)
        at = draw(st.integers(0, min(size, 200)) | st.integers(0, size) | st.integers(max(0, size - 400), size))
        match draw(st.sampled_from(["flip", "write", "insert", "cut", "drop", "double"])):
            case "flip" if at < size:
                content = content[:at] + bytes([content[at] ^ 1 << draw(st.integers(0, 7))]) + content[at + 1 :]
            case "write":
                new = draw(st.sampled_from(EXTREMES) | st.binary(min_size=1, max_size=4))
                content = content[:at] + new + content[at + len(new) :]
            case "insert":
                content = content[:at] + draw(st.sampled_from(EXTREMES) | st.binary(max_size=4)) + content[at:]
            case "cut":
                content = content[:at]
            case "drop":
                content = content[:at] + content[at + draw(st.integers(1, 40)) :]
            case "double":
                length = draw(st.integers(1, 60))
                content = content[: at + length] + content[at : at + length] + content[at + length :]
    return content
