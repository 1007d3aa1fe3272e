"""Append judge replies as received, together with their samples and prompts."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.items import payloads
from data.items.append import AnswerTarget
from data.store.engine import Cursor
from faithfulness.model.prompt import Prompt
from faithfulness.model.vocabulary import Reply

_ADD_REPLY = """
insert into replies (
    reply_id, run_no, item_no, author_no, text, notes, model, finish_reason, fingerprint,
    tokens_in, tokens_out, seconds, replied_at
)
values (
    $reply_id, $run_no, $item_no, $author_no, $text, $notes, $model, $finish_reason, $fingerprint,
    $tokens_in, $tokens_out, $seconds, $replied_at
)
"""

_ADD_FACTS = """
insert into reply_facts (reply_id, group_id, sample_no, samples, cost, settings, endpoint)
values ($reply_id, $group_id, $sample_no, $samples, $cost, $settings, $endpoint)
"""

_ADD_SAMPLE_ANSWERS = """
insert into sample_answers (reply_id, item_no, unit_no, criterion, value, problem)
select
    unnest($reply_id::varchar[]), $item_no, unnest($unit_no::integer[]),
    unnest($criterion::varchar[]), unnest($value::varchar[]), unnest($problem::varchar[])
"""

_ADD_PROMPT = """
insert into prompts (
    fingerprint, protocol, version, system_text, template, carrier, slots, first_used_at
)
select
    $fingerprint, $protocol, $version, $system_text, $template, $carrier, $slots, $first_used_at
where $fingerprint not in (select fingerprint from prompts)
"""

_SAID = ("criterion", "value", "problem")


def append_reply(
    cursor: Cursor,
    place: AnswerTarget,
    reply: Reply,
    notes: Sequence[str],
    replied_at: datetime,
    *,
    number: int = 0,
) -> str:
    """Append a judge's reply as it came and return its id; `number` tells several apart."""
    name = f"{place.operation_id}\x00reply{number or ''}"
    reply_id = hashlib.sha256(name.encode()).hexdigest()[:16]
    facts = {
        "reply_id": reply_id,
        "run_no": place.run_no,
        "item_no": place.item_no,
        "author_no": place.author_no,
        "text": reply.text,
        "notes": list(notes),
        "model": reply.model,
        "finish_reason": reply.finish_reason,
        "fingerprint": reply.fingerprint,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "seconds": reply.seconds,
        "replied_at": replied_at,
    }
    cursor.execute(_ADD_REPLY, facts)
    return reply_id


def append_samples(
    cursor: Cursor,
    place: AnswerTarget,
    payload: Mapping[str, Any],
    units: Mapping[str, int],
    replied_at: datetime,
) -> list[str]:
    """Append every sample's reply, its facts and what it says of units that the item has."""
    settings, samples = payload["settings"], payload["samples"]
    reply_ids: list[str] = []
    said: dict[str, list[Any]] = {name: [] for name in ("reply_id", "unit_no", *_SAID)}
    for number, sample in enumerate(samples):
        reply = payloads.decode_reply(sample["reply"])
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
        known = [each for each in sample["answers"] if each["unit_id"] in units]
        said["reply_id"] += [reply_id] * len(known)
        said["unit_no"] += [units[each["unit_id"]] for each in known]
        for name in _SAID:
            said[name] += [each[name] for each in known]
    cursor.execute(_ADD_SAMPLE_ANSWERS, {"item_no": place.item_no, **said})
    return reply_ids


def append_prompt(cursor: Cursor, prompt: Prompt, protocol: str, used_at: datetime) -> None:
    """Keep a prompt under its fingerprint when it is used for the first time."""
    facts = {
        "fingerprint": prompt.fingerprint,
        "protocol": protocol,
        "version": prompt.version,
        "system_text": prompt.system,
        "template": prompt.template,
        "carrier": prompt.carrier.value,
        "slots": list(prompt.slots),
        "first_used_at": used_at,
    }
    cursor.execute(_ADD_PROMPT, facts)
