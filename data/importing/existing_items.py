"""Count the items of a prepared import that are already in stored runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from data.importing import import_tables
from data.store.store import Store

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


class ExistingItems(NamedTuple):
    """The items of an import, and those of them that a run has which is not removed."""

    items: int
    stored: int


def count_existing_items(store: Store, folder: Path) -> ExistingItems:
    """Counts the items of the import that was prepared in this folder."""
    ids = list_prepared_items(folder)
    return ExistingItems(len(ids), count_stored_items(store, ids))


def list_prepared_items(folder: Path) -> list[str]:
    """The ids of the items of an import, each once."""
    ids = import_tables.Prepared(folder).tables["run_items"]["item_id"].unique().to_pylist()
    return [str(item_id) for item_id in ids]


def count_stored_items(store: Store, item_ids: Sequence[str]) -> int:
    """Counts those of these items that a run has which is not removed."""
    with store.read() as cursor:
        found = cursor.execute(_STANDING, {"item_ids": list(item_ids)}).fetchall()
    return int(found[0][0])
