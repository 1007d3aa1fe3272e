"""Save a prepared import as runs, items and annotations in one transaction."""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.importing import import_tables
from data.importing import save_sql as sql
from data.importing.annotator_kinds import save_annotator_kinds
from data.importing.known_files import query_known_files
from data.importing.save_numbers import (
    Numbering,
    Placed,
    filter_rows,
    find_first_of_each,
    find_row_places,
)
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, ImportRefused

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
    manifest = json.loads((folder / import_tables.MANIFEST).read_text(encoding="utf-8"))
    prepared = import_tables.Prepared(folder)
    tables = prepared.tables
    _check_rows(tables["annotations"])
    run_ids = [_short_hash(operation_id, key) for key in tables["runs"]["run_key"].to_pylist()]
    facts = {
        "import_id": _short_hash(operation_id, "import"),
        "operation_id": operation_id,
        "importer": str(manifest["importer"]),
        "is_sample": is_sample,
        "now": datetime.now(UTC).replace(tzinfo=None),
    }

    def work(cursor: Cursor) -> tuple[str, ...]:
        cursor.register("incoming_files", _build_files_table(manifest))
        _refuse_known_files(cursor, manifest)
        saving = _Saving(cursor, prepared, facts)
        saving.imports(run_ids)
        saving.items()
        saving.annotations()
        save_annotator_kinds(cursor, manifest.get("annotator_kinds", {}), operation_id)
        return tuple(run_ids)

    try:
        about = ", ".join(str(each["name"]) for each in manifest["files"])
        saved = store.write(operation_id, "import", work, about=about, is_bulk=True)
    except AlreadyDone:
        logger.info("import %s was already stored", facts["import_id"])
        return tuple(run_ids)
    logger.info(
        "import %s stored: %s runs, %s items, %s annotations",
        facts["import_id"],
        tables["runs"].num_rows,
        tables["items"].num_rows,
        tables["annotations"].num_rows,
    )
    return saved


def _check_rows(annotations: pa.Table) -> None:
    rows = annotations["row"]
    if (rows.to_numpy() == np.arange(len(rows))).all():
        return
    if len(rows) != pc.count_distinct(rows).as_py():
        raise ValueError("two annotations of a prepared import have the same row number")


def _build_files_table(manifest: dict[str, Any]) -> pa.Table:
    files = manifest["files"]
    return pa.table(
        {
            "file_name": pa.array([each["name"] for each in files], pa.string()),
            "content_sha256": pa.array([each["sha256"] for each in files], pa.string()),
            "bytes": pa.array([each["bytes"] for each in files], pa.int64()),
        }
    )


def _short_hash(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode("utf-8")).hexdigest()[:12]


