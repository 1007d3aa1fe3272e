"""Paths of the files next to the store, and writes that survive a power loss."""

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path

from faithfulness.model.errors import NotSaved


def get_sidecar_path(path: Path, ending: str) -> Path:
    """The store's companion with this ending: lock, journal, marker or door."""
    return path.with_name(f"{path.name}.{ending}")


def mark_suspect(path: Path) -> None:
    """Ask the next opening to read every block, because damage was met."""
    get_sidecar_path(path, "suspect").touch()


def get_log_path(path: Path) -> Path:
    """DuckDB's own write-ahead log of this file."""
    return get_sidecar_path(path, "wal")


def get_backups_folder(path: Path) -> Path:
    """The one folder the closed engine may read and write beside its own file."""
    return path.parent / "backups"


def now() -> datetime:
    """UTC without a zone, as every time in the store."""
    return datetime.now(UTC).replace(tzinfo=None)


def stamp() -> str:
    """A time for file names; sorts by age and never repeats within a process."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")


def sync_folder(folder: Path) -> None:
    """Make new and renamed names in a folder survive power loss."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_new_log(path: Path, known: int) -> int:
    """Make the engine's log survive power loss where it is another than the known one.

    The engine syncs its log, never the folder of it. Returns the log's number; where that fails,
    what was written is stored all the same.
    """
    with contextlib.suppress(OSError):
        number = os.stat(get_log_path(path)).st_ino
        if number != known:
            sync_folder(path.parent)
            return number
    return known


def sync_file(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_durably(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Replace a small file whole: readers see the old content or the new one."""
    fresh = get_sidecar_path(path, "new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        while content:  # a nearly full disk takes a part first
            content = content[os.write(handle, content) :]
        os.fsync(handle)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
    os.replace(fresh, path)
    sync_folder(path.parent)


def has_room(path: Path) -> bool:
    """Whether the store's disk takes some kilobytes now."""
    probe = get_sidecar_path(path, "room")
    try:
        write_durably(probe, bytes(65_536))
        probe.unlink()
    except OSError:
        return False
    return True


def check_in_place(path: Path, number: int) -> None:
    """Refuse to go on with a file that is no longer the one that was opened.

    The engine goes on writing into a file that was deleted, and says nothing.

    Raises:
        NotSaved: it was removed or replaced.
    """
    try:
        now = path.stat().st_ino
    except FileNotFoundError:
        now = 0
    if now != number:
        raise NotSaved(
            f"Not saved: {path} was removed or replaced while it was open. Put it back, "
            "or restart Plumbline, which then restores the last backup and the journal."
        )
