"""Open a store: migrate it, compare it with its journal and marker, and recover lost data."""

import contextlib
import os
import re
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import duckdb

from data.store import engine, migrating, recovery
from data.store.bulk_writes import discard_unfinished, is_unfinished
from data.store.copies import copy_database
from data.store.engine import Cursor
from data.store.journal import (
    DONE,
    JournalEntry,
    JournalReading,
    Position,
    read_journal,
    select_unsettled_entries,
    tidy_journal,
)
from data.store.marker import Marker, read_marker
from data.store.sidecar_files import get_backups_folder, get_log_path, get_sidecar_path, sync_folder
from data.store.transactions import find_known_operations
from faithfulness.model.errors import ReviewError, StoreUnavailable
from faithfulness.model.full_disk import is_disk_full

# Every block of a small store is read when it opens; a large one is read in full by `doctor`, and
# when a question has met damage.
FULL_CHECK_BYTES = 32 * 1024 * 1024


NO_STORE = (
    "no store can be made here because the disk is full: free some space there, then try again."
)


class Damaged(Exception):
    """The store's files are not what was written; the message opens the recovery's report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A connection, and what the journal says that is not in it yet."""

    connection: Cursor
    counts: Mapping[str, int]  # rows of each table as it was found
    missing: tuple[JournalEntry, ...]
    journal_end: Position
    missing_tables: str  # see `migrating.missing_tables`
    report: tuple[str, ...]


