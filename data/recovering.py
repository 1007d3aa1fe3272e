"""Recovery: put damaged files aside, take the best whole copy, and say what was done."""

import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb

from data import engine, migrating
from data.beside import log_of, now, side, stamp, sync_folder
from data.copies import Backup, BackupFailed, check_backup, list_backups, place_copy
from data.journal import DONE, RESTORED, Entry, Journal, tidy_journal, unsettled
from data.transactions import known_operations
from faithfulness.errors import StoreUnavailable

# Looking further back than this can only find less.
BACKUPS_TRIED = 5

_log = logging.getLogger(__name__)


def has_remains(path: Path) -> bool:
    """Whether something beside the path proves that a store of ours was there."""
    journal = side(path, "journal")
    return (
        side(path, "marker").exists()
        or (journal.exists() and journal.stat().st_size > 0)
        or bool(list_backups(path))
    )


def recover(path: Path, reason: str) -> list[str]:
    """Bring back as much as any whole copy holds; the journal is applied by the next opening.

    Candidates are the file without its log (a damaged log does not spoil the file), then the
    backups, newest first. The first that lacks no import wins, else the one that lacks least.
    Without any whole copy the path stays empty and the caller begins anew.
    """
    proven = _proven(path)
    aside, report = _put_aside(path)
    fresh, chosen = side(path, "restoring"), side(path, "chosen")
    best: tuple[str, list[Entry]] | None = None
    for name in _candidates(path, aside, fresh):
        lacking = _lacking(fresh, proven)
        if lacking is not None and (best is None or len(lacking) < len(best[1])):
            best = (name, lacking)
            os.replace(fresh, chosen)
        if lacking == []:
            break
    fresh.unlink(missing_ok=True)
    if best is not None:
        os.replace(chosen, path)
        report.append(f"The store was taken from {best[0]}.")
    else:
        report.append("There was no whole copy to take, so an empty store is begun.")
    report += _lost(proven if best is None else best[1])
    return _finish(path, [reason, *report])


def replace_by(path: Path, backup: Backup) -> list[str]:
    """Put a checked copy of a backup in the store's place, for a person who asked for it."""
    fresh = side(path, "restoring")
    place_copy(backup.path, fresh)
    try:
        check_backup(backup, fresh)
        lacking = _lacking(fresh, _proven(path)) or []
    except BackupFailed:
        fresh.unlink(missing_ok=True)
        raise
    _, report = _put_aside(path)
    os.replace(fresh, path)
    report.append(f"The store was taken from the backup {backup.path.name}.")
    return _finish(path, ["A backup was restored on request.", *report, *_lost(lacking)])


def _proven(path: Path) -> list[Entry]:
    entries = tidy_journal(side(path, "journal")).entries
    return [entry for entry in unsettled(entries) if entry.state == DONE]


def _put_aside(path: Path) -> tuple[Path | None, list[str]]:
    aside = side(path, f"damaged-{stamp()}")
    moved = []
    # The log keeps its name relation to the file, so that both can be examined together.
    for source, target in ((log_of(path), log_of(aside)), (path, aside)):
        if source.exists():
            os.replace(source, target)
            moved.append(target.name)
    sync_folder(path.parent)
    report = [f"Put aside, not deleted: {', '.join(moved)}."] if moved else []
    return (aside if aside.exists() else None), report


def _candidates(path: Path, aside: Path | None, fresh: Path) -> Iterator[str]:
    """Copy one candidate after the other to `fresh` and name it."""
    if aside is not None:
        place_copy(aside, fresh)
        yield "the file itself, without its log"
    for backup in list_backups(path)[:BACKUPS_TRIED]:
        place_copy(backup.path, fresh)
        try:
            check_backup(backup, fresh)
        except BackupFailed as error:
            _log.warning("backup passed over: %s", error)
            continue
        yield f"the backup {backup.path.name}"


def _lacking(candidate: Path, proven: Sequence[Entry]) -> list[Entry] | None:
    """Which proven operations a candidate does not hold; None when it cannot be read in full."""
    try:
        connection = engine.connect(candidate, read_only=True)
    except (duckdb.Error, UnicodeDecodeError):
        return None
    try:
        if migrating.check_format(connection) == 0:
            return None
        engine.fingerprints(connection)
        known = known_operations(connection, [entry.operation_id for entry in proven])
    except (duckdb.Error, UnicodeDecodeError, StoreUnavailable):
        return None
    finally:
        connection.close()
    return [entry for entry in proven if entry.operation_id not in known]


def _lost(lacking: Sequence[Entry]) -> list[str]:
    return [
        f"Not in that copy, and to be done again: {entry.kind} of {entry.written_at[:16]} UTC"
        + (f" ({entry.payload['about']})." if entry.payload.get("about") else ".")
        for entry in lacking
    ]


def _finish(path: Path, report: list[str]) -> list[str]:
    """Note the recovery in the journal and beside the store, and forget what no longer holds."""
    sync_folder(path.parent)
    side(path, "marker").unlink(missing_ok=True)
    side(path, "suspect").unlink(missing_ok=True)
    reading = tidy_journal(side(path, "journal"))
    journal = Journal(side(path, "journal"), reading.end)
    try:
        # From here on the operations before this line are only proven as far as they are there.
        journal.append(RESTORED, stamp(), "recovery", {"report": report})
    finally:
        journal.close()
    with side(path, "recoveries.txt").open("a", encoding="utf-8") as file:
        file.write(f"{now().isoformat(timespec='seconds')} UTC\n")
        file.writelines(f"  {line}\n" for line in report)
    for line in report:
        _log.warning("recovery: %s", line)
    return report
