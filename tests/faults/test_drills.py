"""Drills: a backup while people work, a migration that is killed, a clock that goes back."""

import contextlib
import os
import random
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from data.samples.first_start import fill
from data.store import engine, migrating, sidecar_files
from data.store.backups import back_up, restore
from data.store.copies import check_backup, list_backups
from data.store.sidecar_files import get_backups_folder, get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import Conflict, NotSaved
from tests.faults import migrator, people
from tests.faults.test_kills import nursery
from tests.few import few
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages
from tests.run_commands import run_command
from tests.shared_data import ROOT
from tests.unwritable import unwritable

KILLS, OLDER = 20, 5
COLUMNS = "select table_name, column_name, data_type from duckdb_columns() where not internal"


def work_while(store, deed, seconds) -> set[str]:
    """Let three people save while something else is done again and again; what was saved."""
    saved, stop = [], threading.Event()

    def work(number):
        team = people.People(store, random.Random(number))
        while not stop.is_set():
            with contextlib.suppress(Conflict):  # somebody was faster, and that is told
                saved.append(team.save())

    with ThreadPoolExecutor(3) as pool:
        working = [pool.submit(work, number) for number in range(3)]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            deed()
        stop.set()
        for each in working:
            each.result()
    assert saved
    return set(saved)


@pytest.mark.parametrize("seconds", few([1.0, 8.0], 1))
def test_backup_made_while_people_work_and_the_journal_give_everything_back(tmp_path, seconds):
    """The drill of docs/deploying.md: only backups/ and the journal are left."""
    path, away = tmp_path / "here" / "s.duckdb", tmp_path / "away" / "s.duckdb"
    path.parent.mkdir()
    people.prepare(path)
    store = open_store(path)
    saved = work_while(store, lambda: back_up(store), seconds)
    assert people.complaints(store, saved) == []
    for each in list_backups(path):
        check_backup(each)
    store.close()
    shutil.copytree(get_backups_folder(path), get_backups_folder(away))
    shutil.copyfile(get_sidecar_path(path, "journal"), get_sidecar_path(away, "journal"))
    told = restore(away, sorted(get_backups_folder(away).glob("*.duckdb"))[0])
    again = open_store(away)
    drafts = {name for name in saved if name.startswith("rater ")}
    assert people.complaints(again, saved - drafts) == []
    # What nobody signed yet is in the backup or named as lost; the journal does not hold it.
    lost = drafts - people.stored(again)
    assert len(lost) <= sum("to be done again: draft" in line for line in told)
    again.close()


def columns(path, folder=migrating.MIGRATIONS):
    """Every table and column, after the migrations of a folder."""
    connection = engine.connect(path)
    try:
        migrating.migrate(connection, folder=folder)
        return set(connection.execute(COLUMNS).fetchall())
    finally:
        connection.close()


def first_migrations(folder, count):
    folder.mkdir()
    for _, path in migrating.list_migrations()[:count]:
        shutil.copyfile(path, folder / path.name)
    return folder


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """A store of an older format with something in it."""
    folder = tmp_path_factory.mktemp("older")
    path = folder / "s.duckdb"
    columns(path, first_migrations(folder / "first", OLDER))
    connection = engine.connect(path)
    connection.execute("insert into authors select range, 'rater', range::varchar from range(3000)")
    connection.execute("checkpoint")
    connection.close()
    return path


