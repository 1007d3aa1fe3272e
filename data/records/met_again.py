"""Met again: how many items of a prepared import stand in earlier runs already."""

from pathlib import Path
from typing import NamedTuple

from data import handover
from data.store import Store

# An item outlives its runs; what was answered about it in a removed one is in no question.
_STANDING = """
select count(*)
from items
where item_id in (select unnest($item_ids::varchar[]))
    and item_no in (
        select item_no
        from run_items
        where run_no not in (select run_no from run_removals)
    )
"""


class Met(NamedTuple):
    """The items of an import, and those of them that a run has which is not removed."""

    items: int
    stored: int


def met_again(store: Store, folder: Path) -> Met:
    """Counts the items of the import that was prepared in this folder."""
    ids = handover.Prepared(folder).tables["run_items"]["item_id"].unique().to_pylist()
    with store.read() as cursor:
        found = cursor.execute(_STANDING, {"item_ids": ids}).fetchall()
    return Met(len(ids), int(found[0][0]))
