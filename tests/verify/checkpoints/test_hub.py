import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from tests.verify.checkpoints.serving import COMMIT, Hub, serving
from verify.auditing import audit
from verify.checkpoints import open_checkpoint
from verify.checkpoints.hub import Address
from verify.errors import SourceError

NAME = "model.layers.{}.self_attn.{}_proj.weight"
CONFIG = {"model_type": "llama", "num_attention_heads": 4, "num_hidden_layers": 3, "hidden_size": 32}


def fill(folder: Path, *, shards: int = 1) -> Path:
    folder.mkdir(parents=True)
    torch.manual_seed(0)
    tensors = {NAME.format(i, x): torch.randn(32, 32) for i in range(3) for x in "qkv"}
    tensors |= {f"model.layers.{i}.mlp.up_proj.weight": torch.randn(512, 32) for i in range(3)}
    names = sorted(tensors)
    parts = [names[i::shards] for i in range(shards)]
    files = [f"model-{i}.safetensors" for i in range(shards)] if shards > 1 else ["model.safetensors"]
    for file, part in zip(files, parts, strict=True):
        save_file({name: tensors[name] for name in part}, folder / file)
    if shards > 1:
        weight_map = {name: file for file, part in zip(files, parts, strict=True) for name in part}
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    (folder / "config.json").write_text(json.dumps(CONFIG))
    return folder


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    fill(tmp_path / "org" / "model")
    monkeypatch.setattr("verify.checkpoints.remote.PAUSE", 0.001)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    with serving(Hub(tmp_path)) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.endpoint)
        yield running


def same_as_local(source: str, folder: Path) -> None:
    remote, local = open_checkpoint(source), open_checkpoint(folder)
    for ours, theirs in zip(remote.layers(), local.layers(), strict=True):
        a, b = remote.read(ours), local.read(theirs)
        assert torch.equal(a.Q, b.Q)
        assert torch.equal(a.K, b.K)
        assert a.ids == b.ids


@pytest.mark.parametrize("shards", [1, 3])
def test_the_same_heads_as_from_the_files_themselves(hub: Hub, shards: int) -> None:
    folder = hub.root / "org" / "model" if shards == 1 else fill(hub.root / "org" / "sharded", shards=shards)
    same_as_local(f"hf://org/{folder.name}", folder)


def test_the_record_names_the_commit(hub: Hub) -> None:
    checkpoint = open_checkpoint("hf://org/model")
    [(name, identity)] = checkpoint.files.items()
    assert name == f"hf://org/model@{COMMIT[:12]}/model.safetensors"
    assert identity.commit == COMMIT
    assert checkpoint.source == "hf://org/model"


def test_only_headers_queries_and_keys_are_fetched(hub: Hub) -> None:
    checkpoint = open_checkpoint("hf://org/model@main")
    header = hub.sent
    for plan in checkpoint.layers():
        checkpoint.read(plan)
    wanted = 3 * 2 * 32 * 32 * 4
    assert hub.sent - header == wanted
    assert header < 4000


@pytest.mark.parametrize("where", ["subfolder", "subfolder/model.safetensors"])
def test_subfolders_and_single_files(hub: Hub, where: str) -> None:
    folder = fill(hub.root / "org" / "nested" / "subfolder")
    same_as_local(f"hf://org/nested@{COMMIT}/{where}", folder)


@pytest.mark.parametrize("modern", [True, False], ids=["zip", "legacy"])
def test_pickled_checkpoints_are_read_in_part_too(hub: Hub, modern: bool) -> None:
    folder = hub.root / "org" / "parts"
    folder.mkdir(parents=True)
    state = {NAME.format(0, x): torch.randn(32, 32) for x in "qk"} | {"mlp": torch.randn(1 << 20)}
    torch.save(state, folder / "pytorch_model.bin", _use_new_zipfile_serialization=modern)
    (folder / "config.json").write_text(json.dumps({**CONFIG, "num_hidden_layers": 1}))
    checkpoint = open_checkpoint("hf://org/parts")
    [plan] = checkpoint.layers()
    assert torch.equal(checkpoint.read(plan).Q.reshape(32, 32), state[NAME.format(0, "q")])
    assert hub.sent < 2 * 32 * 32 * 4 + 1_100_000


