"""A bulk write leaves a note while it lasts; a note that is left at opening discards the log."""

from pathlib import Path

import duckdb
import pytest

from data.store import bulk_writes
from data.store.sidecar_files import get_log_path, get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import NotSaved
from tests.made_stores import new_store

ADD = "insert into authors values ({number}, 'rater', 'author {number}')"
COUNT = "select count(*) from authors"


@pytest.fixture
def store(tmp_path):
    store = new_store(tmp_path / "s.duckdb")
    yield store
    store.close()


def add(store, number, *, is_bulk=False):
    def work(cursor):
        cursor.execute(ADD.format(number=number))
        return is_noted(store)

    return store.write(f"add {number}", "author", work, about="authors", is_bulk=is_bulk)


def is_noted(store) -> bool:
    return get_sidecar_path(store.path, "bulk-write").exists()


def count(store) -> int:
    with store.read() as cursor:
        return int(cursor.execute(COUNT).fetchall()[0][0])


def test_log_is_empty_and_the_write_is_noted_until_it_is_stored(store):
    assert add(store, 1) is False
    assert get_log_path(store.path).exists()
    assert add(store, 2, is_bulk=True) is True
    assert not is_noted(store)
    assert count(store) == 2


def test_write_that_fails_leaves_no_note(store):
    def work(cursor):
        cursor.execute(ADD.format(number=1))
        raise duckdb.ConstraintException("refused")

    with pytest.raises(NotSaved):
        store.write("one", "author", work, is_bulk=True)
    assert not is_noted(store)
    assert add(store, 2, is_bulk=True) is True
    assert count(store) == 1


def test_note_that_is_left_discards_the_log_and_only_that(store):
    add(store, 1)
    store.checkpoint()
    add(store, 2)
    bulk_writes.begin_bulk_write(store.path, "many authors")
    log = get_log_path(store.path).read_bytes()
    copy = store.path.parent / "killed" / "s.duckdb"
    copy.parent.mkdir()
    for path in (store.path, get_log_path(store.path), get_sidecar_path(store.path, "bulk-write")):
        (copy.parent / path.name).write_bytes(path.read_bytes())
    bulk_writes.end_bulk_write(store.path)
    assert bulk_writes.is_unfinished(copy)
    (told,) = bulk_writes.discard_unfinished(copy)
    assert "it was storing many authors" in told
    assert [path.read_bytes() for path in copy.parent.glob("*.damaged-*.wal")] == [log]
    assert bulk_writes.discard_unfinished(copy) == ()
    opened = open_store(copy)
    assert (count(opened), opened.recovery) == (1, ())
    opened.close()


def test_note_without_a_log_is_removed_without_a_word(store):
    add(store, 1)
    store.close()
    bulk_writes.begin_bulk_write(store.path, "authors")
    again = open_store(store.path, read_only=True)
    assert count(again) == 1
    again.close()
    again = open_store(store.path)
    assert (count(again), again.recovery, is_noted(again)) == (1, (), False)
    again.close()


def test_note_that_cannot_be_removed_stops_later_writes_but_not_what_is_stored(store, monkeypatch):
    def refuse(self, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        add(store, 1, is_bulk=True)
        with pytest.raises(NotSaved, match="cannot be removed"):
            add(store, 2)
    add(store, 3)
    assert (count(store), is_noted(store)) == (2, False)
