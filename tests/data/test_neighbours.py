"""Stepping from item to item stays inside what the selection leaves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from data import queries
from data.item_numbers import given_numbers
from data.neighbours import neighbours
from data.samples.first_start import fill
from data.store import Store, open_store
from faithfulness.selection import Selection


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path: Path = tmp_path_factory.mktemp("neighbours") / "plumbline.duckdb"
    store = open_store(path, create=True)
    fill(store)
    yield store
    store.close()


def run_and_items(store: Store, selection: Selection) -> tuple[str, list[str]]:
    runs = queries.runs(store)
    run = str(runs[runs["protocol"] == "sentence_grounding"]["run_id"].iloc[-1])
    return run, list(queries.run_items(store, run, selection)["item_id"])


@pytest.mark.parametrize("selection", [Selection(), Selection(labels=("contradictory",))])
def test_neighbours_follow_the_order_of_the_list(sample, selection):
    run, items = run_and_items(sample, selection)
    for at, item in enumerate(items):
        found = neighbours(sample, run, item, selection)
        assert found.before == (items[at - 1] if at else "")
        assert found.behind == (items[at + 1] if at + 1 < len(items) else "")
        assert (found.place, found.total) == (at + 1, len(items))


def test_an_item_the_selection_leaves_out_leads_back_into_it(sample):
    run, everything = run_and_items(sample, Selection())
    narrow = Selection(words="kettle")
    _, some = run_and_items(sample, narrow)
    outside = next(each for each in everything if each not in some)
    found = neighbours(sample, run, outside, narrow)
    assert (found.before, found.behind, found.place) == ("", some[0], 0)


def test_the_item_itself_does_not_narrow_the_way_on(sample):
    run, items = run_and_items(sample, Selection())
    here = Selection(item=items[0])
    assert neighbours(sample, run, items[0], here).behind == items[1]


def test_the_sample_comes_without_given_numbers(sample):
    run, items = run_and_items(sample, Selection())
    assert given_numbers(sample, run, items[0]) == ()
