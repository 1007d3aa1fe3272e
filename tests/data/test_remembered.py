"""What is remembered serves until the next write, and for one open store only."""

import pytest

from data.remembered import remembered
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
