"""Find the previous and next item in a run or in a list of contradictions."""

from dataclasses import replace
from typing import NamedTuple

from data.contradictions.contradictions import LISTS, ListStep, load_list_steps
from data.items.places import find_item
from data.runs import queries
from data.store.cache.item_filter_sql import between, narrowed
from data.store.store import Store
from faithfulness.model.selection import Selection

_ITEM_IDS = """
select item_no, item_id
from items
where {of_items}
"""


class Neighbours(NamedTuple):
    """The items beside one; `place` counts from 1 and is 0 when the selection leaves it out.

    A list of contradictions leads on to other runs and to certain units: each is then named for
    the item before and for the one behind.
    """

    before: str
    behind: str
    place: int
    total: int
    runs: tuple[str, str] = ("", "")
    units: tuple[str, str] = ("", "")


def load_neighbors(store: Store, run_id: str, item_id: str, selection: Selection) -> Neighbours:
    """The nearest items of the run that the selection leaves, also beside one it does not.

    An item that is read as one of a list has the list's items beside it.
    """
    if selection.listed in LISTS:
        return _load_list_neighbors(store, run_id, item_id, selection)
    narrowing = replace(selection, item="")
    with store.read(seconds=queries.SEARCH_SECONDS) as cursor:
        chosen = queries.find_chosen_items(cursor, run_id, narrowing)
        here = find_item(cursor, item_id)
        at = chosen.index(here.number) if here and here.number in chosen else None
        beside = _find_adjacent(chosen, at)
        numbers = [each for each in beside if each is not None]
        question = narrowed(_ITEM_IDS, numbers)
        ids = dict(cursor.execute(question, between(numbers)).fetchall())
    before, behind = (ids.get(number, "") for number in beside)
    return Neighbours(before, behind, 0 if at is None else at + 1, len(chosen))


def _load_list_neighbors(
    store: Store, run_id: str, item_id: str, selection: Selection
) -> Neighbours:
    found = {
        each.step: each
        for each in load_list_steps(store, selection, run_id=run_id, item_id=item_id)
    }
    before, here, behind = (found.get(step, ListStep()) for step in (-1, 0, 1))
    return Neighbours(
        before=before.item_id,
        behind=behind.item_id,
        place=here.number,
        total=max(before.total, here.total, behind.total),
        runs=(before.run_id, behind.run_id),
        units=(before.unit_id, behind.unit_id),
    )


def _find_adjacent(chosen: list[int], at: int | None) -> tuple[int | None, int | None]:
    """The numbers before and behind a place; behind none is the first."""
    if at is None:
        return None, chosen[0] if chosen else None
    return chosen[at - 1] if at else None, chosen[at + 1] if at + 1 < len(chosen) else None
