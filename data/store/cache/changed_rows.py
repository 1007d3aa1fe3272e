"""Fetch the rows of a few changed items once, so that several queries can share them."""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import pyarrow as pa

from data.store.cache.changes import Stamp
from data.store.cache.item_filter_sql import between, narrowed
from data.store.cache.single_flight import Turns
from data.store.engine import Cursor
from data.store.store import Store

# Fewer items lie in few blocks of the file, and each question finds them there as fast. More are
# not kept at hand.
FEWEST, MOST = 8, 300
KEPT_BYTES = 16 * 2**20
# The tables with most rows. Of their items' rows nothing is left out, so that a question that is
# narrowed to items finds the same in them; one about everything must not see them.
TABLES = ("annotations", "excerpts")
_ROWS = {name: f"select * from {name} where {{of_items}}" for name in TABLES}  # noqa: S608


class _Lent(NamedTuple):
    """Rows of some items, as of a state of the store or newer."""

    stamp: Stamp
    items: frozenset[int]
    tables: dict[str, pa.Table]


_lent: WeakKeyDictionary[Store, _Lent] = WeakKeyDictionary()
_turns = Turns()


def lend(store: Store, cursor: Cursor, stamp: Stamp, items: Sequence[int] | None) -> None:
    """Let this cursor find the rows of these items, and no others, where that is faster.

    Pages that want other answers after the same write share them: each scan of a large table for
    scattered items reads most of it.
    """
    if items is None or not FEWEST <= len(items) <= MOST:
        return
    with _turns.of(id(store)):
        found = _lent.get(store)
        if found is None or found.stamp != stamp or not found.items.issuperset(items):
            found = _fetched(cursor, stamp, items, found)
            if sum(each.nbytes for each in found.tables.values()) <= KEPT_BYTES:
                _lent[store] = found
    for name, rows in found.tables.items():
        cursor.register(name, rows)


def _fetched(cursor: Cursor, stamp: Stamp, items: Sequence[int], before: _Lent | None) -> _Lent:
    # With those that others asked for since the same write, who may want more; those of an older
    # state would all have to be fetched again, which takes longer than what is wanted alone.
    wanted = frozenset(items)
    if before is not None and before.stamp == stamp and len(before.items | wanted) <= MOST:
        wanted |= before.items
    asked = between(sorted(wanted))
    tables = {
        name: cursor.execute(narrowed(_ROWS[name], wanted), asked).to_arrow_table()
        for name in TABLES
    }
    return _Lent(stamp, wanted, tables)
