"""Store the answers of a rater or judge as annotations, after writing them to the journal."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.items import payloads
from data.items.append import AnswerTarget, append_answers, find_place, load_earlier_answers
from data.items.loading import load_known_items
from data.items.save_replies import append_prompt, append_reply
from data.items.summaries import append_findings_and_summary
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.intake.departures import may_lack_reason, require_reasons
from faithfulness.model.errors import AlreadyDone, ReviewError
from faithfulness.model.prompt import Prompt
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Item, Reply
from faithfulness.protocols import protocol

KIND = "rating"

_log = logging.getLogger(__name__)


def sign(
    store: Store,
    *,
    run_id: str,
    item_id: str,
    answers: Sequence[Answer],
    author: Author,
    operation_id: str,
    reply: Reply | None = None,
    notes: Sequence[str] = (),
    prompt: Prompt | None = None,
) -> list[int]:
    """Store answers signed by one author and return the numbers of their annotations.

    What the same author said before about the same units and criteria of this run is superseded,
    and the author's Summary of the item is made anew. The journal has the answers before the store.
    Sent again with the same operation id nothing is stored twice; the same numbers come back.

    Raises:
        ReviewError: the run was removed, the answers do not fit its protocol or the item, or a
            rater's answer departs from the rater's own marks without a reason.
        NotSaved: nothing was stored.
    """
    if author.kind is AuthorKind.RATER:
        check_reasons(store, item_id, answers)
    payload = {
        "run_id": run_id,
        "item_id": item_id,
        "answers": payloads.encode_answers(answers),
        "author": payloads.encode_author(author),
        "reply": payloads.encode_reply(reply),
        "notes": list(notes),
        "prompt": payloads.encode_prompt(prompt),
        "signed_at": now().isoformat(),
    }
    try:
        numbers = store.write_journaled(
            operation_id,
            KIND,
            payload,
            lambda cursor: _store_answers(cursor, operation_id, payload),
        )
    except AlreadyDone as done:
        return [int(number) for number in done.outcome]
    _log.info("answers signed: %s on item %s by a %s", len(numbers), item_id, author.kind.value)
    return numbers


def _store_answers(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[int]:
    answers = payloads.decode_answers(payload["answers"])
    author = payloads.decode_author(payload["author"])
    signed_at = datetime.fromisoformat(payload["signed_at"])
    place = find_place(cursor, payload["run_id"], payload["item_id"], author, operation_id)
    check_answers(place, answers)
    prompt = payloads.decode_prompt(payload["prompt"])
    if prompt is not None:
        append_prompt(cursor, prompt, place.protocol, signed_at)
    reply, reply_id = payloads.decode_reply(payload["reply"]), None
    if reply is not None:
        reply_id = append_reply(cursor, place, reply, payload["notes"], signed_at)
    before = load_earlier_answers(cursor, place)
    replied = [reply_id] * len(answers)
    numbers = append_answers(cursor, place, answers, signed_at, before=before, reply_ids=replied)
    append_findings_and_summary(cursor, place, author, answers, numbers, before=before)
    return numbers


def check_reasons(
    store: Store, item_id: str, answers: Sequence[Answer], item: Item | None = None
) -> None:
    """Refuse a rater's answers that depart from the rater's own marks without a reason.

    Asked before the journal has the answers: what it has is never refused, and judges' replies and
    imported files are stored as they are and listed by the audit.

    Raises:
        ReviewError: there is such an answer.
    """
    if not may_lack_reason(answers):
        return
    item = item or load_known_items(store, [item_id]).get(item_id)
    if item is not None:  # what is not stored is refused later, by its own message
        require_reasons(item, answers)


def check_answers(place: AnswerTarget, answers: Sequence[Answer]) -> None:
    """Refuse answers that the store could not stand behind later.

    Raises:
        ReviewError: an unknown criterion, a value off its scale, or two answers to one question.
    """
    criteria = {each.key: each for each in protocol(place.protocol).criteria}
    seen = set()
    for answer in answers:
        where = f"{answer.unit_id}, {answer.criterion}"
        if answer.criterion not in criteria:
            raise ReviewError(
                f"{where}: {place.protocol} has no such criterion; nothing was stored"
            )
        scale = criteria[answer.criterion].scale
        if answer.value is not None and answer.value not in scale:
            raise ReviewError(
                f"{where}: {answer.value!r} is not on the scale; expected {', '.join(scale.values)}"
            )
        if (answer.unit_id, answer.criterion) in seen:
            raise ReviewError(f"{where}: answered twice; keep one of the two answers")
        seen.add((answer.unit_id, answer.criterion))


register_work(KIND, _store_answers)
