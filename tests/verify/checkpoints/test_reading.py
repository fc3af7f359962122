import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from verify.checkpoints import Checkpoint, open_checkpoint
from verify.checkpoints.reading import LATENT_BIAS, UNBIASED, UNCENTRED, UNGAINED
from verify.errors import LayoutError
from verify.verdicts import assess

N, HEADS, SIZE = 12, 3, 4


def saved(folder: Path, layout: str, **tensors: torch.Tensor) -> Checkpoint:
    save_file(tensors, folder / "model.safetensors")
    (folder / "my.toml").write_text(f"[toy]\nheads = {HEADS}\nhead_dim = {SIZE}\n{layout}")
    return open_checkpoint(folder / "model.safetensors", layout=folder / "my.toml")


PLAIN = "query = 'l.{layer}.q'\nkey = 'l.{layer}.k'\n"
LAYER_NORM = PLAIN + "norm = { kind = 'layer', tensor = 'l.{layer}.n' }\n"


def weights(**more: Any) -> dict[str, torch.Tensor]:
    torch.manual_seed(0)
    names = {"l.0.q.weight": (HEADS * SIZE, N), "l.0.k.weight": (HEADS * SIZE, N), **more}
    return {name: torch.randn(shape) for name, shape in names.items()}


FULL: dict[str, Any] = {"l.0.q.bias": 12, "l.0.k.bias": 12, "l.0.n.weight": N, "l.0.n.bias": N}


@pytest.mark.parametrize("fold", [("gain", "center", "bias"), ("center", "bias"), ("gain", "bias")])
def test_folded_maps_send_the_normalised_stream_where_the_model_sends_it(tmp_path: Path, fold: tuple[str, ...]) -> None:
    w = weights(**FULL)
    checkpoint = saved(tmp_path, LAYER_NORM, **w)
    folded = checkpoint.read(checkpoint.layers()[0], fold=fold)
    assert folded.provenance["folding"] == sorted({*fold, "gain"}, key=["gain", "center", "bias"].index)
    x = torch.randn(N, dtype=torch.float64)
    seen = x - x.mean() if "center" in fold else x
    y = w["l.0.n.weight"].double() * seen + w["l.0.n.bias"].double()
    query = w["l.0.q.weight"].double() @ y + w["l.0.q.bias"].double()
    torch.testing.assert_close((folded.Q @ torch.cat([x, torch.ones(1)])).flatten(), query, rtol=1e-12, atol=1e-12)
    assert folded.exact is not None
    assert folded.stored_dtype is torch.float32


def test_heads_stacked_one_matrix_each(tmp_path: Path) -> None:
    """As interpretability tools keep them: input dimension first, a bias for each head."""
    shapes = {"l.0.q": (HEADS, N, SIZE), "l.0.k": (1, N, SIZE), "l.0.b_q": (HEADS, SIZE), "l.0.b_k": (1, SIZE)}
    torch.manual_seed(0)
    w = {name: torch.randn(shape) for name, shape in shapes.items()}
    words = "orientation = 'stacked'\nkv_heads = 1\nquery_bias = 'l.{layer}.b_q'\nkey_bias = 'l.{layer}.b_k'\n"
    checkpoint = saved(tmp_path, PLAIN + words, **w)
    batch = checkpoint.read(checkpoint.layers()[0], fold=["bias"])
    x = torch.randn(5, N, dtype=torch.float64)
    homogeneous = torch.cat([x, torch.ones(5, 1)], -1)
    for h in range(HEADS):
        assert torch.allclose(homogeneous @ batch.Q[h].T, x @ w["l.0.q"][h].double() + w["l.0.b_q"][h])
        assert torch.allclose(homogeneous @ batch.K[h].T, x @ w["l.0.k"][0].double() + w["l.0.b_k"][0])


def test_each_fold_by_itself(tmp_path: Path) -> None:
    w = weights(**FULL)
    checkpoint = saved(tmp_path, LAYER_NORM, **w)
    plan = checkpoint.layers()[0]
    stored, gained = checkpoint.read(plan), checkpoint.read(plan, fold=["gain"])
    biased = checkpoint.read(plan, fold=["bias"])
    assert stored.Q.dtype is torch.float32
    assert gained.exact is None
    assert torch.equal(gained.K, stored.K.double() * w["l.0.n.weight"].double())
    assert torch.equal(biased.Q[..., :-1], stored.Q.double())
    assert torch.equal(biased.Q[..., -1].flatten(), w["l.0.q.bias"].double())
    assert biased.exact is None
    centred = checkpoint.read(plan, fold=["center"])
    assert centred.provenance["folding"] == ["gain", "center"]
    assert float(centred.Q.sum(-1).abs().max()) < 1e-12


def test_gains_of_one_plus_the_weight_are_added_in_single_precision(tmp_path: Path) -> None:
    w = weights(**{"l.0.n.weight": N})
    layout = PLAIN + "norm = { kind = 'rms', tensor = 'l.{layer}.n', gain = '1+w' }\n"
    checkpoint = saved(tmp_path, layout, **w)
    plan = checkpoint.layers()[0]
    gain = (1 + w["l.0.n.weight"]).double()
    assert torch.equal(checkpoint.read(plan, fold=["gain"]).Q, checkpoint.read(plan).Q.double() * gain)
    assert checkpoint.read(plan, fold=["center"]).provenance["notes"] == [UNCENTRED]


