import json
import tomllib
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints import open_checkpoint
from verify.checkpoints.skeleton import LISTED, patterns, skeleton
from verify.checkpoints.source import resolve

W = torch.randn(8, 8)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def draft(folder: Path, config: dict[str, object] | None = None, **tensors: torch.Tensor) -> str:
    save_file({name: value.clone() for name, value in tensors.items()}, folder / "model.safetensors")
    if config is not None:
        (folder / "config.json").write_text(json.dumps(config))
    return skeleton(resolve(str(folder)))


@pytest.mark.parametrize(
    "names",
    [
        ("net.blocks.{}.attn.to_q.weight", "net.blocks.{}.attn.to_k.weight"),
        ("enc.{}.wq.weight", "enc.{}.wk.weight"),
        ("layers/{}/query", "layers/{}/key"),
    ],
)
def test_a_draft_of_speaking_names_works_as_it_is(tmp_path: Path, names: tuple[str, str]) -> None:
    tensors = {name.format(layer): W for name in names for layer in range(2)}
    text = draft(tmp_path, {"model_type": "novel", "num_attention_heads": 2, "num_hidden_layers": 2}, **tensors)
    (tmp_path / "my.toml").write_text(text)
    checkpoint = open_checkpoint(tmp_path, layout=tmp_path / "my.toml")
    assert [(plan.layer, plan.heads, plan.n) for plan in checkpoint.layers()] == [(0, 2, 4), (1, 2, 4)]
    assert torch.equal(checkpoint.read(checkpoint.layers()[0]).Q.reshape(8, 8), W)


def test_fused_projections_and_their_order_are_proposed(tmp_path: Path) -> None:
    text = draft(tmp_path, None, **{f"h.{i}.attn.Wqkv.weight": torch.randn(24, 8) for i in range(3)})
    table = tomllib.loads(text)["my-model"]
    assert table == {"heads": 12, "fused": "h.{layer}.attn.Wqkv", "order": "cat"}
    assert "#   h.{layer}.attn.Wqkv.weight  [24, 8] × 3" in text


def test_names_that_say_nothing_are_left_to_the_user(tmp_path: Path) -> None:
    text = draft(tmp_path, {"model_type": "a b"}, **{"onnx::MatMul_1": W})
    assert tomllib.loads(text)["a b"]["query"] == "…{layer}…"
    assert "#   onnx::MatMul_1  [8, 8]" in text


def test_long_lists_are_cut(tmp_path: Path) -> None:
    names = [chr(97 + i // 26) + chr(97 + i % 26) for i in range(LISTED + 7)]
    text = draft(tmp_path, None, **dict.fromkeys(names, W))
    assert text.endswith("#   and 7 more\n")


def test_names_stay_inside_their_quotes(tmp_path: Path) -> None:
    evil = 'x"\nheads = 99\n#\\\x7f\ud800.{}.to_'
    text = draft(
        tmp_path, {"model_type": 'a"\n]'}, **{f"{evil.format(0)}{x}.weight".replace("\ud800", ""): W for x in "qk"}
    )
    assert tomllib.loads(text) == {
        'a"\n]': {
            "heads": 12,
            "query": 'x"\nheads = 99\n#\\\x7f.{layer}.to_q',
            "key": 'x"\nheads = 99\n#\\\x7f.{layer}.to_k',
        }
    }
    assert all(line.isprintable() for line in text.splitlines())
    checkpoint = open_checkpoint(tmp_path, layout=written(tmp_path / "my.toml", text.replace("12", "2")))
    assert [plan.heads for plan in checkpoint.layers()] == [2]


def test_digits_inside_words_are_no_layers(tmp_path: Path) -> None:
    draft(tmp_path, None, **{"conv1d.weight": W, "a.10.q": W, "a.2.q": torch.zeros(3)})
    found = {p.name: p for p in patterns(resolve(str(tmp_path)).tensors)}
    assert set(found) == {"conv1d.weight", "a.{layer}.q"}
    assert found["a.{layer}.q"].layers == 2


def test_the_number_that_varies_is_the_layers(tmp_path: Path) -> None:
    wrapped = [f"model.0.encoder.layer.{i}.self.{x}.weight" for i in range(3) for x in ("query", "key")]
    text = draft(tmp_path, None, **dict.fromkeys(wrapped, W))
    assert tomllib.loads(text)["my-model"]["query"] == "model.0.encoder.layer.{layer}.self.query"
    single = draft(tmp_path, None, **{f"model.0.h.0.{x}": W for x in "qk"})
    assert tomllib.loads(single)["my-model"]["key"] == "model.0.h.{layer}.k"


def test_registered_types_with_such_names_are_told(tmp_path: Path) -> None:
    names = [f"x.encoder.layer.{i}.attention.self.{x}.weight" for i in range(2) for x in ("query", "key")]
    text = draft(tmp_path, None, **dict.fromkeys(names, W))
    assert "# Named as in bert, esm, albert, " not in text
    assert "# Named as in bert, esm, " in text
    assert "Named as in" not in draft(tmp_path, None, **{"a.to_q": W, "a.to_k": W})


def test_a_square_projection_leaves_its_orientation_to_the_user(tmp_path: Path) -> None:
    assert "# orientation" in draft(tmp_path, None, **{f"h.{i}.{x}": W for i in range(2) for x in "qk"})
    assert "conv1d" not in draft(tmp_path, None, **{f"h.{i}.{x}": torch.randn(8, 6) for i in range(2) for x in "qk"})


def test_shapes_that_differ_are_all_listed(tmp_path: Path) -> None:
    draft(tmp_path, None, **{"a.10.q": W, "a.2.q": torch.zeros(3)})
    found = {p.name: p for p in patterns(resolve(str(tmp_path)).tensors)}
    assert len(found["a.{layer}.q"].shapes) == 2
