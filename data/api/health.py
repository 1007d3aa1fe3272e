"""Read-only health checks for `doctor`: versions, disk, store, journal, backups and recoveries."""

import platform
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import duckdb

from data.items.recheck_findings import count_unchecked_items
from data.store import engine, migrating
from data.store.copies import BackupFailed, check_backup, list_backups
from data.store.journal import read_journal
from data.store.lock import find_owner
from data.store.recovery import BEFORE_RESTORE, DAMAGED, REQUESTED
from data.store.sidecar_files import get_sidecar_path, now
from data.store.store import Store, open_store
from faithfulness.model.errors import ReviewError
from faithfulness.model.wording import format_count

GOOD, WARNING, BAD = "good", "warning", "bad"

PACKAGES = ("streamlit", "duckdb", "pyarrow", "pandas", "numpy")
NO_DISK, LITTLE_DISK = 1024**2, 1024**3
OLD_BACKUP_DAYS = 7


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """One thing doctor looked at: how it stands, what was seen, and what to do about it."""

    name: str
    state: str
    says: str
    advice: str = ""


def examine(path: Path, store: Store | None = None) -> list[Condition]:
    """Look at a store and what surrounds it.

    Args:
        path: the store's file.
        store: the store itself when this process has it open.
    """
    path = Path(path).absolute()
    conditions = [_check_versions(), _check_disk(path), _check_owner(path, store)]
    conditions += _check_inside(path, store)
    conditions += [_check_journal(path), _check_backups(path), _check_recoveries(path)]
    return conditions


def serialize_conditions(conditions: Sequence[Condition]) -> list[dict[str, str]]:
    """The conditions as JSON can hold them."""
    return [asdict(each) for each in conditions]


def _check_versions() -> Condition:
    found = [f"python {platform.python_version()}"]
    missing = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        advice = "Install what requirements.txt lists."
        says = f"{', '.join(found)}; missing: {', '.join(missing)}"
        return Condition(name="versions", state=BAD, says=says, advice=advice)
    return Condition(name="versions", state=GOOD, says=", ".join(found))


def _check_disk(path: Path) -> Condition:
    folder = next(each for each in (path, *path.parents) if each.is_dir())
    free = shutil.disk_usage(folder).free
    says = f"{free / 1024**3:.1f} GB free for {folder}"
    if free < NO_DISK:
        advice = "Free some space now: nothing can be saved."
        return Condition(name="disk", state=BAD, says=says, advice=advice)
    if free < LITTLE_DISK:
        return Condition(name="disk", state=WARNING, says=says, advice="Free some space soon.")
    return Condition(name="disk", state=GOOD, says=says)


def _check_owner(path: Path, store: Store | None) -> Condition:
    pid = find_owner(path)
    if pid is None:
        return Condition(name="owner", state=GOOD, says="no process has the store open")
    who = f"process {pid}" if pid else "a process that gave no number"
    if store is None:
        return Condition(name="owner", state=WARNING, says=f"the store is open in {who}")
    return Condition(name="owner", state=GOOD, says=f"this is {who}, which has the store open")


def _check_inside(path: Path, store: Store | None) -> list[Condition]:
    if store is not None:
        return _check_store(store, path)
    try:
        opened = open_store(path, read_only=True)
    except ReviewError as error:
        return [
            Condition(
                name="store",
                state=BAD,
                says=str(error),
                advice="Ask the process that has it open, start the app to repair it, or restore.",
            )
        ]
    try:
        return _check_store(opened, path)
    finally:
        opened.close()


