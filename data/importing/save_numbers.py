"""Map the ids in a prepared import to the store's row numbers with vectorized column operations.

An import names items, units, runs and annotators by text in every row. Each distinct text is
looked up once in a short list of values; the rest is arithmetic on whole columns. Joining on the
texts took most of the time of an import. A reference to an unknown row becomes null, violates a
`not null` constraint and rolls back the import.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.importing import save_sql as sql
from data.store.engine import Cursor
from faithfulness.model.vocabulary import AuthorKind

_BETWEEN = "\x1f"  # in no author's kind
_BEHIND = 2**40  # more than there will be authors


class Placed:
    """The rows of one table with their numbers, and whether they already lie in order."""

    def __init__(self, table: pa.Table, *keys: pa.Array) -> None:
        """Rows are to lie in the order of the keys, and rows with equal keys as they came."""
        self._table = table
        columns = [_convert_to_numpy(key) for key in keys]
        self.is_sorted = _is_ascending(columns)
        if self.is_sorted:
            self.nth = np.arange(table.num_rows, dtype=np.int64)
        else:
            self.nth = np.empty(table.num_rows, dtype=np.int64)
            self.nth[np.lexsort(columns[::-1])] = np.arange(table.num_rows, dtype=np.int64)

    def with_columns(self, first: int, **columns: pa.Array) -> pa.Table:
        """The table with these columns, and as `number` what each row counts, from `first` on."""
        table = self._table
        for name, column in {"number": pa.array(self.nth + first), **columns}.items():
            table = table.append_column(name, column)
        return table


class Numbering:
    """The numbers of one import's runs, items, units and authors."""

    def __init__(self, cursor: Cursor, tables: Mapping[str, pa.Table]) -> None:
        self._cursor = cursor
        self._tables = tables
        named = [*tables["items"]["item_id"].chunks, *tables["run_items"]["item_id"].chunks]
        self.item_ids = pc.unique(pa.chunked_array(named, pa.string()))
        register_columns(
            cursor, "named_items", {"item_id": self.item_ids, "nth": _number_rows(self.item_ids)}
        )
        found = cursor.execute(sql.KNOWN_ITEMS).to_arrow_table()
        self.known_items = found.num_rows
        self._item_numbers = _spread_numbers(len(self.item_ids), found["nth"], found["item_no"])

    def last(self, question: str) -> int:
        """The highest number given out so far."""
        return int(self._cursor.execute(question).fetchall()[0][0])

    def item_rows(self, table: str) -> pa.Array:
        """For every row the place of its item among the items of this import."""
        return _find_places(self._tables[table]["item_id"], self.item_ids)

    def items(self, rows: pa.Array) -> pa.Array:
        return self._item_numbers.take(rows)

    def new_items(self) -> pa.Table:
        """Items that the store does not have, each once, numbered in their order."""
        items = self._tables["items"]
        rows = self.item_rows("items")
        is_new = pc.is_null(self.items(rows))
        chosen = filter_rows(items, pc.and_(is_new, find_first_of_each(rows)))
        numbers = pa.array(self.last(sql.LAST_ITEM) + 1 + np.arange(chosen.num_rows))
        places = _find_places(chosen["item_id"], self.item_ids)
        added = _spread_numbers(len(self.item_ids), places, numbers)
        self.is_new = added.is_valid()
        self._item_numbers = pc.coalesce(self._item_numbers, added)
        return chosen.append_column("number", numbers)

    def authors(self) -> None:
        """Bring in the authors that the store does not have."""
        signing = [self._signed(name) for name in ("annotations", "replies", "summaries")]
        chunks = [chunk for each in signing for chunk in each.chunks]
        self._authors = pc.unique(pa.chunked_array(chunks, pa.string())).drop_null()
        pairs = [name.partition(_BETWEEN) for name in self._authors.to_pylist()]
        columns = {
            "kind": pa.array([kind for kind, _, _ in pairs], pa.string()),
            "name": pa.array([name for _, _, name in pairs], pa.string()),
            "nth": _number_rows(self._authors),
        }
        register_columns(self._cursor, "signing", columns)
        self._cursor.execute(sql.AUTHORS).fetchall()
        found = self._cursor.execute(sql.AUTHOR_NUMBERS).to_arrow_table()
        self._author_numbers = _spread_numbers(len(pairs), found["nth"], found["author_no"])

    def authors_of(self, table: str) -> pa.Array:
        return self._author_numbers.take(_find_places(self._signed(table), self._authors))

    def turns(self, authors: pa.Array) -> pa.Array:
        """The order of annotations on one unit: decisions come behind all that they settle."""
        if not self._tables["decisions"].num_rows:
            return authors
        settles = pc.equal(self._tables["annotations"]["author_kind"], AuthorKind.ADJUDICATOR.value)
        return pc.add(authors, pc.multiply(settles.cast(pa.int64()), _BEHIND))

    def runs(self) -> None:
        found = self._cursor.execute(sql.RUN_NUMBERS).to_arrow_table()
        self._run_keys, self._run_numbers = found["run_key"], _combine_chunks(found["run_no"])

    def runs_of(self, table: str) -> pa.Array:
        return self._run_numbers.take(_find_places(self._tables[table]["run_key"], self._run_keys))

    def unit_keys(self, table: str) -> pa.Array:
        """For every row one number that stands for its item and the unit's id."""
        codes = _find_places(self._tables[table]["unit_id"], self._unit_ids)
        return self._unit_key(self.item_rows(table), codes)

    def units(self) -> None:
        """Read the units that stored items of this import already have."""
        found = self._cursor.execute(sql.KNOWN_UNITS).to_arrow_table()
        named = [*self._tables["units"]["unit_id"].chunks, *found["unit_id"].chunks]
        self._unit_ids = pc.unique(pa.chunked_array(named, pa.string()))
        codes = _find_places(found["unit_id"], self._unit_ids)
        self._unit_keys = self._unit_key(_combine_chunks(found["nth"]), codes)
        self._unit_numbers = _combine_chunks(found["unit_no"]).cast(pa.int64())

    def is_new_unit(self, keys: pa.Array) -> pa.Array:
        return pc.is_null(_find_places(keys, self._unit_keys))

    def add_units(self, keys: pa.Array, numbers: pa.Array) -> None:
        self._unit_keys = pa.concat_arrays([self._unit_keys, keys])
        self._unit_numbers = pa.concat_arrays([self._unit_numbers, numbers])

    def units_of(self, table: str) -> pa.Array:
        return self._unit_numbers.take(_find_places(self.unit_keys(table), self._unit_keys))

    def _unit_key(self, item_rows: pa.Array, codes: pa.Array) -> pa.Array:
        return pc.add(pc.multiply(item_rows.cast(pa.int64()), max(len(self._unit_ids), 1)), codes)

    def _signed(self, table: str) -> pa.ChunkedArray:
        rows = self._tables[table]
        return pc.binary_join_element_wise(rows["author_kind"], rows["author"], _BETWEEN)


