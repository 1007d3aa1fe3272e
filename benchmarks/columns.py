"""Columns of an import made in memory, and their streams in the folder that the store reads."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from data.importing import import_tables


def same(text: str, count: int) -> pa.Array:
    return pa.array([text]).take(pa.array(np.zeros(count, int)))


def empty(name: str, count: int) -> pa.Array:
    """Lists of the annotations' column of this name, with nothing in any of them."""
    kind = import_tables.SCHEMAS["annotations"].field(name).type
    offsets = pa.array(np.zeros(count + 1, np.int32))
    return pa.ListArray.from_arrays(offsets, pa.array([], kind.value_type)).cast(kind)


def write(folder: Path, table: str, columns: dict[str, object]) -> None:
    schema = import_tables.SCHEMAS[table]
    arrays = [
        columns[each.name].cast(each.type)
        if isinstance(columns[each.name], pa.Array)
        else pa.array(columns[each.name], each.type)
        for each in schema
    ]
    import_tables.write_table(folder, table, pa.Table.from_arrays(arrays, schema=schema))
