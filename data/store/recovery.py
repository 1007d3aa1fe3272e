"""Recover a damaged store: set its files aside, restore the best valid copy, and report."""

import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from data.store import engine, migrating
from data.store.copies import (
    ROOM_BESIDE,
    Backup,
    BackupFailed,
    check_backup,
    list_backups,
    place_copy,
)
from data.store.journal import (
    DONE,
    RESTORED,
    Journal,
    JournalEntry,
    collect_left_out_operations,
    select_unsettled_entries,
    tidy_journal,
)
from data.store.removed_since import (
    describe_held_removals,
    describe_left_out_removals,
    describe_repeated_removals,
    find_removals,
)
from data.store.sidecar_files import (
    get_log_path,
    get_sidecar_path,
    has_room,
    now,
    stamp,
    sync_folder,
)
from data.store.transactions import find_known_operations
from faithfulness.model.errors import StoreUnavailable
from faithfulness.model.full_disk import is_disk_full, make_disk_full_error

# Looking further back than this can only find less.
BACKUPS_TRIED = 5
# What is put aside is named for why: a person who restores may put a good file aside.
DAMAGED, BEFORE_RESTORE = "damaged", "before-restore"
REQUESTED = "A backup was restored on request."

_log = logging.getLogger(__name__)


class _Wrong(NamedTuple):
    """What speaks against a copy: imports that it lacks, removals that a restore had left out."""

    lacking: Sequence[JournalEntry]
    held: Sequence[str]

    def rank(self) -> tuple[int, int]:
        return len(self.lacking), len(self.held)

    def told(self) -> list[str]:
        return [*_describe_lost_operations(self.lacking), *describe_held_removals(self.held)]


def has_remains(path: Path) -> bool:
    """Whether something beside the path proves that a store of ours was there."""
    journal = get_sidecar_path(path, "journal")
    return (
        get_sidecar_path(path, "marker").exists()
        or (journal.exists() and journal.stat().st_size > 0)
        or bool(list_backups(path))
    )


def recover(path: Path, reason: str) -> list[str]:
    """Bring back as much as any whole copy holds; the journal is applied by the next opening.

    Candidates are the file without its log (a damaged log does not spoil the file), then the
    backups, newest first. The first that lacks no import, and holds no removal that a restore left
    out, wins, else the one that lacks fewest imports, and of these the one that holds fewest such
    removals. Without any whole copy the path stays empty and the caller begins anew.

    Raises:
        OSError: there is no room for a copy; the store's files are where they were.
    """
    if not has_room(path):
        raise make_disk_full_error(path)
    entries = tidy_journal(get_sidecar_path(path, "journal")).entries
    chosen = get_sidecar_path(path, "chosen")
    best = _choose_candidate(path, chosen, entries)
    report = _put_aside(path, DAMAGED)
    if best is not None:
        os.replace(chosen, path)
        report.append(f"The store was taken from {best[0]}.")
    else:
        report.append("There was no whole copy to take, so an empty store is begun.")
    wrong = _Wrong(_select_proven_entries(entries), []) if best is None else best[1]
    return _finish_recovery(path, [reason, *report, *wrong.told()], wrong)


def _choose_candidate(
    path: Path, chosen: Path, entries: Sequence[JournalEntry]
) -> tuple[str, _Wrong] | None:
    """Copy the best candidate to `chosen`; gives its name and what is wrong with it."""
    fresh = get_sidecar_path(path, "restoring")
    best: tuple[str, _Wrong] | None = None
    try:
        for name in _copy_candidates(path, fresh):
            wrong = _check_candidate(fresh, entries)
            if wrong is not None and (best is None or wrong.rank() < best[1].rank()):
                best = (name, wrong)
                os.replace(fresh, chosen)
            if wrong is not None and not any(wrong):
                break
    except OSError:
        chosen.unlink(missing_ok=True)
        raise
    finally:
        fresh.unlink(missing_ok=True)
    return best


def replace_by(path: Path, backup: Backup, *, without_removals: bool = False) -> list[str]:
    """Put a checked copy of a backup in the store's place, for a person who asked for it.

    With `without_removals` the runs removed since are back, and the journal says so.
    """
    fresh = get_sidecar_path(path, "restoring")
    _place_backup(backup, fresh)
    try:
        check_backup(backup, fresh)
        entries = tidy_journal(get_sidecar_path(path, "journal")).entries
        wrong, removals = _check_candidate(fresh, entries), find_removals(fresh, entries)
    except BackupFailed:
        fresh.unlink(missing_ok=True)
        raise
    report = _put_aside(path, BEFORE_RESTORE)
    os.replace(fresh, path)
    report.append(f"The store was taken from the backup {backup.path.name}.")
    if without_removals:
        told, out = describe_left_out_removals(removals), [each.operation_id for each in removals]
    else:
        told, out = describe_repeated_removals(removals, backup.path), []
    lines = [REQUESTED, *report, *told, *(wrong.told() if wrong else ())]
    return _finish_recovery(path, lines, wrong, out)


