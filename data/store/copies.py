"""Create, verify, list and prune copies of a store in its backups folder, with metadata files."""

import contextlib
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from data.store import child_process, engine, migrating
from data.store.engine import Cursor, Fingerprints
from data.store.sidecar_files import (
    get_backups_folder,
    get_log_path,
    get_sidecar_path,
    now,
    stamp,
    sync_file,
    sync_folder,
    write_durably,
)
from faithfulness.model.errors import ReviewError, StoreUnavailable
from faithfulness.model.full_disk import is_disk_full, make_disk_full_error

ROOM_BESIDE = 1_000_000  # bytes that a disk must have left beside a copy: for lines of the journal
KEEP_NEWEST = 5
KEEP_DAYS = 9  # and of so many earlier days the last one: 14 at most
# A disk that hangs must not hold anybody up for good; while the file is copied nobody can save.
STARTING_SECONDS, COPYING_SECONDS = 60.0, 60.0
SLOWEST = 1_000_000  # bytes a second in which a copy is read beside people at the pages
# The copy must be read by the engine that wrote it, within the same memory.
WANTED = ("PYTHONPATH", engine.MEMORY_VARIABLE)

_underway: set[Path] = set()  # copies that are being made
_log = logging.getLogger(__name__)


class BackupFailed(ReviewError):
    """No backup was made, or one does not hold what it should; earlier backups are untouched."""


class StoreDamaged(BackupFailed):
    """A part of the store itself cannot be read."""


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


def copy_database(path: Path, standing_still: AbstractContextManager[Cursor]) -> Path:
    """Copy the store's file into backups/ and check the copy.

    Args:
        path: the store's file.
        standing_still: nobody writes to the store as long as this lasts; it is held while the
            file is copied, and not while the copy is read.

    Raises:
        BackupFailed: the copy could not be made or differs from the store.
        StoreDamaged: the copy cannot be read, and so neither can the store.
    """
    folder = get_backups_folder(path)
    fresh = folder / f"{path.stem}.making-{stamp()}.duckdb"
    _underway.add(fresh)
    try:
        _clear_away(folder, path)
        with _Copying(path, fresh) as copying:
            with standing_still as cursor:
                rows, version = engine.counts(cursor), migrating.read_format(cursor)
                copying.copy()
            tables = copying.read_through()
        _check_rows(fresh, rows, tables)
        final = folder / f"{path.stem}-{stamp()}.duckdb"
        fresh.rename(final)
        write_durably(get_sidecar_path(final, "json"), _format_note(tables, version))
    except (duckdb.Error, OSError, StoreUnavailable) as error:
        raise _build_backup_error(folder, str(error).partition("\n")[0]) from error
    finally:
        with contextlib.suppress(OSError):  # the next copy tries again
            fresh.unlink(missing_ok=True)
            get_log_path(fresh).unlink(missing_ok=True)
        _underway.discard(fresh)
    _delete_old_backups(path)
    _log.info("backup made: %s", final.name)
    return final


def _build_backup_error(folder: Path, why: str) -> BackupFailed:
    if is_disk_full(why):
        return BackupFailed(
            f"{folder}: no backup was made because the disk is full, and the store itself is "
            "untouched: free some space there, then try again."
        )
    return BackupFailed(f"{folder}: no backup was made ({why}); the store itself is untouched")


