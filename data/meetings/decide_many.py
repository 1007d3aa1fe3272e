"""Save decisions on several units in one operation, all or none."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow as pa

from data.importing.save_sql import LAST_ANNOTATION
from data.items import payloads
from data.items.append import ensure_author_number
from data.meetings.adjudicate import check_may_settle, write_many
from data.meetings.answer_words import format_verdict
from data.meetings.decision_facts import (
    LIKE,
    UNANIMOUS,
    Circumstances,
    check_meeting,
    get_words_in_force,
)
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from data.triage.points import Numbered, number_points
from faithfulness.model.errors import Conflict, ReviewError
from faithfulness.model.vocabulary import Author
from faithfulness.protocols import protocol
from faithfulness.review.meeting import Point

KIND = "adjudications"
MOST = 500  # decisions at once; whoever shows them first shows fewer

# A disagreement spans all runs of its protocol with the item; its own run is only one of them.
_SETTLED_SINCE = """
select n.nth, w.name, a.value, a.signed_at, w.kind
from incoming_decisions n
join runs own on own.run_no = n.run_no
join annotations a
    on a.item_no = n.item_no
    and a.unit_no = n.unit_no
    and a.criterion = n.criterion
    and a.annotation_no > n.seen
join runs r on r.run_no = a.run_no and r.protocol = own.protocol
join authors w on w.author_no = a.author_no
where w.kind in ('adjudicator', $also)
    and a.item_no between $first and $last
    and r.run_no not in (select run_no from run_removals)
order by a.annotation_no desc
limit 1
"""

# As for a single decision, each supersedes what any adjudicator said before.
_ADD_ANNOTATIONS = """
insert into annotations (
    annotation_no, operation_id, run_no, item_no, unit_no, criterion, author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    reply_id, supersedes, signed_at
)
select
    $before + 1 + n.nth, $operation_id, n.run_no, n.item_no, n.unit_no, n.criterion, $author_no,
    n.value, '', '', '', null, []::varchar[], []::varchar[],
    []::struct(
        text varchar, span_start integer, span_end integer, value varchar, score double
    )[],
    null, c.annotation_no, $signed_at
from incoming_decisions n
left join (
    select a.run_no, a.unit_no, a.criterion, max(a.annotation_no) as annotation_no
    from annotations a
    join authors w on w.author_no = a.author_no
    where w.kind = 'adjudicator'
        and a.item_no between $first and $last
    group by a.run_no, a.unit_no, a.criterion
) c on c.run_no = n.run_no and c.unit_no = n.unit_no and c.criterion = n.criterion
order by n.nth
"""

_ADD_ADJUDICATIONS = """
insert into adjudications (annotation_no, item_no, reason, error_class, seen_annotation_no)
select $before + 1 + nth, item_no, $reason, $error_class, seen
from incoming_decisions
order by nth
"""

_ADD_FACTS = """
insert into decision_facts (
    annotation_no, item_no, meeting_id, how, follows, guidance, prompt, seconds
)
select
    $before + 1 + nth, item_no, $meeting_id, $how, $follows,
    coalesce(guidance, ''), coalesce(prompt, ''), 0
