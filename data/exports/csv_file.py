"""CSV: every cell quoted, none that a spreadsheet would run; lists are JSON inside their cell."""

import csv
import json
from datetime import datetime
from pathlib import Path
from typing import Any

from data.exports.rows import SCHEMA, Chosen
from data.guarded import guarded


def write_csv(chosen: Chosen, path: Path) -> int:
    count = 0
    # The mark at the beginning makes Excel read UTF-8; our importer skips it.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        writer.writerow(SCHEMA.names)
        for table in chosen.tables():
            columns = [each.to_pylist() for each in table.columns]
            cells = [[guarded(as_text(cell)) for cell in column] for column in columns]
            writer.writerows(zip(*cells, strict=True))
            count += table.num_rows
    return count


def as_text(cell: Any) -> str:
    """A cell's text; a missing value is empty, as is an empty list."""
    if cell is None or cell == []:
        return ""
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    if isinstance(cell, datetime):
        return cell.isoformat()
    return str(cell)
