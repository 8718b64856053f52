"""One file over HTTP: whole, cut off, continued, changed in between, refused."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenrank.fetching.transfer import download
from tests.fetching.server import Server, serving

BODY = bytes(range(256)) * 4000  # 1,024,000 bytes
OTHER = bytes(reversed(BODY))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(monkeypatch) as server:
        server.files["/file.bin"] = BODY
        yield server


def got(server: Server, path: Path) -> bytes:
    download(f"{server.address}/file.bin", path)
    return path.read_bytes()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def cut_off(server: Server, path: Path, after: int) -> str:
    """Let every connection of one download break, the first `after` that many bytes; return what is said."""
    server.cuts[:] = [after, 0, 0]
    with pytest.raises(ValueError, match="bytes are kept") as said:
        download(f"{server.address}/file.bin", path)
    return str(said.value)


def test_a_whole_file_appears_under_its_name_alone(server: Server, tmp_path: Path) -> None:
    assert got(server, tmp_path / "deep" / "file.bin") == BODY
    assert names(tmp_path / "deep") == ["file.bin"]
    assert got(server, tmp_path / "deep" / "file.bin") == BODY
    assert len(server.asked) == 1  # what is there is not asked for again


def test_a_broken_connection_continues_and_only_the_rest_is_sent(server: Server, tmp_path: Path) -> None:
    server.cuts[:] = [300_000, 200_000]
    assert got(server, tmp_path / "file.bin") == BODY
    assert [wanted for _, wanted in server.asked] == [None, "bytes=300000-", "bytes=500000-"]
    assert server.sent == [300_000, 200_000, 524_000]


def test_the_next_run_continues_what_this_one_kept(server: Server, tmp_path: Path) -> None:
    said = cut_off(server, tmp_path / "file.bin", 300_000)
    assert "the connection ended after 300,000 of 1,024,000 bytes; 300,000 bytes are kept" in said
    assert names(tmp_path) == ["file.bin.part", "file.bin.part.json"]
    server.sent.clear()
    assert got(server, tmp_path / "file.bin") == BODY
    assert server.sent == [724_000]


def test_a_date_serves_where_the_etag_is_weak(server: Server, tmp_path: Path) -> None:
    server.version = {"ETag": 'W/"1"', "Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT"}
    server.cuts[:] = [300_000]
    assert got(server, tmp_path / "file.bin") == BODY
    assert server.sent == [300_000, 724_000]


@pytest.mark.parametrize("version", [{}, {"ETag": 'W/"1"'}], ids=["none", "weak"])
def test_without_a_version_it_starts_over(server: Server, tmp_path: Path, version: dict[str, str]) -> None:
    server.version = version
    server.cuts[:] = [300_000]
    assert got(server, tmp_path / "file.bin") == BODY
    assert server.asked == [("/file.bin", None)] * 2


def test_a_server_without_ranges_starts_over(server: Server, tmp_path: Path) -> None:
    server.ranges = False
    server.cuts[:] = [300_000]
    assert got(server, tmp_path / "file.bin") == BODY
    assert server.sent == [300_000, 1_024_000]


@pytest.mark.parametrize("conditional", [True, False], ids=["If-Range", "If-Range ignored"])
def test_a_file_that_changed_in_between_comes_whole(server: Server, tmp_path: Path, conditional: bool) -> None:
    cut_off(server, tmp_path / "file.bin", 300_000)
    server.files["/file.bin"], server.version, server.conditional = OTHER, {"ETag": '"2"'}, conditional
    assert got(server, tmp_path / "file.bin") == OTHER


def test_bytes_of_another_address_are_not_continued(server: Server, tmp_path: Path) -> None:
    cut_off(server, tmp_path / "file.bin", 300_000)
    server.files["/other/file.bin"] = OTHER
    download(f"{server.address}/other/file.bin", tmp_path / "file.bin")
    assert (tmp_path / "file.bin").read_bytes() == OTHER


def test_an_interruption_after_the_last_byte_loses_nothing(server: Server, tmp_path: Path) -> None:
    cut_off(server, tmp_path / "file.bin", 300_000)
    (tmp_path / "file.bin.part").write_bytes(BODY)
    server.sent.clear()
    assert got(server, tmp_path / "file.bin") == BODY
    assert server.sent == []


def test_more_bytes_than_the_server_has_are_dropped(server: Server, tmp_path: Path) -> None:
    cut_off(server, tmp_path / "file.bin", 300_000)
    server.files["/file.bin"] = BODY[:1000]
    assert got(server, tmp_path / "file.bin") == BODY[:1000]


def test_ctrl_c_keeps_what_came(server: Server, tmp_path: Path) -> None:
    server.files["/file.bin"] = BODY * 8

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(f"{server.address}/file.bin", tmp_path / "file.bin", stop)
    kept = (tmp_path / "file.bin.part").stat().st_size
    assert 0 < kept < len(BODY) * 8
    assert not (tmp_path / "file.bin").exists()
    server.sent.clear()
    assert got(server, tmp_path / "file.bin") == BODY * 8
    assert server.sent == [len(BODY) * 8 - kept]


def test_a_damaged_note_only_means_to_start_over(server: Server, tmp_path: Path) -> None:
    cut_off(server, tmp_path / "file.bin", 300_000)
    (tmp_path / "file.bin.part.json").write_text("[1")
    assert got(server, tmp_path / "file.bin") == BODY
    assert server.asked[-1] == ("/file.bin", None)


def test_progress_counts_bytes_and_knows_the_whole(server: Server, tmp_path: Path) -> None:
    server.cuts[:] = [300_000]
    seen: list[tuple[int, int]] = []
    download(f"{server.address}/file.bin", tmp_path / "file.bin", lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(BODY), len(BODY))
    assert {total for _, total in seen} == {len(BODY)}
    server.declares = False
    download(f"{server.address}/file.bin", tmp_path / "again.bin", lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(BODY), len(BODY))


def test_a_passing_failure_is_tried_again(server: Server, tmp_path: Path) -> None:
    server.failures[:] = [503]
    assert got(server, tmp_path / "file.bin") == BODY


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/none.bin", "HTTP Error 404: Not Found"),
        ("/to-file", "file:///etc/hostname' is not allowed"),
        ("/to-ftp", "ftp://127.0.0.1/x: must be an http or https address"),
        ("/in-circles", "redirect"),
    ],
)
def test_what_no_retry_can_mend_is_said_at_once(server: Server, tmp_path: Path, path: str, said: str) -> None:
    server.redirects = {
        "/to-file": "file:///etc/hostname",
        "/to-ftp": "ftp://127.0.0.1/x",
        "/in-circles": "/in-circles",
    }
    with pytest.raises(ValueError, match=said) as error:
        download(server.address + path, tmp_path / "file.bin")
    assert "\n" not in str(error.value)
    assert names(tmp_path) == []
    assert path == "/in-circles" or len(server.asked) == 1


@pytest.mark.parametrize("address", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:,x", "/etc/hostname"])
def test_only_http_addresses_are_opened(tmp_path: Path, address: str) -> None:
    with pytest.raises(ValueError, match="must be an http or https address"):
        download(address, tmp_path / "file.bin")
    assert names(tmp_path) == []


def test_no_server_is_one_line(tmp_path: Path, server: Server) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/file.bin"
    with pytest.raises(ValueError, match=r"file\.bin: .*refused"):
        download(address, tmp_path / "file.bin")
