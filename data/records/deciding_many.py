"""Deciding many: one operation settles several units, whole or not at all."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from data.beside import now
from data.engine import Cursor
from data.records import payloads
from data.records.adjudicating import check_may_settle, settle
from data.records.decision_facts import LIKE, UNANIMOUS, Circumstances, words_in_force
from data.records.points import number_points
from data.replay import register_redo
from data.store import Store
from faithfulness.errors import AlreadyDone, ReviewError
from faithfulness.meeting import Point
from faithfulness.vocabulary import Answer, Author

KIND = "adjudications"
MOST = 500  # decisions at once; whoever shows them first shows fewer

_log = logging.getLogger(__name__)


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
    return _decide(store, cases, author, reason, error_class, told, operation_id)


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
    """
    told = Circumstances(meeting_id=meeting_id, how=UNANIMOUS)
    reason = "All raters say so."
    return _decide(store, cases, author, reason, "", told, operation_id)


def _decide(
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
        "words": {each.protocol: words_in_force(each.protocol) for each in found},
        "author": payloads.author_out(author),
        "reason": reason,
        "error_class": error_class,
        "circumstances": told.as_json(),
        "confirmed": False,
        "signed_at": now().isoformat(),
    }
    try:
        numbers = store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _work(cursor, operation_id, payload)
        )
    except AlreadyDone as done:
        return [int(number) for number in done.outcome]
    _log.info("adjudicated at once: %s (%s)", len(numbers), told.how)
    return numbers


def redo(store: Store, payload: Mapping[str, Any]) -> None:
    """Settle again what the journal has and the store lost."""
    operation_id = str(payload["operation_id"])
    again = {**payload, "confirmed": True}
    store.write(operation_id, KIND, lambda cursor: _work(cursor, operation_id, again))


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[int]:
    points = number_points(cursor, [Point(*each["point"]) for each in payload["cases"]])
    numbers = []
    for case, found in zip(payload["cases"], points, strict=True):
        point = found.point
        answer = Answer(unit_id=point.unit_id, criterion=point.criterion, value=case["value"])
        one = {
            **payload,
            "run_id": point.run_id,
            "item_id": point.item_id,
            "seen": case["seen"],
            "words": payload["words"].get(found.protocol, {}),
        }
        numbers.append(settle(cursor, operation_id, one, answer))
    return numbers


register_redo(KIND, redo)
