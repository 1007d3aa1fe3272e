"""Save a rerun with the reply, cost and answers of every sample."""

import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from data.items import payloads
from data.items.append import append_answers, find_place, load_earlier_answers, load_unit_numbers
from data.items.save_replies import append_prompt, append_samples
from data.items.sign import check_answers
from data.items.summaries import append_findings_and_summary
from data.judging.asked_items import AskedItem
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.judging import rerun
from faithfulness.judging.judge import JudgeQuestion
from faithfulness.judging.rerun import Sample, find_source_sample
from faithfulness.model.errors import AlreadyDone, ReviewError
from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.vocabulary import Answer, Author

PAID_SAMPLES_KIND = "paid sample"
_ASKED = "asked"  # beside the reply's own fields; rows of older versions have none

_ADD = """
insert into paid_samples (group_id, sample_no, reply, cost, replied_at)
select $group_id, $sample_no, $reply, $cost, $replied_at
where not exists (
    select 1 from paid_samples where group_id = $group_id and sample_no = $sample_no
)
"""

_GROUPS = """
select distinct group_id
from paid_samples
where starts_with(group_id, $batch_id || '/')
"""

_OF_GROUP = """
select sample_no, reply, cost
from paid_samples
where group_id = $group_id
order by sample_no
"""


def note_sample(
    store: Store, group_id: str, number: int, sample: Sample, question: JudgeQuestion
) -> None:
    """Store one reply and its cost; the same one a second time changes nothing.

    The mark and the traps of the call go with it: without them nobody could read the reply later.

    Raises:
        NotSaved: nothing was stored.
    """
    said = {
        **(payloads.encode_reply(sample.reply) or {}),
        _ASKED: payloads.encode_secrets(question),
    }
    facts = {
        "group_id": group_id,
        "sample_no": number,
        "reply": json.dumps(said, ensure_ascii=False),
        "cost": sample.cost,
        "replied_at": now(),
    }

    def work(cursor: Cursor) -> None:
        cursor.execute(_ADD, facts)

    store.write(uuid.uuid4().hex, PAID_SAMPLES_KIND, work)


def load_paid_groups(store: Store, batch_id: str) -> set[str]:
    """The groups of a batch of which a sample is paid already."""
    with store.read() as cursor:
        rows = cursor.execute(_GROUPS, {"batch_id": batch_id}).fetchall()
    return {str(group_id) for (group_id,) in rows}


def load_paid_samples(store: Store, group_id: str, question: JudgeQuestion) -> tuple[Sample, ...]:
    """The samples of a question that are paid already, read as if they had just come."""
    with store.read() as cursor:
        rows = cursor.execute(_OF_GROUP, {"group_id": group_id}).fetchall()
    found: list[Sample] = []
    for number, text, cost in rows:
        if number != len(found):
            break  # a gap: what comes after it was asked as another sample
        said = json.loads(text)
        asked = payloads.restore_question(question, said.pop(_ASKED, None))
        reply = payloads.decode_reply(said)
        assert reply is not None, "a paid sample has a reply"
        found.append(rerun.read(asked, reply)._replace(cost=cost))
    return tuple(found)


KIND = "rerun"

_log = logging.getLogger(__name__)

_ADD_NOTE = """
insert into prompt_notes (fingerprint, based_on, note, made_by, made_at)
select $fingerprint, $based_on, $note, $made_by, $made_at
where $fingerprint not in (select fingerprint from prompt_notes)
"""


