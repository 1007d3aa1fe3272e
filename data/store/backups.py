"""Back up a store while it is in use, and restore a backup."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from data.store import recovery
from data.store.copies import (
    Backup,
    BackupFailed,
    StoreDamaged,
    copy_database,
    list_backups,
    read_backup,
)
from data.store.lock import StoreLock
from data.store.sidecar_files import get_backups_folder, mark_suspect
from faithfulness.model.errors import StoreUnavailable

if TYPE_CHECKING:
    from data.store.store import Store

# Beyond this an import is only written into the file: each would keep one more copy of the store.
AFTER_IMPORT_BYTES = 200 * 1024 * 1024

_TROUBLE = (BackupFailed, StoreUnavailable, duckdb.Error, OSError)
_log = logging.getLogger(__name__)


def back_up(store: "Store") -> Path:
    """Copy the whole store into backups/ and check the copy; people go on working meanwhile.

    Who saves waits while the file itself is copied: about a second for a gigabyte.

    Raises:
        BackupFailed: the copy could not be made or differs from the store.
        StoreUnavailable: the store cannot be asked now.
    """
    if not store.can_write:
        return copy_database(store.path, store.standing_still())
    store.checkpoint()
    try:
        made = copy_database(store.path, store.standing_still())
    except StoreDamaged:
        mark_suspect(store.path)
        raise
    store.note_state()
    return made


def after_import(store: "Store") -> Path | None:
    """Make what an import stored safe at once, since the journal cannot redo an import.

    Gives:
        The backup; None for a large store or where none can be made: what was stored is then
        written into the file itself, and the journal names it, should it ever be lost.
    """
    # The import is stored: failing now, whatever the reason, would tell the person the opposite.
    try:
        if store.path.stat().st_size <= AFTER_IMPORT_BYTES:
            return back_up(store)
    except _TROUBLE as error:
        _log.error("no backup after an import: %s", error)
    try:
        store.checkpoint()
        store.note_state()
    except _TROUBLE as error:
        _log.error("an import is only in the engine's log: %s", error)
    return None


def restore(path: Path, backup: Path | None = None, *, without_removals: bool = False) -> list[str]:
    """Put a backup (the newest, unless named) in the store's place; gives what was done.

    The present files are put aside, never deleted. What people signed after the backup is applied
    from the journal when the store opens next; runs removed since are removed again, or are back
    for good with `without_removals`.

    Raises:
        StoreUnavailable: the store is open somewhere.
        BackupFailed: there is no such backup, or it does not hold what it should.
    """
    path = Path(path).absolute()
    if not path.parent.is_dir():
        raise StoreUnavailable(f"{path.parent}: no such folder; give the path of a store")
    lock = StoreLock(path)
    try:
        chosen = _choose_backup(path, backup)
        return recovery.replace_by(path, chosen, without_removals=without_removals)
    finally:
        lock.release()


def _choose_backup(path: Path, backup: Path | None) -> Backup:
    if backup is None:
        found = next(iter(list_backups(path)), None)
        if found is None:
            raise BackupFailed(f"{get_backups_folder(path)}: there is no backup of {path.name}")
        return found
    chosen = read_backup(Path(backup).absolute())
    if chosen is None:
        raise BackupFailed(f"{backup}: not a backup with its note ({backup.name}.json) beside it")
    return chosen
