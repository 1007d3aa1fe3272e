"""Parquet: the rows with their types, for programs."""

from pathlib import Path

import pyarrow.parquet

from data.exports.rows import SCHEMA, Chosen


def write_parquet(chosen: Chosen, path: Path) -> int:
    count = 0
    with pyarrow.parquet.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for table in chosen.tables():
            writer.write_table(table)
            count += table.num_rows
    return count
