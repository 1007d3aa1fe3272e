"""The only module that opens DuckDB; disables access to files, networks and extensions."""

import os
from collections.abc import Mapping
from pathlib import Path

import duckdb

from data.store.sidecar_files import get_backups_folder
from faithfulness.model.errors import StoreUnavailable
from faithfulness.model.full_disk import is_disk_full

Cursor = duckdb.DuckDBPyConnection
Fingerprints = dict[str, tuple[int, int]]  # by table: rows, and a sum over every value

MEMORY_VARIABLE = "PLUMBLINE_MEMORY"
# Files of this version open in DuckDB 1.4, 1.5 and 2.0; the default of 2.0 opens nowhere else.
STORAGE_VERSION = "v1.4.0"

_PASSING = ("permission denied", "too many open files", "cannot allocate memory")
# 2.0 raises most of these as plain errors, so that the words must do.
_DAMAGE = (
    "checksum",
    "corrupt",
    "could not read enough bytes",
    "not a valid duckdb database file",
    "replaying wal",
    "serialization error",
)
_DAMAGE_TYPES = (duckdb.InternalException, duckdb.FatalException, duckdb.SerializationException)

_TABLES = """
select table_name
from duckdb_tables()
where database_name = current_database()
    and not internal
    and not temporary
order by table_name
"""
_ROWS = "select {position}, count(*), {total} from {{table}}"


def connect(path: Path, *, read_only: bool = False) -> Cursor:
    """Open one DuckDB file with the house's settings, then close the engine and lock it.

    Raises:
        duckdb.Error: as the engine says it; `data.store.opening` puts it into words.
        StoreUnavailable: the memory limit is not a size.
    """
    settings: dict[str, str] = {
        # What a large question or an import held goes back to the system within seconds; without,
        # it stays with the engine until somebody asks again.
        "allocator_background_threads": "true",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "storage_compatibility_version": STORAGE_VERSION,
        "threads": "2",
    }
    connection = duckdb.connect(str(path), read_only=read_only, config=dict(settings))
    try:
        # The order matters: after the third line the first is refused, after the fourth all are.
        _set_memory_limit(connection)
        # Closing after damage was met must leave the files as they are; a store that is whole is
        # written into its file by `Store.close`.
        connection.execute("pragma disable_checkpoint_on_shutdown")
        folder = str(get_backups_folder(path)).replace("'", "''")
        connection.execute(f"set allowed_directories = ['{folder}']")
        connection.execute("set enable_external_access = false")
        connection.execute("set lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection


def _set_memory_limit(connection: Cursor) -> None:
    limit = os.environ.get(MEMORY_VARIABLE, "2GB").strip()
    try:
        connection.execute("set memory_limit = '{}'".format(limit.replace("'", "")))
    except duckdb.ParserException as error:
        raise StoreUnavailable(
            f"{MEMORY_VARIABLE} is {limit!r}, which is not a size; write for example 2GB"
        ) from error


def list_tables(cursor: Cursor) -> list[str]:
    return [str(name) for (name,) in cursor.execute(_TABLES).fetchall()]


def counts(cursor: Cursor) -> dict[str, int]:
    """How many rows each table holds."""
    return {name: rows for name, (rows, _) in _query_each_table(cursor, "0").items()}


def compute_fingerprints(cursor: Cursor) -> Fingerprints:
    """Rows and a sum over every value of each table, whatever the order; reads every block."""
    return _query_each_table(cursor, "sum(hash({table}))")


def _query_each_table(cursor: Cursor, total: str) -> Fingerprints:
    """Rows and a total by table, in one question: one for each table costs three times as much."""
    names = list_tables(cursor)
    parts = [
        _ROWS.format(position=position, total=total).format(table=f'"{name}"')
        for position, name in enumerate(names)
    ]
    rows = cursor.execute(" union all ".join(parts)).fetchall() if parts else []
    found = {int(position): (int(count), int(sum_ or 0)) for position, count, sum_ in rows}
    return {name: found[position] for position, name in enumerate(names)}


def describe_missing_rows(found: Mapping[str, int], proven: Mapping[str, int]) -> list[str]:
    """Where a store holds fewer rows than something beside it proves there were."""
    return [
        f"{name} holds {found.get(name, 0)} rows where there were {rows}"
        for name, rows in proven.items()
        if found.get(name, 0) < rows
    ]


def is_passing(error: duckdb.Error) -> bool:
    """Whether the trouble lies around the file rather than in it, so that it may go away."""
    if isinstance(error, duckdb.OutOfMemoryException | duckdb.PermissionException):
        return True
    if is_disk_full(error):
        return True
    return any(word in str(error).lower() for word in _PASSING)


def is_conflict(error: duckdb.Error) -> bool:
    return not isinstance(error, duckdb.FatalException) and "conflict" in str(error).lower()


def is_damage(error: Exception) -> bool:
    """Whether the engine met bytes that are not what was written.

    Only what is known to mean damage counts: a store must never be put aside for a trouble that
    lies elsewhere (a library that fails to load looks like any other error here).
    """
    if isinstance(error, _DAMAGE_TYPES):
        return True
    return any(word in str(error).lower() for word in _DAMAGE)
