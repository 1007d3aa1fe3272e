"""Cache the row numbers of a batch's items, so that storing replies needs fewer queries."""

from dataclasses import dataclass
from typing import NamedTuple

from data.items.append import AnswerTarget, build_missing_item_error
from data.items.loading import query_numbered_item
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.vocabulary import Item

# Only items that stand in the run: others are refused as if nothing had been looked up.
_OF_BATCH = """
select t.item_no, i.item_id, i.cutter, r.run_no, r.run_id, r.protocol, b.author_no
from batch_tasks t
join batches b on b.batch_id = t.batch_id
join runs r on r.run_no = b.run_no
join items i on i.item_no = t.item_no
join run_items n on n.item_no = t.item_no and n.run_no = b.run_no
where t.batch_id = $batch_id
"""

_IMPORTS = "select count(*) from imports"

_SINCE = """
select 0, count(*)
from run_removals
where run_no = $run_no
union all
select 1, count(*)
from imports
"""


class Numbers(NamedTuple):
    """The numbers of an item of a batch, its run and its judge, and what goes with them."""

    item_no: int
    item_id: str
    cutter: str
    run_no: int
    run_id: str
    protocol: str
    author_no: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedItem:
    """An item that a judge is asked about, with the numbers under which its reply is stored.

    They hold as long as the store stays open: what is put back after a failure of the engine may
    give out other numbers. The item holds until an import, which may bring it more units. The
    batch's prompt is stored before the first question.
    """

    opening: int
    imports: int
    numbers: Numbers
    item: Item
    units: dict[str, int]

    def holds(self, store: Store) -> bool:
        """Whether its numbers are still those of the store; asked inside a write."""
        return self.opening == store.openings

    def place(self, cursor: Cursor, operation_id: str) -> AnswerTarget | None:
        """Where answers go; None where something was imported since.

        Raises:
            ReviewError: the run was removed meanwhile.
        """
        known = self.numbers
        since = dict(cursor.execute(_SINCE, {"run_no": known.run_no}).fetchall())
        if since[0]:
            raise build_missing_item_error(known.run_id, known.item_id)
        if since[1] != self.imports:
            return None
        return AnswerTarget(
            operation_id=operation_id,
            run_id=known.run_id,
            item_id=known.item_id,
            run_no=known.run_no,
            item_no=known.item_no,
            author_no=known.author_no,
            settles=False,
            cutter=known.cutter,
            protocol=known.protocol,
        )


class AskedItems:
    """The items of one batch: their numbers are looked up once, each item when it is asked about.

    Older and other places are found by their ids, as everybody else's are.
    """

    def __init__(self, store: Store, batch_id: str) -> None:
        self._store = store
        self._opening = store.openings
        with store.read() as cursor:
            rows = cursor.execute(_OF_BATCH, {"batch_id": batch_id}).fetchall()
        self._numbers = {row[1]: Numbers(*row) for row in rows}

    def look_up(self, item_id: str) -> AskedItem | None:
        """The item as it is stored; None where its numbers are not known."""
        known = self._numbers.get(item_id)
        if known is None or self._opening != self._store.openings:
            return None
        with self._store.read() as cursor:
            # Before the item, so that what is imported between the two is noticed.
            imports = int(cursor.execute(_IMPORTS).fetchall()[0][0])
            item, units = query_numbered_item(cursor, known.item_no, item_id, known.cutter)
        return AskedItem(
            opening=self._opening, imports=imports, numbers=known, item=item, units=units
        )
