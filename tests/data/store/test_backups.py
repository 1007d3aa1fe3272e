"""Backups hold what the store held, are checked before they count, and come back equal."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import duckdb
import pytest

from data.store import copies, engine, replay
from data.store.backups import after_import, back_up, restore
from data.store.copies import BackupFailed, StoreDamaged, check_backup, list_backups
from data.store.sidecar_files import get_backups_folder, get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import StoreUnavailable
from tests.made_stores import new_store

BULK = "insert into authors select range, 'rater', md5(range::varchar) from range(5000)"


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    opened.write("bulk", "bulk", lambda cursor: cursor.execute(BULK) and None)
    yield opened
    opened.close()


def content(store):
    with store.read() as cursor:
        return engine.compute_fingerprints(cursor)


def add(store, operation_id):
    work = lambda cursor: cursor.execute("insert into authors values (1, 'r', 'x')") and 1  # noqa: E731
    return store.write(operation_id, "author", work)


def test_restored_store_equals_its_source(store):
    before = content(store)
    made = back_up(store)
    store.close()
    said = restore(store.path)
    assert any(made.name in line for line in said)
    again = open_store(store.path)
    assert content(again) == before
    assert again.recovery == ()
    again.close()


def test_what_was_there_is_put_aside_and_later_work_is_named(store):
    back_up(store)
    add(store, "later")
    store.close()
    said = restore(store.path)
    assert any("to be done again: author" in line for line in said)
    aside = list(store.path.parent.glob("s.duckdb.before-restore-*"))
    assert len(aside) == 1
    with duckdb.connect(str(aside[0]), read_only=True) as old:
        assert old.execute("select count(*) from authors").fetchall() == [(5001,)]
    again = open_store(store.path)
    assert content(again)["authors"][0] == 5000
    again.close()


def test_signed_work_after_the_backup_comes_back(store, monkeypatch):
    work = lambda cursor: cursor.execute("insert into authors values (1, 'r', 'y')") and 1  # noqa: E731
    redo = lambda store, payload: store.write(payload["operation_id"], "test_rating", work)  # noqa: E731
    monkeypatch.setitem(replay._REDO, "test_rating", redo)
    back_up(store)
    store.write_journaled("later", "test_rating", {}, work)
    store.close()
    restore(store.path)
    again = open_store(store.path)
    assert content(again)["authors"][0] == 5001
    again.close()


def test_restore_refuses_while_the_store_is_open(store):
    back_up(store)
    with pytest.raises(StoreUnavailable, match="open in this process"):
        restore(store.path)


def test_restore_refuses_what_is_no_backup(store, tmp_path):
    store.close()
    with pytest.raises(BackupFailed, match="there is no backup"):
        restore(store.path)
    with pytest.raises(BackupFailed, match="not a backup with its note"):
        restore(store.path, tmp_path / "s.duckdb")


@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_damaged_backup_is_not_restored(store, place):
    made = back_up(store)
    store.close()
    before = store.path.read_bytes()
    damaged = bytearray(made.read_bytes())
    damaged[int(len(damaged) * place)] ^= 1
    made.write_bytes(damaged)
    with pytest.raises(BackupFailed):
        restore(store.path)
    assert store.path.read_bytes() == before


def test_backup_with_other_values_is_noticed(store):
    made = back_up(store)
    with duckdb.connect(str(made)) as other:
        other.execute("update authors set name = 'forged' where author_no = 17")
    with pytest.raises(BackupFailed, match="authors differs"):
        check_backup(list_backups(store.path)[0])


def test_people_work_while_a_backup_is_made(store):
    errors, stop = [], threading.Event()

    def work():
        number = 0
        while not stop.is_set():
            number += 1
            try:
                add(store, f"during-{threading.get_ident()}-{number}")
            except Exception as error:  # noqa: BLE001  (whatever it is, the test must show it)
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            check_backup(copies.read_backup(back_up(store)))
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert errors == []
    rows = [backup.tables["authors"][0] for backup in list_backups(store.path)]
    operations = [backup.tables["operations"][0] for backup in list_backups(store.path)]
    assert [row - 5000 for row in rows] == [number - 1 for number in operations]


def test_what_lies_in_the_engines_log_only_is_copied(store):
    add(store, "in the log")
    assert get_sidecar_path(store.path, "wal").stat().st_size > 0
    made = copies.copy_database(store.path, store.standing_still())
    assert copies.read_backup(made).tables["authors"][0] == 5001
    assert not get_sidecar_path(made, "wal").exists()
    check_backup(copies.read_backup(made))


def test_store_stays_locked_by_its_engine_after_a_backup(store):
    back_up(store)
    code = "import duckdb, sys; duckdb.connect(sys.argv[1], read_only=True)"
    ended = subprocess.run([sys.executable, "-c", code, store.path], capture_output=True, text=True)
    assert "lock on file" in ended.stderr


@pytest.mark.parametrize("moment", ["starting", "copying", "reading"])
def test_copying_that_hangs_is_given_up_and_the_store_works_on(store, monkeypatch, moment):
    monkeypatch.setattr(copies, "STARTING_SECONDS", 0.0 if moment == "starting" else 60.0)
    monkeypatch.setattr(copies, "COPYING_SECONDS", 1.0)

    @contextlib.contextmanager
    def stopped():
        with store.standing_still() as cursor:
            if moment == "copying":
                os.kill(copying_process(), signal.SIGSTOP)
            yield cursor
            if moment == "reading":
                os.kill(copying_process(), signal.SIGSTOP)

    with pytest.raises(BackupFailed, match="the process that copies was ended"):
        copies.copy_database(store.path, stopped())
    assert list(get_backups_folder(store.path).iterdir()) == []
    add(store, "still works")
    monkeypatch.undo()
    assert back_up(store)


def copying_process():
    """The one process of ours that copies."""
    named = subprocess.run(
        ["pgrep", "-f", "-P", str(os.getpid()), "data.store.copy_child"],
        capture_output=True,
        text=True,
    )
    return int(named.stdout)


def test_copy_made_by_an_opening_waits_for_no_other(store):
    """A store that is opened anew during a backup may have to be migrated, which copies first."""

    @contextlib.contextmanager
    def opening():
        with store.standing_still() as cursor:
            copies.copy_database(store.path, contextlib.nullcontext(cursor))
            yield cursor

    copies.copy_database(store.path, opening())
    assert [each.tables["authors"][0] for each in list_backups(store.path)] == [5000, 5000]


DAMAGE = """
import pathlib, sys
path = pathlib.Path(sys.argv[1])
place = path.read_bytes().index(b"c4ca4238a0b923820dcc509a6f75849b")  # md5 of 1: an author's name
with path.open("r+b") as file:
    file.seek(place)
    file.write(bytes(8))