def _check_store(store: Store, path: Path) -> list[Condition]:
    looks: tuple[tuple[str, Callable[[Store, Path], str]], ...] = (
        ("store", _describe_opening),
        ("format", _describe_format),
        ("contents", _describe_contents),
    )
    conditions = []
    for name, look in looks:
        try:
            conditions.append(Condition(name=name, state=GOOD, says=look(store, path)))
        except (ReviewError, duckdb.Error) as error:
            advice = "Restart Plumbline: it restores the last backup and the journal."
            says = str(error).partition("\n")[0]
            conditions.append(Condition(name=name, state=BAD, says=says, advice=advice))
    if all(each.state is GOOD for each in conditions):
        conditions.append(_check_findings(store))
    return conditions


def _describe_opening(store: Store, path: Path) -> str:
    how = "for reading only" if store.read_only else "for reading and writing"
    return f"{path} opens {how}, {path.stat().st_size / 1024**2:.1f} MB"


def _describe_format(store: Store, path: Path) -> str:
    with store.read() as cursor:
        return f"format {migrating.check_format(cursor)} of {migrating.list_migrations()[-1][0]}"


def _describe_contents(store: Store, path: Path) -> str:
    """Reads every value of every table, so that damage anywhere in the file shows."""
    with store.read() as cursor:
        found = engine.compute_fingerprints(cursor)
    return ", ".join(f"{name} {rows}" for name, (rows, _) in found.items())


def _check_findings(store: Store) -> Condition:
    """Whether the order of disagreements knows what the checks find on every item."""
    unchecked, items = count_unchecked_items(store)
    says = f"{items - unchecked:,} of {items:,} items looked at by this version's checks"
    if unchecked:
        return Condition(name="checks", state=WARNING, says=says, advice="Run once: refind.")
    return Condition(name="checks", state=GOOD, says=says)


def _check_journal(path: Path) -> Condition:
    reading = read_journal(get_sidecar_path(path, "journal"))
    says = f"{reading.end.sequence} lines, {reading.end.size / 1024**2:.1f} MB"
    if reading.complaints:
        return Condition(
            name="journal",
            state=BAD,
            says=f"{says}; {reading.complaints[0]} ({len(reading.complaints)} complaints)",
            advice="Keep the file; what is in the store is not affected. Make a backup now.",
        )
    return Condition(name="journal", state=GOOD, says=f"{says}, every line follows the one before")


def _check_backups(path: Path) -> Condition:
    found = list_backups(path)
    if not found:
        return Condition(
            name="backups", state=WARNING, says="there is none", advice="Make one: backup."
        )
    newest = found[0]
    says = f"{len(found)}, the newest of {newest.made_at} UTC with {newest.rows} rows"
    try:
        check_backup(newest)
    except BackupFailed as error:
        return Condition(name="backups", state=BAD, says=str(error), advice="Make one now: backup.")
    if (now() - datetime.fromisoformat(newest.made_at)).days > OLD_BACKUP_DAYS:
        return Condition(
            name="backups", state=WARNING, says=says, advice="Make a newer one: backup."
        )
    return Condition(name="backups", state=GOOD, says=f"{says}; it opens and holds what it should")


def _check_recoveries(path: Path) -> Condition:
    log = get_sidecar_path(path, "recoveries.txt")
    damaged, restored = (_count_put_aside(path, why) for why in (DAMAGED, BEFORE_RESTORE))
    told = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    requested = sum(line.strip() == REQUESTED for line in told)
    repaired = sum(not line.startswith(" ") for line in told) > requested or damaged > 0
    says = ["repaired before" if repaired else "the store never had to be repaired"]
    says += [f"{damaged} files were put aside"] if repaired else []
    says += [f"{format_count(requested, 'restore')} on request"] if requested else []
    says += [f"{format_count(restored, 'file')} put aside by a restore"] if restored else []
    advice = f"Read {log.name}. Files put aside may be deleted once nobody misses anything."
    return Condition(
        name="recoveries",
        state=WARNING if repaired else GOOD,
        says="; ".join(says),
        advice=advice if repaired or requested or restored else "",
    )


def _count_put_aside(path: Path, why: str) -> int:
    return len(list(path.parent.glob(f"{path.name}.{why}-*")))
