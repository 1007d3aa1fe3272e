"""Write CSV files: all cells quoted, formulas neutralized, lists encoded as JSON."""

import csv
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.exporting.rows import SCHEMA, ExportContent
from faithfulness.text.csv_injection import guard_cell


def write_csv(chosen: ExportContent, path: Path) -> int:
    return write_tables_csv(SCHEMA, chosen.tables(), path)


def write_tables_csv(schema: pa.Schema, tables: Iterable[pa.Table], path: Path) -> int:
    count = 0
    # The mark at the beginning makes Excel read UTF-8; our importer skips it.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        writer.writerow(schema.names)
        for table in tables:
            columns = [each.to_pylist() for each in table.columns]
            cells = [[_format_cell(cell) for cell in column] for column in columns]
            writer.writerows(zip(*cells, strict=True))
            count += table.num_rows
    return count


def _format_cell(cell: Any) -> str:
    # A number cannot be a formula, and an apostrophe before a minus would make it a word.
    return str(cell) if isinstance(cell, int | float) else guard_cell(format_cell_text(cell))


def format_cell_text(cell: Any) -> str:
    """A cell's text; a missing value is empty, as is an empty list."""
    if cell is None or cell == []:
        return ""
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    if isinstance(cell, datetime):
        return cell.isoformat()
    return str(cell)
