"""Marking: units that somebody wants to talk about, kept for everybody until they are met about."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from data.beside import now
from data.engine import Cursor
from data.replay import register_redo
from data.store import Store
from faithfulness.errors import AlreadyDone, ReviewError

KIND = "meeting mark"

_FIND = """
select n.nth, r.run_no, i.item_no, u.unit_no
from incoming_units n
join runs r on r.run_id = n.run_id
join items i on i.item_id = n.item_id
join run_items m on m.run_no = r.run_no and m.item_no = i.item_no
join units u on u.item_no = i.item_no and u.unit_id = n.unit_id
where r.run_no not in (select run_no from run_removals)
order by n.nth
"""

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

_UNITS = pa.schema(
    [("nth", pa.int64()), *((name, pa.string()) for name in ("run_id", "item_id", "unit_id"))]
)
_MARKS = pa.schema([(name, pa.int64()) for name in ("nth", "run_no", "item_no", "unit_no")])


def mark(
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
            operation_id, KIND, payload, lambda cursor: _work(cursor, operation_id, payload)
        )
    except AlreadyDone as before:
        return int(before.outcome)


def redo(store: Store, payload: Mapping[str, Any]) -> None:
    """Keep again what the journal has and the store lost."""
    operation_id = str(payload["operation_id"])
    store.write(operation_id, KIND, lambda cursor: _work(cursor, operation_id, payload))


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> int:
    units = [
        {"nth": nth, "run_id": run_id, "item_id": item_id, "unit_id": unit_id}
        for nth, (run_id, item_id, unit_id) in enumerate(payload["units"])
    ]
    cursor.register("incoming_units", pa.Table.from_pylist(units, _UNITS))
    found = cursor.execute(_FIND).fetchall()
    if len(found) < len(units):
        raise ReviewError(
            "Not marked: the run was removed, or has no such unit; nothing was stored. "
            "Look at the list again."
        )
    rows = [dict(zip(_MARKS.names, each, strict=True)) for each in found]
    cursor.register("incoming_marks", pa.Table.from_pylist(rows, _MARKS))
    facts = {"operation_id": operation_id, "is_on": payload["on"], "marked_by": payload["by"]}
    cursor.execute(_ADD, facts | {"marked_at": datetime.fromisoformat(payload["at"])})
    return len(rows)


register_redo(KIND, redo)
