"""Bytes of a remote file by HTTP range requests, with retry and resume."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from verify.checkpoints.bytes import Span, merged
from verify.errors import SourceError
from verify.quoting import shown

#: Neighbouring spans at most so far apart are fetched in one request: the gap costs less than a request.
GAP = 16 << 10
#: Attempts for each stretch of bytes; the count starts again when so many bytes have arrived since the last one.
ATTEMPTS, PROGRESS = 5, 1024
#: Seconds before the second attempt, doubled for each further one.
PAUSE = 0.5
#: Never wait longer than this, whatever a server asks for.
LONGEST_PAUSE = 60.0
TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})


class Answer(Protocol):
    """What is used of a streamed HTTP response."""

    status_code: int

    @property
    def headers(self) -> Mapping[str, str]:
        """The header fields."""
        ...

    def iter_bytes(self) -> Iterator[bytes]:
        """The body, as it arrives."""
        ...


class Client(Protocol):
    """What is used of an HTTP client (that of the hub library)."""

    def stream(self, method: str, url: str, **options: Any) -> AbstractContextManager[Answer]:
        """Send a request and hand out the response before its body is read."""
        ...


#: Turns an unsuccessful answer into the error for the user: its status, its header fields, and what was asked for.
Explain = Callable[[int, Mapping[str, str], str], SourceError]


@dataclass
class Transport:
    """Sends requests, waits and tries again.

    Args:
        client: the HTTP client.
        headers: sent with every request (the token is among them).
        explain: the words for each failure.
        failures: exceptions of the client that mean a broken connection.
        refusals: exceptions of the client that mean an answer nobody can use, and no second attempt.
    """

    client: Client
    headers: Mapping[str, str]
    explain: Explain
    failures: tuple[type[Exception], ...]
    refusals: tuple[type[Exception], ...] = ()
    requests: int = field(default=0, init=False)

    def fetch(self, url: str, what: str, *, span: Span | None = None, limit: int | None = None) -> bytearray:
        """The body of a file, or of a span of it.

        Args:
            url: where.
            what: how messages name it.
            span: the bytes to ask for; a server that answers with the whole file instead is refused.
            limit: refuse a body longer than this.

        Raises:
            SourceError: with the reason and the remedy, after all attempts.
        """
        received = bytearray()
        attempt = 1
        while True:
            before = len(received)
            wait, failure = self._attempt(url, what, span, limit, received)
            if failure is None:
                return received
            attempt = 1 if len(received) >= before + PROGRESS else attempt + 1
            if attempt > ATTEMPTS:
                raise failure
            time.sleep(min(wait if wait is not None else PAUSE * 2 ** max(attempt - 2, 0), LONGEST_PAUSE))

    def _attempt(
        self, url: str, what: str, span: Span | None, limit: int | None, received: bytearray
    ) -> tuple[float | None, SourceError | None]:
        """One request, resumed where the last one broke off: how long to wait, and why it is not done yet."""
        self.requests += 1
        headers = dict(self.headers)
        if span is not None:
            headers["Range"] = f"bytes={span.offset + len(received)}-{span.end - 1}"
        else:
            received.clear()
        headers["Accept-Encoding"] = "identity"
        try:
            with self.client.stream("GET", url, headers=headers, follow_redirects=True) as answer:
                if answer.status_code in TRANSIENT:
                    return _asked_wait(answer), self.explain(answer.status_code, answer.headers, what)
                if answer.status_code not in {200, 206}:
                    raise self.explain(answer.status_code, answer.headers, what)
                expected = _expected(answer, span, received, what)
                if limit is not None and expected is not None and expected > limit:
                    raise SourceError(f"{what}: {expected} bytes are no configuration; refused")
                for chunk in answer.iter_bytes():
                    received += chunk
                    if limit is not None and len(received) > limit:
                        raise SourceError(f"{what}: more than {limit} bytes are no configuration; refused")
                    if span is not None and len(received) > span.size:
                        raise SourceError(f"{what}: the server sent more bytes than were asked for; refused")
        except self.refusals as error:
            raise SourceError(f"{what}: the answer cannot be used ({_reason(error)}); check HF_ENDPOINT") from error
        except self.failures as error:
            reason = _reason(error)
            return None, SourceError(f"{what}: the connection failed ({reason}); check the network and try again")
        short = expected is not None and len(received) < expected
        return None, SourceError(f"{what}: the connection broke off; try again") if short else None


def _expected(answer: Answer, span: Span | None, received: bytearray, what: str) -> int | None:
    """How many bytes there must be in the end; refuses an answer that is packed or not the span asked for."""
    packing = answer.headers.get("content-encoding", "identity")
    if packing not in {"", "identity"}:
        raise SourceError(f"{what}: the server packs its answer ({shown(packing)}), which was not asked for; refused")
    if span is None:
        return _number(answer, "content-length")
    begin = span.offset + len(received)
    if answer.status_code == 200:
        raise SourceError(
            f"{what}: the server ignores byte ranges, so the whole file would have to be fetched; download the "
            f"checkpoint and audit the local copy"
        )
    stated = answer.headers.get("content-range", "")
    if not stated.replace(" ", "").startswith(f"bytes{begin}-"):
        raise SourceError(
            f"{what}: the server answered with other bytes ({shown(stated or 'no Content-Range')}) than asked for"
        )
    return span.size


def _asked_wait(answer: Answer) -> float | None:
    return _number(answer, "retry-after")


def _number(answer: Answer, name: str) -> int | None:
    """A header field that holds a natural number."""
    text = answer.headers.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120]


class RemoteBytes:
    """A remote file as a source of bytes.

    Args:
        transport: how requests are sent.
        url: where the file lies.
        name: how messages and records name it.
        size: its length in bytes.
        commit: the commit it belongs to.
    """

    def __init__(self, transport: Transport, url: str, name: str, size: int, commit: str) -> None:
        self._transport = transport
        self._url = url
        self.name = name
        self.size = size
        self.commit = commit

    def read(self, spans: Sequence[Span]) -> bytearray:
        """The bytes of the spans, one after another, in as few requests as is cheap."""
        beyond = max((span.end for span in spans), default=0)
        if beyond > self.size:
            raise SourceError(f"{self.name}: truncated: {self.size} bytes are there and byte {beyond} is needed")
        wanted = [span for span in spans if span.size]
        result = bytearray()
        pending = iter(wanted)
        span = next(pending, None)
        for stretch in merged(wanted, gap=GAP):
            body = self._transport.fetch(self._url, self.name, span=stretch)
            while span is not None and stretch.offset <= span.offset and span.end <= stretch.end:
                result += body[span.offset - stretch.offset : span.end - stretch.offset]
                span = next(pending, None)
        return result