def test_formats_without_spans_are_downloaded(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = hub.root / "org" / "pickled"
    folder.mkdir(parents=True)
    np.savez(folder / "model.npz", **{NAME.format(0, x): np.eye(32) for x in "qk"})
    (folder / "config.json").write_text(json.dumps({**CONFIG, "num_hidden_layers": 1}))
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", lambda repo, path, **_: str(hub.root / repo / path))
    same_as_local("hf://org/pickled", folder)


def test_dropped_connections_are_resumed(hub: Hub) -> None:
    hub.failures = [4, 100, 700, 1000]
    same_as_local("hf://org/model", hub.root / "org" / "model")
    assert not hub.failures


def test_a_connection_dropped_in_the_middle_costs_no_byte_twice(hub: Hub) -> None:
    checkpoint = open_checkpoint("hf://org/model")
    before = hub.sent
    hub.failures = [1500]
    checkpoint.read(checkpoint.layers()[0])
    assert hub.sent - before == 2 * 32 * 32 * 4
    resumed = [request for request in hub.requests if "bytes=" in request][-2:]
    assert len(resumed) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_passing_trouble_is_waited_out(hub: Hub, status: int) -> None:
    hub.failures = [(status, {"Retry-After": "0"}), (status, {})]
    same_as_local("hf://org/model", hub.root / "org" / "model")


@pytest.mark.parametrize(
    ("refuse", "words"),
    [
        ((401, {}), "org/model does not exist, or is private and needs a token: run 'hf auth login' or set HF_TOKEN"),
        (
            (403, {"X-Error-Code": "GatedRepo"}),
            "org/model is gated; accept its terms at .*/org/model, then set HF_TOKEN",
        ),
        ((403, {}), r"forbids it \(403\); check that the token may read org/model"),
        ((404, {"X-Error-Code": "RepoNotFound"}), "org/model does not exist"),
        ((404, {}), r"not found at http.* \(404\); check the name"),
        ((429, {"Retry-After": "0"}), r"too many requests \(429\); wait a while"),
        ((503, {}), "fails with status 503; try again later"),
        ((418, {}), "answered with status 418"),
    ],
)
def test_each_refusal_has_its_own_line(hub: Hub, refuse: tuple[int, dict[str, str]], words: str) -> None:
    hub.refuse = refuse
    with pytest.raises(SourceError, match=words) as caught:
        open_checkpoint("hf://org/model")
    assert str(caught.value).startswith("hf://org/model")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hf://org/absent", "org/absent does not exist, or is private"),
        ("hf://org/model@v9", "org/model has no revision 'v9'; check the part after @"),
        ("hf://org/model/nowhere", "holds no weights"),
        ("hf://", "not a name on the hub"),
        ("hf://org//model", "not a name on the hub"),
        ("hf://org/model@", "not a name on the hub"),
        ("hf://org/model/../secret", "not a name on the hub"),
    ],
)
def test_names_that_lead_nowhere(hub: Hub, name: str, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        open_checkpoint(name)


def test_a_server_that_ignores_ranges_is_not_obeyed(hub: Hub) -> None:
    hub.ranges = False
    with pytest.raises(SourceError, match=r"the server ignores byte ranges.*download the checkpoint"):
        open_checkpoint("hf://org/model")


def test_a_server_that_is_not_there(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(SourceError, match="the connection failed .*; check the network and try again"):
        open_checkpoint("hf://org/model")


def test_the_token_is_sent(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.token = "hf_secret"
    with pytest.raises(SourceError, match="needs a token"):
        open_checkpoint("hf://org/model")
    monkeypatch.delenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    same_as_local("hf://org/model", hub.root / "org" / "model")


def test_offline(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(SourceError, match="HF_HUB_OFFLINE is set and the cache does not hold it"):
        open_checkpoint("hf://org/model")
    assert not hub.requests
    folder = hub.root / "org" / "model"
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: str(folder))
    same_as_local("hf://org/model", folder)
    same_as_local("hf://org/model/model.safetensors", folder)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("hf://a/b", ("a/b", "main", "")),
        ("hf://a/b@v1", ("a/b", "v1", "")),
        ("hf://a/b@v1/c/d", ("a/b", "v1", "c/d")),
        ("hf://b@v1/c", ("b", "v1", "c")),
        ("hf://b", ("b", "main", "")),
    ],
)
def test_addresses(name: str, parts: tuple[str, ...]) -> None:
    address = Address.parse(name)
    assert (address.repository, address.revision, address.path) == parts


def broken(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-50])


def index_outside(path: Path) -> None:
    (path.parent / "model.safetensors.index.json").write_text('{"weight_map": {"a": "../other/x.safetensors"}}')


@pytest.mark.parametrize(("spoil", "words"), [(broken, "truncated"), (index_outside, "points outside the directory")])
def test_broken_repositories(hub: Hub, spoil: Any, words: str) -> None:
    spoil(hub.root / "org" / "model" / "model.safetensors")
    with pytest.raises(SourceError, match=words) as caught:
        open_checkpoint("hf://org/model")
    assert COMMIT[:12] in str(caught.value)


@pytest.mark.slow
def test_a_checkpoint_of_a_gigabyte_costs_its_queries_and_keys(hub: Hub) -> None:
    """Mostly feed-forward weights, in four files, with a connection dropped on the way."""
    folder = hub.root / "org" / "large"
    folder.mkdir()
    width, layers, shards = 512, 8, 4
    weight_map: dict[str, str] = {}
    generator = torch.Generator().manual_seed(0)
    for shard in range(shards):
        header: dict[str, Any] = {}
        data: list[bytes | int] = []
        end = 0
        for layer in range(shard * layers // shards, (shard + 1) * layers // shards):
            for name, shape in (("q", width), ("k", width), ("v", width), ("mlp", 64_000)):
                size = shape * width * 4
                full = f"model.layers.{layer}.self_attn.{name}_proj.weight"
                header[full] = {"dtype": "F32", "shape": [shape, width], "data_offsets": [end, end + size]}
                weight_map[full] = f"{shard}.safetensors"
                filled = name in "qk"
                data.append(torch.randn(shape, width, generator=generator).numpy().tobytes() if filled else size)
                end += size
        raw = json.dumps(header).encode()
        with (folder / f"{shard}.safetensors").open("wb") as file:
            file.write(len(raw).to_bytes(8, "little") + raw)
            for part in data:
                if isinstance(part, bytes):
                    file.write(part)
                else:
                    file.seek(part, 1)
            file.truncate(8 + len(raw) + end)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    (folder / "config.json").write_text(json.dumps({"model_type": "llama", "num_attention_heads": 8}))
    total = sum(file.stat().st_size for file in folder.iterdir())
    assert total > 1_000_000_000
    hub.failures = [8, 100_000]
    run = audit("hf://org/large")
    wanted = layers * 2 * width * width * 4
    assert run.counts["proved"] == 64
    assert not hub.failures
    assert wanted <= hub.sent <= 1.05 * wanted
    print(f"{total} bytes there, {wanted} of queries and keys, {hub.sent} sent ({hub.sent / wanted - 1:.2%} more)")