def test_what_does_not_apply_is_said(tmp_path: Path) -> None:
    checkpoint = saved(tmp_path, PLAIN, **weights())
    plan = checkpoint.layers()[0]
    batch = checkpoint.read(plan, fold=["gain", "center", "bias"])
    assert batch.provenance["folding"] == []
    assert batch.provenance["notes"] == [UNGAINED, UNCENTRED, UNBIASED]
    assert torch.equal(batch.Q, checkpoint.read(plan).Q)
    with pytest.raises(LayoutError, match="'centre' cannot be folded; choose from gain, center, bias"):
        checkpoint.read(plan, fold=["centre"])


def test_key_heads_are_folded_once_and_shared(tmp_path: Path) -> None:
    w = weights(**{"l.0.k.weight": (SIZE, N), "l.0.k.bias": SIZE, "l.0.n.weight": N, "l.0.n.bias": N})
    checkpoint = saved(tmp_path, LAYER_NORM + "kv_heads = 1\n", **w)
    batch = checkpoint.read(checkpoint.layers()[0], fold=["gain", "center", "bias"])
    assert torch.equal(batch.K[0], batch.K[2])
    assert batch.exact_rows(0).integers.tolist()[:SIZE] == batch.exact_rows(2).integers.tolist()[:SIZE]


def test_a_head_that_fills_its_stream_is_refuted_once_the_mean_is_removed(tmp_path: Path) -> None:
    layout = LAYER_NORM.replace("kind = 'layer'", "kind = 'layer', gain = 'none'")
    w = {name: torch.randn(24, 8) for name in ("l.0.q.weight", "l.0.k.weight")}
    (tmp_path / "a").mkdir()
    checkpoint = saved(tmp_path / "a", layout.replace("tensor", "first"), **{k: v[:12] for k, v in w.items()})
    plan = checkpoint.layers()[0]
    assert 2 * plan.n == plan.N
    assert {v.verdict for v in assess(checkpoint.read(plan))} == {"proved"}
    centred = list(assess(checkpoint.read(plan, fold=["center"])))
    assert {v.verdict for v in centred} == {"refuted"}
    assert {v.rank_stacked for v in centred} == {7}


def test_products_of_two_factors_carry_their_exact_value(tmp_path: Path) -> None:
    """Latent attention: the two forms of a head are products of stored matrices."""
    sizes = {"kv_lora_rank": 5, "qk_nope_head_dim": 3, "qk_rope_head_dim": 2, "v_head_dim": 4, "q_lora_rank": 6}
    torch.manual_seed(0)
    shapes = {
        "q_a_proj": (6, 24),
        "q_b_proj": (10, 6),
        "kv_a_proj_with_mqa": (7, 24),
        "kv_b_proj": (14, 5),
        "q_a_layernorm": (6,),
        "kv_a_layernorm": (5,),
    }
    w = {f"model.layers.0.self_attn.{name}.weight": torch.randn(shape).bfloat16() for name, shape in shapes.items()}
    save_file(w, tmp_path / "model.safetensors")
    config = {"model_type": "deepseek_v3", "num_attention_heads": 2, "num_hidden_layers": 1, "hidden_size": 24, **sizes}
    (tmp_path / "config.json").write_text(json.dumps(config))
    checkpoint = open_checkpoint(tmp_path)
    content, rotary = checkpoint.layers()
    assert (content.stack, rotary.stack) == ("decoder content", "decoder rotary")
    assert [head.kv_head for head in rotary.ids] == [0, 0]

    def get(name: str) -> torch.Tensor:
        return w[f"model.layers.0.self_attn.{name}.weight"].double()

    queries = get("q_b_proj") * get("q_a_layernorm") @ get("q_a_proj")
    keys = get("kv_b_proj") * get("kv_a_layernorm") @ get("kv_a_proj_with_mqa")[:5]
    batch = checkpoint.read(content, fold=["bias"])
    torch.testing.assert_close(batch.Q[1], queries[5:8])
    torch.testing.assert_close(batch.K[1], keys[7:10])
    assert batch.provenance["notes"][-2:] == [UNBIASED, LATENT_BIAS]
    shared = checkpoint.read(rotary)
    torch.testing.assert_close(shared.Q[1], queries[8:10])
    assert torch.equal(shared.K[1], get("kv_a_proj_with_mqa")[5:])
    for one in (batch, shared):
        assert one.exact is not None
        rows = one.exact_rows(1)
        value = torch.tensor([[float(x) for x in row] for row in rows.integers.tolist()], dtype=torch.float64)
        torch.testing.assert_close(value * 2.0**rows.exponent, one.stacked()[1], rtol=1e-12, atol=1e-12)
        assert {v.verdict for v in assess(one)} == {"proved"}


@pytest.mark.parametrize(
    ("spoilt", "shape"),
    [("l.0.n.weight", (1,)), ("l.0.n.weight", (N, 1)), ("l.0.n.bias", (N + 1,)), ("l.0.q.bias", ()), ("l.0.k.bias", 3)],
)
def test_vectors_of_another_shape_are_refused_and_not_stretched(tmp_path: Path, spoilt: str, shape: Any) -> None:
    checkpoint = saved(tmp_path, LAYER_NORM, **weights(**{**FULL, spoilt: shape}))
    with pytest.raises(LayoutError, match=rf"model.safetensors: tensor {spoilt} has shape .*; \[12\] was expected"):
        checkpoint.read(checkpoint.layers()[0], fold=["gain", "bias"])


def test_a_gain_of_integers_is_refused(tmp_path: Path) -> None:
    stored = weights(**FULL)
    stored["l.0.n.weight"] = torch.ones(N, dtype=torch.int32)
    checkpoint = saved(tmp_path, LAYER_NORM, **stored)
    with pytest.raises(LayoutError, match=r"tensor l.0.n.weight is stored as I32, no weights as they stand"):
        checkpoint.read(checkpoint.layers()[0], fold=["gain"])