def register_columns(cursor: Cursor, name: str, columns: Mapping[str, pa.Array]) -> None:
    cursor.register(f"incoming_{name}", pa.table(dict(columns)))


def filter_rows(rows: Any, which: pa.Array) -> Any:
    """The rows asked for; all of them without the copy that filtering makes."""
    return rows if pc.all(which).as_py() else rows.filter(which)


def find_first_of_each(keys: pa.Array) -> pa.Array:
    """Whether a row is the first with its key."""
    values = _convert_to_numpy(keys)
    if len(values) < 2 or (values[1:] > values[:-1]).all():
        return pa.array(np.ones(len(values), dtype=bool))
    is_first = np.zeros(len(values), dtype=bool)
    is_first[np.unique(values, return_index=True)[1]] = True
    return pa.array(is_first)


def find_row_places(wanted: pa.ChunkedArray, rows: pa.ChunkedArray) -> pa.Array:
    """Where the annotations with these row numbers stand."""
    numbers = _convert_to_numpy(_combine_chunks(rows))
    if (numbers == np.arange(len(numbers))).all():
        known = pc.less(wanted, len(numbers))
        return _combine_chunks(pc.if_else(known, wanted, None))
    return _find_places(wanted, rows)


def _find_places(named: Any, among: Any) -> pa.Array:
    """The place of each value in a list without doubles; null where it is not there."""
    return _combine_chunks(pc.index_in(named, value_set=_combine_chunks(among), skip_nulls=True))


def _combine_chunks(column: Any) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _number_rows(values: pa.Array) -> pa.Array:
    return pa.array(np.arange(len(values), dtype=np.int64))


def _spread_numbers(size: int, places: Any, numbers: Any) -> pa.Array:
    """A column of this size with the numbers in their places and null elsewhere."""
    filled = np.zeros(size, dtype=np.int64)
    is_missing = np.ones(size, dtype=bool)
    at = _combine_chunks(places).to_numpy(zero_copy_only=False)
    filled[at] = _combine_chunks(numbers).to_numpy(zero_copy_only=False)
    is_missing[at] = False
    return pa.array(filled, mask=is_missing)


def _convert_to_numpy(numbers: pa.Array) -> Any:
    """Numbers for comparing; what is missing comes first."""
    return pc.fill_null(_combine_chunks(numbers).cast(pa.int64()), -1).to_numpy(
        zero_copy_only=False
    )


def _is_ascending(columns: list[Any]) -> bool:
    """Whether rows are in the order of the columns, the first one deciding first."""
    if not columns or len(columns[0]) < 2:
        return True
    is_equal = np.ones(len(columns[0]) - 1, dtype=bool)
    for column in columns:
        steps = np.diff(column)
        if (is_equal & (steps < 0)).any():
            return False
        is_equal &= steps == 0
    return True
