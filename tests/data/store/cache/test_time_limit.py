"""Limits of time: each stops its own, once, and only while it lasts."""

import threading

import pytest

from data.store.cache.time_limit import time_limit
from faithfulness.model.errors import StoreUnavailable
from tests.made_stores import new_store

PATIENCE = 60.0  # seconds; a machine may be busy
ENDLESS = "select count(*) from range(1000000000000) a, range(1000000000000) b"


def test_what_lasts_too_long_is_stopped():
    stopped = threading.Event()
    with time_limit(0.01, stopped.set):
        assert stopped.wait(PATIENCE)


def test_a_shorter_limit_that_begins_later_is_kept_in_time():
    long, short = threading.Event(), threading.Event()
    with time_limit(10 * PATIENCE, long.set), time_limit(0.01, short.set):
        assert short.wait(PATIENCE)
        assert not long.is_set()


def test_what_is_over_in_time_is_never_stopped():
    in_time, later = threading.Event(), threading.Event()
    with time_limit(0.05, in_time.set):
        pass
    with time_limit(0.2, later.set):
        assert later.wait(PATIENCE)
    assert not in_time.is_set()


def test_an_error_inside_ends_the_limit():
    stopped, later = threading.Event(), threading.Event()
    with pytest.raises(ValueError, match="own"), time_limit(0.05, stopped.set):
        raise ValueError("own")
    with time_limit(0.2, later.set):
        assert later.wait(PATIENCE)
    assert not stopped.is_set()


def test_limits_start_one_thread_whatever_their_number():
    with time_limit(PATIENCE, print):
        before = threading.active_count()
        for _ in range(20):
            with time_limit(PATIENCE, print), time_limit(PATIENCE, print):
                assert threading.active_count() <= before


def test_a_question_is_stopped_and_another_at_the_same_time_goes_on(tmp_path):
    store = new_store(tmp_path / "p.duckdb")
    with store.read(seconds=PATIENCE) as other:
        with pytest.raises(StoreUnavailable, match="took too long"), store.read(seconds=0.1) as it:
            it.execute(ENDLESS).fetchall()
        assert other.execute("select 1").fetchall() == [(1,)]
    store.close()
