"""Mark units for a meeting, or remove their marks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from data.triage.points import number_units
from faithfulness.model.errors import AlreadyDone, ReviewError

KIND = "meeting mark"

_ADD = """
insert into meeting_marks (
    mark_no, operation_id, run_no, item_no, unit_no, is_on, marked_by, marked_at
)
select
    n.nth + 1 + (
        select coalesce(max(mark_no), 0)
        from meeting_marks
    ),
    $operation_id, n.run_no, n.item_no, n.unit_no, $is_on, $marked_by, $marked_at
from incoming_marks n
"""

_MARKS = pa.schema([(name, pa.int64()) for name in ("nth", "run_no", "item_no", "unit_no")])


def mark_units(
    store: Store,
    units: Sequence[tuple[str, str, str]],
    *,
    on: bool,
    by: str,
    operation_id: str,
) -> int:
    """Mark units for a meeting, or take their marks off; gives how many.

    Args:
        store: where to.
        units: run, item and unit of each.
        on: whether they are to be talked about.
        by: who says so; empty when nobody said a name.
        operation_id: the same for the same press of a key.

    Raises:
        ReviewError: a run was removed, or has no such unit.
        NotSaved: nothing was stored.
    """
    payload = {
        "units": [list(each) for each in dict.fromkeys(units)],
        "on": on,
        "by": by.strip(),
        "at": now().isoformat(),
    }
    try:
        return store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _store_marks(cursor, operation_id, payload)
        )
    except AlreadyDone as before:
        return int(before.outcome)


def _store_marks(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> int:
    found = number_units(cursor, payload["units"])
    if len(found) < len(payload["units"]):
        raise ReviewError(
            "Not marked: the run was removed, or has no such unit; nothing was stored. "
            "Look at the list again."
        )
    rows = [
        {"nth": nth, "run_no": run_no, "item_no": item_no, "unit_no": unit_no}
        for nth, (run_no, item_no, unit_no, _) in found.items()
    ]
    cursor.register("incoming_marks", pa.Table.from_pylist(rows, _MARKS))
    facts = {"operation_id": operation_id, "is_on": payload["on"], "marked_by": payload["by"]}
    cursor.execute(_ADD, facts | {"marked_at": datetime.fromisoformat(payload["at"])})
    return len(rows)


register_work(KIND, _store_marks)
