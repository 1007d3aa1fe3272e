"""Store meetings: participants, agenda points and events other than decisions."""

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import pyarrow as pa

from data.meetings.decision_facts import check_meeting
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from data.triage.points import find_point_columns, number_points
from faithfulness.model.errors import AlreadyDone, ReviewError
from faithfulness.review.meeting import Point

BEGUN, POINTS, EVENT = "meeting", "meeting points", "meeting event"
PRESENT, DEFERRED, TIMED, FINISHED = "present", "deferred", "timed", "finished"
MOST_POINTS = 500
_ABOUT_A_POINT = (DEFERRED, TIMED)

T = TypeVar("T")
_log = logging.getLogger(__name__)

_ADD_MEETING = """
insert into meetings (meeting_id, operation_id, title, host, hides_authors, began_at)
values ($meeting_id, $operation_id, $title, $host, $hides_authors, $began_at)
"""

_ADD_POINTS = """
insert into meeting_points (
    meeting_id, operation_id, position, run_no, item_no, unit_no, criterion
)
select
    $meeting_id, $operation_id,
    row_number() over (order by n.nth) + (
        select coalesce(max(position), 0)
        from meeting_points
        where meeting_id = $meeting_id
    ),
    n.run_no, n.item_no, n.unit_no, n.criterion
from incoming_agenda n
where not exists (
    select 1
    from meeting_points p
    where p.meeting_id = $meeting_id
        and p.unit_no = n.unit_no
        and p.run_no = n.run_no
        and p.criterion = n.criterion
)
"""

_ADD_EVENT = """
insert into meeting_events (
    event_no, operation_id, meeting_id, kind, run_no, item_no, unit_no, criterion, people, text,
    seconds, told_by, happened_at
)
select
    coalesce(max(event_no), 0) + 1, $operation_id, $meeting_id, $kind, $run_no, $item_no, $unit_no,
    $criterion, $people, $text, $seconds, $told_by, $happened_at
from meeting_events
"""

_COUNT = """
select count(*)
from meeting_points
where meeting_id = $meeting_id
"""

_AGENDA = pa.schema(
    [
        *((name, pa.int64()) for name in ("nth", "run_no", "item_no", "unit_no")),
        ("criterion", pa.string()),
    ]
)


def begin_meeting(
    store: Store,
    *,
    host: str,
    present: Sequence[str],
    agenda: Sequence[Point],
    operation_id: str,
    title: str = "",
    hides_authors: bool = True,
) -> str:
    """Begin a meeting about these points, in this order, and return its id.

    Raises:
        ReviewError: no host, no points or too many, or a point that is not there.
        NotSaved: nothing was stored.
    """
    if not host.strip():
        raise ReviewError("A meeting needs a host: the person who signs its decisions.")
    _check_size(len(agenda))
    payload = {
        "meeting_id": hashlib.sha256(f"meeting\x00{operation_id}".encode()).hexdigest()[:16],
        "title": title.strip(),
        "host": host.strip(),
        "present": _clean_names([host, *present]),
        "hides_authors": hides_authors,
        "points": [list(each) for each in agenda],
        "at": now().isoformat(),
    }
    return _write_journaled(store, operation_id, BEGUN, payload, _store_meeting)


def note_event(
    store: Store,
    meeting_id: str,
    kind: str,
    *,
    by: str,
    operation_id: str,
    point: Point | None = None,
    people: Sequence[str] = (),
    text: str = "",
    seconds: float = 0.0,
) -> None:
    """Keep what happened in a meeting beside its decisions.

    Args:
        store: where to.
        meeting_id: the meeting.
        kind: present (with all `people` who are there from now on), deferred (a point, with why in
            `text`), timed (seconds spent on a point) or finished.
        by: who says so.
        operation_id: the same for the same press of a key.
        point: what it is about.
        people: names.
        text: why a point is deferred.
        seconds: time spent on the point since the event or decision before.

    Raises:
        ReviewError: an unknown kind, meeting or point, or a point where none belongs.
        NotSaved: nothing was stored.
    """
    if kind not in (PRESENT, *_ABOUT_A_POINT, FINISHED) or (kind in _ABOUT_A_POINT) == (not point):
        raise ReviewError(f"A meeting has no event {kind!r} like this; nothing was stored.")
    if kind == PRESENT and not _clean_names(people):
        raise ReviewError("Nobody is named as present; name at least one person.")
    payload = {
        "meeting_id": meeting_id,
        "kind": kind,
        "by": by,
        "point": None if point is None else list(point),
        "people": _clean_names(people),
        "text": text.strip(),
        "seconds": max(0.0, float(seconds)),
        "at": now().isoformat(),
    }
    _write_journaled(store, operation_id, EVENT, payload, _add_event)


def _write_journaled(
    store: Store,
    operation_id: str,
    kind: str,
    payload: Mapping[str, Any],
    work: Callable[[Cursor, str, Mapping[str, Any]], T],
) -> T:
    try:
        done = store.write_journaled(
            operation_id, kind, payload, lambda cursor: work(cursor, operation_id, payload)
        )
    except AlreadyDone as before:
        return before.outcome  # type: ignore[no-any-return]  # what the same work answered then
    _log.info("%s stored", kind)
    return done


def _store_meeting(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> str:
    facts = {name: payload[name] for name in ("meeting_id", "title", "host", "hides_authors")}
    began_at = datetime.fromisoformat(payload["at"])
    cursor.execute(_ADD_MEETING, facts | {"operation_id": operation_id, "began_at": began_at})
    append_points(cursor, operation_id, payload)
    present = {"kind": PRESENT, "people": payload["present"], "by": payload["host"]}
    rest = {"point": None, "text": "", "seconds": 0.0}
    _add_event(cursor, operation_id, {**payload, **present, **rest})
    return str(payload["meeting_id"])


def append_points(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> int:
    """Put points behind those on the agenda and return how many it has; none is put there twice."""
    meeting = {"meeting_id": payload["meeting_id"]}
    check_meeting(cursor, payload["meeting_id"])
    points = list(dict.fromkeys(Point(*each) for each in payload["points"]))
    rows = [
        {"nth": nth, "criterion": each.point.criterion}
        | {name: getattr(each, name) for name in ("run_no", "item_no", "unit_no")}
        for nth, each in enumerate(number_points(cursor, points))
    ]
    cursor.register("incoming_agenda", pa.Table.from_pylist(rows, _AGENDA))
    cursor.execute(_ADD_POINTS, meeting | {"operation_id": operation_id})
    return int(cursor.execute(_COUNT, meeting).fetchall()[0][0])


def _add_event(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> None:
    check_meeting(cursor, payload["meeting_id"])
    place = find_point_columns(cursor, payload["point"])
    facts = {name: payload[name] for name in ("meeting_id", "kind", "people", "text", "seconds")}
    facts |= {"operation_id": operation_id, "told_by": payload["by"]}
    happened_at = datetime.fromisoformat(payload["at"])
    cursor.execute(_ADD_EVENT, facts | place | {"happened_at": happened_at})


def _check_size(points: int) -> None:
    if not 1 <= points <= MOST_POINTS:
        raise ReviewError(
            f"An agenda has 1 to {MOST_POINTS} points, this one {points}; nothing was stored. "
            "Narrow the filter or take fewer from the top."
        )


def _clean_names(people: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(each.strip() for each in people if each.strip()))


register_work(BEGUN, _store_meeting)
register_work(POINTS, append_points)  # in older journals; today an agenda is made once
register_work(EVENT, _add_event)
