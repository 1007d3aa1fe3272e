"""Look up the row numbers of an item or of an item in a run, inside or outside a transaction."""

from typing import NamedTuple

from data.store.engine import Cursor

# Three short questions: one that joins them takes the engine twice as long to plan.
_ITEM = """
select item_no, cutter
from items
where item_id = $item_id
limit 1
"""

_RUN = """
select run_no, protocol
from runs
where run_id = $run_id
    and run_no not in (select run_no from run_removals)
"""

_IN_RUN = """
select 1
from run_items
where item_no = $item_no
    and run_no = $run_no
limit 1
"""


class RunItemNumbers(NamedTuple):
    """Where an item of a run stands: the numbers of both, the item's cutter, the protocol."""

    run_no: int
    item_no: int
    cutter: str
    protocol: str


class Head(NamedTuple):
    """The number of an item, and how it was cut."""

    number: int
    cutter: str


def find_item(cursor: Cursor, item_id: str) -> Head | None:
    """Where an item stands in the store; None when there is no such item."""
    found = cursor.execute(_ITEM, {"item_id": item_id}).fetchall()
    return Head(*found[0]) if found else None


def find_standing(cursor: Cursor, run_id: str, item_id: str) -> RunItemNumbers | None:
    """Where an item of a run stands; None when the run was removed or has no such item."""
    item = find_item(cursor, item_id)
    runs = cursor.execute(_RUN, {"run_id": run_id}).fetchall()
    if item is None or not runs:
        return None
    (item_no, cutter), (run_no, protocol) = item, runs[0]
    if not cursor.execute(_IN_RUN, {"item_no": item_no, "run_no": run_no}).fetchall():
        return None
    return RunItemNumbers(run_no, item_no, cutter, protocol)
