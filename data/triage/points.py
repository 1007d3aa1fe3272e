"""Look up the store's row numbers for points and units."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from data.store.engine import Cursor
from faithfulness.model.errors import ReviewError
from faithfulness.protocols import protocol
from faithfulness.review.meeting import Point

_FIND = """
select n.nth, r.run_no, i.item_no, u.unit_no, r.protocol
from incoming_units n
join runs r on r.run_id = n.run_id
join items i on i.item_id = n.item_id
join run_items m on m.run_no = r.run_no and m.item_no = i.item_no
join units u on u.item_no = i.item_no and u.unit_id = n.unit_id
where r.run_no not in (select run_no from run_removals)
order by n.nth
"""

_UNITS = pa.schema(
    [("nth", pa.int64()), *((name, pa.string()) for name in ("run_id", "item_id", "unit_id"))]
)


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
    found = number_units(cursor, [each[:3] for each in points])
    for nth, point in enumerate(points):
        known = nth in found and {each.key for each in protocol(found[nth][3]).criteria}
        if not known or point.criterion not in known:
            raise ReviewError(
                f"Run {point.run_id} was removed or has no {point.unit_id} of item "
                f"{point.item_id} to ask {point.criterion} about; nothing was stored. "
                "Make the agenda again."
            )
    return [Numbered(point, *found[nth]) for nth, point in enumerate(points)]


def find_point_columns(cursor: Cursor, point: Sequence[str] | None) -> dict[str, Any]:
    """What the columns of a table say of the point that a row is about, if it is about one.

    Raises:
        ReviewError: the point is not there.
    """
    if point is None:
        return {"run_no": None, "item_no": None, "unit_no": None, "criterion": ""}
    (found,) = number_points(cursor, [Point(*point)])
    return {
        "run_no": found.run_no,
        "item_no": found.item_no,
        "unit_no": found.unit_no,
        "criterion": found.point.criterion,
    }


def number_units(
    cursor: Cursor, units: Sequence[tuple[str, str, str]]
) -> dict[int, tuple[int, int, int, str]]:
    """By its place among them: the numbers of a run, item and unit, and the run's protocol.

    A unit that is not there, or whose run was removed, is left out.
    """
    rows = [dict(zip(_UNITS.names, (nth, *each), strict=True)) for nth, each in enumerate(units)]
    cursor.register("incoming_units", pa.Table.from_pylist(rows, _UNITS))
    return {row[0]: row[1:] for row in cursor.execute(_FIND).fetchall()}
