"""Stand-ins for the tables of meetings in a store that is only read and older than they are."""

import pyarrow as pa

from data.engine import Cursor, tables

_TEXT, _WHOLE, _BIG, _NUMBER = pa.string(), pa.int32(), pa.int64(), pa.float64()
_TIME = pa.timestamp("us")
_PLACE = [("run_no", _WHOLE), ("item_no", _WHOLE), ("unit_no", _WHOLE), ("criterion", _TEXT)]
_LATER = {
    "meetings": [
        *((name, _TEXT) for name in ("meeting_id", "title", "host")),
        ("hides_authors", pa.bool_()),
        ("began_at", _TIME),
    ],
    "meeting_points": [("meeting_id", _TEXT), ("position", _WHOLE), *_PLACE],
    "meeting_events": [
        ("event_no", _BIG),
        *((name, _TEXT) for name in ("meeting_id", "kind", "text")),
        *_PLACE,
        ("people", pa.list_(_TEXT)),
        ("seconds", _NUMBER),
        ("happened_at", _TIME),
    ],
    "decision_facts": [
        ("annotation_no", _BIG),
        *((name, _TEXT) for name in ("meeting_id", "how", "follows", "guidance", "prompt")),
        ("seconds", _NUMBER),
    ],
    "guideline_proposals": [
        ("proposal_no", _BIG),
        *((name, _TEXT) for name in ("protocol", "section", "wording", "proposed_by")),
        ("meeting_id", _TEXT),
        ("proposed_at", _TIME),
        *_PLACE,
    ],
    "decision_checks": [
        ("annotation_no", _BIG),
        *((name, _TEXT) for name in ("guidance", "prompt")),
        ("checked_at", _TIME),
    ],
}


def stand_in(cursor: Cursor) -> None:
    """Let a cursor ask about meetings where there are no such tables yet."""
    for name in set(_LATER) - set(tables(cursor)):
        cursor.register(name, pa.schema(_LATER[name]).empty_table())
