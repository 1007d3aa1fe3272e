"""Sheets: a rater signs, and answers, times and the closed draft are stored together."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.items import payloads
from data.items.append import Place, append_answers, find_place, what_stands
from data.items.sign import check, check_reasons
from data.items.summaries import sum_up
from data.rating.drafts import SET, SIGNED, UNDO, Sheet, Step, append, kept_steps
from data.store.engine import Cursor
from data.store.replay import register_redo
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, Conflict
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Item

KIND = "sheet"
LAST = 2**62  # beyond every number of a step

CHANGED_ELSEWHERE = (
    "Not signed: you changed this item in another window. Reload this page to see everything, "
    "then sign."
)

_log = logging.getLogger(__name__)

_ADD_TIMES = """
insert into rating_times (
    operation_id, run_no, item_no, unit_id, author_no, seconds, signed_at
)
select
    $operation_id, $run_no, $item_no, unnest($units::varchar[]), $author_no,
    unnest($seconds::double[]), $signed_at
"""


def operation_of(sheet: Sheet, last_step: str) -> str:
    """Names the signature of a sheet as its last step left it, so that two presses are one."""
    names = "\x00".join((*sheet, last_step))
    return f"sheet-{hashlib.sha256(names.encode()).hexdigest()[:32]}"


def sign_sheet(
    store: Store,
    sheet: Sheet,
    answers: Sequence[Answer],
    *,
    last_step: str,
    seconds: Mapping[str, float],
    item: Item | None = None,
) -> list[int]:
    """Store a rater's answers and return the numbers of their annotations.

    What the rater signed before is superseded. The journal has the answers before the store. Signed
    again as the same last step left it nothing is stored twice; the same numbers come back. The
    item is read from the store when whoever signs does not have it at hand.

    Raises:
        Conflict: the sheet has steps after `last_step`, which would be closed without being signed.
        ReviewError: the run was removed, the answers do not fit its protocol or the item, or one
            departs from the rater's own marks without a reason.
        NotSaved: nothing was stored, and the draft is still there.
    """
    check_reasons(store, sheet.item_id, answers, item)
    operation_id = operation_of(sheet, last_step)
    payload = {
        "run_id": sheet.run_id,
        "item_id": sheet.item_id,
        "rater": sheet.rater,
        "answers": payloads.answers_out(answers),
        "seconds": dict(seconds),
        "signed_at": now().isoformat(),
    }
    try:
        numbers = store.write_journaled(
            operation_id,
            KIND,
            payload,
            lambda cursor: _work(cursor, operation_id, payload, last_step, item),
        )
    except AlreadyDone as done:
        return [int(number) for number in done.outcome]
    _log.info("sheet signed: %s answers on item %s", len(numbers), sheet.item_id)
    return numbers


def redo(store: Store, payload: Mapping[str, Any]) -> None:
    """Sign again what the journal has and the store lost."""
    operation_id = str(payload["operation_id"])
    store.write(operation_id, KIND, lambda cursor: _work(cursor, operation_id, payload))


def _work(
    cursor: Cursor,
    operation_id: str,
    payload: Mapping[str, Any],
    last_step: str | None = None,
    item: Item | None = None,
) -> list[int]:
    """Without a last step whatever stands on the sheet is signed: what the journal has counts."""
    sheet = Sheet(payload["run_id"], payload["item_id"], payload["rater"])
    answers = payloads.answers_in(payload["answers"])
    author = Author(kind=AuthorKind.RATER, name=sheet.rater)
    signed_at = datetime.fromisoformat(payload["signed_at"])
    place = find_place(cursor, sheet.run_id, sheet.item_id, author, operation_id)
    if last_step is not None:
        _refuse_changed(cursor, place, sheet, last_step)
    check(place, answers)
    before = what_stands(cursor, place)
    numbers = append_answers(cursor, place, answers, signed_at, before=before)
    sum_up(cursor, place, author, answers, numbers, before=before, item=item)
    facts = {
        "operation_id": operation_id,
        "run_no": place.run_no,
        "item_no": place.item_no,
        "author_no": place.author_no,
        "signed_at": signed_at,
    }
    spent = payload["seconds"]
    times = {"units": list(spent), "seconds": [float(each) for each in spent.values()]}
    cursor.execute(_ADD_TIMES, {**facts, **times})
    closed = [Step(operation_id, "", SIGNED, {})]
    append(cursor, operation_id, sheet, (place.run_no, place.item_no), closed)
    return numbers


def _refuse_changed(cursor: Cursor, place: Place, sheet: Sheet, last_step: str) -> None:
    steps = kept_steps(cursor, sheet, (place.run_no, place.item_no))
    seen = 0
    if last_step:
        seen = max((number for number, step_id, _ in steps if step_id == last_step), default=LAST)
    if any(number > seen and kind in (SET, UNDO) for number, _, kind in steps):
        raise Conflict(CHANGED_ELSEWHERE)


register_redo(KIND, redo)
