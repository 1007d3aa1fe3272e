"""Opening: from a path to a connection that holds everything the journal and the marker prove."""

import os
from dataclasses import dataclass
from pathlib import Path

import duckdb

from data import engine, migrating
from data.beside import backups_of, log_of, side, sync_folder
from data.engine import Cursor
from data.journal import Entry, Position, read_journal, unsettled
from data.transactions import known_operations
from faithfulness.errors import StoreUnavailable


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A connection, and what the journal says that is not in it yet."""

    connection: Cursor
    missing: tuple[Entry, ...]
    journal_end: Position
    report: tuple[str, ...]


def is_writable(path: Path) -> bool:
    """Whether the store and its folder may be changed by this process."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def check_path(path: Path, *, create: bool) -> None:
    """Refuse paths that cannot be a store before anything is touched."""
    if not path.parent.is_dir():
        raise StoreUnavailable(f"{path.parent}: no such folder; make it, or give another path")
    if path.exists() and not path.is_file():
        raise StoreUnavailable(f"{path}: not a file; give the path of a store")
    if not path.exists() and not create:
        raise StoreUnavailable(f"{path}: there is no store; check the path, or create one there")


def create_empty(path: Path) -> None:
    """Make a store under another name and move it in place whole."""
    fresh = side(path, "new")
    for left_over in (fresh, log_of(fresh)):
        left_over.unlink(missing_ok=True)
    connection = engine.connect(fresh)
    try:
        migrating.migrate(connection)
    finally:
        connection.close()
    os.replace(fresh, path)
    sync_folder(path.parent)


def open_connection(path: Path, *, read_only: bool) -> Opened:
    """Open, migrate and compare with the journal."""
    if not path.exists():
        create_empty(path)
    if not read_only:
        backups_of(path).mkdir(exist_ok=True)
    try:
        connection = engine.connect(path, read_only=read_only)
    except duckdb.Error as error:
        raise StoreUnavailable(f"{path}: {str(error).partition(chr(10))[0]}") from error
    migrating.migrate(connection)
    reading = read_journal(side(path, "journal"))
    lines = unsettled(reading.entries)
    known = known_operations(connection, [line.operation_id for line in lines])
    return Opened(
        connection=connection,
        missing=tuple(line for line in lines if line.operation_id not in known),
        journal_end=reading.end,
        report=reading.complaints,
    )