def _place_backup(backup: Backup, target: Path) -> None:
    try:
        place_copy(backup.path, target)
    except OSError as error:
        why = error.strerror or str(error)
        if is_disk_full(error):
            size = (backup.path.stat().st_size + ROOM_BESIDE) / 1_000_000
            why = f"the disk is full: free {size:,.0f} MB there, then restore again"
        raise BackupFailed(
            f"{target.parent}: nothing was restored and nothing changed, because {why}."
        ) from error


def _select_proven_entries(entries: Sequence[JournalEntry]) -> list[JournalEntry]:
    """What a copy should hold: done since the last restore, or in the copy which that one took."""
    kept: list[JournalEntry] = []
    for entry in entries:
        if entry.state == RESTORED and "lacking" in entry.payload:
            lacking = {*entry.payload["lacking"]}
            kept = [each for each in kept if each.operation_id not in lacking]
        else:  # an earlier version did not say what its copy lacked, so nothing before is proven
            kept.append(entry)
    return [entry for entry in select_unsettled_entries(kept) if entry.state == DONE]


def _put_aside(path: Path, why: str) -> list[str]:
    aside = get_sidecar_path(path, f"{why}-{stamp()}")
    moved = []
    # The log keeps its name relation to the file, so that both can be examined together.
    for source, target in ((get_log_path(path), get_log_path(aside)), (path, aside)):
        if source.exists():
            os.replace(source, target)
            moved.append(target.name)
    sync_folder(path.parent)
    return [f"Put aside, not deleted: {', '.join(moved)}."] if moved else []


def _copy_candidates(path: Path, fresh: Path) -> Iterator[str]:
    """Copy one candidate after the other to `fresh` and name it."""
    if path.exists():
        place_copy(path, fresh)
        yield "the file itself, without its log"
    for backup in list_backups(path)[:BACKUPS_TRIED]:
        place_copy(backup.path, fresh)
        try:
            check_backup(backup, fresh)
        except BackupFailed as error:
            _log.warning("backup passed over: %s", error)
            continue
        yield f"the backup {backup.path.name}"


def _check_candidate(candidate: Path, entries: Sequence[JournalEntry]) -> _Wrong | None:
    """What a candidate lacks and what it should not hold; None when it cannot be read."""
    proven, out = _select_proven_entries(entries), sorted(collect_left_out_operations(entries))
    try:
        connection = engine.connect(candidate, read_only=True)
    except (duckdb.Error, UnicodeDecodeError):
        return None
    try:
        if migrating.check_format(connection) == 0:
            return None
        engine.compute_fingerprints(connection)
        known = find_known_operations(connection, [*(entry.operation_id for entry in proven), *out])
    except (duckdb.Error, UnicodeDecodeError, StoreUnavailable):
        return None
    finally:
        connection.close()
    lacking = [entry for entry in proven if entry.operation_id not in known]
    return _Wrong(lacking, [each for each in out if each in known])


def _describe_lost_operations(lacking: Sequence[JournalEntry]) -> list[str]:
    return [
        f"Not in that copy, and to be done again: {entry.kind} of {entry.written_at[:16]} UTC"
        + (f" ({entry.payload['about']})." if entry.payload.get("about") else ".")
        for entry in lacking
    ]


def _finish_recovery(
    path: Path, report: list[str], wrong: _Wrong | None, out: Sequence[str] = ()
) -> list[str]:
    """Note the recovery in the journal and beside the store, and forget what no longer holds."""
    sync_folder(path.parent)
    get_sidecar_path(path, "marker").unlink(missing_ok=True)
    get_sidecar_path(path, "suspect").unlink(missing_ok=True)
    reading = tidy_journal(get_sidecar_path(path, "journal"))
    journal = Journal(get_sidecar_path(path, "journal"), reading.end)
    try:
        # From here on the operations before this line are only proven as far as they are there.
        # One line says both, so that a restore cut off here leaves out every removal or none.
        said = {"report": report} | ({"left_out": list(out)} if out else {})
        if wrong is not None:
            said["lacking"] = [entry.operation_id for entry in wrong.lacking]
        journal.append(RESTORED, stamp(), "recovery", said)
    finally:
        journal.close()
    with get_sidecar_path(path, "recoveries.txt").open("a", encoding="utf-8") as file:
        file.write(f"{now().isoformat(timespec='seconds')} UTC\n")
        file.writelines(f"  {line}\n" for line in report)
    for line in report:
        _log.warning("recovery: %s", line)
    return report
