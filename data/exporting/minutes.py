"""Export meeting minutes: a Markdown or HTML document, or a table with one row per point."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.exporting.agreement import get_writer
from data.meetings.meetings import minutes_of
from data.store.store import Store
from faithfulness.review.decided_before import find_counted_before
from faithfulness.review.minutes import (
    Minutes,
    MinutesPoint,
    render_html_minutes,
    render_markdown_minutes,
)
from faithfulness.text.csv_injection import FIRST_COLUMN

DOCUMENTS = {"md": render_markdown_minutes, "html": render_html_minutes}

_TEXT = pa.string()
SCHEMA = pa.schema(
    [
        (FIRST_COLUMN, _TEXT),
        *((name, _TEXT) for name in ("meeting_id", "meeting", "host")),
        ("began_at", pa.timestamp("us")),
        ("present", pa.list_(_TEXT)),
        *((name, _TEXT) for name in ("id", "unit_id", "run", "protocol", "question", "text")),
        ("said", pa.list_(_TEXT)),
        ("baseline", _TEXT),
        ("decided_before", pa.list_(_TEXT)),
        ("counted_before", _TEXT),
        *((name, _TEXT) for name in ("outcome", "value", "reason", "error_class")),
        ("decided_by", _TEXT),
        ("decided_at", pa.timestamp("us")),
        ("how", _TEXT),
        ("stands", pa.bool_()),
        ("seconds", pa.float64()),
        ("run_removed_at", pa.timestamp("us")),
    ]
)


def write_minutes(store: Store, meeting_id: str, kind: str, path: Path) -> int:
    """Write the minutes of a meeting and return how many points they tell about.

    `kind` is md or html for the whole text; csv, xlsx, parquet and jsonl hold one row for each
    decision and each point that was deferred or not reached.

    Raises:
        ReviewError: an unknown format or meeting.
    """
    document = DOCUMENTS.get(kind)
    write = None if document else get_writer(kind, "minutes")
    minutes = minutes_of(store, meeting_id)
    rows = list(_iter_rows(minutes))
    if document is not None:
        path.write_text(document(minutes), encoding="utf-8")
    elif write is not None:
        write(SCHEMA, [pa.Table.from_pylist(rows, SCHEMA)], path)
    return len(rows)


def _iter_rows(minutes: Minutes) -> Iterator[dict[str, Any]]:
    head = {
        "meeting_id": minutes.meeting_id,
        "meeting": minutes.title,
        "host": minutes.host,
        "began_at": minutes.began_at,
        "present": list(minutes.present),
    }
    for each in minutes.rulings:
        decided = {
            "outcome": "decided" if each.value is not None else "taken back",
            "value": each.value,
            "reason": each.reason,
            "error_class": each.error_class,
            "decided_by": each.by,
            "decided_at": each.decided_at,
            "how": each.how,
            "stands": each.stands,
        }
        yield head | _build_point_columns(each.matter) | decided
    for matter, why in minutes.deferred:
        yield head | _build_point_columns(matter) | {"outcome": "deferred", "reason": why}
    for matter in minutes.untouched:
        yield head | _build_point_columns(matter) | {"outcome": "not reached"}


def _build_point_columns(matter: MinutesPoint) -> dict[str, Any]:
    counts = find_counted_before(matter.before)
    return {
        FIRST_COLUMN: matter.item_id,
        "id": matter.external_id,
        "unit_id": matter.unit_id,
        "run": matter.run,
        "protocol": matter.protocol,
        "question": matter.question,
        "text": matter.text,
        "said": [
            f"{each.author.kind.value} {each.author.name}: {each.value or 'no label'}"
            for each in matter.voices
        ],
        "baseline": (matter.baseline.value or "no label") if matter.baseline else None,
        "decided_before": [each.in_words() for each in matter.before],
        "counted_before": counts.value if counts else None,
        "seconds": matter.seconds,
        "run_removed_at": matter.removed_at,
    }
