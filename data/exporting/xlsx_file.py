"""Write XLSX files; texts become string cells, so that no cell can hold a formula or a link."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.exporting.csv_file import format_cell_text
from data.exporting.rows import SCHEMA, ExportContent
from faithfulness.model.errors import ReviewError
from faithfulness.text.csv_injection import clean_excel_text

MOST_ROWS = 1_048_575  # of a sheet, below the header
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write_xlsx(chosen: ExportContent, path: Path) -> int:
    return write_tables_xlsx(SCHEMA, chosen.tables(), path, sheet="answers")


def write_tables_xlsx(
    schema: pa.Schema, tables: Iterable[pa.Table], path: Path, *, sheet: str, typed: bool = False
) -> int:
    """Write the tables under each other; numbers stay numbers where `typed`, else are text."""
    import xlsxwriter  # here, because its import takes longer than most commands

    count = 0
    with xlsxwriter.Workbook(str(path), _OPTIONS) as book:
        cells = book.add_worksheet(sheet)
        for column, name in enumerate(schema.names):
            cells.write_string(0, column, name)
        for table in tables:
            if count + table.num_rows > MOST_ROWS:
                raise ReviewError(
                    f"An Excel sheet holds {MOST_ROWS:,} rows and this export has more. "
                    "Choose fewer runs, or export CSV or Parquet."
                )
            columns = [each.to_pylist() for each in table.columns]
            for row in zip(*columns, strict=True):
                count += 1
                for column, cell in enumerate(row):
                    _write_cell(cells, count, column, cell, typed=typed)
    return count


def _write_cell(cells: Any, row: int, column: int, cell: Any, *, typed: bool) -> None:
    if typed and isinstance(cell, int | float) and not isinstance(cell, bool):
        cells.write_number(row, column, cell)
    elif text := clean_excel_text(format_cell_text(cell)):
        cells.write_string(row, column, text)
