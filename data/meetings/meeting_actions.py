"""Carry out the steps of a meeting and store their results."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.items import payloads
from data.meetings.adjudicate import append_adjudication, check_may_settle, write_many
from data.meetings.decide import build_reversal, decide
from data.meetings.decide_many import Settled, decide_like
from data.meetings.decision_facts import Circumstances, load_run_words
from data.meetings.meetings import load_meeting
from data.meetings.save_meetings import DEFERRED, FINISHED, PRESENT, TIMED, note_event
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from data.triage.points import number_points
from faithfulness.model.errors import AlreadyDone, Conflict, ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.review.meeting import Meeting, Point, PointState
from faithfulness.review.meeting_step import MeetingStep, StepKind

UNDO_KIND = "adjudications taken back"


def take_back(
    store: Store,
    cases: Sequence[tuple[Point, int]],
    *,
    author: Author,
    operation_id: str,
    meeting_id: str = "",
) -> list[int]:
    """Take decisions back, each known by its number, and return the new annotations' numbers.

    Raises:
        Conflict: one does not count any more, or somebody decided since; none was taken back.
        ReviewError: one does not fit its run and item; none was taken back.
        NotSaved: none was taken back.
    """
    if not cases:
        return []
    taken = [_build_case(store, point, number, operation_id) for point, number in cases]
    for case in taken:
        check_may_settle(author, case["reason"])
    payload = {
        "cases": taken,
        "author": payloads.encode_author(author),
        "error_class": "",
        "circumstances": Circumstances(meeting_id=meeting_id).as_json(),
        "confirmed": False,
        "signed_at": now().isoformat(),
    }
    return write_many(store, operation_id, UNDO_KIND, payload, _undo_decisions)


def _build_case(store: Store, point: Point, number: int, operation_id: str) -> dict[str, Any]:
    back = build_reversal(store, point, number, operation_id)
    return {
        "run_id": back.run_id,
        "item_id": point.item_id,
        "answer": payloads.encode_answers([back.answer])[0],
        "reason": back.reason,
        "seen": back.seen,
        "words": load_run_words(store, back.run_id),
    }


def _undo_decisions(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[int]:
    return [
        append_adjudication(
            cursor, operation_id, {**payload, **case}, payloads.decode_answers([case["answer"]])[0]
        )
        for case in payload["cases"]
    ]


register_work(UNDO_KIND, _undo_decisions, confirmed=True)


RECHECK_KIND = "decision check"

_CURRENT = """
select a.annotation_no, a.operation_id
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
where a.item_no = $item_no
    and a.run_no = $run_no
    and a.unit_no = $unit_no
    and a.criterion = $criterion
order by a.annotation_no desc
limit 1
"""

_ADD_RECHECK = """
insert into decision_checks (
    annotation_no, operation_id, guidance, prompt, checked_by, checked_at
)
values ($annotation_no, $operation_id, $guidance, $prompt, $checked_by, $checked_at)
"""


def confirm_decision(
    store: Store, point: Point, *, made_by: str, by: str, operation_id: str
) -> None:
    """Keep that a decision stands under the words in force now.

    Args:
        store: where to.
        point: what was decided.
        made_by: the operation that made the decision, as `to_recheck` gives it.
        by: who looked.
        operation_id: the same for the same press of a key.

    Raises:
        Conflict: another decision counts by now.
        ReviewError: the point is not there.
        NotSaved: nothing was stored.
    """
    payload = {
        "point": list(point),
        "made_by": made_by,
        "by": by,
        "words": load_run_words(store, point.run_id),
        "at": now().isoformat(),
    }
    try:
        store.write_journaled(
            operation_id,
            RECHECK_KIND,
            payload,
            lambda cursor: _store_confirmation(cursor, operation_id, payload),
        )
    except AlreadyDone:
        return


def _store_confirmation(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> None:
    (found,) = number_points(cursor, [Point(*payload["point"])])
    facts = {name: getattr(found, name) for name in ("run_no", "item_no", "unit_no")}
    last = cursor.execute(_CURRENT, facts | {"criterion": found.point.criterion}).fetchall()
    if not last or last[0][1] != payload["made_by"]:
        raise Conflict(
            "Another decision on this unit counts by now; nothing was stored. Look at that one."
        )
    checked = {
        "annotation_no": last[0][0],
        "operation_id": operation_id,
        "guidance": payload["words"].get("guidance", ""),
        "prompt": payload["words"].get("prompt", ""),
        "checked_by": payload["by"],
        "checked_at": datetime.fromisoformat(payload["at"]),
    }
    cursor.execute(_ADD_RECHECK, checked)


register_work(RECHECK_KIND, _store_confirmation)


_EVENTS = {
    StepKind.DEFER: DEFERRED,
    StepKind.PRESENT: PRESENT,
    StepKind.TIMED: TIMED,
    StepKind.FINISH: FINISHED,
}

_DECISION = """
select a.operation_id, a.value, d.reason, d.error_class
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
where d.annotation_no = $number
    and a.value is not null
