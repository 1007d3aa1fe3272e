"""Write Parquet files, which keep the column types of an export."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from data.exporting.rows import SCHEMA, ExportContent


def write_parquet(chosen: ExportContent, path: Path) -> int:
    return write_tables_parquet(SCHEMA, chosen.tables(), path)


def write_tables_parquet(schema: pa.Schema, tables: Iterable[pa.Table], path: Path) -> int:
    count = 0
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)
            count += table.num_rows
    return count
