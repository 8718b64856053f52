"""`evenrank data fetch`: what it says, and bad input as one line with exit status 2."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenrank.cli import app
from evenrank.datasets.fashion_mnist import FashionMnist
from tests.fetching.server import Server, serving

NAMES = [address.rsplit("/", 1)[-1] for address, _, _ in FashionMnist.downloads]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(monkeypatch) as server:
        server.files = {f"/mirror/{name}": name.encode() * 1000 for name in NAMES}
        yield server


def fetched(server: Server, root: Path) -> str:
    done = CliRunner().invoke(
        app, ["data", "fetch", "fashion_mnist", "--data", str(root), "--mirror", f"{server.address}/mirror"]
    )
    assert done.exit_code == 0, done.exception
    return done.output


def published(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """State the checksums of this test's images, and none for its labels."""
    downloads = tuple(
        (address, "" if "labels" in name else f"md5:{hashlib.md5(server.files[f'/mirror/{name}']).hexdigest()}", folder)
        for name, (address, _, folder) in zip(NAMES, FashionMnist.downloads, strict=True)
    )
    monkeypatch.setattr(FashionMnist, "downloads", downloads)


def test_a_dataset_is_fetched_and_what_was_checked_is_said(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published(server, monkeypatch)
    output = fetched(server, tmp_path)
    for name, (address, checksum, folder) in zip(NAMES, FashionMnist.downloads, strict=True):
        computed = f"sha256:{hashlib.sha256(server.files[f'/mirror/{name}']).hexdigest()}"
        how = f"{checksum} (as published)" if checksum else f"{computed} (noted, for none is published)"
        assert f"{address}\n  {how}\n  {folder}/{name}\n" in output
    assert output.endswith(f"Fashion-MNIST is in {tmp_path}\n")
    assert fetched(server, tmp_path) == "Fashion-MNIST is there already: nothing to fetch\n"


def test_what_the_publisher_does_not_vouch_for_is_refused(server: Server, tmp_path: Path) -> None:
    arguments = ["data", "fetch", "fashion_mnist", "--data", str(tmp_path), "--mirror", f"{server.address}/mirror"]
    done = CliRunner().invoke(app, arguments)
    assert isinstance(done.exception, ValueError)
    assert "the checksum must be md5:" in str(done.exception)
    assert not (tmp_path / "fashion-mnist").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("labelme22k",), "put labelme22k/LabelMe_gist.mat there"),
        (("nothing",), "is not one of the datasets"),
        (("mnist", "--mirror", "file:///srv"), "must be an http or https address"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    command = [sys.executable, "-m", "evenrank.cli", "data", "fetch", *arguments, "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_built_in_needs_no_fetch() -> None:
    assert CliRunner().invoke(app, ["data", "fetch", "digits"]).output == "Digits is there already: nothing to fetch\n"
