"""Stepping through a meeting: what the room says is done, each by the record it belongs to."""

from data.meetings.decide import decide
from data.meetings.decide_many import Settled, decide_like
from data.meetings.decision_facts import Circumstances
from data.meetings.meetings import load_meeting
from data.meetings.save_meetings import DEFERRED, FINISHED, PRESENT, TIMED, note_event
from data.meetings.undo import take_back
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.review.meeting import Meeting, PointState
from faithfulness.review.meeting_step import MeetingStep, StepKind

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
        return (_decide(store, meeting, author, step),)
    if step.kind is StepKind.UNDO:
        told = {"operation_id": step.operation_id, "meeting_id": meeting.id}
        return tuple(take_back(store, step.cases, author=author, **told))
    if step.kind is StepKind.LIKE:
        return tuple(_apply(store, meeting, author, step))
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


def _decide(store: Store, meeting: Meeting, author: Author, step: MeetingStep) -> int:
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


def _apply(store: Store, meeting: Meeting, author: Author, step: MeetingStep) -> list[int]:
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