from incoming_decisions
order by nth
"""

_INCOMING = pa.schema(
    [
        *((name, pa.int64()) for name in ("nth", "run_no", "item_no", "unit_no", "seen")),
        *((name, pa.string()) for name in ("criterion", "value", "guidance", "prompt")),
    ]
)


class Settled(NamedTuple):
    """A point, the value it gets, and the last annotation on it that was shown."""

    point: Point
    value: str
    seen: int


def decide_like(
    store: Store,
    cases: Sequence[Settled],
    *,
    follows: str,
    author: Author,
    reason: str,
    operation_id: str,
    error_class: str = "",
    meeting_id: str = "",
) -> list[int]:
    """Apply a decision to like cases that were shown, and return the annotations' numbers.

    Args:
        store: where to.
        cases: those that were shown, each with the value of the decision.
        follows: the operation that made the decision.
        author: the adjudicator.
        reason: the decision's own.
        operation_id: the same for the same press of a key.
        error_class: the decision's own.
        meeting_id: the meeting it is done in, if any.

    Raises:
        Conflict: somebody decided one of them since; none was stored.
        ReviewError: no reason, no case, too many, or one that is not there; none was stored.
        NotSaved: none was stored.
    """
    told = Circumstances(meeting_id=meeting_id, how=LIKE, follows=follows)
    return _decide_cases(store, cases, author, reason, error_class, told, operation_id)


def adopt_unanimous(
    store: Store,
    cases: Sequence[Settled],
    *,
    author: Author,
    operation_id: str,
    meeting_id: str = "",
) -> list[int]:
    """Settle what all raters say alike, as `decide_like` does; its reason says that they do.

    A verdict needs no such adoption: what raters agree on counts as it is.

    Raises:
        Conflict: also when a rater answered one of them since it was shown.
        ReviewError: as `decide_like`.
        NotSaved: none was stored.
    """
    told = Circumstances(meeting_id=meeting_id, how=UNANIMOUS)
    reason = "All raters say so."
    return _decide_cases(store, cases, author, reason, "", told, operation_id)


def _decide_cases(
    store: Store,
    cases: Sequence[Settled],
    author: Author,
    reason: str,
    error_class: str,
    told: Circumstances,
    operation_id: str,
) -> list[int]:
    check_may_settle(author, reason)
    if not 1 <= len(cases) <= MOST or len({each.point for each in cases}) < len(cases):
        raise ReviewError(
            f"{len(cases)} cases were to be decided at once; give 1 to {MOST}, each only once. "
            "Nothing was stored."
        )
    with store.read() as cursor:
        found = number_points(cursor, [each.point for each in cases])
    payload = {
        "cases": [
            {"point": list(point), "value": value, "seen": seen} for point, value, seen in cases
        ],
        "words": {each.protocol: get_words_in_force(each.protocol) for each in found},
        "author": payloads.encode_author(author),
        "reason": reason,
        "error_class": error_class,
        "circumstances": told.as_json(),
        "confirmed": False,
        "signed_at": now().isoformat(),
    }
    return write_many(store, operation_id, KIND, payload, _store_decisions)


def _store_decisions(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[int]:
    points = number_points(cursor, [Point(*each["point"]) for each in payload["cases"]])
    author = payloads.decode_author(payload["author"])
    rows = []
    for nth, (case, found) in enumerate(zip(payload["cases"], points, strict=True)):
        _check_value(found, case["value"])
        numbers = {name: getattr(found, name) for name in ("run_no", "item_no", "unit_no")}
        told = {"nth": nth, "value": case["value"], "seen": case["seen"]}
        words = payload["words"].get(found.protocol, {})
        rows.append(numbers | told | words | {"criterion": found.point.criterion})
    cursor.register("incoming_decisions", pa.Table.from_pylist(rows, _INCOMING))
    items = [each.item_no for each in points]
    near = {"first": min(items), "last": max(items)}
    if not payload["confirmed"]:
        # What all raters say holds only as long as none of them says more.
        adopts = payload["circumstances"]["how"] == UNANIMOUS
        _refuse_settled(cursor, points, near, "rater" if adopts else "adjudicator")
    return _append_decisions(
        cursor, operation_id, payload, near, ensure_author_number(cursor, author)
    )


def _append_decisions(
    cursor: Cursor,
    operation_id: str,
    payload: Mapping[str, Any],
    near: Mapping[str, int],
    author_no: int,
) -> list[int]:
    told = Circumstances(**payload["circumstances"])
    check_meeting(cursor, told.meeting_id)
    last = int(cursor.execute(LAST_ANNOTATION).fetchall()[0][0])
    signed = {"operation_id": operation_id, "author_no": author_no}
    signed_at = datetime.fromisoformat(payload["signed_at"])
    cursor.execute(_ADD_ANNOTATIONS, {**near, **signed, "before": last, "signed_at": signed_at})
    reasons = {name: payload[name] for name in ("reason", "error_class")}
    cursor.execute(_ADD_ADJUDICATIONS, reasons | {"before": last})
    facts = {"meeting_id": told.meeting_id, "how": told.how, "follows": told.follows}
    cursor.execute(_ADD_FACTS, facts | {"before": last})
    return [last + nth for nth in range(1, len(payload["cases"]) + 1)]


def _check_value(found: Numbered, value: str) -> None:
    scale = protocol(found.protocol).criterion(found.point.criterion).scale
    if value not in scale:
        raise ReviewError(
            f"{found.point.unit_id}, {found.point.criterion}: {value!r} is not on the scale; "
            f"expected {', '.join(scale.values)}. Nothing was stored."
        )


def _refuse_settled(
    cursor: Cursor, points: Sequence[Numbered], near: Mapping[str, int], also: str
) -> None:
    rows = cursor.execute(_SETTLED_SINCE, {**near, "also": also}).fetchall()
    if rows:
        nth, name, value, signed_at, kind = rows[0]
        point, under = points[nth].point, points[nth].protocol
        told = format_verdict(under, point.unit_id, point.criterion, value, signed_at)
        did = "settled" if kind == "adjudicator" else "answered"
        raise Conflict(
            f"{name} {did} {told}, after these {len(points)} cases were shown; none of them was "
            "stored. Show them again."
        )


register_work(KIND, _store_decisions, confirmed=True)
