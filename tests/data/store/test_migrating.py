"""Migrations go forward only, whole or not at all, with a backup first when there is data."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from data.store import engine, migrating
from data.store.copies import list_backups
from data.store.store import open_store
from faithfulness.model.errors import StoreUnavailable
from tests.few import few
from tests.older_stores import downgrade_store

ROOT = Path(__file__).resolve().parents[3]
SECOND = """
alter table authors add column note varchar default '';
create table ratings_of_later (a integer, b varchar);
insert into ratings_of_later select range, md5(range::varchar) from range(20000);
"""


@pytest.fixture
def later(tmp_path):
    """The migrations of a later version of the program."""
    folder = tmp_path / "later"
    shutil.copytree(migrating.MIGRATIONS, folder)
    (folder / f"{next_number():04}_later.sql").write_text(SECOND)
    return folder


def next_number() -> int:
    return migrating.list_migrations()[-1][0] + 1


def test_new_store_has_the_newest_format_and_its_history(tmp_path):
    store = open_store(tmp_path / "s.duckdb", create=True)
    with store.read() as cursor:
        assert migrating.read_format(cursor) == migrating.list_migrations()[-1][0]
        rows = cursor.execute("select version, name from store_formats").fetchall()
    assert rows == [(number, path.stem) for number, path in migrating.list_migrations()]
    store.close()


def test_numbers_have_no_gap_and_no_double():
    assert [number for number, _ in migrating.list_migrations()] == list(range(1, next_number()))


@pytest.mark.parametrize("version", [number for number, _ in migrating.list_migrations()])
def test_every_query_finds_its_tables_in_an_older_store_that_is_only_read(tmp_path, version):
    new, path = tmp_path / "new.duckdb", tmp_path / "s.duckdb"
    open_store(new, create=True).close()
    shutil.copy(new, path)
    columns = "select table_name, column_name, data_type from duckdb_columns() order by all"
    connection = engine.connect(path)
    expected = connection.execute(columns).fetchall()
    connection.close()
    downgrade_store(path, version)
    older = open_store(path, read_only=True)
    with older.read() as cursor:
        assert migrating.read_format(cursor) == version
        assert cursor.execute(columns).fetchall() == expected
    older.close()


def test_empty_file_that_is_only_read_is_refused(tmp_path):
    path = tmp_path / "s.duckdb"
    open_store(path, create=True).close()
    path.unlink()
    duckdb.connect(str(path)).close()
    with pytest.raises(StoreUnavailable, match="no tables yet"):
        open_store(path, read_only=True)


def test_store_with_data_is_backed_up_before_it_changes(tmp_path, later, monkeypatch):
    store = open_store(tmp_path / "s.duckdb", create=True)
    store.write(
        "one", "author", lambda c: c.execute("insert into authors values (1, 'r', 'a')") and 1
    )
    store.close()
    monkeypatch.setattr(
        migrating.migrate, "__kwdefaults__", {"folder": later, "back_up_first": None}
    )
    monkeypatch.setattr(migrating.check_format, "__defaults__", (later,))
    store = open_store(store.path)
    with store.read() as cursor:
        assert cursor.execute("select name, note from authors").fetchall() == [("a", "")]
        assert migrating.read_format(cursor) == next_number()
    store.close()
    (backup,) = list_backups(store.path)
    assert backup.format == next_number() - 1
    assert backup.tables["authors"][0] == 1


def test_newer_store_is_refused_and_untouched(tmp_path, later):
    store = open_store(tmp_path / "s.duckdb", create=True)
    store.close()
    connection = engine.connect(store.path)
    migrating.migrate(connection, folder=later)
    connection.close()
    before = store.path.read_bytes()
    with pytest.raises(StoreUnavailable, match=f"format {next_number()}.*update Plumbline"):
        open_store(store.path)
    assert store.path.read_bytes() == before


def test_failing_migration_leaves_the_old_format(tmp_path, later):
    (later / f"{next_number():04}_later.sql").write_text(SECOND + "insert into nowhere values (1);")
    connection = duckdb.connect(str(tmp_path / "s.duckdb"))
    migrating.migrate(connection)
    with pytest.raises(StoreUnavailable, match="was taken back"):
        migrating.migrate(connection, folder=later)
    assert migrating.read_format(connection) == next_number() - 1
    assert "ratings_of_later" not in engine.list_tables(connection)
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("kills", few((6, 20), 1))
def test_kills_leave_the_old_or_the_new_format(tmp_path, later, kills):
    """Expected: no state between, whatever moment the process ends at."""
    path = tmp_path / "s.duckdb"
    open_store(path, create=True).close()
    whole = path.read_bytes()
    code = (
        "import sys; from pathlib import Path; from data.store import engine, migrating\n"
        "connection = engine.connect(Path(sys.argv[1])); print('go', flush=True)\n"
        "migrating.migrate(connection, folder=Path(sys.argv[2]))\n"
    )
    chance = random.Random(13)
    for _ in range(kills):
        path.with_name(path.name + ".wal").unlink(missing_ok=True)
        path.write_bytes(whole)
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(path), str(later)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0, 0.08))
        os.kill(child.pid, 9)
        child.wait()
        child.stdout.close()
        connection = engine.connect(path)
        found = migrating.read_format(connection)
        is_new = "ratings_of_later" in engine.list_tables(connection)
        assert is_new == (found == next_number())
        if is_new:
            assert engine.counts(connection)["ratings_of_later"] == 20_000
        connection.close()