"""


def test_damaged_store_is_not_taken_for_a_backup(store):
    earlier = back_up(store)
    subprocess.run([sys.executable, "-c", DAMAGE, store.path], check=True)
    with pytest.raises(StoreDamaged, match=r"cannot be read .*Restart Plumbline"):
        back_up(store)
    assert [each.path for each in list_backups(store.path)] == [earlier]
    assert get_sidecar_path(store.path, "suspect").exists()  # the next opening reads every block


def test_import_is_not_called_lost_where_its_backup_fails(store, monkeypatch):
    def refuse(_):
        raise duckdb.OutOfMemoryException("no more")

    monkeypatch.setattr(engine, "counts", refuse)
    assert after_import(store) is None


@pytest.mark.soak
def test_fourteen_are_kept_the_newest_and_one_a_day(store, monkeypatch):
    day = datetime(2030, 1, 1, 6, tzinfo=UTC)
    moments = [day + timedelta(days=n, hours=h) for n in range(12) for h in (0, 1)]
    for moment in moments:
        monkeypatch.setattr(copies, "now", lambda moment=moment: moment.replace(tzinfo=None))
        monkeypatch.setattr(copies, "stamp", lambda moment=moment: f"{moment:%Y%m%dT%H%M%S%fZ}")
        back_up(store)
    kept = [backup.made_at[:13] for backup in list_backups(store.path)]
    assert len(kept) == 14
    assert kept[:5] == [f"{moment:%Y-%m-%dT%H}" for moment in reversed(moments[-5:])]
    assert len({made[:10] for made in kept}) >= 10
    assert len(list(get_backups_folder(store.path).iterdir())) == 28


def test_large_store_is_written_into_its_file_instead(store, monkeypatch):
    monkeypatch.setattr("data.store.backups.AFTER_IMPORT_BYTES", 1)
    add(store, "one")
    assert after_import(store) is None
    log = get_sidecar_path(store.path, "wal")
    assert not log.exists() or log.stat().st_size == 0
    assert (
        json.loads(get_sidecar_path(store.path, "marker").read_bytes())["counts"]["authors"] == 5001
    )
    monkeypatch.undo()
    assert after_import(store) is not None


def test_left_overs_of_a_killed_backup_are_cleared(store):
    folder = get_backups_folder(store.path)
    (folder / "s.making-1.duckdb").write_bytes(b"half")
    back_up(store)
    assert not list(folder.glob("*.making*"))


def test_backup_that_cannot_be_written_is_told(store):
    folder = get_backups_folder(store.path)
    folder.rmdir()
    folder.write_bytes(b"")
    with pytest.raises(BackupFailed):
        back_up(store)
    add(store, "still works")
    assert after_import(store) is None
