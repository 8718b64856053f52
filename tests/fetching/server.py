"""A web server for the tests: it serves bytes, with all that a real one can do wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@dataclass
class Server:
    """Files by path, how they are served, and which requests came."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    version: dict[str, str] = field(default_factory=lambda: {"ETag": '"1"'})
    ranges: bool = True  # whether Range is understood
    conditional: bool = True  # whether If-Range is
    declares: bool = True  # whether Content-Length is sent
    cuts: list[int] = field(default_factory=list)  # after how many bytes the next connections break
    failures: list[int] = field(default_factory=list)  # status of the next answers
    redirects: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)  # path, Range
    sent: list[int] = field(default_factory=list)  # bytes of each answer


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("evenrank.fetching.transfer.WAITS", (0.0, 0.0))
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self, server)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        server.address = f"http://127.0.0.1:{web.server_port}"
        thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        web.shutdown()
        thread.join()


def answer(to: BaseHTTPRequestHandler, server: Server) -> None:
    wanted = to.headers.get("Range")
    server.asked.append((to.path, wanted))
    if server.failures:
        return to.send_error(server.failures.pop(0))
    if to.path in server.redirects:
        return header(to, 302, {"Location": server.redirects[to.path]})
    if to.path not in server.files:
        return to.send_error(404)
    body, start, status, headers = server.files[to.path], 0, 200, dict(server.version)
    same = not server.conditional or to.headers.get("If-Range") in server.version.values()
    if wanted and server.ranges and same:
        start, status = int(wanted.removeprefix("bytes=").removesuffix("-")), 206
        if start >= len(body):
            return header(to, 416, {"Content-Range": f"bytes */{len(body)}"})
        headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
    if server.declares:
        headers["Content-Length"] = str(len(body) - start)
    header(to, status, headers)
    rest = body[start:][: server.cuts.pop(0) if server.cuts else None]
    server.sent.append(len(rest))
    with suppress(ConnectionError):  # the client hung up
        to.wfile.write(rest)
    return None


def header(to: BaseHTTPRequestHandler, status: int, headers: dict[str, str]) -> None:
    to.send_response(status)
    for name, value in headers.items():
        to.send_header(name, value)
    to.end_headers()
