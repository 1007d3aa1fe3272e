"""Bulk writes: discard a large transaction that was interrupted when its process was killed.

DuckDB 1.5 stores whole row groups (122,880 rows) of a transaction in the database file and only
refers to them in its write-ahead log. If the log ends before the commit, opening the file keeps
these rows although the rest of the transaction is missing. A bulk write therefore starts with a
checkpoint, which empties the log, and a file next to the store names the write until it has ended.
If that file still exists when the store is opened, the log contains only the unfinished write.
"""

import logging
import os
from pathlib import Path

from data.store.sidecar_files import (
    get_log_path,
    get_sidecar_path,
    stamp,
    sync_folder,
    write_durably,
)
from faithfulness.model.errors import NotSaved
from faithfulness.model.full_disk import NOT_SAVED, is_disk_full

_log = logging.getLogger(__name__)


def begin_bulk_write(path: Path, description: str) -> None:
    """Note that a bulk write begins; the store's log must be empty.

    Raises:
        NotSaved: the note cannot be written.
    """
    try:
        write_durably(_get_note_path(path), description.encode("utf-8"))
    except OSError as error:
        if is_disk_full(error):
            raise NotSaved(NOT_SAVED) from error
        raise NotSaved(
            f"Not saved: {_get_note_path(path)} cannot be written ({error.strerror})."
        ) from error


def end_bulk_write(path: Path) -> None:
    """Note that the bulk write is stored or rolled back.

    An error must not reach whoever stored it; `check_ended` tries again before the next write.
    """
    try:
        _remove_note(path)
    except OSError as error:
        _log.error("the note of a bulk write was not removed: %s", error)


def check_ended(path: Path) -> None:
    """Refuse to write while the note of an earlier bulk write is there: it discards the log.

    Raises:
        NotSaved: the note cannot be removed.
    """
    note = _get_note_path(path)
    if note.exists():
        end_bulk_write(path)
    if note.exists():
        raise NotSaved(f"Not saved: {note} cannot be removed. Remove it, then send it again.")


def is_unfinished(path: Path) -> bool:
    """Return whether the store's log holds a bulk write that did not end."""
    return _get_note_path(path).exists() and get_log_path(path).exists()


def discard_unfinished(path: Path) -> tuple[str, ...]:
    """Set the log of an unfinished bulk write aside, before the store is opened.

    Returns the sentence for people, or nothing if there was no such write.
    """
    note = _get_note_path(path)
    if not note.exists():
        return ()
    report: tuple[str, ...] = ()
    if is_unfinished(path):
        description = note.read_text(encoding="utf-8", errors="replace")
        aside = get_sidecar_path(path, f"damaged-{stamp()}.wal")
        os.replace(get_log_path(path), aside)
        sync_folder(path.parent)
        report = (
            f"Plumbline was stopped while it was storing {description}: if that is missing, store "
            f"it again. The log of this write was put aside as {aside.name}.",
        )
        _log.warning("recovery: %s", report[0])
    _remove_note(path)
    return report


def _remove_note(path: Path) -> None:
    _get_note_path(path).unlink(missing_ok=True)
    sync_folder(path.parent)


def _get_note_path(path: Path) -> Path:
    return get_sidecar_path(path, "bulk-write")