def is_writable(path: Path) -> bool:
    """Whether the store and its folder may be changed by this process."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def check_path(path: Path, *, create: bool) -> None:
    """Refuse paths that cannot be a store before anything is touched."""
    try:
        is_folder = path.parent.is_dir()
    except PermissionError:
        raise StoreUnavailable(f"{path.parent}: this user may not look into the folder") from None
    if not is_folder:
        raise StoreUnavailable(f"{path.parent}: no such folder; make it, or give another path")
    if path.exists() and not path.is_file():
        raise StoreUnavailable(f"{path}: not a file; give the path of a store")
    if path.exists() or recovery.has_remains(path):
        return
    if not create:
        raise StoreUnavailable(
            f"{path}: there is no store; check the path, or make one there with "
            "`cli.py import --create FILE`"
        )
    if not os.access(path.parent, os.W_OK):
        raise StoreUnavailable(f"{path.parent}: no store can be made here; the folder is read-only")


def make_folder(path: Path) -> None:
    """Make the folder that a new store is to lie in.

    Raises:
        StoreUnavailable: it cannot be made.
    """
    try:
        # Texts and ratings are for the user who runs Plumbline; the engine writes files for all.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"{path.parent}: the store's folder cannot be made ({error.strerror}); make it, or "
            "give another path"
        ) from error


def open_connection(path: Path, *, read_only: bool) -> Opened:
    """Open, migrate and compare; when something is lost or damaged, recover and say so.

    Raises:
        StoreUnavailable: it cannot be opened now, or is not ours to open; nothing was changed.
    """
    if not path.exists() and not recovery.has_remains(path):
        create_empty(path)
    try:
        return _open_whole(path, read_only=read_only)
    except Damaged as damage:
        if read_only:
            raise StoreUnavailable(
                f"{path}: {damage} Nothing was repaired, because the store is open for reading "
                "only; open it where it can be written, or restore a backup."
            ) from damage
        report = recovery.recover(path, str(damage))
    if not path.exists():
        create_empty(path)
    try:
        opened = _open_whole(path, read_only=False)
    except Damaged as damage:
        raise StoreUnavailable(f"{path}: recovery did not succeed: {damage}") from damage
    return replace(opened, report=(*report, *opened.report))


def create_empty(path: Path) -> None:
    """Make a store under another name and move it in place whole."""
    fresh = get_sidecar_path(path, "new")
    for left_over in (fresh, get_log_path(fresh)):
        left_over.unlink(missing_ok=True)
    try:
        connection = engine.connect(fresh)
        try:
            migrating.migrate(connection)
        finally:
            connection.close()
        os.replace(fresh, path)
        sync_folder(path.parent)
    except (duckdb.Error, OSError, StoreUnavailable) as error:
        for part in (fresh, get_log_path(fresh)):
            part.unlink(missing_ok=True)
        if is_disk_full(error):
            raise StoreUnavailable(f"{path}: {NO_STORE}") from error
        if isinstance(error, StoreUnavailable):
            raise
        raise StoreUnavailable(
            f"{path}: no store can be made here ({_get_first_line(error)})"
        ) from error


def _open_whole(path: Path, *, read_only: bool) -> Opened:
    marker = read_marker(path)
    if not path.exists():
        raise Damaged("The store's file is missing.")
    report = () if read_only else discard_unfinished(path)
    connection = _connect(path, marker, read_only=read_only)
    try:
        opened = _check_contents(path, connection, marker, read_only=read_only)
        return replace(opened, report=(*report, *opened.report))
    except ReviewError as error:
        connection.close()
        raise StoreUnavailable(f"{path}: {error}") from error
    except (duckdb.Error, UnicodeDecodeError) as error:
        connection.close()
        raise _explain_error(path, error, marker) from error
    except BaseException:
        connection.close()
        raise


def _check_contents(
    path: Path, connection: Cursor, marker: Marker | None, *, read_only: bool
) -> Opened:
    missing_tables = ""
    if read_only:
        if is_unfinished(path):
            raise Damaged("A large write was cut off before it was stored.")
        version = migrating.check_format(connection)
        missing_tables = migrating.build_missing_tables_sql(version)
        if version == 0:
            raise StoreUnavailable("it has no tables yet; open it once where it can be written")
    else:
        with contextlib.suppress(OSError):  # it is missed by the next backup, which says so
            get_backups_folder(path).mkdir(exist_ok=True)
        back_up = partial(copy_database, path, nullcontext(connection))  # nobody else has it yet
        migrating.migrate(connection, back_up_first=back_up)
    found = _read_through(path, connection, read_only=read_only)
    lost = engine.describe_missing_rows(found, marker.counts if marker else {})
    if lost:
        raise Damaged(f"Rows are gone: {'; '.join(lost)}.")
    reading = _read_tail(path, marker, read_only=read_only)
    lines = select_unsettled_entries(reading.entries)
    known = find_known_operations(connection, [line.operation_id for line in lines])
    missing = tuple(line for line in lines if line.operation_id not in known)
    gone = [line for line in missing if line.state == DONE]
    if gone:
        raise Damaged(f"The store lacks what it had stored ({gone[0].kind}; {len(gone)} in all).")
    return Opened(
        connection=connection,
        counts=found,
        missing=missing,
        journal_end=reading.end,
        missing_tables=missing_tables,
        report=reading.complaints,
    )


def _read_through(path: Path, connection: Cursor, *, read_only: bool) -> dict[str, int]:
    """Rows of each table, after reading every block where that is quick or damage was met."""
    suspect = get_sidecar_path(path, "suspect")
    if not suspect.exists() and path.stat().st_size > FULL_CHECK_BYTES:
        return engine.counts(connection)
    found = engine.compute_fingerprints(connection)
    if not read_only:
        suspect.unlink(missing_ok=True)
    return {name: rows for name, (rows, _) in found.items()}


def _read_tail(path: Path, marker: Marker | None, *, read_only: bool) -> JournalReading:
    """The journal from where the marker says that everything is stored."""
    journal = get_sidecar_path(path, "journal")
    start = marker.journal if marker else Position()
    size = journal.stat().st_size if journal.exists() else 0
    read = read_journal if read_only else tidy_journal
    if size >= start.size:
        return read(journal, start)
    reading = read(journal, None)
    told = f"The journal is shorter than it was ({size} bytes of {start.size}); the store is whole."
    return replace(reading, complaints=(told, *reading.complaints))


def _connect(path: Path, marker: Marker | None, *, read_only: bool) -> Cursor:
    try:
        return engine.connect(path, read_only=read_only)
    except (duckdb.Error, UnicodeDecodeError) as error:
        raise _explain_error(path, error, marker) from error


def _explain_error(path: Path, error: Exception, marker: Marker | None) -> Exception:
    """What an error of the engine means: somebody else's file, passing trouble, or damage."""
    words = _get_first_line(error)
    if "lock on file" in words:
        pid = re.search(r"PID (\d+)", words)
        who = f"process {pid.group(1)}" if pid else "another process"
        return StoreUnavailable(f"{path}: the store is open in {who}; end it first")
    if isinstance(error, duckdb.Error) and engine.is_passing(error):
        return StoreUnavailable(f"{path}: cannot be opened now ({words}); nothing was changed")
    if not recovery.has_remains(path):
        return StoreUnavailable(f"{path}: not a Plumbline store ({words}); give another path")
    if "version number" in words and not _written_by_this_engine(marker):
        return StoreUnavailable(
            f"{path}: written by a newer DuckDB than {duckdb.__version__}; update Plumbline"
        )
    if "version number" not in words and not engine.is_damage(error):
        return StoreUnavailable(f"{path}: cannot be opened ({words}); nothing was changed")
    return Damaged(f"The store's files are damaged: {words}.")


def _written_by_this_engine(marker: Marker | None) -> bool:
    return marker is not None and marker.duckdb == duckdb.__version__


def _get_first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")
