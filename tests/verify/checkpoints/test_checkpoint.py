import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints import Status, open_checkpoint
from verify.errors import HeadformsError, LayoutError, SourceError

CONFIG = {
    "model_type": "llama",
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 4,
    "num_hidden_layers": 2,
}


def tensors(dtype: torch.dtype = torch.bfloat16) -> dict[str, torch.Tensor]:
    made = {}
    for layer in range(2):
        for name, rows in (("q", 24), ("k", 8), ("v", 8)):
            made[f"model.layers.{layer}.self_attn.{name}_proj.weight"] = torch.randn(rows, 16).to(dtype)
    return made


def save(directory: Path, config: Any = CONFIG, **weights: torch.Tensor) -> Path:
    (directory / "config.json").write_text(json.dumps(config))
    save_file(weights or tensors(), directory / "model.safetensors")
    return directory


def test_heads_are_the_rows_of_the_stored_tensors(tmp_path: Path) -> None:
    weights = tensors()
    checkpoint = open_checkpoint(save(tmp_path, **weights))
    plan = checkpoint.layers()[1]
    batch = checkpoint.read(plan)
    assert batch.Q.dtype is torch.bfloat16
    for head in range(6):
        assert torch.equal(batch.Q[head], weights["model.layers.1.self_attn.q_proj.weight"][4 * head : 4 * head + 4])
        group = head // 3
        assert batch.ids[head].kv_head == group
        assert torch.equal(batch.K[head], weights["model.layers.1.self_attn.k_proj.weight"][4 * group : 4 * group + 4])
    assert batch.provenance["stored_dtype"] == "BF16"
    assert batch.provenance["layout"] == checkpoint.model_type == "llama"
    assert batch.provenance["notes"][-1] == "grouped-query attention: 3 query heads share each key head"
    json.dumps(batch.provenance)


def test_queries_and_keys_of_two_dtypes_meet_in_one_that_holds_both(tmp_path: Path) -> None:
    weights = tensors(torch.float16)
    for name in weights:
        if "k_proj" in name:
            weights[name] = weights[name].bfloat16()
    checkpoint = open_checkpoint(save(tmp_path, **weights))
    batch = checkpoint.read(checkpoint.layers()[0])
    assert batch.Q.dtype is torch.float32
    assert torch.equal(batch.Q.reshape(24, 16), weights["model.layers.0.self_attn.q_proj.weight"].float())


def test_a_layer_with_a_missing_tensor_says_so(tmp_path: Path) -> None:
    weights = tensors()
    del weights["model.layers.1.self_attn.k_proj.weight"]
    checkpoint = open_checkpoint(save(tmp_path, **weights))
    plan = checkpoint.layers()[1]
    assert plan.status is Status.UNREADABLE
    with pytest.raises(LayoutError, match=r"layer 1 cannot be read: tensor .*k_proj.weight is missing"):
        checkpoint.read(plan)


@pytest.mark.parametrize("side", ["q", "k"])
@pytest.mark.parametrize("file", ["model.safetensors", "pytorch_model.bin"])
@pytest.mark.parametrize(
    "dtype", [torch.int8, torch.uint8, torch.int64, torch.bool, torch.uint16, torch.complex64], ids=str
)
def test_numbers_that_are_no_weights_are_refused(tmp_path: Path, file: str, dtype: torch.dtype, side: str) -> None:
    """Not even beside weights, with which they would be taken for numbers of a common format."""
    weights = {n: v.to(dtype) if f"{side}_proj" in n else v.float() for n, v in tensors().items()}
    save(tmp_path, **weights)
    if file.endswith(".bin"):
        (tmp_path / "model.safetensors").unlink()
        torch.save(weights, tmp_path / file)
    checkpoint = open_checkpoint(tmp_path)
    words = rf"{file}: tensor model.layers.0.self_attn.{side}_proj.weight is stored as .*, no weights as they stand"
    with pytest.raises(LayoutError, match=words):
        checkpoint.read(checkpoint.layers()[0])


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2], ids=str)
def test_eight_bit_floats_beside_others_are_the_numbers_they_are(tmp_path: Path, dtype: torch.dtype) -> None:
    weights = {n: v.to(dtype) if "k_proj" in n else v.float() for n, v in tensors().items()}
    checkpoint = open_checkpoint(save(tmp_path, **weights))
    batch = checkpoint.read(checkpoint.layers()[0])
    assert batch.K.dtype is torch.float32
    assert torch.equal(batch.K[::3].reshape(8, 16), weights["model.layers.0.self_attn.k_proj.weight"].float())


def test_a_weights_file_alone_needs_a_layout(tmp_path: Path) -> None:
    save_file(tensors(), tmp_path / "some.safetensors")
    with pytest.raises(SourceError, match=r"no config.json beside the weights.*layout file \(--layout\)"):
        open_checkpoint(tmp_path / "some.safetensors")
    layout = tmp_path / "my.toml"
    layout.write_text('[mine]\nlike = "llama"\nheads = 6\nkv_heads = 2\nhead_dim = 4\n')
    checkpoint = open_checkpoint(tmp_path / "some.safetensors", layout=layout)
    assert [plan.heads for plan in checkpoint.layers()] == [6, 6]


def missing_config(path: Path) -> None:
    (path / "config.json").unlink()


def truncated(path: Path) -> None:
    file = path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


def shape_differs(path: Path) -> None:
    (path / "config.json").write_text(json.dumps({**CONFIG, "head_dim": 8}))


def not_weights(path: Path) -> None:
    (path / "model.safetensors").unlink()
    (path / "pytorch_model.bin").write_bytes(pickle.dumps({"accuracy": 0.5}))


def empty(path: Path) -> None:
    for file in path.iterdir():
        file.unlink()


def unknown(path: Path) -> None:
    (path / "config.json").write_text('{"model_type": "hypothetical"}')


def no_type(path: Path) -> None:
    (path / "config.json").write_text("{}")


def missing_shard(path: Path) -> None:
    (path / "model.safetensors.index.json").write_text('{"weight_map": {"a": "part-1.safetensors"}}')


@pytest.mark.parametrize(
    ("spoil", "file", "remedy"),
    [
        (missing_config, "", "no config.json .* add it"),
        (
            missing_shard,
            "model.safetensors.index.json",
            "the shard part-1.safetensors that it names is missing; fetch it",
        ),
        (truncated, "model.safetensors", "truncated: .*; fetch the file again"),
        (shape_differs, "", r"has shape \[24, 16\]; .*: check .*config.json or the layout"),
        (not_weights, "pytorch_model.bin", "a pickle that holds no weights.* name a file saved by torch.save"),
        (empty, "", "holds no weights; looked for"),
        (
            unknown,
            "config.json",
            r"model type 'hypothetical' is not registered; .*layout file .*--skeleton",
        ),
        (no_type, "config.json", "has no model_type; add it"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_bad_input_is_one_line_with_the_file_and_the_remedy(tmp_path: Path, spoil: Any, file: str, remedy: str) -> None:
    spoil(save(tmp_path))
    with pytest.raises(HeadformsError, match=remedy) as caught:
        open_checkpoint(tmp_path).layers()
    assert str(tmp_path / file) in str(caught.value)
    assert "\n" not in str(caught.value)
