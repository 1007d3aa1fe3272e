"""Stepping from item to item stays inside what the selection leaves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.contradictions.contradictions import SORTS, list_case_numbers, load_contradicted_units
from data.items.cases import load_cases
from data.items.item_numbers import load_given_numbers
from data.runs import queries
from data.runs.neighbors import load_neighbors
from data.samples.first_start import fill
from data.store.store import Store
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.selection import Selection
from tests.made_stores import new_store


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path: Path = tmp_path_factory.mktemp("neighbours") / "plumbline.duckdb"
    store = new_store(path, fill)
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
        found = load_neighbors(sample, run, item, selection)
        assert found.before == (items[at - 1] if at else "")
        assert found.behind == (items[at + 1] if at + 1 < len(items) else "")
        assert (found.place, found.total) == (at + 1, len(items))


def test_an_item_the_selection_leaves_out_leads_back_into_it(sample):
    run, everything = run_and_items(sample, Selection())
    narrow = Selection(words="kettle")
    _, some = run_and_items(sample, narrow)
    outside = next(each for each in everything if each not in some)
    found = load_neighbors(sample, run, outside, narrow)
    assert (found.before, found.behind, found.place) == ("", some[0], 0)


def test_the_item_itself_does_not_narrow_the_way_on(sample):
    run, items = run_and_items(sample, Selection())
    here = Selection(item=items[0])
    assert load_neighbors(sample, run, items[0], here).behind == items[1]


def test_the_sample_comes_without_given_numbers(sample):
    run, items = run_and_items(sample, Selection())
    assert load_given_numbers(sample, run, items[0]) == ()


@pytest.mark.parametrize(
    "selection",
    [
        Selection(listed="contradicted"),
        Selection(listed="contradicted", sort="stored", group="run"),
        Selection(listed="contradicted", protocol="sentence_grounding", placements=("verbatim",)),
        Selection(listed="not_supported"),
        Selection(listed="clashing", sort="nonsense"),
    ],
)
def test_a_list_of_contradictions_is_gone_through_in_its_own_order(sample, selection):
    seen = [(run, item) for run, item, _ in listed_items(sample, selection)]
    order = list(dict.fromkeys(seen))
    assert len(order) > 1
    for at, (run, item) in enumerate(order):
        found = load_neighbors(sample, run, item, selection)
        assert (found.place, found.total) == (at + 1, len(order))
        assert (found.runs[0], found.before) == (order[at - 1] if at else ("", ""))
        last = at + 1 == len(order)
        assert (found.runs[1], found.behind) == (("", "") if last else order[at + 1])


def test_a_step_in_a_list_leads_to_the_first_unit_for_which_the_item_is_there(sample):
    selection = Selection(listed="contradicted", agreements=("judge_alone", "raters_differ"))
    cases = listed_items(sample, selection)
    (first_run, first), (_, second) = list(dict.fromkeys(each[:2] for each in cases))[:2]
    found = load_neighbors(sample, first_run, first, selection)
    unit = next(unit for _, item, unit in cases if item == second)
    assert (found.behind, found.units[1]) == (second, unit)


def test_an_item_outside_of_a_list_leads_to_its_first(sample):
    selection = Selection(listed="contradicted", words="kettle")
    run, item, unit = listed_items(sample, selection)[0]
    found = load_neighbors(sample, run, "no such item", selection)
    assert (found.place, found.behind, found.runs[1], found.units[1]) == (0, item, run, unit)


def listed_items(store: Store, selection: Selection) -> list[tuple[str, str, str]]:
    """Run, item and unit of every case of a list, page by page as the page shows them."""
    cases: list[UnitCase] = []
    sort = selection.sort if selection.sort in SORTS else "disputed"
    for page in range(1, 8):
        found = load_contradicted_units(
            store,
            selection,
            which=selection.listed,
            sort=sort,
            group=selection.group,
            page=page,
        )
        cases += load_cases(store, list_case_numbers(found))
    return [(each.run_id, each.item.id, each.unit.id) for each in cases]
