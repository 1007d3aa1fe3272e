"""Who stands before and behind an item among those a selection leaves of its run."""

from typing import NamedTuple

from data import queries
from data import queries_items_sql as sql
from data.store import Store
from faithfulness.selection import Selection

_ITEM_IDS = """
select item_no, item_id
from items
where item_no in (select unnest($numbers::integer[]))
    or item_id = $item_id
"""


class Neighbours(NamedTuple):
    """The items beside one; `place` counts from 1 and is 0 when the selection leaves it out."""

    before: str
    behind: str
    place: int
    total: int


def neighbours(store: Store, run_id: str, item_id: str, selection: Selection) -> Neighbours:
    """The nearest items of the run that the selection leaves, also beside one it does not."""
    facts = queries.filled(selection) | {
        "run_id": run_id,
        "item_id": None,
        "after": -1,
        "limit": None,
    }
    named = {name: value for name, value in facts.items() if f"${name}" in sql.CHOSEN_ITEMS}
    with store.read(seconds=queries.SEARCH_SECONDS) as cursor:
        chosen = [number for number, _ in cursor.execute(sql.CHOSEN_ITEMS, named).fetchall()]
        found = cursor.execute(_ITEM_IDS, {"numbers": [], "item_id": item_id}).fetchall()
        here = found[0][0] if found else None
        at = chosen.index(here) if here in chosen else None
        beside = _beside(chosen, at)
        ids = dict(cursor.execute(_ITEM_IDS, {"numbers": beside, "item_id": item_id}).fetchall())
    before, behind = (ids.get(number, "") for number in (beside if at is not None else (-1, -1)))
    if at is None:
        behind = ids.get(chosen[0], "") if chosen else ""
    return Neighbours(before, behind, 0 if at is None else at + 1, len(chosen))


def _beside(chosen: list[int], at: int | None) -> list[int]:
    """The numbers before and behind a place; -1, which no item has, at the ends."""
    if at is None:
        return chosen[:1]
    return [chosen[at - 1] if at else -1, chosen[at + 1] if at + 1 < len(chosen) else -1]
