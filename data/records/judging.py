"""Judging: a rerun that a person keeps, with every sample's reply, cost and answers."""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from data.beside import now
from data.engine import Cursor
from data.records import payloads
from data.records.appending import (
    Place,
    append_answers,
    append_prompt,
    append_reply,
    current_ones,
    find_place,
)
from data.records.signing import check
from data.records.summing import sum_up
from data.replay import register_work
from data.store import Store
from faithfulness.errors import AlreadyDone, ReviewError
from faithfulness.prompt import Prompt
from faithfulness.protocol import Reading
from faithfulness.rerun import Sample, source_of
from faithfulness.vocabulary import Author

KIND = "rerun"

_log = logging.getLogger(__name__)

_ADD_FACTS = """
insert into reply_facts (reply_id, group_id, sample_no, samples, cost, settings, endpoint)
values ($reply_id, $group_id, $sample_no, $samples, $cost, $settings, $endpoint)
"""

_ADD_SAMPLE_ANSWERS = """
insert into sample_answers (reply_id, item_no, unit_no, criterion, value, problem)
select n.reply_id, u.item_no, u.unit_no, n.criterion, n.value, n.problem
from incoming_sample_answers n
join units u on u.unit_id = n.unit_id and u.item_no = $item_no
order by n.nth
"""

_ADD_NOTE = """
insert into prompt_notes (fingerprint, based_on, note, made_by, made_at)
select $fingerprint, $based_on, $note, $made_by, $made_at
where $fingerprint not in (select fingerprint from prompt_notes)
"""

_SAID = pa.schema(
    [
        ("nth", pa.int64()),
        ("reply_id", pa.string()),
        ("unit_id", pa.string()),
        ("criterion", pa.string()),
        ("value", pa.string()),
        ("problem", pa.string()),
    ]
)


def keep_rerun(
    store: Store,
    *,
    run_id: str,
    item_id: str,
    author: Author,
    samples: Sequence[Sample],
    settled: Reading,
    prompt: Prompt,
    settings: Mapping[str, str],
    operation_id: str,
    group_id: str,
    based_on: str = "",
    note: str = "",
    made_by: str = "",
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

    Raises:
        ReviewError: no sample, the run was removed, or the answers do not fit protocol or item.
        NotSaved: nothing was stored.
    """
    if not samples:
        raise ReviewError("The judge gave no reply, so there is nothing to keep. Ask again.")
    payload = {
        "run_id": run_id,
        "item_id": item_id,
        "author": payloads.author_out(author),
        "samples": [_sample_out(each) for each in samples],
        "answers": payloads.answers_out(settled.answers),
        "sources": [source_of(each, samples) for each in settled.answers],
        "prompt": payloads.prompt_out(prompt),
        "edited": {"based_on": based_on, "note": note, "made_by": made_by} if based_on else None,
        "settings": dict(settings),
        "group_id": group_id,
        "signed_at": now().isoformat(),
    }
    try:
        numbers = store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _work(cursor, operation_id, payload)
        )
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


def _sample_out(sample: Sample) -> payloads.Json:
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
        "reply": payloads.reply_out(sample.reply),
        "notes": list(sample.reading.notes),
        "cost": sample.cost,
        "answers": said,
    }


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[int]:
    answers = payloads.answers_in(payload["answers"])
    author = payloads.author_in(payload["author"])
    signed_at = datetime.fromisoformat(payload["signed_at"])
    place = find_place(cursor, payload["run_id"], payload["item_id"], author, operation_id)
    check(place, answers)
    _append_prompt(cursor, place, payload, signed_at)
    reply_ids = _append_samples(cursor, place, payload, signed_at)
    current = current_ones(cursor, place)
    numbers: dict[int, int] = {}
    for sample, reply_id in enumerate(reply_ids):
        # Each answer lies beside the reply its words come from.
        mine = [nth for nth, source in enumerate(payload["sources"]) if source == sample]
        chosen = [answers[nth] for nth in mine]
        given = append_answers(cursor, place, chosen, signed_at, current=current, reply_id=reply_id)
        numbers.update(zip(mine, given, strict=True))
    in_order = [numbers[nth] for nth in range(len(answers))]
    sum_up(cursor, place, author, answers, in_order, is_first=not current)
    return in_order


def _append_prompt(
    cursor: Cursor, place: Place, payload: Mapping[str, Any], signed_at: datetime
) -> None:
    prompt = payloads.prompt_in(payload["prompt"])
    if prompt is None:
        return
    append_prompt(cursor, prompt, place.protocol, signed_at)
    append_note(cursor, prompt, payload["edited"] or {}, signed_at)


def _append_samples(
    cursor: Cursor, place: Place, payload: Mapping[str, Any], replied_at: datetime
) -> list[str]:
    settings, samples = payload["settings"], payload["samples"]
    reply_ids: list[str] = []
    rows: list[payloads.Json] = []
    for number, sample in enumerate(samples):
        reply = payloads.reply_in(sample["reply"])
        assert reply is not None, "a sample has a reply"
        reply_id = append_reply(cursor, place, reply, sample["notes"], replied_at, number=number)
        facts = {
            "reply_id": reply_id,
            "group_id": payload["group_id"],
            "sample_no": number,
            "samples": len(samples),
            "cost": sample["cost"],
            "settings": json.dumps(settings, ensure_ascii=False, sort_keys=True),
            "endpoint": settings.get("host", ""),
        }
        cursor.execute(_ADD_FACTS, facts)
        reply_ids.append(reply_id)
        said = enumerate(sample["answers"], start=len(rows))
        rows += [{"nth": nth, "reply_id": reply_id, **each} for nth, each in said]
    cursor.register("incoming_sample_answers", pa.Table.from_pylist(rows, _SAID))
    cursor.execute(_ADD_SAMPLE_ANSWERS, {"item_no": place.item_no})
    return reply_ids


register_work(KIND, _work)
