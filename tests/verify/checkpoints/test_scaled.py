import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints import open_checkpoint
from verify.checkpoints.files import Part
from verify.checkpoints.scaled import BLOCK, rescaled
from verify.errors import LayoutError

FP8 = torch.float8_e4m3fn


def naive(values: torch.Tensor, scales: torch.Tensor, block: tuple[int, int]) -> torch.Tensor:
    out = values.float().clone()
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] *= scales[i // block[0], j // block[1]]
    return out


@pytest.mark.parametrize(
    ("shape", "grid", "block"),
    [((8, 6), (4, 3), (2, 2)), ((8, 6), (8, 1), (1, 6)), ((8, 6), (1, 1), (8, 6)), ((130, 6), (2, 1), (BLOCK, 6))],
)
def test_every_number_is_multiplied_by_the_scale_of_its_block(
    shape: tuple[int, int], grid: tuple[int, int], block: tuple[int, int]
) -> None:
    values, scales = torch.randn(shape).to(FP8), torch.rand(grid)
    expected = naive(values, scales, block)
    assert torch.equal(rescaled(values, scales, shape, None), expected)
    part = Part(((1, 3), (5, 8)))
    rows = torch.tensor([1, 2, 5, 6, 7])
    assert torch.equal(rescaled(values[rows], scales, shape, part), expected[rows])


def test_one_scale_a_row_or_a_tensor_without_a_second_dimension() -> None:
    values = torch.randn(4, 3).to(FP8)
    rows = torch.rand(4)
    assert torch.equal(rescaled(values, rows, (4, 3), None), values.float() * rows[:, None])
    assert torch.equal(rescaled(values, rows[0], (4, 3), None), values.float() * rows[0])
    assert torch.equal(rescaled(values, None, (4, 3), None), values.float())


def test_scales_that_fit_no_grid() -> None:
    with pytest.raises(LayoutError, match="3 scales do not divide 8 rows or columns"):
        rescaled(torch.zeros(8, 3).to(FP8), torch.ones(3, 1), (8, 3), None)
    with pytest.raises(LayoutError, match="0 scales do not divide 8 rows"):
        rescaled(torch.zeros(8, 3).to(FP8), torch.ones(0, 1), (8, 3), None)
    for shape, grid in (((8,), (1, 1)), ((8, 3), (1, 1, 1)), ((2, 2, 2), (1, 1))):
        with pytest.raises(LayoutError, match="do not form a grid over shape"):
            rescaled(torch.zeros(shape).to(FP8), torch.ones(grid), shape, None)
    with pytest.raises(LayoutError, match="input dimension first"):
        rescaled(torch.zeros(8, 3).to(FP8), torch.ones(1, 1), (8, 3), Part(((0, 1),), axis=1))


@pytest.mark.parametrize("name", ["weight_scale_inv", "weight_scale"])
def test_a_checkpoint_of_eight_bits(tmp_path: Path, name: str) -> None:
    query = {x: torch.randn(16, 16).to(FP8) for x in "qk"}
    scale = torch.rand(2, 2) if name == "weight_scale_inv" else torch.rand(16, 1)
    tensors = {f"model.layers.0.self_attn.{x}_proj.weight": value for x, value in query.items()}
    tensors |= {f"model.layers.0.self_attn.{x}_proj.{name}": scale.clone() for x in "qk"}
    save_file(tensors, tmp_path / "model.safetensors")
    config = {"model_type": "llama", "num_attention_heads": 4, "num_hidden_layers": 1}
    (tmp_path / "config.json").write_text(json.dumps(config))
    checkpoint = open_checkpoint(tmp_path)
    batch = checkpoint.read(checkpoint.layers()[0])
    expected = rescaled(query["q"], scale, (16, 16), None)
    assert torch.equal(batch.Q.reshape(16, 16), expected)
    assert batch.Q.dtype is torch.float32
    assert batch.provenance["stored_dtype"] == "F8_E4M3"
    assert any("times the scale" in note for note in batch.provenance["notes"])


def test_scales_that_fit_no_grid_are_named_with_their_weight(tmp_path: Path) -> None:
    tensors = {f"model.layers.0.self_attn.{x}_proj.weight": torch.zeros(16, 16).to(FP8) for x in "qk"}
    tensors["model.layers.0.self_attn.q_proj.weight_scale"] = torch.ones(3, 1)
    save_file(tensors, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text('{"model_type": "llama", "num_attention_heads": 4, "num_hidden_layers": 1}')
    checkpoint = open_checkpoint(tmp_path)
    with pytest.raises(LayoutError, match=r"model.safetensors: tensor .*q_proj.weight: 3 scales do not divide 16 rows"):
        checkpoint.read(checkpoint.layers()[0])
