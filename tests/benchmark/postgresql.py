"""A PostgreSQL server of a test's own, from the programs that Debian's package `postgresql` installs."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "s3cret/word"
FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def programs() -> Path | None:
    """Return the folder of the server's programs, or None where it is not installed."""
    return FOUND[-1].parent if FOUND else None


@contextmanager
def server() -> Iterator[str]:
    """Give the address of a fresh database, with its password; the server ends thereafter."""
    where = programs()
    assert where
    folder = Path(tempfile.mkdtemp(prefix="postgresql"))
    data, secret = folder / "data", folder / "password"
    secret.write_text(PASSWORD + "\n", encoding="utf-8")
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    if user:
        shutil.chown(folder, user)
        shutil.chown(secret, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def call(program: str, *arguments: str) -> None:
        command = [str(where / program), "-D", str(data), *arguments]
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    call("initdb", "-U", "tester", "--auth=scram-sha-256", f"--pwfile={secret}", "-E", "UTF8", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
    call("pg_ctl", "-w", "-t", "200", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://tester:{PASSWORD.replace('/', '%2F')}@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
