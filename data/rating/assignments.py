"""Assign items of a run to raters at random; assignments are append-only."""

import logging
import random
from collections.abc import Sequence
from enum import StrEnum

import pyarrow as pa

from data.store.engine import Cursor
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, ReviewError
from faithfulness.model.names import fold_name

KIND = "assignment"
MOST_RATERS = 50

_log = logging.getLogger(__name__)

_ITEMS = """
select n.item_no
from runs r
join run_items n on n.run_no = r.run_no
where r.run_id = $run_id
    and r.run_no not in (select run_no from run_removals)
order by n.item_no
"""

_ADD = """
insert into assignments (
    assignment_no, operation_id, run_no, item_no, rater, purpose, is_withdrawn, assigned_by,
    assigned_at
)
select
    (select coalesce(max(assignment_no), 0) from assignments) + n.nth,
    $operation_id, r.run_no, n.item_no, n.rater, $purpose, false, $assigned_by, $assigned_at
from incoming_assignments n
join runs r on r.run_id = $run_id
order by n.nth
"""


class Purpose(StrEnum):
    """Why items are given to raters."""

    SHARE = "share"  # the items are divided among the raters
    CALIBRATION = "calibration"  # all raters get the same items


def assign_items(
    store: Store,
    run_id: str,
    raters: Sequence[str],
    *,
    items: int,
    overlap: int,
    purpose: Purpose,
    assigned_by: str,
    operation_id: str,
) -> int:
    """Give items of a run, drawn at random, to raters and return how many pairs there are.

    Args:
        store: where to.
        run_id: the run.
        raters: their names.
        items: how many items to draw; 0 for all.
        overlap: how many raters are to rate each item; calibration gives each to all of them.
        purpose: a share of the work, or calibration.
        assigned_by: who says so.
        operation_id: also decides the draw, so that the same press gives the same items.

    Raises:
        ReviewError: no such run, no rater, or fewer raters than are to rate each item.
        NotSaved: nothing was stored.
    """
    names = list(dict.fromkeys(filter(None, map(fold_name, raters))))
    wanted = len(names) if purpose is Purpose.CALIBRATION else overlap
    if not 1 <= wanted <= len(names) <= MOST_RATERS:
        raise ReviewError(
            f"{len(names)} raters are named and {wanted} are to rate each item; name between "
            f"{max(1, overlap)} and {MOST_RATERS} raters. Nothing was handed out."
        )
    asked = (run_id, names, items, wanted, purpose, assigned_by)
    try:
        return store.write(
            operation_id,
            KIND,
            lambda cursor: _store_assignments(cursor, operation_id, asked),
            by=assigned_by,
            is_bulk=True,
        )
    except AlreadyDone as done:
        return int(done.outcome)


def deal_items(
    items: Sequence[int], raters: Sequence[str], overlap: int, seed: str
) -> list[tuple[int, str]]:
    """Items in the order drawn, each with as many raters as asked; loads differ by one at most."""
    order = list(raters)
    random.Random(seed).shuffle(order)
    return [
        (item, order[(nth * overlap + more) % len(order)])
        for nth, item in enumerate(items)
        for more in range(overlap)
    ]


def _store_assignments(
    cursor: Cursor, operation_id: str, asked: tuple[str, list[str], int, int, Purpose, str]
) -> int:
    run_id, raters, many, overlap, purpose, assigned_by = asked
    found = [int(row[0]) for row in cursor.execute(_ITEMS, {"run_id": run_id}).fetchall()]
    if not found:
        raise ReviewError(f"Run {run_id} was removed or has no items; nothing was handed out.")
    drawn = random.Random(operation_id).sample(found, min(many or len(found), len(found)))
    pairs = deal_items(drawn, raters, overlap, operation_id)
    rows = [
        {"nth": nth, "item_no": item, "rater": rater}
        for nth, (item, rater) in enumerate(pairs, start=1)
    ]
    table = pa.Table.from_pylist(
        rows, pa.schema([("nth", pa.int64()), ("item_no", pa.int32()), ("rater", pa.string())])
    )
    cursor.register("incoming_assignments", table)
    facts = {
        "operation_id": operation_id,
        "run_id": run_id,
        "purpose": purpose.value,
        "assigned_by": assigned_by,
        "assigned_at": now(),
    }
    cursor.execute(_ADD, facts)
    _log.info("items handed out: %s pairs of run %s", len(pairs), run_id)
    return len(pairs)
