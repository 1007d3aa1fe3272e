"""Tables that a store lacks which is older than they are and only read here."""

import duckdb
import pyarrow as pa

from data.store.engine import Cursor, tables

# Of a store from this format on every question finds its tables, here or empty.
OLDEST_READ = 5

# The youngest table stands last: a store that has it has them all.
_LATER = {
    "paid_samples": pa.schema(
        [
            ("group_id", pa.string()),
            ("sample_no", pa.int16()),
            ("reply", pa.string()),
            ("cost", pa.float64()),
            ("replied_at", pa.timestamp("us")),
        ]
    ),
    "meetings": pa.schema(
        [
            *((name, pa.string()) for name in ("meeting_id", "operation_id", "title", "host")),
            ("hides_authors", pa.bool_()),
            ("began_at", pa.timestamp("us")),
        ]
    ),
    "meeting_points": pa.schema(
        [
            ("meeting_id", pa.string()),
            ("operation_id", pa.string()),
            *((name, pa.int32()) for name in ("position", "run_no", "item_no", "unit_no")),
            ("criterion", pa.string()),
        ]
    ),
    "meeting_events": pa.schema(
        [
            ("event_no", pa.int64()),
            *((name, pa.string()) for name in ("operation_id", "meeting_id", "kind")),
            *((name, pa.int32()) for name in ("run_no", "item_no", "unit_no")),
            ("criterion", pa.string()),
            ("people", pa.list_(pa.string())),
            ("text", pa.string()),
            ("seconds", pa.float64()),
            ("told_by", pa.string()),
            ("happened_at", pa.timestamp("us")),
        ]
    ),
    "decision_facts": pa.schema(
        [
            ("annotation_no", pa.int64()),
            ("item_no", pa.int32()),
            *((name, pa.string()) for name in ("meeting_id", "how", "follows")),
            *((name, pa.string()) for name in ("guidance", "prompt")),
            ("seconds", pa.float64()),
        ]
    ),
    "guideline_proposals": pa.schema(
        [
            ("proposal_no", pa.int64()),
            *((name, pa.string()) for name in ("operation_id", "meeting_id", "protocol")),
            *((name, pa.string()) for name in ("section", "wording")),
            *((name, pa.int32()) for name in ("run_no", "item_no", "unit_no")),
            ("criterion", pa.string()),
            ("proposed_by", pa.string()),
            ("proposed_at", pa.timestamp("us")),
        ]
    ),
    "decision_checks": pa.schema(
        [
            ("annotation_no", pa.int64()),
            *((name, pa.string()) for name in ("operation_id", "guidance", "prompt")),
            ("checked_by", pa.string()),
            ("checked_at", pa.timestamp("us")),
        ]
    ),
    "meeting_marks": pa.schema(
        [
            ("mark_no", pa.int64()),
            ("operation_id", pa.string()),
            *((name, pa.int32()) for name in ("run_no", "item_no", "unit_no")),
            ("is_on", pa.bool_()),
            ("marked_by", pa.string()),
            ("marked_at", pa.timestamp("us")),
        ]
    ),
    "review_ticks": pa.schema(
        [
            ("tick_no", pa.int64()),
            ("operation_id", pa.string()),
            *((name, pa.int32()) for name in ("item_no", "said_start", "said_end")),
            ("field", pa.string()),
            *((name, pa.int32()) for name in ("review_start", "review_end")),
            *((name, pa.string()) for name in ("stance", "ticked_by")),
            ("ticked_at", pa.timestamp("us")),
        ]
    ),
    "unit_findings": pa.schema(
        [
            *((name, pa.int32()) for name in ("item_no", "unit_no")),
            *((name, pa.string()) for name in ("check_name", "kind")),
            ("checks_version", pa.int32()),
        ]
    ),
    "checked_items": pa.schema([("item_no", pa.int32()), ("checks_version", pa.int32())]),
    "annotator_kinds": pa.schema(
        [
            ("choice_no", pa.int64()),
            *((name, pa.string()) for name in ("operation_id", "name", "kind")),
        ]
    ),
    "further_ids": pa.schema(
        [
            *((name, pa.int32()) for name in ("run_no", "item_no", "position")),
            ("external_id", pa.string()),
        ]
    ),
}


_HAS_ALL = f"select 1 from {next(reversed(_LATER))} limit 0"  # noqa: S608 - a name from above


def stand_in(cursor: Cursor) -> None:
    """Let a question find such tables empty; a store that was migrated has them."""
    try:
        cursor.execute(_HAS_ALL)  # a tenth of the time that a list of all tables takes
    except duckdb.CatalogException:
        for name in set(_LATER) - set(tables(cursor)):
            cursor.register(name, _LATER[name].empty_table())
