import json
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints.source import resolve
from verify.errors import SourceError
from verify.quoting import shown


def shard(path: Path, *names: str) -> None:
    save_file({name: torch.zeros(2, 2) for name in names}, path)


def index(directory: Path, **weight_map: str) -> None:
    (directory / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))


def test_shards_are_joined(tmp_path: Path) -> None:
    shard(tmp_path / "1.safetensors", "a")
    shard(tmp_path / "2.safetensors", "b", "_orig_mod.c")
    index(tmp_path, a="1.safetensors", b="2.safetensors")
    source = resolve(str(tmp_path))
    assert set(source.tensors) == {"a", "b", "c"}
    assert source.location["c"][1] == "_orig_mod.c"
    assert source.config is None


def test_safetensors_is_preferred_and_training_files_are_no_weights(tmp_path: Path) -> None:
    torch.save({"a": torch.zeros(1)}, tmp_path / "model.pt")
    torch.save({"a": torch.zeros(1)}, tmp_path / "optimizer.pt")
    torch.save({"a": torch.zeros(1)}, tmp_path / "training_args.bin")
    assert [file.name for file in resolve(str(tmp_path)).files] == [str(tmp_path / "model.pt")]
    shard(tmp_path / "weights.safetensors", "b")
    assert [file.name for file in resolve(str(tmp_path)).files] == [str(tmp_path / "weights.safetensors")]


def test_the_configuration_beside_a_single_file_is_used(tmp_path: Path) -> None:
    shard(tmp_path / "model.safetensors", "a")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    source = resolve(str(tmp_path / "model.safetensors"))
    assert source.config is not None
    assert source.config.get("model_type") == "bert"


@pytest.mark.parametrize(
    "target", ["../secret.safetensors", "/etc/passwd", "a/../../b", "..\\b", "", ".", "..", "./1.safetensors", "a/b"]
)
def test_a_weight_map_may_not_leave_the_directory(tmp_path: Path, target: str) -> None:
    model = tmp_path / "model"
    model.mkdir()
    shard(tmp_path / "secret.safetensors", "a")
    shard(model / "1.safetensors", "a")
    index(model, a=target)
    with pytest.raises(SourceError, match=r"points outside the directory, at .*; refused as hostile"):
        resolve(str(model))


@pytest.mark.parametrize("target", ["2.safetensors", "x" * 300, "x" * 100_000, "nul\0", "two\nlines", "\ud800"])
def test_a_missing_shard_is_named(tmp_path: Path, target: str) -> None:
    shard(tmp_path / "1.safetensors", "a")
    index(tmp_path, a="1.safetensors", b=target)
    with pytest.raises(SourceError, match=r"index.json: the shard .* that it names is missing; fetch it") as caught:
        resolve(str(tmp_path))
    assert shown(target) in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_shard_must_hold_what_the_index_says(tmp_path: Path) -> None:
    shard(tmp_path / "1.safetensors", "a")
    shard(tmp_path / "2.safetensors", "b")
    index(tmp_path, a="1.safetensors", b="1.safetensors")
    with pytest.raises(SourceError, match="index.json: says that tensor b is in 1.safetensors, which does not hold it"):
        resolve(str(tmp_path))


@pytest.mark.parametrize("text", ["{}", '{"weight_map": []}', '{"weight_map": {}}', '{"weight_map": {"a": 1}}'])
def test_a_broken_index(tmp_path: Path, text: str) -> None:
    (tmp_path / "model.safetensors.index.json").write_text(text)
    with pytest.raises(SourceError, match="has no weight_map from tensor to file name"):
        resolve(str(tmp_path))


def test_one_name_in_two_files(tmp_path: Path) -> None:
    shard(tmp_path / "1.safetensors", "a")
    shard(tmp_path / "2.safetensors", "a")
    with pytest.raises(SourceError, match=r"2.safetensors: tensor a is in .*1.safetensors too"):
        resolve(str(tmp_path))


def test_one_name_twice_in_one_file_once_wrappers_are_taken_off(tmp_path: Path) -> None:
    shard(tmp_path / "1.safetensors", "a.b", "a._orig_mod.b")
    with pytest.raises(SourceError, match=r"1.safetensors: a._orig_mod.b and a.b are both the tensor a.b; keep one"):
        resolve(str(tmp_path))


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"holds no weights; looked for model.safetensors, pytorch_model.bin"):
        resolve(str(tmp_path))
    with pytest.raises(SourceError, match="no such file or directory"):
        resolve(str(tmp_path / "absent"))
    with pytest.raises(SourceError, match="; a repository on the hub is written hf://org/name$"):
        resolve("org/name")


def test_a_file_that_describes_itself_is_believed_before_the_configuration_beside_it(tmp_path: Path) -> None:
    """Repositories of GGUF files often keep the config.json of the model they were converted from."""
    writer = gguf.GGUFWriter(tmp_path / "model.gguf", "llama")
    writer.add_head_count(4)
    writer.add_tensor("blk.0.attn_q.weight", np.zeros((4, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    config = resolve(str(tmp_path)).config
    assert config is not None
    assert (config.get("model_type"), config.get("attention.head_count")) == ("gguf", 4)


def test_consolidated_files_are_described_by_their_own_parameters(tmp_path: Path) -> None:
    """Repositories of Mistral hold a model twice, under two sets of names."""
    shard(tmp_path / "model.safetensors", "a")
    shard(tmp_path / "consolidated.safetensors", "b")
    (tmp_path / "config.json").write_text('{"model_type": "mistral"}')
    (tmp_path / "params.json").write_text('{"n_heads": 4}')
    for name, kind in (("", "mistral"), ("model.safetensors", "mistral"), ("consolidated.safetensors", "consolidated")):
        config = resolve(str(tmp_path / name)).config
        assert config is not None
        assert config.get("model_type") == kind
    (tmp_path / "config.json").unlink()
    config = resolve(str(tmp_path)).config
    assert config is not None
    assert config.get("n_heads") == 4
