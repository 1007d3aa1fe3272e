"""Save decisions of an adjudicator on disagreements, with their reasons."""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from data.items import payloads
from data.items.append import AnswerTarget, append_answers, find_place, load_earlier_answers
from data.items.sign import check_answers
from data.meetings.answer_words import format_verdict
from data.meetings.decision_facts import Circumstances, append_facts, load_run_words
from data.meetings.proposals import append_proposal as append_proposal
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, Conflict, ReviewError
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.review.meeting import Point

KIND = "adjudication"

_log = logging.getLogger(__name__)

# What was settled since in any run of the protocol with this item, or, for who warns, what stands.
_SETTLED_SINCE = """
select w.name, a.value, a.signed_at, a.annotation_no
from annotations a
join runs r on r.run_no = a.run_no and r.protocol = $protocol
join authors w on w.author_no = a.author_no
join units u on u.unit_no = a.unit_no and u.item_no = $item_no
where a.item_no = $item_no
    and u.unit_id = $unit_id
    and a.criterion = $criterion
    and w.kind = 'adjudicator'
    and r.run_no not in (select run_no from run_removals)
    and (
        a.annotation_no > $seen
        or (
            $warns
            and a.value is not null
            and a.annotation_no not in (
                select supersedes
                from annotations
                where item_no = $item_no
                    and supersedes is not null
            )
        )
    )
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
    circumstances: Circumstances | None = None,
) -> int:
    """Settle one unit and criterion of a run and return the annotation's number.

    `seen` is the highest annotation number the adjudicator was shown on this unit and criterion.
    An earlier adjudication of the run, whoever signed it, is superseded and stays readable; one in
    another run of the protocol with this item stays as it is, and the later of both counts. The
    words that are in force under the protocol are kept with the decision.

    Raises:
        Conflict: somebody settled it since, in any of these runs; ask the adjudicator, then send
            with `confirmed`.
        ReviewError: no reason, not an adjudicator, or the answer does not fit run and item.
        NotSaved: nothing was stored.
    """
    check_may_settle(author, reason)
    payload = {
        "run_id": run_id,
        "item_id": item_id,
        "answer": payloads.encode_answers([answer])[0],
        "author": payloads.encode_author(author),
        "reason": reason,
        "error_class": error_class,
        "seen": seen,
        "confirmed": confirmed,
        "circumstances": (circumstances or Circumstances()).as_json(),
        "words": load_run_words(store, run_id),
        "signed_at": now().isoformat(),
    }
    try:
        number = store.write_journaled(
            operation_id,
            KIND,
            payload,
            lambda cursor: _store_adjudication(cursor, operation_id, payload),
        )
    except AlreadyDone as done:
        return int(done.outcome)
    _log.info("adjudicated: %s of item %s", answer.unit_id, item_id)
    return number


def write_many(
    store: Store,
    operation_id: str,
    kind: str,
    payload: Mapping[str, Any],
    work: Callable[[Cursor, str, Mapping[str, Any]], list[int]],
) -> list[int]:
    """Store several decisions in one operation; sent twice it gives the same numbers.

    Raises:
        NotSaved: none was stored.
    """
    try:
        numbers = store.write_journaled(
            operation_id, kind, payload, lambda cursor: work(cursor, operation_id, payload)
        )
    except AlreadyDone as done:
        return [int(number) for number in done.outcome]
    _log.info("%s in one operation: %s", kind, len(numbers))
    return numbers


def check_may_settle(author: Author, reason: str) -> None:
    """Refuse who does not settle, and settling without a reason."""
    if author.kind is not AuthorKind.ADJUDICATOR:
        raise ReviewError(f"{author.name} signs as {author.kind.value}; only adjudicators settle.")
    if not reason.strip():
        raise ReviewError("Settling needs a reason. Write one sentence on why this value counts.")


def _store_adjudication(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> int:
    return append_adjudication(
        cursor, operation_id, payload, payloads.decode_answers([payload["answer"]])[0]
    )


def append_adjudication(
    cursor: Cursor, operation_id: str, payload: Mapping[str, Any], answer: Answer
) -> int:
    """Append one adjudication with everything that belongs to it, inside a transaction."""
    author = payloads.decode_author(payload["author"])
    place = find_place(cursor, payload["run_id"], payload["item_id"], author, operation_id)
    check_answers(place, [answer])
    if not payload["confirmed"]:
        warns = payload.get("circumstances", {}).get("warns", False)
        _refuse_settled(cursor, place, answer, payload["seen"], warns=warns)
    signed_at = datetime.fromisoformat(payload["signed_at"])
    before = load_earlier_answers(cursor, place)
    number = append_answers(cursor, place, [answer], signed_at, before=before)[0]
    facts = {
        "annotation_no": number,
        "item_no": place.item_no,
        "reason": payload["reason"],
        "error_class": payload["error_class"],
        "seen": payload["seen"],
    }
    cursor.execute(_ADD_ADJUDICATION, facts)
    append_facts(cursor, number, place.item_no, payload)
    _append_proposal(cursor, place, answer, payload)
    return number


def _append_proposal(
    cursor: Cursor, place: AnswerTarget, answer: Answer, payload: Mapping[str, Any]
) -> None:
    told = Circumstances(**payload.get("circumstances", {}))
    if not told.wording.strip():
        return
    proposal = {
        "protocol": place.protocol,
        "section": told.section,
        "wording": told.wording,
        "by": payload["author"]["name"],
        "meeting_id": told.meeting_id,
        "point": Point(place.run_id, place.item_id, answer.unit_id, answer.criterion),
        "proposed_at": payload["signed_at"],
    }
    append_proposal(cursor, place.operation_id, proposal)


def _refuse_settled(
    cursor: Cursor, place: AnswerTarget, answer: Answer, seen: int, *, warns: bool
) -> None:
    facts = {
        "item_no": place.item_no,
        "protocol": place.protocol,
        "unit_id": answer.unit_id,
        "criterion": answer.criterion,
        "seen": seen,
        "warns": warns,
    }
    found = cursor.execute(_SETTLED_SINCE, facts).fetchall()
    if not found:
        return
    name, value, signed_at, number = found[0]
    told = format_verdict(place.protocol, answer.unit_id, answer.criterion, value, signed_at)
    when = ", after you opened it" if number > seen else ""
    raise Conflict(
        f"{name} settled {told}{when}. Decide a second time to put yours in its place; "
        "both stay on record."
    )


register_work(KIND, _store_adjudication, confirmed=True)
