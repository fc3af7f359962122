from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints import remote
from verify.checkpoints.bytes import Span
from verify.checkpoints.remote import ATTEMPTS, GAP, RemoteBytes, Transport
from verify.errors import SourceError

CONTENT = bytes(range(256)) * 400


@dataclass
class Reply:
    status_code: int
    headers: Mapping[str, str]
    body: bytes
    broken: bool = False

    def iter_bytes(self) -> Iterator[bytes]:
        yield from (self.body[i : i + 1000] for i in range(0, len(self.body), 1000))
        if self.broken:
            raise ConnectionError("reset by peer")


@dataclass
class Scripted:
    """A client that answers ranges of CONTENT, with a fault of the script before each."""

    script: list[Any] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @contextmanager
    def stream(self, method: str, url: str, **options: Any) -> Iterator[Reply]:
        asked = options["headers"].get("Range", "")
        self.asked.append(asked)
        first, _, last = asked.removeprefix("bytes=").partition("-")
        body = CONTENT[int(first) : int(last) + 1] if asked else CONTENT
        good = Reply(206 if asked else 200, {"content-range": f"bytes {first}-{last}/{len(CONTENT)}"}, body)
        fault = self.script.pop(0) if self.script else None
        yield fault(good) if callable(fault) else good


def explain(status: int, headers: Mapping[str, str], what: str) -> SourceError:
    return SourceError(f"{what}: status {status}")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr(remote.time, "sleep", waited.append)
    return waited


def transport(client: Scripted) -> Transport:
    return Transport(client, {}, explain, (ConnectionError,), (ConnectionRefusedError,))


def unusable(_: Reply) -> Reply:
    raise ConnectionRefusedError("too many redirects")


def cut(size: int) -> Any:
    return lambda reply: Reply(reply.status_code, reply.headers, reply.body[:size], broken=True)


def status(code: int, **fields: str) -> Any:
    return lambda _: Reply(code, {key.replace("_", "-"): value for key, value in fields.items()}, b"")


@given(st.lists(st.tuples(st.integers(0, 3 * GAP), st.integers(0, 500)), max_size=5))
def test_spans_come_back_in_order_and_little_else_is_asked_for(steps: list[tuple[int, int]]) -> None:
    spans, at = [], 0
    for skip, size in steps:
        if at + skip + size <= len(CONTENT):
            spans.append(Span(at + skip, size))
            at += skip + size
    client = Scripted()
    source = RemoteBytes(transport(client), "url", "file", len(CONTENT), "commit")
    assert bytes(source.read(spans)) == b"".join(CONTENT[s.offset : s.end] for s in spans)
    assert len(client.asked) <= len([s for s in spans if s.size])


def test_a_broken_stream_is_resumed_where_it_stopped(pauses: list[float]) -> None:
    client = Scripted([cut(1500), cut(0), cut(2000)])
    body = transport(client).fetch("url", "file", span=Span(100, 9000))
    assert bytes(body) == CONTENT[100:9100]
    assert client.asked == ["bytes=100-9099", "bytes=1600-9099", "bytes=1600-9099", "bytes=3600-9099"]
    assert pauses == [0.5, 0.5, 0.5]


def test_patience_ends(pauses: list[float]) -> None:
    client = Scripted([cut(0)] * 99)
    with pytest.raises(SourceError, match=r"file: the connection failed \(reset by peer\); check the network"):
        transport(client).fetch("url", "file", span=Span(0, 10))
    assert len(client.asked) == ATTEMPTS
    assert pauses == [0.5, 1.0, 2.0, 4.0]


def test_a_server_says_how_long_to_wait(pauses: list[float]) -> None:
    transport(Scripted([status(429, retry_after="7"), status(503), status(429, retry_after="99999")])).fetch(
        "url", "file", span=Span(0, 10)
    )
    assert pauses == [7.0, 1.0, remote.LONGEST_PAUSE]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(404), "status 404"),
        (lambda r: Reply(200, {}, CONTENT), "ignores byte ranges"),
        (
            lambda r: Reply(206, {"content-range": "bytes 5-14/99"}, r.body),
            r"answered with other bytes \('bytes 5-14/99'\)",
        ),
        (lambda r: Reply(206, {}, r.body), "no Content-Range"),
        (lambda r: Reply(206, r.headers, CONTENT), "sent more bytes than were asked for"),
        (lambda r: Reply(206, {**r.headers, "content-encoding": "gzip"}, r.body), r"packs its answer \(gzip\)"),
        (lambda r: Reply(206, {"content-range": "bytes 9\x1b[31m"}, r.body), r"other bytes \('bytes 9\\x1b\[31m'\)"),
        (unusable, r"the answer cannot be used \(too many redirects\); check HF_ENDPOINT"),
    ],
)
def test_answers_that_are_refused_at_once(pauses: list[float], fault: Any, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        transport(Scripted([fault])).fetch("url", "file", span=Span(0, 10))
    assert not pauses


def test_small_files_are_fetched_whole_and_bounded(pauses: list[float]) -> None:
    assert bytes(transport(Scripted([cut(10)])).fetch("url", "file")) == CONTENT
    with pytest.raises(SourceError, match="more than 5000 bytes are no configuration"):
        transport(Scripted()).fetch("url", "file", limit=5000)


@pytest.mark.parametrize("length", ["²", "1" * 5000, "-5", "x", "5.5"])
def test_header_fields_that_are_no_numbers_are_not_believed(pauses: list[float], length: str) -> None:
    fields = {"content-length": length, "retry-after": length}
    assert bytes(transport(Scripted([lambda r: Reply(200, fields, r.body)])).fetch("url", "file")) == CONTENT
    transport(Scripted([lambda r: Reply(503, fields, b"")])).fetch("url", "file", span=Span(0, 10))
    assert pauses == [0.5]


def test_a_body_that_announces_too_much_is_not_even_begun(pauses: list[float]) -> None:
    def long(_: Reply) -> Reply:
        return Reply(200, {"content-length": "5001"}, b"", broken=True)

    with pytest.raises(SourceError, match="file: 5001 bytes are no configuration; refused"):
        transport(Scripted([long])).fetch("url", "file", limit=5000)


def test_a_drip_of_bytes_is_no_progress(pauses: list[float]) -> None:
    client = Scripted([cut(1)] * 99)
    with pytest.raises(SourceError, match="the connection failed"):
        transport(client).fetch("url", "file", span=Span(0, 5000))
    assert len(client.asked) == ATTEMPTS


def test_nothing_beyond_the_end_is_asked_for() -> None:
    client = Scripted()
    with pytest.raises(SourceError, match="file: truncated: 10 bytes are there and byte 12 is needed"):
        RemoteBytes(transport(client), "url", "file", 10, "commit").read([Span(8, 4)])
    assert not client.asked
