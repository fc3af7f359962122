import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from tests.verify.cli.running import headforms


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    name = "model.layers.{}.self_attn.{}_proj.weight"
    save_file(
        {name.format(i, x): torch.randn(16 if x == "q" else 8, 16) for i in range(2) for x in "qk"},
        tmp_path / "model.safetensors",
    )
    config = {"model_type": "llama", "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2}
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


def test_one_line_a_layer_and_each_note_once(folder: Path) -> None:
    done = headforms("inspect", folder)
    assert done.returncode == 0
    assert "llama, 8 heads" in done.stdout
    assert "model.layers.1.self_attn.q_proj.weight [16, 16] F32" in done.stdout
    assert done.stdout.count("rotary positions") == 1


def test_one_line_a_head(folder: Path) -> None:
    lines = headforms("inspect", folder, "--heads").stdout.splitlines()
    [line] = [line for line in lines if line.split()[:4] == ["decoder", "1", "3", "1"]]
    assert "q_proj.weight rows 12:16" in line
    assert "k_proj.weight rows 4:8" in line


def test_json(folder: Path) -> None:
    table = json.loads(headforms("inspect", folder, "--format", "json").stdout)
    assert [layer["status"] for layer in table["layers"]] == ["readable", "readable"]
    assert table["layers"][0]["query"]["starts"] == [0, 4, 8, 12]


def test_nothing_but_headers_is_read(folder: Path) -> None:
    file = folder / "model.safetensors"
    size = file.stat().st_size
    content = file.read_bytes()
    header = 8 + int.from_bytes(content[:8], "little")
    file.write_bytes(content[:header] + b"\xff" * (size - header))
    assert headforms("inspect", folder, "--heads").returncode == 0


def test_a_draft_for_an_unknown_type(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "novel", "num_attention_heads": 4, "num_key_value_heads": 2}')
    done = headforms("inspect", folder)
    assert done.returncode == 2
    assert f"headforms inspect {folder} --skeleton" in done.stderr
    draft = headforms("inspect", folder, "--skeleton")
    (folder / "my.toml").write_text(draft.stdout)
    assert headforms("inspect", folder, "--layout", folder / "my.toml").returncode == 0
