"""Points: units and criteria of runs' items by the numbers the store gave them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from data.engine import Cursor
from faithfulness.errors import ReviewError
from faithfulness.meeting import Point
from faithfulness.protocols import protocol

_FIND = """
select n.nth, r.run_no, i.item_no, u.unit_no, r.protocol
from incoming_points n
join runs r on r.run_id = n.run_id
join items i on i.item_id = n.item_id
join run_items m on m.run_no = r.run_no and m.item_no = i.item_no
join units u on u.item_no = i.item_no and u.unit_id = n.unit_id
where r.run_no not in (select run_no from run_removals)
order by n.nth
"""

_SCHEMA = pa.schema([("nth", pa.int64()), *((name, pa.string()) for name in Point._fields)])


class Numbered(NamedTuple):
    """A point with the numbers of its run, item and unit, and its protocol."""

    point: Point
    run_no: int
    item_no: int
    unit_no: int
    protocol: str


def number_points(cursor: Cursor, points: Sequence[Point]) -> list[Numbered]:
    """The points in their order.

    Raises:
        ReviewError: a run was removed, or there is no such item, unit or criterion.
    """
    rows: list[dict[str, Any]] = [{"nth": nth} | each._asdict() for nth, each in enumerate(points)]
    cursor.register("incoming_points", pa.Table.from_pylist(rows, _SCHEMA))
    found = {row[0]: row[1:] for row in cursor.execute(_FIND).fetchall()}
    for nth, point in enumerate(points):
        known = nth in found and {each.key for each in protocol(found[nth][3]).criteria}
        if not known or point.criterion not in known:
            raise ReviewError(
                f"Run {point.run_id} was removed or has no {point.unit_id} of item "
                f"{point.item_id} to ask {point.criterion} about; nothing was stored. "
                "Make the agenda again."
            )
    return [Numbered(point, *found[nth]) for nth, point in enumerate(points)]
