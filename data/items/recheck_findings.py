"""Run the checks on items that the current version of the checks has not processed."""

from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa

from data.importing import save_sql as sql
from data.importing.import_tables import SCHEMAS
from data.items.loading import query_items
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks.against import VERSION, collect_counterevidence
from faithfulness.model.vocabulary import Item

BLOCK = 500  # items: a writer waits for one block, never for the whole store

_COUNT = """
select count(*) - count(c.item_no), count(*)
from items i
left join (
    select distinct item_no
    from checked_items
    where checks_version >= $version
) c on c.item_no = i.item_no
"""
_NEXT = """
select i.item_no, i.item_id
from items i
where not exists (
    select 1
    from checked_items c
    where c.item_no = i.item_no
        and c.checks_version >= $version
)
order by i.item_no
limit $block
"""
_UNITS = """
select item_no, unit_id, unit_no
from units
where item_no between $first and $last
"""
_STORED = "select count(*) from unit_findings where checks_version = $version"


def count_unchecked_items(store: Store) -> tuple[int, int]:
    """How many items the checks of this version have not looked at, and how many there are."""
    with store.read() as cursor:
        unchecked, items = cursor.execute(_COUNT, {"version": VERSION}).fetchall()[0]
    return int(unchecked), int(items)


def recheck_items(store: Store, *, operation_id: str) -> int:
    """Read every item that this version's checks have not looked at; gives how much they found.

    Block after block, each kept by itself: what was read stays read if the rest is interrupted.
    """
    count = 0
    while block := _load_next_block(store):
        tables = block.read()
        operation = f"{operation_id}.{block.numbers[block.items[0].id]}"
        count += store.write(operation, "findings", partial(_store_findings, tables=tables))
    return count


def _load_next_block(store: Store) -> "_ItemBlock | None":
    with store.read() as cursor:
        asked = {"version": VERSION, "block": BLOCK}
        numbers = {each: number for number, each in cursor.execute(_NEXT, asked).fetchall()}
        if not numbers:
            return None
        near = {"first": min(numbers.values()), "last": max(numbers.values())}
        units = {(item, unit): no for item, unit, no in cursor.execute(_UNITS, near).fetchall()}
        return _ItemBlock(list(query_items(cursor, list(numbers)).values()), numbers, units)


class _ItemBlock(NamedTuple):
    """Items that wait to be read, with the store's numbers of them and of their units."""

    items: list[Item]
    numbers: dict[str, int]
    units: dict[tuple[int, str], int]

    def read(self) -> dict[str, pa.Table]:
        """What the checks find, as an import would hand it over; the store is not held open."""
        found, read = [], []
        for item in self.items:
            at = self.numbers[item.id]
            read.append((item.id, VERSION, at))
            found += [(item.id, *each, VERSION, at, self.units[at, each.unit_id])
                      for each in collect_counterevidence(item)]  # fmt: skip
        return {
            "unit_findings": _build_table("unit_findings", found, "item_no", "unit_no"),
            "checked_items": _build_table("checked_items", read, "item_no"),
        }


def _build_table(name: str, rows: list[tuple[Any, ...]], *numbers: str) -> pa.Table:
    schema = SCHEMAS[name]
    for number in numbers:
        schema = schema.append(pa.field(number, pa.int32()))
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def _store_findings(cursor: Cursor, tables: dict[str, pa.Table]) -> int:
    for name, table in tables.items():
        cursor.register(f"incoming_{name}", table)
    before = _count_stored_findings(cursor)
    cursor.execute(sql.UNIT_FINDINGS)
    cursor.execute(sql.CHECKED_ITEMS)
    return _count_stored_findings(cursor) - before


def _count_stored_findings(cursor: Cursor) -> int:
    return int(cursor.execute(_STORED, {"version": VERSION}).fetchall()[0][0])
