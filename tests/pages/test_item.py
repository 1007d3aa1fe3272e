"""The list of a run's items: an admin removes the run there, and is told before what goes."""

import pytest

from data.runs import queries
from data.samples.first_start import fill
from data.store.write_roles import Guard
from faithfulness.model.access import Role, Visitor
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "plumbline.duckdb"
    new_store(path, fill).close()
    with store_of_pages(path) as opened:
        yield opened


def removal(test):
    return [each for each in test.button if each.key == "remove_run"]


def test_a_run_goes_after_what_goes_with_it_was_told(store):
    runs = queries.runs(store)
    run = runs.iloc[0]
    test = opened_page("item", {"run": run["run_id"]})
    (said,) = [each.value for each in test.markdown if "leave every list" in each.value]
    assert f"{run['items']} items" in said
    assert f"{run['answers']} answers" in said
    (button,) = removal(test)
    assert set(queries.runs(store)["run_id"]) == set(runs["run_id"])
    button.click().run()
    assert set(queries.runs(store)["run_id"]) == set(runs["run_id"][1:])
    (told,) = opened_page("item", {"run": run["run_id"]}).warning
    assert f"{run['name']}” was removed on 20" in told.value


def test_nobody_below_an_admin_is_offered_to_remove(store):
    run_id = queries.runs(store)["run_id"].iloc[0]
    store.guard = Guard(lambda: Visitor(name="rob", role=Role.ADJUDICATOR))
    assert not removal(opened_page("item", {"run": run_id}))
    store.guard = Guard(lambda: Visitor(name="ada", role=Role.ADMIN))
    assert removal(opened_page("item", {"run": run_id}))