def keep_rerun(
    store: Store,
    *,
    run_id: str,
    item_id: str,
    author: Author,
    samples: Sequence[Sample],
    settled: ReplyReading,
    prompt: Prompt,
    settings: Mapping[str, str],
    operation_id: str,
    group_id: str,
    based_on: str = "",
    note: str = "",
    made_by: str = "",
    asked: AskedItem | None = None,
) -> list[int]:
    """Store what a judge answered and return the numbers of the annotations.

    The settled answers supersede those of the same judge; each names the reply its words come from.
    The journal has everything before the store. Sent again with the same operation id nothing is
    stored twice; the same numbers come back.

    Args:
        store: where to.
        run_id: the run under whose protocol the item was judged.
        item_id: the item.
        author: the judge.
        samples: every reply in the order of asking, with what it says.
        settled: what they say together.
        prompt: what the judge was told; stored when it is used for the first time.
        settings: of the judge; no key is ever among them.
        operation_id: the same for the same press of a button.
        group_id: names the samples as one question.
        based_on: the fingerprint of the prompt that this one was edited from.
        note: why it was edited.
        made_by: who edited it.
        asked: the item as it was asked about, where a batch looked it up.

    Raises:
        ReviewError: no sample, the run was removed, or the answers do not fit protocol or item.
        NotSaved: nothing was stored.
    """
    if not samples:
        raise ReviewError("The judge gave no reply, so there is nothing to keep. Ask again.")
    payload = {
        "run_id": run_id,
        "item_id": item_id,
        "author": payloads.encode_author(author),
        "samples": [_serialize_sample(each) for each in samples],
        "answers": payloads.encode_answers(settled.answers),
        "confidence_is_stated": True,
        "sources": [find_source_sample(each, samples) for each in settled.answers],
        "prompt": payloads.encode_prompt(prompt),
        "edited": {"based_on": based_on, "note": note, "made_by": made_by} if based_on else None,
        "settings": dict(settings),
        "group_id": group_id,
        "signed_at": now().isoformat(),
    }

    def work(cursor: Cursor) -> list[int]:
        known = asked if asked is not None and asked.holds(store) else None
        return _apply_rerun(cursor, operation_id, payload, known)

    try:
        numbers = store.write_journaled(operation_id, KIND, payload, work)
    except AlreadyDone as done:
        return [int(number) for number in done.outcome]
    _log.info(
        "rerun kept: %s answers of %s samples on item %s", len(numbers), len(samples), item_id
    )
    return numbers


def append_note(
    cursor: Cursor, prompt: Prompt, edited: Mapping[str, str], made_at: datetime
) -> None:
    """Keep where an edited prompt comes from (based_on, note, made_by), once; others have none."""
    if edited.get("based_on"):
        made = {"fingerprint": prompt.fingerprint, "made_at": made_at}
        cursor.execute(_ADD_NOTE, {**edited, **made})


def _serialize_sample(sample: Sample) -> payloads.Json:
    said = [
        {
            "unit_id": each.unit_id,
            "criterion": each.criterion,
            "value": each.value,
            "problem": each.problem,
        }
        for each in sample.reading.answers
    ]
    return {
        "reply": payloads.encode_reply(sample.reply),
        "notes": list(sample.reading.notes),
        "cost": sample.cost,
        "answers": said,
    }


def _apply_rerun(
    cursor: Cursor, operation_id: str, payload: Mapping[str, Any], asked: AskedItem | None = None
) -> list[int]:
    answers = _parse_answers(payload)
    author = payloads.decode_author(payload["author"])
    signed_at = datetime.fromisoformat(payload["signed_at"])
    place = None if asked is None else asked.place(cursor, operation_id)
    if asked is not None and place is not None:
        units, item = asked.units, asked.item
    else:
        place = find_place(cursor, payload["run_id"], payload["item_id"], author, operation_id)
        _append_prompt(cursor, place.protocol, payload, signed_at)
        units, item = load_unit_numbers(cursor, place.item_no), None
    check_answers(place, answers)
    reply_ids = append_samples(cursor, place, payload, units, signed_at)
    before = load_earlier_answers(cursor, place)
    numbers = append_answers(
        cursor,
        place,
        answers,
        signed_at,
        before=before,
        units=units,
        # Each answer lies beside the reply its words come from.
        reply_ids=[reply_ids[source] for source in payload["sources"]],
    )
    append_findings_and_summary(cursor, place, author, answers, numbers, before=before, item=item)
    return numbers


def _parse_answers(payload: Mapping[str, Any]) -> list[Answer]:
    answers = payloads.decode_answers(payload["answers"])
    if len(payload["samples"]) == 1 or payload.get("confidence_is_stated"):
        return answers
    # Older journals hold the share of samples as the confidence of what they settled to.
    return [replace(answer, confidence=None) for answer in answers]


def _append_prompt(
    cursor: Cursor, protocol: str, payload: Mapping[str, Any], signed_at: datetime
) -> None:
    prompt = payloads.decode_prompt(payload["prompt"])
    if prompt is None:
        return
    append_prompt(cursor, prompt, protocol, signed_at)
    append_note(cursor, prompt, payload["edited"] or {}, signed_at)


register_work(KIND, _apply_rerun)
