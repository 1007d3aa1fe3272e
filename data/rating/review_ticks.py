"""Store and load ticks: a person's stance on whether a review supports a statement."""

from collections.abc import Collection, Hashable, Mapping
from datetime import datetime
from typing import Any

from data.items.loading import find_item_number, load_item
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.checks.check import FindingRange
from faithfulness.checks.review_ticks import Tick, refuse_unknown
from faithfulness.model.errors import AlreadyDone
from faithfulness.model.vocabulary import Span

KIND = "review tick"

_ADD = """
insert into review_ticks (
    tick_no, operation_id, item_no, said_start, said_end, field, review_start, review_end, stance,
    ticked_by, ticked_at
)
select
    coalesce(max(tick_no), 0) + 1, $operation_id, $item_no, $said_start, $said_end, $field,
    $review_start, $review_end, $stance, $ticked_by, $ticked_at
from review_ticks
"""

_LOAD = """
select i.item_id, t.said_start, t.said_end, t.field, t.review_start, t.review_end, t.stance,
    t.ticked_by
from review_ticks t
join items i on i.item_no = t.item_no
where i.item_id in (select unnest($item_ids::varchar[]))
order by t.item_no, t.tick_no
"""


def save_tick(store: Store, item_id: str, ticked: Tick, *, operation_id: str) -> int:
    """Keep one press on a review; gives its number.

    Raises:
        ReviewError: nobody signs, or there is no such item, statement or review.
        NotSaved: nothing was stored.
    """
    refuse_unknown(load_item(store, item_id), ticked)
    payload = {
        "item_id": item_id,
        "said": list(ticked.said),
        "review": [ticked.review.field, ticked.review.start, ticked.review.end],
        "stance": ticked.stance,
        "by": ticked.by.strip(),
        "at": now().isoformat(),
    }
    try:
        return store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _store_tick(cursor, operation_id, payload)
        )
    except AlreadyDone as before:
        return int(before.outcome)


def load_ticks(store: Store, item_id: str) -> tuple[Tick, ...]:
    """What counts of everybody's ticks on one item, taken back ones with an empty stance."""
    with store.read() as cursor:
        return query_ticks(cursor, [item_id]).get(item_id, ())


def query_ticks(cursor: Cursor, item_ids: Collection[str]) -> dict[str, tuple[Tick, ...]]:
    """As `load_ticks`, of several items; items without one are left out."""
    counts: dict[Hashable, tuple[str, Tick]] = {}
    for item_id, start, end, field, review_start, review_end, stance, by in cursor.execute(
        _LOAD, {"item_ids": list(item_ids)}
    ).fetchall():
        review = Span(field=field, start=review_start, end=review_end)
        place = (item_id, start, end, field, review_start, by)
        counts.pop(place, None)  # the last press on a review counts, and stands where it was made
        counts[place] = item_id, Tick(FindingRange(start, end), review, stance, by)
    found: dict[str, tuple[Tick, ...]] = {}
    for item_id, ticked in counts.values():
        found[item_id] = (*found.get(item_id, ()), ticked)
    return found


def _store_tick(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> int:
    field, review_start, review_end = payload["review"]
    facts = {
        "operation_id": operation_id,
        "item_no": find_item_number(cursor, payload["item_id"]),
        "said_start": payload["said"][0],
        "said_end": payload["said"][1],
        "field": field,
        "review_start": review_start,
        "review_end": review_end,
        "stance": payload["stance"],
        "ticked_by": payload["by"],
        "ticked_at": datetime.fromisoformat(payload["at"]),
    }
    cursor.execute(_ADD, facts)
    last = cursor.execute("select max(tick_no) from review_ticks").fetchall()
    return int(last[0][0])


register_work(KIND, _store_tick)
