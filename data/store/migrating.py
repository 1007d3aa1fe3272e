"""Migrate a store to this program's format by applying numbered SQL files in order."""

import logging
import re
from collections.abc import Callable
from pathlib import Path

import duckdb

from data.store.engine import Cursor, list_tables
from data.store.sidecar_files import now
from faithfulness.model.errors import StoreUnavailable

MIGRATIONS = Path(__file__).parent / "migrations"

_log = logging.getLogger(__name__)

_CREATE_FORMAT = """
create table if not exists store_formats (
    version integer not null,
    name varchar not null,
    applied_at timestamp not null
)
"""
_ADD_FORMAT = "insert into store_formats values ($version, $name, $applied_at)"
_TABLE = re.compile(r"^create table (\w+ \(.*?^\);)", re.MULTILINE | re.DOTALL)
_FORMAT = "select coalesce(max(version), 0) from store_formats"


def list_migrations(folder: Path = MIGRATIONS) -> list[tuple[int, Path]]:
    """The migrations by number: 0001_initial.sql is format 1."""
    return sorted((int(path.name[:4]), path) for path in folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))


def read_format(cursor: Cursor) -> int:
    """The store's format; 0 for a file without tables.

    Raises:
        StoreUnavailable: the file is a DuckDB database that is no store of ours.
    """
    names = list_tables(cursor)
    if "store_formats" in names:
        return int(cursor.execute(_FORMAT).fetchall()[0][0])
    if names:
        raise StoreUnavailable(
            "this is a DuckDB database, but not a Plumbline store (it holds the table "
            f"{names[0]}); give another path"
        )
    return 0


def check_format(cursor: Cursor, folder: Path = MIGRATIONS) -> int:
    """The store's format, refused when this program is too old for it."""
    found, newest = read_format(cursor), list_migrations(folder)[-1][0]
    if found > newest:
        raise StoreUnavailable(
            f"the store has format {found}, this program knows formats up to {newest}; "
            "update Plumbline, or restore a backup made before the update"
        )
    return found


def build_missing_tables_sql(version: int, folder: Path = MIGRATIONS) -> str:
    """The SQL that creates, empty and for one cursor only, every table made after this format.

    With it the queries of this program run on an older store that cannot be migrated because it is
    open for reading only. Empty for a store of the newest format.
    """
    later = [
        path.read_text(encoding="utf-8")
        for number, path in list_migrations(folder)
        if number > version
    ]
    tables = (table for text in later for table in _TABLE.findall(text))
    return "\n".join(f"create temporary table {table}" for table in tables)


def migrate(
    connection: Cursor,
    *,
    folder: Path = MIGRATIONS,
    back_up_first: Callable[[], object] | None = None,
) -> list[str]:
    """Apply what is missing, each file in one transaction; gives the names applied.

    A checkpoint follows at once, because replaying a log that mixes changed tables with rows is
    where the engine has failed before (dependencies: WAL replay after ALTER).
    """
    found = check_format(connection, folder)
    missing = [(number, path) for number, path in list_migrations(folder) if number > found]
    if not missing:
        return []
    if found and back_up_first is not None:
        back_up_first()
    for number, path in missing:
        _apply_migration(connection, number, path)
    connection.execute("checkpoint")
    return [path.name for _, path in missing]


def _apply_migration(connection: Cursor, number: int, path: Path) -> None:
    cursor = connection.cursor()
    try:
        cursor.execute("begin transaction")
        cursor.execute(_CREATE_FORMAT)
        cursor.execute(path.read_text(encoding="utf-8"))
        cursor.execute(_ADD_FORMAT, {"version": number, "name": path.stem, "applied_at": now()})
        cursor.execute("commit")
    except duckdb.Error as error:
        raise StoreUnavailable(
            f"migration {path.name} failed and was taken back: {error}; the store is as before"
        ) from error
    finally:
        # Closing rolls back whatever did not reach its commit.
        cursor.close()
    _log.info("migration applied: %s", path.name)
