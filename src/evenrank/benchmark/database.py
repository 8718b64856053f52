"""A SQLite file or a PostgreSQL database: opened, read and written, and one line that names it when that fails.

A transaction that writes locks a SQLite file from its beginning, so that two runners wait for each other; begun as a
reader, one of them would be refused when it comes to write. Python's driver is told to leave transactions alone: it
begins one only when it sees a write.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from evenrank.benchmark.schema import VERSION, about, schema

# Each can leave a row that is there alone.
INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
DAMAGE = (ValueError, EOFError, zipfile.BadZipFile, zlib.error)  # of what was written as JSON or as an array
EMPTY = "holds no plan; begin with evenrank bench run"
CREATING = 7_354_001  # any number: the lock under which PostgreSQL's tables are made, by one runner alone


class Database:
    """Where a store lies; `address` is how messages call it, without its password."""

    def __init__(self, address: str | Path, wait: float, make: bool) -> None:
        url = _url(str(address))
        self.address = str(url.database) if url.drivername == "sqlite" else url.set(query={}).render_as_string()
        with self._clearly():
            self.engine = _engine(url, wait)
        self._open(make)

    @contextmanager
    def reading(self) -> Iterator[sql.Connection]:
        """Give a connection to read from, all at one moment; what cannot be made out is said to be damaged."""
        with self._clearly(), self.engine.connect() as connection:
            try:
                yield connection
            except DAMAGE as error:
                raise ValueError(f"{self.address}: the store is damaged: {error}") from error

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """Give a connection whose changes are kept together at the end, or not at all."""
        with self._clearly(), self.engine.execution_options(writes=True).begin() as connection:
            yield connection

    def _open(self, make: bool) -> None:
        """Make the tables that are missing; a store that is there already is only read.

        Unless it is to be made, whatever else lies there is left as it is.
        """
        with self.reading() as connection:
            there = sql.inspect(connection).has_table(about.name)
            found = max(connection.execute(sql.select(about.c.version)).scalars(), default=0) if there else 0
        if found > VERSION:
            raise ValueError(
                f"{self.address}: was written by a newer evenrank (version {found} of the store; this one "
                f"reads {VERSION})"
            )
        if not (there or make):
            raise ValueError(f"{self.address}: {EMPTY}")
        if found < VERSION:
            with self.writing() as connection:
                if connection.dialect.name == "postgresql":
                    connection.execute(sql.select(sql.func.pg_advisory_xact_lock(CREATING)))
                schema.create_all(connection)
                insert(connection, about, {"version": VERSION})

    @contextmanager
    def _clearly(self) -> Iterator[None]:
        """Turn what a database says into one line that names the store."""
        try:
            yield
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            raise ValueError(f"{self.address}: the store cannot be used: {cause}") from error


def insert(connection: sql.Connection, table: sql.Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is there; return whether it was not."""
    statement = INSERTS[connection.dialect.name](table).values(**row).on_conflict_do_nothing()
    return connection.execute(statement.returning(sql.literal(1))).first() is not None


def _url(address: str) -> sql.URL:
    """Return a store's address in parts; whatever is wrong is said without the address, which may hold a password."""
    if "://" not in address:
        return sql.URL.create("sqlite", database=address)
    if address.count("@") > 1:
        raise ValueError("the store's address: an @ in a user's name or password must be written %40")
    try:
        url = sql.make_url(address)
    except (SQLAlchemyError, ValueError):
        raise ValueError("the store's address must be like postgresql://user:password@host:5432/name") from None
    if url.drivername not in INSERTS:
        raise ValueError(f"the store's address must begin with sqlite:// or postgresql://; got {url.drivername}://")
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def _engine(url: sql.URL, wait: float) -> sql.Engine:
    if url.drivername != "sqlite":
        return sql.create_engine(url, connect_args={"connect_timeout": max(2, int(wait))}, pool_pre_ping=True)
    engine = sql.create_engine(url, connect_args={"timeout": wait})
    sql.event.listen(engine, "connect", _leave_transactions_alone)
    sql.event.listen(engine, "begin", _begin)
    return engine


def _leave_transactions_alone(connection: Any, record: object) -> None:
    connection.isolation_level = None


def _begin(connection: sql.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
