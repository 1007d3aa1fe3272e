"""A refused write does not come back at the next start, or the person was told that it may."""

import contextlib
import os
import shutil

import duckdb
import pytest

from data.store.journal import CANCELLED, SIGNED, read_journal
from data.store.journal_cancellations import PERHAPS_LATER
from data.store.replay import register_work
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import AlreadyDone, Conflict, NotSaved
from tests.made_stores import new_store

ADD_AUTHOR = "insert into authors values ($number, 'rater', $name)"
NAMES = "select name from authors order by author_no"


def add(cursor, operation_id, payload):
    cursor.execute(ADD_AUTHOR, {"number": payload["number"], "name": operation_id})
    return payload["number"]


register_work("unsaid drill", add)


@pytest.fixture
def path(tmp_path):
    new_store(tmp_path / "s.duckdb").close()
    return tmp_path / "s.duckdb"


@contextlib.contextmanager
def unwritable_from(store, *, after):
    """The journal takes no more after so many lines: neither words nor a cut."""
    journal = store._journal
    journal_append, whole = journal.append, os.dup(journal._handle)
    only_read = os.open(journal.path, os.O_RDONLY)
    lines = iter(range(after))

    def append(*line):
        if next(lines, None) is None:
            os.dup2(only_read, journal._handle)
        return journal_append(*line)

    journal.append = append
    try:
        yield
    finally:
        journal.append = journal_append
        os.dup2(whole, journal._handle)
        os.close(whole)
        os.close(only_read)


def save(store, name, number, work=add):
    payload = {"number": number}
    return store.write_journaled(
        name, "unsaid drill", payload, lambda cursor: work(cursor, name, payload)
    )


def fail(cursor, name, payload):
    cursor.execute("select nothing from nowhere")


def names_after_opening(path):
    store = open_store(path)
    with store.read() as cursor:
        found = [name for (name,) in cursor.execute(NAMES).fetchall()]
    store.close()
    return found


def states(path):
    lines = read_journal(get_sidecar_path(path, "journal")).entries
    return [(line.operation_id, line.state) for line in lines]


def test_line_that_could_not_be_taken_back_is_told_and_may_come_back(path):
    store = open_store(path)
    with unwritable_from(store, after=1):
        with pytest.raises(NotSaved, match=PERHAPS_LATER[:40]):
            save(store, "one", 1, fail)
        with pytest.raises(NotSaved, match=PERHAPS_LATER[:40]):
            save(store, "one", 1)  # sent again: still nothing can be written
        with pytest.raises(NotSaved, match="cannot be written"):
            save(store, "two", 2)
        killed = shutil.copytree(path.parent, path.parent.with_name("killed")) / path.name
    store.close()
    assert states(killed) == [("one", SIGNED)]
    assert names_after_opening(killed) == ["one"]


def test_line_is_taken_back_before_the_next_one_and_never_comes_back(path):
    store = open_store(path)
    with unwritable_from(store, after=1), pytest.raises(NotSaved, match=PERHAPS_LATER[:40]):
        save(store, "one", 1, fail)
    save(store, "two", 2)
    store.close()
    assert states(path) == [("one", SIGNED), ("one", CANCELLED), ("two", SIGNED)]
    assert names_after_opening(path) == ["two"]


def test_line_does_not_come_back_after_the_store_was_closed(path):
    store = open_store(path)
    with unwritable_from(store, after=1), pytest.raises(NotSaved, match=PERHAPS_LATER[:40]):
        save(store, "one", 1, fail)
    store.close()
    assert states(path) == [("one", SIGNED), ("one", CANCELLED)]
    assert names_after_opening(path) == []


def test_conflict_whose_line_stays_is_told_as_perhaps_stored_later(path):
    def conflict(cursor, name, payload):
        raise Conflict("Eve decided since.")

    store = open_store(path)
    with unwritable_from(store, after=1), pytest.raises(NotSaved, match=r"Eve decided since\."):
        save(store, "one", 1, conflict)
    store.close()


class Unreadable:
    """The engine's connection on a disk that cannot be read: so many cursors fail, then none."""

    def __init__(self, store, times):
        self._store, self._whole, self._left = store, store._connection._connection, times
        store._connection.adopt(self)

    def cursor(self):
        self._left -= 1
        if not self._left:
            self._store._connection.adopt(self._whole)
        raise duckdb.IOException("IO Error: Could not read from file: Input/output error")


def test_what_is_stored_but_could_not_be_asked_for_keeps_its_line(path):
    def stored_then_unreadable(cursor, name, payload):
        Unreadable(store, times=3)
        return add(cursor, name, payload)

    store = open_store(path)
    with pytest.raises(NotSaved, match=PERHAPS_LATER[:40]):
        save(store, "one", 1, stored_then_unreadable)
    save(store, "two", 2)
    with pytest.raises(AlreadyDone):
        save(store, "one", 1)
    store.close()
    assert states(path) == [("one", SIGNED), ("two", SIGNED)]
    assert names_after_opening(path) == ["one", "two"]


def test_what_is_sent_again_after_the_disk_is_sound_is_stored_once(path):
    store = open_store(path)
    with unwritable_from(store, after=1), pytest.raises(NotSaved, match=PERHAPS_LATER[:40]):
        save(store, "one", 1, fail)
    assert save(store, "one", 1) == 1
    store.close()
    assert names_after_opening(path) == ["one"]


def test_refused_write_on_a_sound_disk_is_told_as_not_stored(path):
    store = open_store(path)
    with pytest.raises(NotSaved, match="nothing of it was stored"):
        save(store, "one", 1, fail)
    store.close()
    assert states(path) == [("one", SIGNED), ("one", CANCELLED)]
    assert names_after_opening(path) == []
