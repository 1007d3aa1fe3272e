"""Copies: whole, verified copies of a store in its backups folder, each with a note beside it."""

import contextlib
import json
import logging
import shutil
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from data import engine, migrating
from data.beside import backups_of, log_of, now, side, stamp, sync_file, sync_folder, write_durably
from data.engine import Cursor
from faithfulness.errors import ReviewError

KEEP_NEWEST = 5
KEEP_DAYS = 9  # and of so many earlier days the last one: 14 at most

Fingerprints = dict[str, tuple[int, int]]

_making = threading.Lock()
_log = logging.getLogger(__name__)


class BackupFailed(ReviewError):
    """No backup was made, or one does not hold what it should; earlier backups are untouched."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Backup:
    """A verified copy and what it holds, as noted beside it."""

    path: Path
    made_at: str
    duckdb: str
    format: int
    tables: Mapping[str, tuple[int, int]]

    @property
    def rows(self) -> int:
        return sum(rows for rows, _ in self.tables.values())


def copy_database(cursor: Cursor, path: Path) -> Path:
    """Copy everything a connection sees into backups/ and check the copy.

    Raises:
        BackupFailed: the copy could not be made or differs from the store.
    """
    folder = backups_of(path)
    with _making:
        fresh = _prepare(folder, path)
        try:
            expected = _copy(cursor, fresh)
            _compare(fresh, expected)
            final = folder / f"{path.stem}-{stamp()}.duckdb"
            sync_file(fresh)
            fresh.rename(final)
            write_durably(side(final, "json"), _note(expected, migrating.format_of(cursor)))
        except (duckdb.Error, OSError) as error:
            raise BackupFailed(
                f"{folder}: no backup was made ({str(error).partition(chr(10))[0]}); the store "
                "itself is untouched"
            ) from error
        finally:
            fresh.unlink(missing_ok=True)
            log_of(fresh).unlink(missing_ok=True)
        _thin_out(path)
    _log.info("backup made: %s", final.name)
    return final


def _prepare(folder: Path, path: Path) -> Path:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BackupFailed(f"{folder}: cannot be made ({error.strerror})") from error
    # Only the owner of the store makes backups, so what lies here was left by a killed process.
    for left_over in folder.glob(f"{path.stem}.making*"):
        left_over.unlink(missing_ok=True)
    return folder / f"{path.stem}.making-{stamp()}.duckdb"


def _copy(cursor: Cursor, fresh: Path) -> Fingerprints:
    source = str(cursor.execute("select current_database()").fetchall()[0][0]).replace('"', '""')
    target = str(fresh).replace("'", "''")
    cursor.execute(f"attach '{target}' as fresh_copy (storage_version '{engine.STORAGE_VERSION}')")
    try:
        # With rows as well, 1.5 refuses this statement inside a transaction of a locked engine.
        cursor.execute(f'copy from database "{source}" to fresh_copy (schema)')
        # One transaction, so that what is counted is what is copied while others write.
        cursor.execute("begin transaction")
        expected = engine.fingerprints(cursor)
        for name in expected:
            cursor.table(name).insert_into(f"fresh_copy.main.{name}")
        cursor.execute("commit")
        cursor.execute("checkpoint fresh_copy")
    except BaseException:
        with contextlib.suppress(duckdb.Error):
            cursor.execute("rollback")
        raise
    finally:
        cursor.execute("detach fresh_copy")
    return expected


def _compare(path: Path, expected: Mapping[str, tuple[int, int]], *, values: bool = True) -> None:
    connection = engine.connect(path, read_only=True)
    try:
        found = engine.fingerprints(connection)
    finally:
        connection.close()
    for name, (rows, total) in expected.items():
        if found.get(name, (0, 0))[0] != rows or (values and found[name][1] != total):
            raise BackupFailed(f"{path.name}: the table {name} differs from what was copied")


def _note(tables: Fingerprints, format_number: int) -> bytes:
    note = {
        "made_at": now().isoformat(timespec="seconds"),
        "duckdb": duckdb.__version__,
        "format": format_number,
        "tables": {name: [rows, str(total)] for name, (rows, total) in tables.items()},
    }
    return json.dumps(note, indent=1).encode("ascii")


def list_backups(path: Path) -> list[Backup]:
    """The verified backups of a store, newest first."""
    found = []
    for note in sorted(backups_of(path).glob(f"{path.stem}-*.duckdb.json"), reverse=True):
        backup = read_backup(note.with_suffix(""))
        if backup is not None:
            found.append(backup)
    return found


def read_backup(path: Path) -> Backup | None:
    """The note beside a backup; None when the copy or its note is gone or cannot be read."""
    try:
        found = json.loads(side(path, "json").read_bytes())
        tables = {name: (int(rows), int(total)) for name, (rows, total) in found["tables"].items()}
        if not path.is_file():
            return None
        return Backup(
            path=path,
            made_at=str(found["made_at"]),
            duckdb=str(found["duckdb"]),
            format=int(found["format"]),
            tables=tables,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def check_backup(backup: Backup, copy: Path | None = None) -> None:
    """Open a backup, or a copy of it, for reading and compare every value with its note.

    Raises:
        BackupFailed: it does not hold what was copied.
    """
    try:
        # Sums of another engine version may be made differently; rows are always comparable.
        _compare(copy or backup.path, backup.tables, values=backup.duckdb == duckdb.__version__)
    except (duckdb.Error, UnicodeDecodeError) as error:
        raise BackupFailed(f"{backup.path.name}: cannot be read ({error})") from error


def place_copy(source: Path, target: Path) -> None:
    """Copy a closed database file durably; never used on a file that this process has open."""
    shutil.copyfile(source, target)
    sync_file(target)
    sync_folder(target.parent)


def _thin_out(path: Path) -> None:
    backups = list_backups(path)
    keep = {backup.path for backup in backups[:KEEP_NEWEST]}
    last_of_day: dict[str, Path] = {}
    for backup in backups[KEEP_NEWEST:]:
        last_of_day.setdefault(backup.made_at[:10], backup.path)
    keep.update(list(last_of_day.values())[:KEEP_DAYS])
    for backup in backups:
        if backup.path not in keep:
            side(backup.path, "json").unlink(missing_ok=True)
            backup.path.unlink(missing_ok=True)
