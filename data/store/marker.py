"""Marker file next to an open store: row counts and journal position at the last known state.

If DuckDB's log was removed or damaged, DuckDB opens the store with fewer rows and reports no error.
Facts are append-only, so a row count below the marker's count proves that data was lost.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from data.store.journal import Position
from data.store.sidecar_files import get_sidecar_path, write_durably
from faithfulness.model.full_disk import is_disk_full

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Marker:
    """Row counts, and the journal's position up to which every line is known to be stored."""

    counts: Mapping[str, int]
    journal: Position
    duckdb: str


def read_marker(path: Path) -> Marker | None:
    """The store's marker; None when there is none or it cannot be read."""
    try:
        found = json.loads(get_sidecar_path(path, "marker").read_bytes())
        return Marker(
            counts={str(name): int(rows) for name, rows in found["counts"].items()},
            journal=Position(**found["journal"]),
            duckdb=str(found["duckdb"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # Without a marker the whole journal is compared instead, which proves as much.
        return None


def write_marker(path: Path, marker: Marker) -> None:
    """Note what the store holds; a disk that refuses leaves the old note, which proves less.

    An error here must not reach a person: whatever they did is stored, or will be told by itself.
    """
    content = json.dumps(asdict(marker), indent=1, sort_keys=True)
    try:
        write_durably(get_sidecar_path(path, "marker"), content.encode("ascii"))
    except OSError as error:
        level = logging.INFO if is_disk_full(error) else logging.WARNING
        _log.log(level, "the marker of %s was not written: %s", path, error)