"""


def take_step(
    store: Store, meeting: Meeting, step: MeetingStep, *, by: str = ""
) -> tuple[int, ...]:
    """Do one step, signed by whoever is signed in, else the host; returns its decisions' numbers.

    Raises:
        Conflict: a decision stands already, or somebody decided since; nothing was stored.
        ReviewError: something is missing or not there any more; nothing was stored.
        NotSaved: nothing was stored.
    """
    signer = by or meeting.host
    author = Author(kind=AuthorKind.ADJUDICATOR, name=signer)
    if step.kind is StepKind.DECIDE:
        return (_decide_point(store, meeting, author, step),)
    if step.kind is StepKind.UNDO:
        told = {"operation_id": step.operation_id, "meeting_id": meeting.id}
        return tuple(take_back(store, step.cases, author=author, **told))
    if step.kind is StepKind.LIKE:
        return tuple(_apply_decision(store, meeting, author, step))
    if step.kind is StepKind.DEFER:
        _refuse_decided(store, meeting, step)
    note_event(
        store,
        meeting.id,
        _EVENTS[step.kind],
        by=signer,
        operation_id=step.operation_id,
        point=step.point,
        people=step.people,
        text=step.reason,
        seconds=step.seconds,
    )
    return ()


def _refuse_decided(store: Store, meeting: Meeting, step: MeetingStep) -> None:
    """A deferred point is open to everybody, so no decision of this meeting may stand on it."""
    now = load_meeting(store, meeting.id)  # a decision may have been taken back a press ago
    decided = {each.point for each in now.agenda if each.state is PointState.DECIDED}
    if step.point in decided:
        raise ReviewError(
            "This point is decided. Take the decision back first, then defer it; nothing was "
            "stored."
        )


def _decide_point(store: Store, meeting: Meeting, author: Author, step: MeetingStep) -> int:
    if step.point is None:
        raise ReviewError("It is not said which point is decided; nothing was stored.")
    told = Circumstances(
        meeting_id=meeting.id,
        seconds=step.seconds,
        section=step.section,
        wording=step.wording,
        warns=True,
    )
    return decide(
        store,
        run_id=step.point.run_id,
        item_id=step.point.item_id,
        unit_id=step.point.unit_id,
        criterion=step.point.criterion,
        value=step.value,
        author=author,
        reason=step.reason,
        error_class=step.error_class,
        seen=step.seen,
        operation_id=step.operation_id,
        confirmed=step.confirmed,
        circumstances=told,
    )


def _apply_decision(store: Store, meeting: Meeting, author: Author, step: MeetingStep) -> list[int]:
    with store.read() as cursor:
        found = cursor.execute(_DECISION, {"number": step.follows}).fetchall()
    if not found:
        raise ReviewError("The decision to apply was taken back; nothing was stored.")
    operation, value, reason, error_class = found[0]
    return decide_like(
        store,
        [Settled(point, value, seen) for point, seen in step.cases],
        follows=operation,
        author=author,
        reason=reason,
        error_class=error_class,
        operation_id=step.operation_id,
        meeting_id=meeting.id,
    )
