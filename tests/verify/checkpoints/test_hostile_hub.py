"""A hub that lies: real answers over a real connection, each refused or survived in one line."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verify.checkpoints.serving import COMMIT, Hub, serving
from tests.verify.checkpoints.test_hub import CONFIG, fill
from verify.checkpoints import open_checkpoint
from verify.errors import SourceError


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    fill(tmp_path / "org" / "model")
    monkeypatch.setattr("verify.checkpoints.remote.PAUSE", 0.001)
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    with serving(Hub(tmp_path)) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.endpoint)
        yield running


def head(status: str, **fields: object) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{key.replace('_', '-')}: {value}" for key, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


BODY = json.dumps(CONFIG).encode()
CONFIG_FILE, MODEL, LISTING = "config.json", "model.safetensors", "/revision/main"


@pytest.mark.parametrize(
    ("path", "once", "again", "words"),
    [
        (CONFIG_FILE, head("200 OK", Content_Length=9) + BODY, b"", "config.json: not valid JSON"),
        (CONFIG_FILE, head("200 OK", Content_Length=999) + BODY, b"", "the connection failed"),
        (CONFIG_FILE, head("200 OK", Content_Length=10**12), b"", "1000000000000 bytes are no configuration"),
        (CONFIG_FILE, head("200 OK"), b" " * 65536, "more than 67108864 bytes are no configuration"),
        (CONFIG_FILE, head("200 OK") + b"[" * 60_000_000, b"", "up to 60000000 values where at most"),
        (CONFIG_FILE, head("200 OK") + b"<!DOCTYPE html>", b"", "config.json: an HTML page"),
        (CONFIG_FILE, head("200 OK", Content_Encoding="gzip") + gzip.compress(BODY), b"", r"packs its answer \(gzip\)"),
        (CONFIG_FILE, head("200 OK", Content_Encoding="x") + BODY, b"", r"packs its answer \(x\)"),
        (CONFIG_FILE, head("302 Found", Location="file:///etc/passwd"), b"", "the answer cannot be used"),
        (CONFIG_FILE, head("302 Found", Location="//"), b"", "the answer cannot be used|the connection failed"),
        (CONFIG_FILE, head("302 Found", Location="config.json"), b"", "the answer cannot be used"),
        (CONFIG_FILE, head("302 Found", Location="http://[::1:x"), b"", "the answer cannot be used|connection failed"),
        (CONFIG_FILE, head("302 Found"), b"", "answered with status 302"),
        (CONFIG_FILE, b"garbage\r\n\r\n", b"", "the connection failed"),
        (CONFIG_FILE, b"", b"x" * 65536, "the connection failed"),
        (MODEL, head("206 Partial", Content_Range="bytes 0-7/99"), b"x" * 65536, "sent more bytes than were asked for"),
        (MODEL, head("206 Partial", Content_Range="bytes 5-12/9") + b"x" * 8, b"", r"other bytes \('bytes 5-12/9'\)"),
        (MODEL, head("206 Partial") + b"x" * 8, b"", r"with other bytes \('no Content-Range'\)"),
        (
            MODEL,
            head("206 Partial", Content_Range="bytes 0-7/9", Content_Length=3) + b"xxx",
            b"",
            "broke off|other",
        ),
        (MODEL, head("200 OK"), b"x" * 65536, "the server ignores byte ranges"),
        (LISTING, head("200 OK") + b"{}", b"", "does not say which commit it is at"),
        (LISTING, head("200 OK") + b'{"sha": "../..", "siblings": []}', b"", "does not say which commit"),
        (LISTING, head("200 OK") + b'{"sha": "%s", "siblings": 5}' % (b"a" * 40), b"", "does not say which"),
        (LISTING, head("200 OK") + b'{"sha": 5}', b"", "does not say which commit"),
    ],
    ids=range(24),
)
def test_lies_are_found_out(hub: Hub, path: str, once: bytes, again: bytes, words: str) -> None:
    hub.raw = {path: (once, again)}
    tracemalloc.start()
    with pytest.raises(SourceError, match=words) as caught:
        open_checkpoint("hf://org/model")
    assert tracemalloc.get_traced_memory()[1] < 500 << 20
    tracemalloc.stop()
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith(("hf://org/model", "http://127.0.0.1"))


@pytest.mark.parametrize("size", [None, -1, "12", True, 2**80, 8, 2**60])
def test_sizes_that_are_not_those_of_the_files(hub: Hub, size: object) -> None:
    siblings = [{"rfilename": CONFIG_FILE}, {"rfilename": MODEL, "size": size}, 7, {"rfilename": ["x"]}, {}]
    listing = json.dumps({"sha": COMMIT, "siblings": siblings}).encode()
    hub.raw = {LISTING: (head("200 OK", Content_Length=len(listing)) + listing, b"")}
    with pytest.raises(SourceError, match="the hub does not say how long it is|truncated|of 25 digits|unaccounted"):
        open_checkpoint("hf://org/model")


def test_the_token_does_not_follow_to_another_host(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with serving(Hub(tmp_path, token="hf_secret")) as other:
        hub.raw = {CONFIG_FILE: (head("302 Found", Location=f"{other.endpoint}/{CONFIG_FILE}", Content_Length=0), b"")}
        with pytest.raises(SourceError, match="config.json: org/model does not exist, or is private and needs a token"):
            open_checkpoint("hf://org/model")
        assert other.requests == [f"/{CONFIG_FILE}"]
