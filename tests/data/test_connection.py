"""A store that closes or opens again under those who ask: it does so, and they are told why."""

import pytest

from data import connection
from data.lock import owner
from data.store import open_store
from tests.made_stores import new_store


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
    assert owner(store.path) is None
    open_store(store.path).close()
