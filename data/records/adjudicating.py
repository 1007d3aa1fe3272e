"""Adjudicating: one person settles what others answered differently, with a reason."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from data.beside import now
from data.engine import Cursor
from data.records import payloads
from data.records.appending import Place, append_answers, find_place
from data.records.signing import check
from data.replay import register_redo
from data.store import Store
from faithfulness.errors import AlreadyDone, Conflict, ReviewError
from faithfulness.vocabulary import Answer, Author, AuthorKind

KIND = "adjudication"

_log = logging.getLogger(__name__)

_SETTLED_SINCE = """
select w.name, coalesce(a.value, 'no value'), a.signed_at
from annotations a
join authors w on w.author_no = a.author_no
join units u on u.unit_no = a.unit_no and u.item_no = $item_no
where a.item_no = $item_no
    and a.run_no = $run_no
    and u.unit_id = $unit_id
    and a.criterion = $criterion
    and w.kind = 'adjudicator'
    and a.annotation_no > $seen
order by a.annotation_no desc
limit 1
"""

_ADD_ADJUDICATION = """
insert into adjudications (annotation_no, item_no, reason, error_class, seen_annotation_no)
values ($annotation_no, $item_no, $reason, $error_class, $seen)
"""


def adjudicate(
    store: Store,
    *,
    run_id: str,
    item_id: str,
    answer: Answer,
    author: Author,
    reason: str,
    seen: int,
    operation_id: str,
    error_class: str = "",
    confirmed: bool = False,
) -> int:
    """Settle one unit and criterion of a run and return the annotation's number.

    `seen` is the highest annotation number the adjudicator was shown on this unit and criterion.
    An earlier adjudication, whoever signed it, is superseded and stays readable.

    Raises:
        Conflict: somebody settled it since; ask the adjudicator, then send with `confirmed`.
        ReviewError: no reason, not an adjudicator, or the answer does not fit run and item.
        NotSaved: nothing was stored.
    """
    if author.kind is not AuthorKind.ADJUDICATOR:
        raise ReviewError(f"{author.name} signs as {author.kind.value}; only adjudicators settle.")
    if not reason.strip():
        raise ReviewError("Settling needs a reason. Write one sentence on why this value counts.")
    payload = {
        "run_id": run_id,
        "item_id": item_id,
        "answer": payloads.answers_out([answer])[0],
        "author": payloads.author_out(author),
        "reason": reason,
        "error_class": error_class,
        "seen": seen,
        "confirmed": confirmed,
        "signed_at": now().isoformat(),
    }
    try:
        number = store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _work(cursor, operation_id, payload)
        )
    except AlreadyDone as done:
        return int(done.outcome)
    _log.info("adjudicated: %s of item %s", answer.unit_id, item_id)
    return number


def redo(store: Store, payload: Mapping[str, Any]) -> None:
    """Settle again what the journal has and the store lost."""
    operation_id = str(payload["operation_id"])
    # It was acknowledged when it was signed, so there is nobody left to ask.
    again = {**payload, "confirmed": True}
    store.write(operation_id, KIND, lambda cursor: _work(cursor, operation_id, again))


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> int:
    answer = payloads.answers_in([payload["answer"]])[0]
    author = payloads.author_in(payload["author"])
    place = find_place(cursor, payload["run_id"], payload["item_id"], author, operation_id)
    check(place, [answer])
    if not payload["confirmed"]:
        _refuse_settled(cursor, place, answer, payload["seen"])
    signed_at = datetime.fromisoformat(payload["signed_at"])
    number = append_answers(cursor, place, [answer], signed_at)[0]
    facts = {
        "annotation_no": number,
        "item_no": place.item_no,
        "reason": payload["reason"],
        "error_class": payload["error_class"],
        "seen": payload["seen"],
    }
    cursor.execute(_ADD_ADJUDICATION, facts)
    return number


def _refuse_settled(cursor: Cursor, place: Place, answer: Answer, seen: int) -> None:
    facts = {
        "item_no": place.item_no,
        "run_no": place.run_no,
        "unit_id": answer.unit_id,
        "criterion": answer.criterion,
        "seen": seen,
    }
    found = cursor.execute(_SETTLED_SINCE, facts).fetchall()
    if found:
        name, value, signed_at = found[0]
        raise Conflict(
            f"{name} settled {answer.unit_id} ({answer.criterion}) as {value} on "
            f"{signed_at:%Y-%m-%d %H:%M} UTC, after you opened it. Look at that verdict; "
            "confirm yours to put it in its place."
        )


register_redo(KIND, redo)
