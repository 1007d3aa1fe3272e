"""Schemas, reader and writer for the Arrow tables of a prepared import.

They mirror the store's tables, with ids where the store assigns numbers. A prepared import is a
folder with one Arrow stream per table (`build_stream_path`) and a manifest. A table without rows
may be
missing. Rows may come in any order; an item that belongs to several runs appears in `items` once
or more, always with the same units.
"""

import mmap
from pathlib import Path

import pyarrow as pa

from faithfulness.model.vocabulary import Finding

MANIFEST = "manifest.json"

_TEXTS = pa.list_(pa.string())
_PIECE = pa.struct(
    [
        ("text", pa.string()),
        ("span_start", pa.int32()),
        ("span_end", pa.int32()),
        ("value", pa.string()),
        ("score", pa.float64()),
    ]
)
_SPAN = pa.struct([("field", pa.string()), ("span_start", pa.int32()), ("span_end", pa.int32())])

SCHEMAS: dict[str, pa.Schema] = {
    "runs": pa.schema(
        [
            ("run_key", pa.string()),  # names the run inside this import only
            ("name", pa.string()),
            ("protocol", pa.string()),
            ("system", pa.string()),
            ("details", pa.string()),  # JSON
        ]
    ),
    "items": pa.schema([("item_id", pa.string()), ("cutter", pa.string())]),
    "fields": pa.schema(
        [
            ("item_id", pa.string()),
            ("position", pa.int16()),
            ("name", pa.string()),
            ("kind", pa.string()),
            ("text", pa.string()),
        ]
    ),
    "units": pa.schema(
        [
            ("item_id", pa.string()),
            ("unit_id", pa.string()),
            ("position", pa.int32()),
            ("kind", pa.string()),
            ("field", pa.string()),
            ("span_start", pa.int32()),
            ("span_end", pa.int32()),
            ("text", pa.string()),  # null: the slice of the field
        ]
    ),
    "run_items": pa.schema(
        [
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("position", pa.int32()),
            ("external_id", pa.string()),
            ("attributes", pa.map_(pa.string(), pa.string())),
        ]
    ),
    "further_ids": pa.schema(  # of more records with the texts of a run's item
        [
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("position", pa.int32()),  # from 1 on; the first id stands in run_items
            ("external_id", pa.string()),
        ]
    ),
    "annotations": pa.schema(
        [
            ("row", pa.int64()),  # 0, 1, 2 … within this import; the tables below refer to it
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("unit_id", pa.string()),
            ("criterion", pa.string()),
            ("author_kind", pa.string()),
            ("author", pa.string()),
            ("value", pa.string()),
            ("problem", pa.string()),
            ("rationale", pa.string()),
            ("comment", pa.string()),
            ("confidence", pa.float64()),
            ("links", _TEXTS),
            ("checks", _TEXTS),
            ("pieces", pa.list_(_PIECE)),
            ("reply_id", pa.string()),
        ]
    ),
    "excerpts": pa.schema(
        [
            ("row", pa.int64()),
            ("item_id", pa.string()),
            ("position", pa.int16()),
            ("text", pa.string()),
            ("tier", pa.string()),
            ("coverage", pa.float64()),
            ("spans", pa.list_(_SPAN)),
        ]
    ),
    "findings": pa.schema(
        [
            ("row", pa.int64()),
            ("check_name", pa.string()),
            ("kind", pa.string()),
            ("unit_start", pa.int32()),
            ("unit_end", pa.int32()),
            ("source_field", pa.string()),
            ("source_start", pa.int32()),
            ("source_end", pa.int32()),
            ("says", pa.string()),
        ]
    ),
    "unit_findings": pa.schema(
        [
            *((name, pa.string()) for name in ("item_id", "unit_id", "check_name", "kind")),
            ("checks_version", pa.int32()),
        ]
    ),
    "checked_items": pa.schema([("item_id", pa.string()), ("checks_version", pa.int32())]),
    "decisions": pa.schema(
        [
            ("row", pa.int64()),
            ("reason", pa.string()),
            ("error_class", pa.string()),
            ("how", pa.string()),
            ("guidance", pa.string()),
            ("prompt", pa.string()),
            ("seconds", pa.float64()),
            ("section", pa.string()),
            ("wording", pa.string()),
        ]
    ),
    "replies": pa.schema(
        [
            ("reply_id", pa.string()),
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("author_kind", pa.string()),
            ("author", pa.string()),
            ("text", pa.string()),
            ("notes", _TEXTS),
            ("model", pa.string()),
            ("finish_reason", pa.string()),
            ("fingerprint", pa.string()),
            ("tokens_in", pa.int64()),
            ("tokens_out", pa.int64()),
            ("seconds", pa.float64()),
        ]
    ),
    "summaries": pa.schema(
        [
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("author_kind", pa.string()),
            ("author", pa.string()),
            ("name", pa.string()),
            ("value", pa.float64()),
            ("counted", pa.int32()),
            ("left_out", pa.int32()),
            ("parts", pa.map_(pa.string(), pa.float64())),
            ("given", pa.bool_()),
        ]
    ),
}


def list_finding_values(finding: Finding) -> tuple[str | int | None, ...]:
    """A Finding as the columns of its table after the row."""
    within, source = finding.within or (None, None), finding.source
    where = (None, None, None) if source is None else (source.field, source.start, source.end)
    return finding.check, finding.kind, *within, *where, finding.says


def build_stream_path(folder: Path, table: str) -> Path:
    """Where the Arrow stream of one table lies in a prepared import."""
    return folder / f"{table}.arrow"


class Prepared:
    """The tables of a prepared import, mapped from their files instead of copied into memory."""

    def __init__(self, folder: Path) -> None:
        self._mapped: list[mmap.mmap] = []
        self.tables = {name: self._table(build_stream_path(folder, name), name) for name in SCHEMAS}

    def let_go(self) -> None:
        """Give back the memory of what was read so far; whoever reads it again gets it again."""
        for each in self._mapped:
            each.madvise(mmap.MADV_DONTNEED)

    def _table(self, path: Path, name: str) -> pa.Table:
        if not path.exists():
            return SCHEMAS[name].empty_table()
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._mapped.append(mapped)
        with pa.ipc.open_stream(pa.py_buffer(mapped)) as stream:
            return stream.read_all().cast(SCHEMAS[name])


def read_table(folder: Path, table: str) -> pa.Table:
    """One table of a prepared import."""
    return Prepared(folder).tables[table]


def write_table(folder: Path, table: str, rows: pa.Table) -> None:
    """Write one table of a prepared import; the schema must be the one above."""
    with pa.ipc.new_stream(str(build_stream_path(folder, table)), SCHEMAS[table]) as stream:
        stream.write_table(rows, max_chunksize=100_000)
