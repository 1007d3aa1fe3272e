"""Choose the run in which a point is shown: a selected run with its item and protocol, if any."""

from collections.abc import Collection, Sequence
from typing import Any

from data.items.narrowing_sql import run_is_counted
from data.store.engine import Cursor
from faithfulness.model.selection import Selection
from faithfulness.review.meeting import Point

_CHOSEN = f"""
select h.run_id, i.item_id, list(r.run_id order by r.run_no) as run_ids
from runs h
join run_items m on m.run_no = h.run_no
join items i on i.item_no = m.item_no
join run_items n on n.item_no = i.item_no
join runs r on r.run_no = n.run_no and r.protocol = h.protocol
where i.item_id in (select unnest($items::varchar[]))
    and h.run_id in (select unnest($homes::varchar[]))
    and r.run_no not in (select run_no from run_removals)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], r.system))
    and {run_is_counted("r")}
group by h.run_id, i.item_id
"""  # noqa: S608 - put together from constants
_PROTOCOLS = "select run_id, protocol from runs"


def map_points_to_chosen_runs(
    cursor: Cursor, points: Sequence[Point], selection: Selection, samples: Collection[str]
) -> dict[Point, Point]:
    """Each point in a run of its protocol that was chosen: whoever looks at a run decides in it.

    A point stays in its run where that is chosen, or no run of its protocol with the item is. Where
    no run is chosen, it leaves a run of the sample (`samples`) for one that counts.
    """
    in_sample = any(each.run_id in samples for each in points)
    if not (selection.runs or selection.systems or in_sample):
        return {each: each for each in points}
    facts: dict[str, Any] = {
        "items": sorted({each.item_id for each in points}),
        "homes": sorted({each.run_id for each in points}),
        "runs": list(selection.runs),
        "systems": list(selection.systems),
    }
    found = cursor.execute(_CHOSEN, facts).fetchall()
    chosen = {(run_id, item_id): runs for run_id, item_id, runs in found}
    homes: dict[Point, Point] = {}
    for each in points:
        runs = chosen.get((each.run_id, each.item_id), [])
        stays = each.run_id in runs or not runs
        homes[each] = each if stays else each._replace(run_id=runs[-1])
    return homes


def load_run_protocols(cursor: Cursor) -> dict[str, str]:
    """By run its protocol: two runs of one protocol ask the same about an item they share."""
    return dict(cursor.execute(_PROTOCOLS).fetchall())
