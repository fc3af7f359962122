"""From source to records: selection, streaming, sharded and grouped checkpoints, and what a run costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from jsonschema import Draft202012Validator
from safetensors.torch import save_file

from verify.auditing import audit, audit_records
from verify.errors import LayoutError, RecordError, SourceError
from verify.heads import HeadBatch
from verify.records import read_records, schema
from verify.verdicts import profile


def llama(folder: Path, *, layers: int = 2, shards: int = 1, dtype: torch.dtype = torch.float32) -> dict:
    """A Llama-shaped random checkpoint: 8 query heads on 2 key heads, n = 6, N = 40."""
    generator = torch.Generator().manual_seed(layers)
    config = {
        "model_type": "llama",
        "hidden_size": 40,
        "num_attention_heads": 8,
        "num_key_value_heads": 2,
        "head_dim": 6,
        "num_hidden_layers": layers,
    }
    (folder / "config.json").write_text(json.dumps(config))
    weights = {}
    for layer in range(layers):
        for kind, rows in (("q", 48), ("k", 12), ("v", 12)):
            name = f"model.layers.{layer}.self_attn.{kind}_proj.weight"
            weights[name] = torch.randn(rows, 40, generator=generator).to(dtype)
    names = sorted(weights)
    if shards == 1:
        save_file(weights, folder / "model.safetensors")
    else:
        files = {name: f"model-{i % shards + 1:05}-of-{shards:05}.safetensors" for i, name in enumerate(names)}
        for file in set(files.values()):
            save_file({name: weights[name] for name in names if files[name] == file}, folder / file)
        (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}))
    return weights


def test_a_sharded_grouped_bfloat16_checkpoint(tmp_path: Path) -> None:
    weights = llama(tmp_path, layers=4, shards=4, dtype=torch.bfloat16)
    run = audit(tmp_path)
    assert run.counts["proved"] == 32
    for record in run.records:
        assert record["kv_head"] == record["head"] // 4
        prefix = f"model.layers.{record['layer']}.self_attn"
        Q = weights[f"{prefix}.q_proj.weight"].double().reshape(8, 6, 40)[record["head"]]
        K = weights[f"{prefix}.k_proj.weight"].double().reshape(2, 6, 40)[record["kv_head"]]
        assert record["margin"] == pytest.approx(float(torch.linalg.svdvals(torch.cat([K, Q]))[-1]), rel=1e-10)
        assert record["provenance"]["stored_dtype"] == "BF16"
    assert len(run.header["files"]) == 4


def test_layers_are_chosen(tmp_path: Path) -> None:
    llama(tmp_path, layers=5)
    run = audit(tmp_path, layers=[1, 3])
    assert {r["layer"] for r in run.records} == {1, 3}
    assert run.header["layers"] == [1, 3]
    assert run.header["heads"] == len(run.records) == 16
    with pytest.raises(LayoutError, match="has no layer 5, 7; its layers are 0 to 4"):
        audit(tmp_path, layers=[0, 5, 7])
    for wrong in (1, "0", [], ["0"]):
        with pytest.raises(LayoutError, match="give a list of layer numbers"):
            audit(tmp_path, layers=wrong)  # type: ignore[arg-type]
    assert audit(tmp_path, device=torch.device("cpu"), layers={4}).header["device"] == "cpu"


def test_every_record_follows_the_schema(tmp_path: Path) -> None:
    weights = llama(tmp_path, layers=3)
    weights["model.layers.0.self_attn.q_proj.weight"][:6] = 0
    weights["model.layers.1.self_attn.k_proj.weight"][0, 0] = torch.inf
    save_file(weights, tmp_path / "model.safetensors")
    run = audit(tmp_path)
    assert run.counts == {"proved": 19, "refuted": 1, "not_applicable": 0, "unreadable": 4}
    validator = Draft202012Validator(schema())
    for record in (run.header, *run.records):
        validator.validate(record)


def test_big_heads_are_not_applicable_and_still_described(tmp_path: Path) -> None:
    config = {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 1, "num_hidden_layers": 1}
    (tmp_path / "config.json").write_text(json.dumps(config))
    generator = torch.Generator().manual_seed(0)
    name = "encoder.layer.0.attention.self.{}.weight"
    save_file(
        {name.format(k): torch.randn(8, 8, generator=generator) for k in ("query", "key")},
        tmp_path / "model.safetensors",
    )
    (record,) = audit(tmp_path).records
    Draft202012Validator(schema()).validate(record)
    assert record["verdict"] == "not_applicable"
    assert record["reason"].startswith("big head: 2n = 16 > N = 8")
    assert record["signature"]["positive"] + record["signature"]["negative"] == 8
    assert record["profile"] is not None


def test_records_stream_and_progress_counts(tmp_path: Path) -> None:
    llama(tmp_path)
    seen: list[tuple[int, int]] = []
    audit(tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i + 1, 16) for i in range(16)]
    stream = audit_records(tmp_path)
    assert next(stream)["kind"] == "run"
    assert next(stream)["kind"] == "head"


def test_an_interrupted_run_keeps_what_it_had(tmp_path: Path) -> None:
    llama(tmp_path)

    def stop(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    out = tmp_path / "deep" / "records.jsonl"
    with pytest.raises(KeyboardInterrupt):
        audit(tmp_path, out=out, progress=stop)
    assert not out.exists()
    assert len(list(read_records(out.with_name("records.jsonl.partial")))) == 6


def test_an_earlier_result_survives_a_failed_run(tmp_path: Path) -> None:
    llama(tmp_path)
    out = tmp_path / "records.jsonl"
    audit(tmp_path, out=out)
    before = out.read_bytes()
    file = tmp_path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(SourceError, match="model.safetensors"):
        audit(tmp_path, out=out)
    assert out.read_bytes() == before


def test_unknown_devices_and_places_are_refused(tmp_path: Path) -> None:
    llama(tmp_path)
    with pytest.raises(SourceError, match="device 'warp' cannot be used for float64"):
        audit(tmp_path, device="warp")
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot write records there"):
        audit(tmp_path, out=tmp_path / "file" / "records.jsonl")


def gpt2(folder: Path, *, d: int, heads: int) -> None:
    """A GPT-2-shaped random checkpoint: LayerNorm in front, biases, fused transposed weights."""
    generator = torch.Generator().manual_seed(0)
    config = {"model_type": "gpt2", "n_embd": d, "n_head": heads, "n_layer": 1}
    (folder / "config.json").write_text(json.dumps(config))
    shapes = {"attn.c_attn.weight": (d, 3 * d), "attn.c_attn.bias": (3 * d,), "ln_1.weight": (d,), "ln_1.bias": (d,)}
    weights = {f"h.0.{name}": torch.randn(shape, generator=generator) for name, shape in shapes.items()}
    save_file(weights, folder / "model.safetensors")


def test_mean_removal_makes_heads_of_half_the_width_degenerate(tmp_path: Path) -> None:
    gpt2(tmp_path, d=12, heads=2)
    assert audit(tmp_path).counts["proved"] == 2
    assert audit(tmp_path, fold=["gain"]).counts["proved"] == 2
    run = audit(tmp_path, fold=["center"])
    assert run.counts["refuted"] == 2
    assert run.header["fold"] == ["center"]
    for record in run.records:
        assert record["rank_stacked"] == 11
        assert record["reason"].endswith(
            "LayerNorm's mean removal sends the all-ones direction to zero and leaves 11 of 12 dimensions"
        )
        assert "center" in record["provenance"]["folding"]
        (vector,) = record["proof"]["null_vectors"]
        assert any(int(x) for x in vector)
    # The bias column makes room again.
    both = audit(tmp_path, fold=["center", "bias"])
    assert both.counts["proved"] == 2
    assert {r["N"] for r in both.records} == {13}
    for record in (*run.records, *both.records):
        Draft202012Validator(schema()).validate(record)


def test_profiles_at_distances(tmp_path: Path) -> None:
    weights = llama(tmp_path)
    run = audit(tmp_path, distances=[0, 1, 50])
    assert run.header["distances"] == [0, 1, 50]
    for record in run.records:
        Draft202012Validator(schema()).validate(record)
        assert [d["distance"] for d in record["distances"]] == [0, 1, 50]
        assert record["distances"][0]["profile"] == pytest.approx(record["profile"], abs=1e-12)
        assert record["distances"][2]["profile"] != pytest.approx(record["profile"], abs=1e-3)
    # By hand, for the first head: rows i and i + 3 turn by Δ·10000^(−i/3).
    Q = weights["model.layers.0.self_attn.q_proj.weight"][:6].double()
    K = weights["model.layers.0.self_attn.k_proj.weight"][:6].double()
    angle = 50 * 10000.0 ** (-torch.arange(3.0, dtype=torch.float64) / 3)
    c, s = torch.diag(angle.cos()), torch.diag(angle.sin())
    R = torch.cat([torch.cat([c, -s], 1), torch.cat([s, c], 1)])
    expected = profile(HeadBatch((R @ Q)[None], K[None]))[0].tolist()
    assert list(run.records[0]["distances"][2]["profile"].values()) == pytest.approx(expected, abs=1e-12)
    gpt2(tmp_path, d=12, heads=2)
    with pytest.raises(LayoutError, match="no layer has rotary positions"):
        audit(tmp_path, distances=[0])


COST = """
import json, sys
from verify import audit

