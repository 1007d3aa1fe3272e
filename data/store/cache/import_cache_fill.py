"""Hide an import from pages until it has been added to the cached results."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from weakref import WeakKeyDictionary

from data.store.engine import Cursor
from data.store.store import Store

_RUNS = """
select r.run_no
from imports i
join runs r on r.import_id = i.import_id
where i.operation_id = $operation_id
order by r.run_no
"""

_ITEMS = """
select distinct item_no
from run_items
where run_no in (select unnest($runs))
order by item_no
"""

_ITEMS_OF = """
select count(distinct i.item_no)
from run_items i
join runs r on r.run_no = i.run_no
where r.run_no in (select unnest($runs))
    and r.run_id in (select unnest($run_ids))
"""


class PendingImport:
    """One import by its operation; it has runs and items once it is stored."""

    def __init__(self, operation_id: str) -> None:
        self._operation_id = operation_id
        self._runs: tuple[int, ...] = ()
        self._items: list[int] = []
        self.is_left_out = False  # of an answer that somebody was given

    def runs(self, cursor: Cursor) -> Sequence[int]:
        if not self._runs:
            found = cursor.execute(_RUNS, {"operation_id": self._operation_id}).fetchall()
            self._runs = tuple(int(number) for (number,) in found)
        return self._runs

    def items(self, cursor: Cursor) -> list[int]:
        if not self._items and (runs := self.runs(cursor)):
            found = cursor.execute(_ITEMS, {"runs": [*runs]}).fetchall()
            self._items = [int(number) for (number,) in found]
        return self._items


_held: WeakKeyDictionary[Store, PendingImport] = WeakKeyDictionary()
_one_at_a_time = Lock()


def held_import(store: Store) -> PendingImport | None:
    """The import that is being stored or counted now."""
    return _held.get(store)


def still_counted(store: Store, run_ids: Sequence[str]) -> int:
    """How many items of these runs lists lack for a moment, because they are being counted."""
    held = held_import(store)
    if held is None or not run_ids or not (store.being_counted or held.is_left_out):
        return 0
    with store.read() as cursor:
        facts = {"runs": [*held.runs(cursor)], "run_ids": [*run_ids]}
        return int(cursor.execute(_ITEMS_OF, facts).fetchall()[0][0])


@contextmanager
def holding(store: Store, operation_id: str) -> Iterator[PendingImport]:
    """Hold an import back until this ends; the next one waits for it."""
    with _one_at_a_time:
        held = _held[store] = PendingImport(operation_id)
        try:
            yield held
        finally:
            del _held[store]
            store.being_counted = 0
            if held.is_left_out:
                store.versions.grow()  # what was made of those answers is made again
