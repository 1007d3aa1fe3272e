"""Open, edit and submit a rater's sheet without showing answers of other annotators."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from data.items import payloads
from data.items.append import AnswerTarget, append_answers, find_place, load_earlier_answers
from data.items.sign import check_answers, check_reasons
from data.items.summaries import append_findings_and_summary
from data.rating import rating_queries
from data.rating.drafts import (
    SET,
    SIGNED,
    TIME,
    UNDO,
    DraftStep,
    Sheet,
    State,
    append_steps,
    load_kept_steps,
    load_sheet,
    save_steps,
)
from data.store.engine import Cursor
from data.store.replay import register_redo
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, Conflict
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Item
from faithfulness.review import rating
from faithfulness.review.rating import Advice

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


def build_operation_id(sheet: Sheet, last_step: str) -> str:
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
    operation_id = build_operation_id(sheet, last_step)
    payload = {
        "run_id": sheet.run_id,
        "item_id": sheet.item_id,
        "rater": sheet.rater,
        "answers": payloads.encode_answers(answers),
        "seconds": dict(seconds),
        "signed_at": now().isoformat(),
    }
    try:
        numbers = store.write_journaled(
            operation_id,
            KIND,
            payload,
            lambda cursor: _store_sheet(cursor, operation_id, payload, last_step, item),
        )
    except AlreadyDone as done:
        return [int(number) for number in done.outcome]
    _log.info("sheet signed: %s answers on item %s", len(numbers), sheet.item_id)
    return numbers


def redo(store: Store, payload: Mapping[str, Any]) -> None:
    """Sign again what the journal has and the store lost."""
    operation_id = str(payload["operation_id"])
    store.write(operation_id, KIND, lambda cursor: _store_sheet(cursor, operation_id, payload))


def _store_sheet(
    cursor: Cursor,
    operation_id: str,
    payload: Mapping[str, Any],
    last_step: str | None = None,
    item: Item | None = None,
) -> list[int]:
    """Without a last step whatever stands on the sheet is signed: what the journal has counts."""
    sheet = Sheet(payload["run_id"], payload["item_id"], payload["rater"])
    answers = payloads.decode_answers(payload["answers"])
    author = Author(kind=AuthorKind.RATER, name=sheet.rater)
    signed_at = datetime.fromisoformat(payload["signed_at"])
    place = find_place(cursor, sheet.run_id, sheet.item_id, author, operation_id)
    if last_step is not None:
        _refuse_changed(cursor, place, sheet, last_step)
    check_answers(place, answers)
    before = load_earlier_answers(cursor, place)
    numbers = append_answers(cursor, place, answers, signed_at, before=before)
    append_findings_and_summary(cursor, place, author, answers, numbers, before=before, item=item)
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
    closed = [DraftStep(operation_id, "", SIGNED, {})]
    append_steps(cursor, operation_id, sheet, (place.run_no, place.item_no), closed)
    return numbers


def _refuse_changed(cursor: Cursor, place: AnswerTarget, sheet: Sheet, last_step: str) -> None:
    steps = load_kept_steps(cursor, sheet, (place.run_no, place.item_no))
    seen = 0
    if last_step:
        seen = max((number for number, step_id, _ in steps if step_id == last_step), default=LAST)
    if any(number > seen and kind in (SET, UNDO) for number, _, kind in steps):
        raise Conflict(CHANGED_ELSEWHERE)


register_redo(KIND, redo)


class SheetContent(NamedTuple):
    """What stands on a sheet: signed before, changed since, and what can be taken back."""

    states: Mapping[str, State]
    undo: tuple[tuple[str, State | None], ...]
    last: str
    seconds: Mapping[str, float]
    signed: Sequence[Answer]
    is_changed: bool
    trail: tuple[tuple[str, str], ...] = ()  # id and kind of all steps, in order

    @property
    def is_signed(self) -> bool:
        return bool(self.signed)


def read_sheet(store: Store, sheet: Sheet, protocol: Protocol) -> SheetContent:
    """What is on a sheet now: the rater's own signed answers under what they changed since.

    Raises:
        ReviewError: the run was removed or has no such item.
    """
    filled = load_sheet(store, sheet)
    own = rating_queries.load_own_answers(store, *sheet, number=filled.item_no)
    # Statements of a guided path are signed as pieces; the sheet has them as they were said.
    said = {unit: state for unit, state in filled.before.items() if unit.startswith("path.s")}
    signed = {**said, **rating.build_states(own, protocol)} if own else {}
    return SheetContent(
        states={**signed, **filled.states},
        undo=tuple((unit, before or signed.get(unit)) for unit, before in filled.undo),
        last=filled.last,
        seconds=filled.seconds,
        signed=own,
        is_changed=bool(filled.states),
        trail=filled.trail,
    )


def keep_steps(
    store: Store, sheet: Sheet, item: Item, protocol: Protocol, steps: Sequence[DraftStep]
) -> None:
    """Store what a browser says was changed, as far as the protocol knows it.

    Raises:
        ReviewError: the run was removed or has no such item.
        NotSaved: nothing was stored.
    """
    asked = rating.list_steps(item, protocol)
    known = [each for each in steps if each.unit_id in asked]
    clean = [
        each._replace(state=rating.clean_state(each.state, asked[each.unit_id], item))
        for each in known
    ]
    save_steps(store, sheet, clean)


def sign(
    store: Store,
    sheet: Sheet,
    item: Item,
    protocol: Protocol,
    *,
    seen: tuple[str, str],
    times: Mapping[str, float],
) -> dict[str, list[str]]:
    """Sign a sheet as it is stored; the answer is what keeps it from being signed, by unit.

    Args:
        store: where to.
        sheet: whose, and which item.
        item: the item.
        protocol: the run's.
        seen: the last step that the form began with, and the beginning of its own steps' ids.
        times: seconds by unit that no step has told yet.

    Raises:
        Conflict: the sheet was changed elsewhere since the form was opened; nothing was signed.
        ReviewError: the run was removed, or the answers do not fit.
        NotSaved: nothing was signed, and the draft is still there.
    """
    found = read_sheet(store, sheet, protocol)
    if not found.is_changed and found.is_signed:
        return {}  # the same sheet was signed a moment ago
    if _is_changed_elsewhere(sheet, found, *seen):
        raise Conflict(CHANGED_ELSEWHERE)
    complaints = rating.list_complaints(found.states, item, protocol)
    if not complaints:
        units = {*found.seconds, *times}
        seconds = {each: found.seconds.get(each, 0.0) + times.get(each, 0.0) for each in units}
        answers = rating.build_answers(found.states, item, protocol, found.signed)
        sign_sheet(store, sheet, answers, last_step=found.last, seconds=seconds, item=item)
    return complaints


def _is_changed_elsewhere(sheet: Sheet, found: SheetContent, began: str, visit: str) -> bool:
    """Whether a step since the form was opened is not its own, also one before its last."""
    names = [name for name, _ in found.trail]
    first = names.index(began) + 1 if began in names else 0
    since = {name for name, kind in found.trail[first:] if kind != TIME}
    own = {name for name in since if name.startswith(visit)}
    return bool(since - own - {build_operation_id(sheet, name) for name in own})


def load_advice(store: Store, sheet: Sheet, item: Item, protocol: Protocol) -> Advice:
    """Return what the rules make of the sheet now."""
    if not rating.has_advice(protocol):
        return Advice()
    return rating.give_advice(read_sheet(store, sheet, protocol).states, item, protocol)