def number(file, name):
    return int(next(line for line in open(f"/proc/self/{file}") if line.startswith(name)).split()[1])

before = number("io", "rchar")
run = audit(sys.argv[1])
# Not ru_maxrss: a new process inherits that from the one that started it.
print(json.dumps({"counts": run.counts, "bytes": number("io", "rchar") - before,
                  "peak": number("status", "VmHWM") * 1024}))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="needs Linux's /proc to count bytes")
def test_a_3_gb_checkpoint_costs_its_query_and_key_bytes(tmp_path: Path) -> None:
    """Mostly feed-forward weights, left as holes in a sparse file; 24 layers with real queries and keys."""
    d, ff, layers = 1024, 15360, 24
    config = {"model_type": "llama", "hidden_size": d, "num_attention_heads": 16, "num_hidden_layers": layers}
    (tmp_path / "config.json").write_text(json.dumps(config))
    header, at, data = {}, 0, []
    generator = torch.Generator().manual_seed(0)
    for layer in range(layers):
        prefix = f"model.layers.{layer}"
        for kind in ("q", "k"):
            weight = torch.randn(d, d, generator=generator).to(torch.bfloat16)
            raw = weight.view(torch.int16).numpy().tobytes()
            header[f"{prefix}.self_attn.{kind}_proj.weight"] = {
                "dtype": "BF16",
                "shape": [d, d],
                "data_offsets": [at, at + len(raw)],
            }
            data.append((at, raw))
            at += len(raw)
        for kind in ("gate", "up", "down", "more"):
            size = 2 * d * ff
            header[f"{prefix}.mlp.{kind}_proj.weight"] = {
                "dtype": "BF16",
                "shape": [ff, d],
                "data_offsets": [at, at + size],
            }
            at += size
    text = json.dumps(header).encode()
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for offset, raw in data:
            file.seek(8 + len(text) + offset)
            file.write(raw)
        file.truncate(8 + len(text) + at)
    assert at > 3e9
    wanted = sum(len(raw) for _, raw in data)
    done = subprocess.run([sys.executable, "-c", COST, str(tmp_path)], capture_output=True, text=True, check=True)
    cost = json.loads(done.stdout)
    print(f"\n{at / 1e9:.2f} GB checkpoint: read {cost['bytes'] / wanted:.4f} of its {wanted / 1e6:.0f} MB of queries "
          f"and keys; peak resident memory {cost['peak'] / 1e6:.0f} MB")  # fmt: skip
    assert cost["counts"]["proved"] == 16 * layers
    assert cost["bytes"] <= 1.1 * wanted
    assert cost["peak"] < 1e9
