"""What is remembered serves until the next write, and for one open store only."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from data.store.cache.version_cache import remembered
from tests.made_stores import new_store


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()


def test_an_answer_is_asked_for_once_until_something_is_written(store):
    asked = []

    def ask(of):
        asked.append(of.version())
        return len(asked)

    assert [remembered(store, "number", ask) for _ in range(3)] == [1, 1, 1]
    store.write("one", "test", lambda cursor: None)
    assert [remembered(store, "number", ask) for _ in range(2)] == [2, 2]
    assert asked[1] > asked[0]
    assert remembered(store, "other", ask) == 3


def test_a_failed_question_is_not_remembered(store):
    def fail(of):
        raise ValueError(of.path.name)

    with pytest.raises(ValueError, match=r"s\.duckdb"):
        remembered(store, "number", fail)
    assert remembered(store, "number", lambda of: 7) == 7


def test_another_store_answers_for_itself(store, tmp_path):
    assert remembered(store, "name", lambda of: of.path.name) == "s.duckdb"
    other = new_store(tmp_path / "t.duckdb")
    assert remembered(other, "name", lambda of: of.path.name) == "t.duckdb"
    other.close()


def test_what_several_want_at_once_is_asked_for_once(store):
    begun, asked = threading.Barrier(8), []

    def ask(of):
        asked.append(threading.get_ident())
        slow.wait(0.2)
        return len(asked)

    def want(_):
        begun.wait()
        return remembered(store, "slow", ask)

    slow = threading.Event()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(want, range(8))) == [1] * 8
    assert len(asked) == 1


def test_those_who_waited_ask_themselves_when_the_first_fails(store):
    tried = []

    def fail_once(of):
        tried.append(1)
        if len(tried) == 1:
            raise ValueError("the first fails")
        return "well"

    def want(_):
        try:
            return remembered(store, "shaky", fail_once)
        except ValueError:
            return "failed"

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(want, range(4)))
    assert sorted(found) == ["failed", "well", "well", "well"]


def test_an_answer_may_be_made_of_other_answers(store):
    def outer(of):
        return remembered(of, "inner", lambda _: 3) + 1

    assert remembered(store, "outer", outer) == 4
