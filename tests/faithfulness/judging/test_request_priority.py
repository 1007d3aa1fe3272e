"""Work that can wait lets people go first, and still goes on where somebody is always there."""

import time
from threading import Event, Thread

from faithfulness.judging import request_priority
from faithfulness.judging.request_priority import (
    SEVERAL,
    WITHIN,
    give_way,
    mark_serving,
    several_at_work,
)


def waited(longest: float) -> float:
    began = time.monotonic()
    give_way(longest)
    return time.monotonic() - began


def test_nobody_is_waited_for_where_nobody_waits():
    assert waited(60) < 30


def test_work_goes_on_when_the_last_page_is_drawn():
    went_on = Event()
    with mark_serving():
        work = Thread(target=lambda: (give_way(60), went_on.set()))
        work.start()
        with mark_serving():
            pass
        assert not went_on.wait(0.3)
    assert went_on.wait(30)
    work.join()


def test_a_desk_that_is_always_busy_delays_work_and_no_more():
    took: list[float] = []
    with mark_serving():
        work = Thread(target=lambda: took.append(waited(0.2)))
        work.start()
        work.join()
    assert 0.2 <= took[0] < 30


def test_work_of_a_page_does_not_wait_for_that_page():
    with mark_serving(), mark_serving():
        assert waited(60) < 30


def test_a_page_that_fails_is_waited_for_no_longer():
    try:
        with mark_serving():
            raise ValueError
    except ValueError:
        pass
    assert waited(60) < 30


def test_several_are_at_work_while_pages_of_several_tabs_are_asked_for(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(request_priority.time, "monotonic", lambda: clock[0])
    for _ in range(20):  # one person, however fast, and parts of a page
        with mark_serving("own"), mark_serving():
            assert not several_at_work()
    for tab in range(SEVERAL - 1):
        assert not several_at_work()
        with mark_serving(f"tab {tab}"):
            pass
    assert several_at_work()
    clock[0] += WITHIN - 1
    with mark_serving("own"):
        pass
    assert several_at_work()
    clock[0] += 2
    assert not several_at_work()
    assert [*request_priority._asked] == ["own"]


def test_tabs_that_were_closed_are_not_remembered_where_no_judge_asks(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(request_priority.time, "monotonic", lambda: clock[0])
    for tab in range(50):
        clock[0] += WITHIN + 1
        with mark_serving(f"tab {tab}"):
            pass
    assert [*request_priority._asked] == ["tab 49"]
