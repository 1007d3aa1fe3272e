"""Exporting: write annotations, decisions, disagreements and minutes to files.

CSV, XLSX and Parquet hold one row for each current annotation; JSON lines hold one item a line in
the native format, which the importer "plumbline" reads back. No cell can run as a formula. Used by
the commands `export` and `agree` and by the downloads of pages.

Reads   adjudications, annotations, authors, decision_facts, excerpts, fields, findings,
        further_ids, guideline_proposals, items, replies, reply_facts, run_items, run_removals,
        runs, summaries, units
"""

import re
import tempfile
import unicodedata
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from data.exporting.adjudicated import write_adjudicated
from data.exporting.agreement import render_agreement, render_pairs, write_numbers, write_pairs
from data.exporting.audit import write_audit
from data.exporting.csv_file import write_csv
from data.exporting.disagreements import write_disagreements
from data.exporting.jsonl_file import write_jsonl
from data.exporting.minutes import DOCUMENTS, write_minutes
from data.exporting.parquet_file import write_parquet
from data.exporting.rows import ExportContent, choose_content
from data.exporting.xlsx_file import write_xlsx
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection

FORMATS: dict[str, str] = {
    "csv": "CSV",
    "xlsx": "Excel",
    "parquet": "Parquet",
    "jsonl": "JSON lines",
}

_WRITERS: dict[str, Callable[[ExportContent, Path], int]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
    "parquet": write_parquet,
    "jsonl": write_jsonl,
}
# What can be exported, each with the formats it has.
PARTS: dict[str, tuple[str, ...]] = {
    "answers": tuple(FORMATS),
    "adjudicated": tuple(FORMATS),
    "disagreements": tuple(FORMATS),
    "audit": tuple(FORMATS),
    "minutes": (*DOCUMENTS, *FORMATS),
}
_LONGEST_NAME = 60

__all__ = [
    "FORMATS",
    "PARTS",
    "format_file_name",
    "render_agreement",
    "render_audit",
    "render_minutes",
    "render_pairs",
    "render_selected",
    "write_adjudicated",
    "write_audit",
    "write_disagreements",
    "write_export",
    "write_minutes",
    "write_numbers",
    "write_pairs",
    "write_part",
    "write_selected",
]


def write_part(store: Store, part: str, names: Sequence[str], kind: str, path: Path) -> int:
    """Write one of PARTS and return how many rows it holds.

    `names` are runs, none meaning all but the sample's where others are stored; for minutes they
    are the id of one meeting.

    Raises:
        ReviewError: an unknown part, format, run or meeting, or more rows than the format holds.
    """
    if part == "minutes":
        if len(names) != 1:
            raise ReviewError("Minutes are of one meeting; give its id.")
        return write_minutes(store, names[0], kind, path)
    return write_selected(store, part, Selection(runs=tuple(names)), kind, path)


def write_selected(store: Store, part: str, selection: Selection, kind: str, path: Path) -> int:
    """Write what a selection leaves of one of PARTS but minutes; raises as `write_part` does."""
    writers: dict[str, Callable[[Store, Selection, str, Path], int]] = {
        "answers": write_export,
        "adjudicated": write_adjudicated,
        "disagreements": write_disagreements,
        "audit": write_audit,
    }
    if part not in writers:
        raise ReviewError(f"There is no export of {part!r}. Use one of: {', '.join(PARTS)}.")
    return writers[part](store, selection, kind, path)


def write_export(store: Store, selection: Selection, kind: str, path: Path) -> int:
    """Write what is selected and return how many rows (in JSON lines: items) the file holds.

    Runs, protocol, item, words, labels, unread answers, criterion and authors narrow; no run means
    all runs, but the sample's only where no others are stored. The store is read as it is at one
    moment, in pages, so that size does not matter.

    Raises:
        ReviewError: an unknown format, an unknown run, or more rows than the format can hold.
    """
    if kind not in _WRITERS:
        raise ReviewError(f"There is no export {kind!r}. Use one of: {', '.join(FORMATS)}.")
    with store.read() as cursor:
        cursor.execute("begin transaction")
        try:
            return _WRITERS[kind](choose_content(cursor, selection), path)
        finally:
            cursor.execute("rollback")


def render_selected(store: Store, part: str, selection: Selection, kind: str) -> bytes:
    """As `write_selected`, as the file's content."""
    return _capture_bytes(lambda path: write_selected(store, part, selection, kind, path))


def render_audit(
    store: Store, selection: Selection, rule: str | Collection[str], whose: str, kind: str
) -> bytes:
    """As `write_audit`, as the file's content."""
    return _capture_bytes(
        lambda path: write_audit(store, selection, kind, path, rule=rule, whose=whose)
    )


def render_minutes(store: Store, meeting_id: str, kind: str) -> bytes:
    """As `write_minutes`, as the file's content."""
    return _capture_bytes(lambda path: write_minutes(store, meeting_id, kind, path))


def _capture_bytes(write: Callable[[Path], int]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export"
        write(path)
        return path.read_bytes()


def format_file_name(name: str, kind: str) -> str:
    """A name for a download: letters a to z, digits and hyphens, whatever the run is called."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-")
    return f"{words or 'plumbline'}.{kind}"
