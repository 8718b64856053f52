"""Download one file over HTTP, so that what was cut off continues where it stopped.

The file grows as `NAME.part`. Beside it `NAME.part.json` keeps what the server called this version of the file (its
ETag, or its date); the rest is asked for on the condition that it is still the same, and otherwise all comes anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from ssl import SSLError
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from evenrank import __version__

Progress = Callable[[int, int], None]

WAITS = (1.0, 4.0, 16.0)  # seconds before each further try
TIMEOUT = 30.0  # seconds without an answer
BLOCK = 1 << 20
BROKEN = (URLError, ConnectionError, TimeoutError, HTTPException, SSLError)  # the network's fault, not the disk's


def download(address: str, path: Path, progress: Progress | None = None) -> None:
    """Bring a file to `path`, which appears when it is whole; a broken connection is tried again a few times."""
    if path.exists():
        return
    _require_http(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    for wait in (*WAITS, None):
        try:
            _receive(address, part, progress)
            break
        except BROKEN as error:
            final = isinstance(error, HTTPError) and error.code < 500
            if wait is None or final:
                raise ValueError(f"{address}: {_reason(error)}{_kept(address, part)}") from None
            time.sleep(wait)
    part.rename(path)
    _note(part).unlink(missing_ok=True)


def _receive(address: str, part: Path, progress: Progress | None) -> None:
    """Add to `part` what is missing; ConnectionError if the server sends less than it declares, or something else."""
    done, version = _so_far(address, part)
    request = Request(address, headers={"User-Agent": f"evenrank/{__version__}"})
    if done:
        request.add_header("Range", f"bytes={done}-")
        request.add_header("If-Range", version)
    try:
        response = build_opener(_HttpOnly).open(request, timeout=TIMEOUT)
    except HTTPError as error:
        if error.code != 416 or not done:
            raise
        if error.headers.get("Content-Range") == f"bytes */{done}":
            return  # an interruption came after the last byte
        part.unlink()
        raise ConnectionError("the server has fewer bytes than came before") from None
    with response:
        if response.status != 206:
            _begin(address, part, _version(response.headers))
            done = 0
        elif not _continues(response.headers, done, version):
            part.unlink()
            raise ConnectionError("the server sends something else than the rest of the file")
        _append(response, part, done, progress)


def _append(response: Any, part: Path, done: int, progress: Progress | None) -> None:
    length = response.headers.get("Content-Length", "")
    total = done + int(length) if length.isdecimal() else None
    with part.open("ab") as file:
        while block := response.read(BLOCK):
            file.write(block)
            done += len(block)
            if progress:
                progress(done, total or done)
    if total is not None and done != total:
        raise ConnectionError(f"the connection ended after {done:,} of {total:,} bytes")


def _so_far(address: str, part: Path) -> tuple[int, str]:
    """Return how many bytes are there and the version that they are of; no bytes if they cannot be continued."""
    try:
        note = json.loads(_note(part).read_text(encoding="utf-8"))
        return (part.stat().st_size, note["version"]) if note["address"] == address and note["version"] else (0, "")
    except (OSError, KeyError, TypeError, ValueError):
        return 0, ""


def _begin(address: str, part: Path, version: str) -> None:
    part.write_bytes(b"")  # first, so that bytes of one version never stand beside the note of another
    _note(part).write_text(json.dumps({"address": address, "version": version}), encoding="utf-8")


def _version(headers: Any) -> str:
    """Return what tells one version of a file from another; a weak ETag does not promise equal bytes."""
    etag = headers.get("ETag", "")
    return etag if etag and not etag.startswith("W/") else headers.get("Last-Modified", "")


def _continues(headers: Any, done: int, version: str) -> bool:
    """Return whether an answer is the rest of the same version, which it need not name again."""
    return headers.get("Content-Range", "").startswith(f"bytes {done}-") and _version(headers) in ("", version)


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).removeprefix("<urlopen error ").removesuffix(">") or type(error).__name__


def _kept(address: str, part: Path) -> str:
    done, _ = _so_far(address, part)
    return f"; {done:,} bytes are kept, run it again to continue" if done else ""


def _require_http(address: str) -> None:
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError(f"{address}: must be an http or https address")


class _HttpOnly(HTTPRedirectHandler):
    """No redirect may lead to another scheme, such as a local file."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        _require_http(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
