"""XLSX: every cell is text of type string, so that no cell can be a formula or a link."""

from pathlib import Path

import xlsxwriter

from data.exports.csv_file import as_text
from data.exports.rows import SCHEMA, Chosen
from data.guarded import for_excel
from faithfulness.errors import ReviewError

MOST_ROWS = 1_048_575  # of a sheet, below the header
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write_xlsx(chosen: Chosen, path: Path) -> int:
    count = 0
    with xlsxwriter.Workbook(str(path), _OPTIONS) as book:
        sheet = book.add_worksheet("answers")
        for column, name in enumerate(SCHEMA.names):
            sheet.write_string(0, column, name)
        for table in chosen.tables():
            if count + table.num_rows > MOST_ROWS:
                raise ReviewError(
                    f"An Excel sheet holds {MOST_ROWS:,} rows and this export has more. "
                    "Choose fewer runs, or export CSV or Parquet."
                )
            columns = [each.to_pylist() for each in table.columns]
            for row in zip(*columns, strict=True):
                count += 1
                for column, cell in enumerate(row):
                    if text := for_excel(as_text(cell)):
                        sheet.write_string(count, column, text)
    return count
