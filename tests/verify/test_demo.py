"""The main job on real trained weights: all heads proved, and every planted fault found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from jsonschema import Draft202012Validator
from safetensors.torch import load_file, save_file

from tests.trained import demo_checkpoint
from verify.auditing import Audit, audit
from verify.cli.audit import exit_code
from verify.records import read_records, schema

TENSOR = "encoder.layer.{layer}.attention.self.{kind}.weight"
n = 32


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    return audit(demo_checkpoint(), out=tmp_path_factory.mktemp("demo") / "records.jsonl")


def test_every_head_is_proved(demo: Audit) -> None:
    assert demo.counts == {"proved": 72, "refuted": 0, "not_applicable": 0, "unreadable": 0}
    assert {tuple(r["signature"].values()) for r in demo.records} == {(32, 32, 320)}
    assert {r["proof"]["kind"] for r in demo.records} == {"cholesky"}
    assert all(r["eigenvalue_signs"] == {"positive": 32, "negative": 32, "undecided": 0} for r in demo.records)
    assert exit_code([demo], strict=True) == 0


def test_the_weakest_head(demo: Audit) -> None:
    weakest = demo.weakest
    assert weakest is not None
    assert (weakest["stack"], weakest["layer"], weakest["head"]) == ("encoder", 0, 2)
    assert weakest["relative_margin"] == pytest.approx(0.0235, abs=5e-5)


def test_records_say_where_they_come_from(demo: Audit) -> None:
    validator = Draft202012Validator(schema())
    for record in (demo.header, *demo.records):
        validator.validate(record)
    provenance = demo.records[14]["provenance"]
    assert provenance["tensors"]["query"].endswith(TENSOR.format(layer=1, kind="query"))
    assert provenance["stored_dtype"] == "F32"
    assert provenance["layout"] == "bert"
    assert provenance["folding"] == []
    assert [file["name"] for file in demo.header["files"]]


def test_numbers_against_the_weights(demo: Audit) -> None:
    """Margins, norms and profiles recomputed from the file by plain N × N linear algebra."""
    weights = load_file(demo_checkpoint() / "model.safetensors")
    for record in demo.records[::7]:
        rows = slice(n * record["head"], n * (record["head"] + 1))
        Q, K = (
            next(w for name, w in weights.items() if name.endswith(TENSOR.format(layer=record["layer"], kind=kind)))[
                rows
            ]
            for kind in ("query", "key")
        )
        Q, K = Q.double(), K.double()
        sigma = torch.linalg.svdvals(torch.cat([K, Q]))
        assert record["margin"] == pytest.approx(float(sigma[-1]), rel=1e-9)
        assert record["relative_margin"] == pytest.approx(float(sigma[-1] / sigma[0]), rel=1e-9)
        L = K.T @ Q
        assert record["norms"]["score"] == pytest.approx(float(torch.linalg.matrix_norm(L)), rel=1e-12)
        T2 = float(((L - L.T) / 2).square().sum() / L.square().sum())
        assert record["profile"]["a"] == pytest.approx(T2, abs=1e-12)
        assert sum(record["profile"].values()) == pytest.approx(1, abs=1e-12)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """A copy with seven faults in layer 2, heads 0 to 6."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copy(demo_checkpoint() / "config.json", folder)
    weights = load_file(demo_checkpoint() / "model.safetensors")
    Q, K = (
        next(w for name, w in weights.items() if name.endswith(TENSOR.format(layer=2, kind=kind)))
        for kind in ("query", "key")
    )
    head = [slice(n * h, n * (h + 1)) for h in range(7)]
    K[head[0]] = Q[head[0]]
    Q[head[1]] = 0
    K[head[2]][5] = Q[head[2]][9]
    K[head[3]][1] = K[head[3]][0]
    Q[head[4]] *= 1e-20
    K[head[4]] *= 1e-20
    Q[head[5]][3] = K[head[5]][7]
    Q[head[5]][3, 100] = torch.nextafter(Q[head[5]][3, 100], torch.tensor(torch.inf))
    Q[head[6]][0, 0] = torch.nan
    save_file(weights, folder / "model.safetensors")
    return audit(folder, out=folder / "records.jsonl")


def test_planted_faults_are_found(planted: Audit) -> None:
    faulty = [r for r in planted.records if r["layer"] == 2 and r["head"] < 7]
    assert [r["verdict"] for r in faulty] == [*["refuted"] * 4, "proved", "proved", "unreadable"]
    assert [r["rank_stacked"] for r in faulty] == [32, 32, 63, 63, 64, 64, None]
    signatures = [r["signature"] and tuple(r["signature"].values()) for r in faulty]
    assert signatures[0] == (32, 0, 352)
    assert signatures[1] == (0, 0, 384)
    # One shared row q = k in different places: A = 2⟨u_K, u_Q⟩ = 0, so the lost dimension is radical.
    assert signatures[2] == (31, 31, 322)
    assert signatures[3] == (31, 31, 322)
    assert signatures[4] == signatures[5] == (32, 32, 320)
    assert signatures[6] is None
    assert [len(r["proof"]["null_vectors"]) for r in faulty[:4]] == [32, 32, 1, 1]
    assert faulty[5]["proof"]["kind"] == "minor"
    assert 0 < faulty[5]["relative_margin"] < 1e-8
    assert faulty[0]["hyperbolic_plus_zero"] is False
    assert faulty[1]["hyperbolic_plus_zero"] is True
    assert faulty[1]["profile"] is None
    assert "NaN" in faulty[6]["reason"]
    assert exit_code([planted], strict=False) == 1


def test_planted_faults_leave_the_others_alone(planted: Audit, demo: Audit) -> None:
    def others(run: Audit) -> list[dict]:
        kept = [r for r in run.records if r["layer"] != 2 or r["head"] >= 7]
        return [{k: v for k, v in r.items() if k not in ("source", "provenance")} for r in kept]

    assert len(others(planted)) == 65
    assert others(planted) == others(demo)


def test_records_on_disk_are_the_records(planted: Audit) -> None:
    path = Path(planted.header["source"]) / "records.jsonl"
    assert list(read_records(path)) == [planted.header, *planted.records]
    validator = Draft202012Validator(schema())
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line, parse_constant=pytest.fail))
    assert not path.with_name("records.jsonl.partial").exists()
