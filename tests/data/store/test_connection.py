"""A store that closes or opens again under those who ask: it does so, and they are told why."""

import threading

import pytest

from data.store import connection
from data.store.cache.time_limit import time_limit
from data.store.lock import find_owner
from data.store.store import open_store
from faithfulness.model.errors import StoreUnavailable
from tests.made_stores import new_store

ENDLESS = "select count(*) from range(1000000000000) a, range(1000000000000) b"


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()


@pytest.mark.parametrize("leave", ["close", "reopen"])
def test_a_cursor_closed_a_moment_ago_keeps_no_store_open(store, monkeypatch, leave):
    monkeypatch.setattr(connection, "DRAIN_SECONDS", 0.01)
    with store.read() as cursor:
        cursor.close()  # the moment in which an answer is given and not yet counted
        getattr(store._connection, leave)()
    store.close()
    assert find_owner(store.path) is None
    open_store(store.path).close()


@pytest.mark.parametrize("leave", ["close", "reopen"])
def test_whoever_asks_meanwhile_is_told_that_the_store_was_closed(store, leave):
    begun = threading.Event()
    told: list[str] = []

    def ask() -> None:
        try:
            with store.read(seconds=600) as cursor:
                begun.set()
                cursor.execute(ENDLESS).fetchall()
        except StoreUnavailable as error:
            told.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    assert begun.wait(60)
    with store._writing:
        getattr(store._connection, leave)()
    asking.join(60)
    assert told == ["The store was closed meanwhile. Try once more."]


def test_a_limit_over_a_closed_cursor_leaves_other_limits_in_force(store):
    kept = threading.Event()
    with store.read(seconds=0.2) as cursor, time_limit(0.4, kept.set):
        cursor.close()
        assert kept.wait(20)