@pytest.mark.parametrize("kills", few([KILLS // 10, KILLS], 1))
def test_migration_that_is_killed_leaves_one_format_or_another_whole(older, tmp_path, kills):
    formats = {
        number: columns(
            tmp_path / f"{number}.duckdb", first_migrations(tmp_path / str(number), number)
        )
        for number in range(OLDER, len(migrating.list_migrations()) + 1)
    }
    seen, took = set(), 0.0
    with nursery(migrator) as parent:
        for kill in range(kills + 1):
            folder = tmp_path / f"kill-{kill}"
            folder.mkdir()
            path, acks = folder / "s.duckdb", folder / "acks"
            shutil.copyfile(older, path)
            began = time.monotonic()
            parent.stdin.write(f"plain {path} {acks}\n")
            parent.stdin.flush()
            child = int(parent.stdout.readline())
            if kill:  # the first is left alone, to know how long it takes
                time.sleep(took * (kill - 1) / kills)
                with contextlib.suppress(ProcessLookupError):  # it was faster this time
                    os.kill(child, signal.SIGKILL)
            parent.stdout.readline()
            took = took or time.monotonic() - began
            seen.add(check_format_is_whole(path, formats))
    assert {
        OLDER,
        len(migrating.list_migrations()),
    } <= seen  # the kills came before, within and after


def check_format_is_whole(path, formats) -> int:
    connection = engine.connect(path)
    try:
        found = migrating.read_format(connection)
        assert set(connection.execute(COLUMNS).fetchall()) == formats[found]
    finally:
        connection.close()
    store = open_store(path)
    with store.read() as cursor:
        assert migrating.read_format(cursor) == len(migrating.list_migrations())
        assert engine.counts(cursor)["authors"] == 3000
    assert store.recovery == ()
    store.close()
    return found


class Backwards(datetime):
    """A clock that is a minute earlier each time it is asked."""

    asked = 0

    @classmethod
    def now(cls, tz=None):
        cls.asked += 1
        return datetime(2031, 1, 1, tzinfo=tz) - timedelta(minutes=cls.asked)


def test_clock_that_goes_back_changes_no_order_and_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "s.duckdb"
    people.prepare(path)
    store = open_store(path)
    monkeypatch.setattr(sidecar_files, "datetime", Backwards)
    team = people.People(store, random.Random("clock"))
    point, said = team.point(), []
    for nth, value in enumerate(people.LABELS.values()):
        said.append(value)
        told = {"author": people.EVE, "reason": f"{nth}", "circumstances": people.TOLD}
        people.decide(
            store,
            **point._asdict(),
            value=value,
            seen=team.last(),
            operation_id=f"clock-{nth}",
            confirmed=True,
            **told,
        )
    saved = {team.save(kind) for kind in people.LEAVES}
    back_up(store)
    saved.add(team.save("adjudication"))
    current = [value for number, value in decisions(store, point)]
    assert current == said  # numbered in the order in which they were made
    store.close()
    assert Backwards.asked > 10
    shutil.copytree(get_backups_folder(path), tmp_path / "away" / "backups")
    again = tmp_path / "away" / "s.duckdb"
    shutil.copyfile(get_sidecar_path(path, "journal"), get_sidecar_path(again, "journal"))
    restore(again)
    store = open_store(again)
    assert [value for _, value in decisions(store, point)] == said
    assert people.complaints(store, saved) == []
    store.close()


def decisions(store, point):
    question = """
        select a.annotation_no, a.value
        from annotations a
        join adjudications d on d.annotation_no = a.annotation_no
        join items i on i.item_no = a.item_no
        join units u on u.unit_no = a.unit_no
        where i.item_id = $item_id and u.unit_id = $unit_id
        order by a.annotation_no
    """
    with store.read() as cursor:
        asked = {"item_id": point.item_id, "unit_id": point.unit_id}
        return cursor.execute(question, asked).fetchall()[: len(people.LABELS)]


def test_command_beside_another_process_says_who_has_the_store(tmp_path):
    store = new_store(tmp_path / "s.duckdb")
    for words in (["runs"], ["backup"], ["export", "--to", tmp_path / "out.csv"], ["restore"]):
        told = run_command(*words, "--store", store.path, code=3)
        assert f"open in this process ({os.getpid()})" in told
        assert len(told.strip().splitlines()) == 1
    store.close()


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """The sample on a disk that is mounted for reading only, or in a folder without leave."""
    folder = tmp_path_factory.mktemp("unwritable")
    path = folder / "plumbline.duckdb"
    with unwritable(folder, lambda: new_store(path, fill).close()), store_of_pages(path) as opened:
        yield opened


@pytest.mark.parametrize("page", sorted(path.stem for path in (ROOT / "pages").glob("*.py")))
def test_page_opens_where_nothing_can_be_written_and_says_so(locked, page):
    assert locked.read_only
    test = opened_page(page)
    assert [each.value for each in test.exception] == []
    assert any("open for reading only" in each.value for each in test.warning)
    with pytest.raises(NotSaved, match="can only be read here"):
        locked.write(page, "test", lambda cursor: None)
