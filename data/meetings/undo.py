"""Taking back many: one operation takes several decisions back, whole or not at all."""

from collections.abc import Mapping, Sequence
from typing import Any

from data.items import payloads
from data.meetings.adjudicate import check_may_settle, settle, write_many
from data.meetings.decide import reversal
from data.meetings.decision_facts import Circumstances, words_of_run
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.vocabulary import Author
from faithfulness.review.meeting import Point

KIND = "adjudications taken back"


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
    taken = [_case(store, point, number, operation_id) for point, number in cases]
    for case in taken:
        check_may_settle(author, case["reason"])
    payload = {
        "cases": taken,
        "author": payloads.author_out(author),
        "error_class": "",
        "circumstances": Circumstances(meeting_id=meeting_id).as_json(),
        "confirmed": False,
        "signed_at": now().isoformat(),
    }
    return write_many(store, operation_id, KIND, payload, _work)


def _case(store: Store, point: Point, number: int, operation_id: str) -> dict[str, Any]:
    back = reversal(store, point, number, operation_id)
    return {
        "run_id": back.run_id,
        "item_id": point.item_id,
        "answer": payloads.answers_out([back.answer])[0],
        "reason": back.reason,
        "seen": back.seen,
        "words": words_of_run(store, back.run_id),
    }


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[int]:
    return [
        settle(cursor, operation_id, {**payload, **case}, payloads.answers_in([case["answer"]])[0])
        for case in payload["cases"]
    ]


register_work(KIND, _work, confirmed=True)