class _Copying:
    """The process that copies a store and reads the copy (data/store/copy_child.py)."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source, self._target = source, target

    def __enter__(self) -> "_Copying":
        self._complaints = tempfile.TemporaryFile()
        settings = {name: os.environ[name] for name in WANTED if name in os.environ}
        if "PYTHONPATH" in settings:  # the child starts in another folder
            parts = settings["PYTHONPATH"].split(os.pathsep)
            settings["PYTHONPATH"] = os.pathsep.join(os.path.abspath(each) for each in parts)
        self._child = child_process.start_child("data.store.copy_child", self._complaints, settings)
        self._words = child_process.read_messages(self._child)
        try:
            self._next("ready", STARTING_SECONDS)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def copy(self) -> None:
        files = {"source": str(self._source), "target": str(self._target)}
        child_process.send_message(self._child, files)
        self._next("copied", COPYING_SECONDS)

    def read_through(self) -> Fingerprints:
        seconds = COPYING_SECONDS + self._target.stat().st_size / SLOWEST
        found = self._next("tables", seconds)
        return {name: (int(rows), int(total)) for name, (rows, total) in found.items()}

    def _next(self, word: str, seconds: float) -> Any:
        """What the child says within so many seconds, which has to be this."""
        with child_process.end_child_after(self._child, seconds):
            said = next(self._words, {"failed": "the process that copies was ended"})
        if "damaged" in said:
            raise StoreDamaged(
                f"{self._source}: no backup was made, because a part of the store cannot be read "
                f"({said['damaged']}). Restart Plumbline: it then checks every part, puts the "
                "damaged file aside and restores the last backup and the journal."
            )
        if word not in said:
            raise _build_backup_error(self._target.parent, str(said.get("failed", said)))
        return said[word]

    def _close(self) -> None:
        code = child_process.close_child(self._child)
        with self._complaints as complaints:
            complaints.seek(0)
            broken = complaints.read().decode("utf-8", "replace").strip()
        if broken:
            _log.error("the process that copies ended with %s: %s", code, broken)


def _clear_away(folder: Path, path: Path) -> None:
    """Make the folder, and remove what a killed process left: only the store's owner copies."""
    folder.mkdir(exist_ok=True)
    for left_over in folder.glob(f"{path.stem}.making*"):
        if any(left_over.name.startswith(each.name) for each in _underway):
            continue
        if left_over.is_dir():
            shutil.rmtree(left_over)
        else:
            left_over.unlink(missing_ok=True)


def _check_rows(path: Path, rows: Mapping[str, int], tables: Mapping[str, tuple[int, int]]) -> None:
    for name, expected in rows.items():
        if tables.get(name, (-1, 0))[0] != expected:
            raise BackupFailed(f"{path.name}: the table {name} differs from what was copied")


def _compare_tables(
    path: Path, expected: Mapping[str, tuple[int, int]], *, values: bool = True
) -> None:
    connection = engine.connect(path, read_only=True)
    try:
        found = engine.compute_fingerprints(connection)
    finally:
        connection.close()
    for name, (rows, total) in expected.items():
        if found.get(name, (0, 0))[0] != rows or (values and found[name][1] != total):
            raise BackupFailed(f"{path.name}: the table {name} differs from what was copied")


def _format_note(tables: Fingerprints, format_number: int) -> bytes:
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
    for note in sorted(get_backups_folder(path).glob(f"{path.stem}-*.duckdb.json"), reverse=True):
        backup = read_backup(note.with_suffix(""))
        if backup is not None:
            found.append(backup)
    return found


def read_backup(path: Path) -> Backup | None:
    """The note beside a backup; None when the copy or its note is gone or cannot be read."""
    try:
        found = json.loads(get_sidecar_path(path, "json").read_bytes())
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
        _compare_tables(
            copy or backup.path, backup.tables, values=backup.duckdb == duckdb.__version__
        )
    except (duckdb.Error, UnicodeDecodeError) as error:
        raise BackupFailed(f"{backup.path.name}: cannot be read ({error})") from error


def place_copy(source: Path, target: Path) -> None:
    """Copy a closed database file durably; never used on a file that this process has open.

    Raises:
        OSError: it does not fit, or only just; nothing of it is left behind.
    """
    try:
        if shutil.disk_usage(target.parent).free < source.stat().st_size + ROOM_BESIDE:
            raise make_disk_full_error(target)
        shutil.copyfile(source, target)
        sync_file(target)
        sync_folder(target.parent)
    except OSError:
        target.unlink(missing_ok=True)
        raise


def _delete_old_backups(path: Path) -> None:
    backups = list_backups(path)
    keep = {backup.path for backup in backups[:KEEP_NEWEST]}
    last_of_day: dict[str, Path] = {}
    for backup in backups[KEEP_NEWEST:]:
        last_of_day.setdefault(backup.made_at[:10], backup.path)
    keep.update(list(last_of_day.values())[:KEEP_DAYS])
    for backup in backups:
        if backup.path not in keep:
            get_sidecar_path(backup.path, "json").unlink(missing_ok=True)
            backup.path.unlink(missing_ok=True)
