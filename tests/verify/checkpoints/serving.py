"""A small hub on this machine: a real HTTP server with ranges, and with every fault a test asks for."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """What the server serves and how it misbehaves.

    Args:
        root: a folder with one folder for each repository.
        failures: answers given before the first good one: a status with header fields, or the number of bytes after
            which the connection is dropped.
        refuse: a status and header fields that every request gets.
        ranges: whether ranges are honoured.
        token: if set, what the Authorization field must hold.
        sent: bytes of bodies sent so far, of every kind of file.
        raw: by the end of a path, what is sent instead of a good answer: some bytes, then others over and over.
    """

    root: Path
    failures: list[tuple[int, dict[str, str]] | int] = field(default_factory=list)
    refuse: tuple[int, dict[str, str]] | None = None
    ranges: bool = True
    token: str = ""
    raw: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    sent: int = 0
    requests: list[str] = field(default_factory=list)
    endpoint: str = ""


def handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: Any) -> None:
            pass

        def refused(self, status: int, fields: dict[str, str]) -> None:
            self.send_response(status)
            for key, value in fields.items():
                self.send_header(key, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            hub.requests.append(f"{path} {self.headers.get('Range', '')}".strip())
            if hub.refuse is not None:
                return self.refused(*hub.refuse)
            if found := next((raw for ending, raw in hub.raw.items() if path.endswith(ending)), None):
                return self.as_it_is(*found)
            if hub.token and self.headers.get("Authorization") != f"Bearer {hub.token}":
                return self.refused(401, {"X-Error-Code": "RepoNotFound"})
            if path.startswith("/api/models/"):
                return self.listing(path.removeprefix("/api/models/"))
            name, _, rest = path.strip("/").partition("/resolve/")
            return self.file(hub.root / name / rest.partition("/")[2])

        def as_it_is(self, once: bytes, again: bytes) -> None:
            self.close_connection = True
            with suppress(OSError):
                self.wfile.write(once)
                while again:
                    self.wfile.write(again)

        def listing(self, path: str) -> None:
            name, _, revision = path.partition("/revision/")
            folder = hub.root / name
            if not folder.is_dir():
                return self.refused(404, {"X-Error-Code": "RepoNotFound"})
            if revision not in {"main", COMMIT}:
                return self.refused(404, {"X-Error-Code": "RevisionNotFound"})
            files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
            siblings = [{"rfilename": str(f.relative_to(folder)), "size": f.stat().st_size} for f in files]
            return self.body(json.dumps({"sha": COMMIT, "siblings": siblings}).encode())

        def body(self, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            hub.sent += len(content)

        def file(self, path: Path) -> None:
            if not path.is_file():
                return self.refused(404, {"X-Error-Code": "EntryNotFound"})
            size = path.stat().st_size
            begin, end = 0, size
            asked = self.headers.get("Range") if hub.ranges else None
            if asked:
                first, _, last = asked.removeprefix("bytes=").partition("-")
                begin, end = int(first), int(last) + 1
            weights = path.suffix != ".json"
            fault = hub.failures.pop(0) if hub.failures and weights else None
            if isinstance(fault, tuple):
                return self.refused(*fault)
            self.send_response(206 if asked else 200)
            if asked:
                self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{size}")
            self.send_header("Content-Length", str(end - begin))
            self.end_headers()
            with path.open("rb") as file:
                file.seek(begin)
                content = file.read(end - begin if fault is None else min(fault, end - begin))
            self.wfile.write(content)
            hub.sent += len(content)
            if fault is not None:
                self.wfile.flush()
                self.close_connection = True
            return None

    return Handler


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that have gone."""


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Run the server while the block lasts; ``hub.endpoint`` is its address."""
    server = QuietServer(("127.0.0.1", 0), handler(hub))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    hub.endpoint = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
