"""Saving: a prepared import becomes runs, items and annotations, whole or not at all."""

import hashlib
import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from data import handover
from data.engine import Cursor
from data.records import saving_sql as sql
from data.store import Store
from faithfulness.errors import AlreadyDone, ImportRefused

logger = logging.getLogger(__name__)

_NAMED_IN_MESSAGE = 3


class CutDiffers(ImportRefused):
    """Items of this import are stored with other sentences; prepare again with `known_items`."""

    def __init__(self, item_ids: tuple[str, ...]) -> None:
        self.item_ids = item_ids
        shown = ", ".join(item_ids[:_NAMED_IN_MESSAGE])
        super().__init__(
            f"{len(item_ids)} items of this import are already stored with their sentences cut "
            f"differently ({shown}). Prepare the import again; the stored sentences are then used."
        )


def save_import(
    store: Store, folder: Path, *, operation_id: str, is_sample: bool = False
) -> tuple[str, ...]:
    """Store a prepared import whole and return the ids of its runs.

    Sent again with the same operation id it stores nothing and returns the same ids.

    Raises:
        ImportRefused: a file of it is already stored, in a run that was not removed.
        CutDiffers: an item is already stored with other sentences.
    """
    manifest = json.loads((folder / handover.MANIFEST).read_text(encoding="utf-8"))
    tables = {name: _counted(handover.read_table(folder, name)) for name in handover.SCHEMAS}
    _check_rows(tables["annotations"])
    run_ids = _run_ids(operation_id, tables["runs"])
    facts = {
        "import_id": _short_hash(operation_id, "import"),
        "operation_id": operation_id,
        "importer": str(manifest["importer"]),
        "is_sample": is_sample,
        "now": datetime.now(UTC).replace(tzinfo=None),
    }

    def work(cursor: Cursor) -> tuple[str, ...]:
        _register(cursor, tables | {"files": _files(manifest), "run_ids": run_ids})
        _refuse_known_files(cursor)
        _refuse_two_cuts(cursor)
        _refuse_other_cuts(cursor)
        for statement in sql.IN_ORDER:
            _run(cursor, statement, facts)
        return tuple(run_ids["run_id"].to_pylist())

    try:
        about = ", ".join(str(each["name"]) for each in manifest["files"])
        saved = store.write(operation_id, "import", work, about=about)
    except AlreadyDone:
        logger.info("import %s was already stored", facts["import_id"])
        return tuple(run_ids["run_id"].to_pylist())
    logger.info(
        "import %s stored: %s runs, %s items, %s annotations",
        facts["import_id"],
        tables["runs"].num_rows,
        tables["items"].num_rows,
        tables["annotations"].num_rows,
    )
    return saved


def _run(cursor: Cursor, statement: str, facts: dict[str, Any]) -> None:
    # The engine refuses parameters that a statement does not name.
    named = {name: value for name, value in facts.items() if f"${name}" in statement}
    cursor.execute(statement, named or None).fetchall()


def _register(cursor: Cursor, tables: dict[str, pa.Table]) -> None:
    for name, table in tables.items():
        cursor.register(f"incoming_{name}", table)


def _counted(table: pa.Table) -> pa.Table:
    """The table with the place of each row, because SQL does not promise to keep an order."""
    return table.append_column("nth", pa.array(np.arange(table.num_rows, dtype=np.int64)))


def _check_rows(annotations: pa.Table) -> None:
    rows = annotations["row"]
    if len(rows) != pa.compute.count_distinct(rows).as_py():
        raise ValueError("two annotations of a prepared import have the same row number")


def _files(manifest: dict[str, Any]) -> pa.Table:
    files = manifest["files"]
    return pa.table(
        {
            "file_name": pa.array([each["name"] for each in files], pa.string()),
            "content_sha256": pa.array([each["sha256"] for each in files], pa.string()),
            "bytes": pa.array([each["bytes"] for each in files], pa.int64()),
        }
    )


def _run_ids(operation_id: str, runs: pa.Table) -> pa.Table:
    """An id for every run: the same in a retry, another one in a later import of the file."""
    keys = runs["run_key"].to_pylist()
    ids = [_short_hash(operation_id, key) for key in keys]
    return pa.table({"run_key": pa.array(keys, pa.string()), "run_id": pa.array(ids, pa.string())})


def _short_hash(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode("utf-8")).hexdigest()[:12]


def _refuse_known_files(cursor: Cursor) -> None:
    found = cursor.execute(sql.KNOWN_FILES).fetchall()
    if found:
        file_name, first_name, imported_at, run_name, run_id = found[0]
        as_what = "" if first_name == file_name else f" as {first_name}"
        raise ImportRefused(
            f"{file_name} is already in the store: imported on {imported_at:%Y-%m-%d %H:%M} UTC"
            f"{as_what}, first run “{run_name}” ({run_id}). "
            "Look at that run, or remove its runs before importing the file again."
        )


def _refuse_two_cuts(cursor: Cursor) -> None:
    found = cursor.execute(sql.CUT_IN_TWO_WAYS).fetchall()
    if found:
        raise ImportRefused(
            f"These files cut the same text into sentences in two ways (item {found[0][0]}, unit "
            f"{found[0][1]}). Import them one after the other; the first cut is then kept."
        )


def _refuse_other_cuts(cursor: Cursor) -> None:
    found = cursor.execute(sql.CUT_DIFFERENTLY).fetchall()
    if found:
        raise CutDiffers(tuple(row[0] for row in found))