def _refuse_known_files(cursor: Cursor, manifest: dict[str, Any]) -> None:
    names = {str(each["sha256"]): str(each["name"]) for each in manifest["files"]}
    for known in query_known_files(cursor, names)[:1]:
        run_id, run_name = next(iter(known.runs.items()))
        raise ImportRefused(
            f"{known.in_words}, first run “{run_name}” ({run_id}). "
            "Look at that run, or remove what was imported before importing the file again: "
            f"{known.way_back}"
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


class _Saving:
    """One import on its way into the store, table by table."""

    def __init__(
        self, cursor: Cursor, prepared: import_tables.Prepared, facts: Mapping[str, Any]
    ) -> None:
        self._cursor = cursor
        self._prepared = prepared
        self._tables = prepared.tables
        self._facts = facts
        self._numbers = Numbering(cursor, prepared.tables)

    def imports(self, run_ids: Sequence[str]) -> None:
        runs = self._tables["runs"]
        nth = pa.array(np.arange(runs.num_rows, dtype=np.int64))
        runs = runs.append_column("run_id", pa.array(run_ids, pa.string()))
        self._cursor.register("incoming_runs", runs.append_column("nth", nth))
        for statement in (sql.IMPORT, sql.FILES, sql.RUNS):
            self._execute(statement)
        self._numbers.runs()

    def items(self) -> None:
        """Items the store does not have, and units that a stored item gains."""
        numbers = self._numbers
        numbers.units()
        keys = numbers.unit_keys("units")
        self._check_cuts(keys)
        self._insert("items", numbers.new_items(), sql.ITEMS)
        self._insert_fields()
        units = self._tables["units"]
        chosen = pc.and_(numbers.is_new_unit(keys), find_first_of_each(keys))
        units, keys = filter_rows(units, chosen), filter_rows(keys, chosen)
        items = numbers.items(filter_rows(numbers.item_rows("units"), chosen))
        placed = Placed(units, items, units["position"])
        table = placed.with_columns(numbers.last(sql.LAST_UNIT) + 1, item_no=items)
        numbers.add_units(keys, table["number"].combine_chunks())
        self._insert("units", table, sql.UNITS, placed)
        self._insert_unit_findings()

    def annotations(self) -> None:
        """Everything that is said about the items."""
        numbers = self._numbers
        numbers.authors()
        self._insert_run_items()
        annotations = self._tables["annotations"]
        items = numbers.items(numbers.item_rows("annotations"))
        units = numbers.units_of("annotations")
        authors = numbers.authors_of("annotations")
        placed = Placed(annotations, items, units, numbers.turns(authors))
        table = placed.with_columns(
            numbers.last(sql.LAST_ANNOTATION) + 1,
            run_no=numbers.runs_of("annotations"),
            item_no=items,
            unit_no=units,
            author_no=authors,
        )
        self._insert("annotations", table, sql.ANNOTATIONS, placed)
        self._insert_excerpts(table)
        self._insert_findings(table)
        self._insert_decisions(table)
        self._insert_signed("replies", sql.REPLIES, 0)
        self._insert_signed("summaries", sql.SUMMARIES, numbers.last(sql.LAST_SUMMARY) + 1)

    def _check_cuts(self, keys: pa.Array) -> None:
        """Both questions are long and rarely have anything to find."""
        self._cursor.register("incoming_units", self._tables["units"])
        if not pc.all(find_first_of_each(keys)).as_py():
            _refuse_two_cuts(self._cursor)
        if self._numbers.known_items:
            _refuse_other_cuts(self._cursor)

    def _insert_fields(self) -> None:
        numbers, fields = self._numbers, self._tables["fields"]
        rows = numbers.item_rows("fields")
        names = fields["name"].combine_chunks().dictionary_encode()
        keys = pc.add(pc.multiply(rows.cast(pa.int64()), len(names.dictionary)), names.indices)
        is_new = pc.fill_null(numbers.is_new.take(rows), True)  # of no item: to be refused
        chosen = pc.and_(is_new, find_first_of_each(keys))
        fields, items = filter_rows(fields, chosen), filter_rows(numbers.items(rows), chosen)
        placed = Placed(fields, items, fields["position"])
        self._insert("fields", placed.with_columns(0, item_no=items), sql.FIELDS, placed)

    def _insert_unit_findings(self) -> None:
        found, read = self._tables["unit_findings"], self._tables["checked_items"]
        numbers = self._numbers
        found = found.append_column("item_no", numbers.items(numbers.item_rows("unit_findings")))
        found = found.append_column("unit_no", numbers.units_of("unit_findings"))
        read = read.append_column("item_no", numbers.items(numbers.item_rows("checked_items")))
        self._insert("unit_findings", found, sql.UNIT_FINDINGS)
        self._insert("checked_items", read, sql.CHECKED_ITEMS)

    def _insert_run_items(self) -> None:
        numbers = self._numbers
        for name, statement in (("run_items", sql.RUN_ITEMS), ("further_ids", sql.FURTHER_IDS)):
            rows = self._tables[name]
            runs = numbers.runs_of(name)
            items = numbers.items(numbers.item_rows(name))
            placed = Placed(rows, runs, rows["position"])
            table = placed.with_columns(0, run_no=runs, item_no=items)
            self._insert(name, table, statement, placed)

    def _insert_excerpts(self, annotations: pa.Table) -> None:
        excerpts = self._tables["excerpts"]
        places = find_row_places(excerpts["row"], annotations["row"])
        number = annotations["number"].combine_chunks().take(places)
        items = annotations["item_no"].combine_chunks().take(places)
        placed = Placed(excerpts.drop_columns(["item_id"]), number, excerpts["position"])
        table = placed.with_columns(0, annotation_no=number, item_no=items)
        self._insert("excerpts", table, sql.EXCERPTS, placed)

    def _insert_findings(self, annotations: pa.Table) -> None:
        findings = self._tables["findings"]
        places = find_row_places(findings["row"], annotations["row"])
        columns = {"annotation_no": "number", "item_no": "item_no", "unit_no": "unit_no"}
        taken = {to: annotations[of].combine_chunks().take(places) for to, of in columns.items()}
        placed = Placed(findings, taken["annotation_no"])
        self._insert("findings", placed.with_columns(0, **taken), sql.FINDINGS, placed)

    def _insert_decisions(self, annotations: pa.Table) -> None:
        decisions = self._tables["decisions"]
        places = find_row_places(decisions["row"], annotations["row"])
        columns = {"annotation_no": "number", "item_no": "item_no"}
        taken = {to: annotations[of].combine_chunks().take(places) for to, of in columns.items()}
        placed = Placed(decisions, taken["annotation_no"])
        table = placed.with_columns(0, **taken)
        for statement in (sql.ADJUDICATIONS, sql.DECISION_FACTS, sql.PROPOSALS):
            self._insert("decisions", table, statement, placed)

    def _insert_signed(self, name: str, statement: str, first: int) -> None:
        numbers = self._numbers
        runs, authors = numbers.runs_of(name), numbers.authors_of(name)
        items = numbers.items(numbers.item_rows(name))
        keys = (items,) if name == "replies" else (runs, items, authors)
        placed = Placed(self._tables[name], *keys)
        table = placed.with_columns(first, run_no=runs, item_no=items, author_no=authors)
        self._insert(name, table, statement, placed)

    def _insert(
        self, name: str, table: pa.Table, statement: str, placed: Placed | None = None
    ) -> None:
        if not table.num_rows:
            return
        self._cursor.register(f"incoming_{name}", table)
        in_order = placed is None or placed.is_sorted
        self._execute(statement if in_order else statement + sql.IN_ORDER)
        self._prepared.let_go()  # it holds these rows itself now

    def _execute(self, statement: str) -> None:
        # The engine refuses parameters that a statement does not name.
        named = {name: value for name, value in self._facts.items() if f"${name}" in statement}
        self._cursor.execute(statement, named or None).fetchall()
