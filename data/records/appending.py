"""Appending: rows for signed answers, with numbers given out inside the transaction."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa

from data import handover
from data.engine import Cursor
from faithfulness.errors import ReviewError
from faithfulness.prompt import Prompt
from faithfulness.vocabulary import Answer, Author, AuthorKind, Reply

_PLACE = """
select r.run_no, i.item_no, i.cutter, r.protocol
from runs r
join run_items n on n.run_no = r.run_no
join items i on i.item_no = n.item_no
where r.run_id = $run_id
    and i.item_id = $item_id
    and r.run_no not in (select run_no from run_removals)
limit 1
"""

_AUTHOR = """
select author_no
from authors
where kind = $kind
    and name = $name
"""

_ADD_AUTHOR = """
insert into authors (author_no, kind, name)
select coalesce(max(author_no), 0) + 1, $kind, $name
from authors
"""

_UNITS = """
select unit_id, unit_no
from units
where item_no = $item_no
"""

# An adjudicator settles for everybody: a later verdict supersedes whoever gave the earlier one.
_CURRENT = """
select a.unit_no, a.criterion, max(a.annotation_no)
from annotations a
join authors w on w.author_no = a.author_no
where a.item_no = $item_no
    and a.run_no = $run_no
    and (a.author_no = $author_no or ($settles and w.kind = 'adjudicator'))
group by a.unit_no, a.criterion
"""

# The engine finds the last row faster than the greatest number.
_LAST = "select annotation_no from annotations order by annotation_no desc limit 1"

_ADD_ANNOTATIONS = """
insert into annotations (
    annotation_no, operation_id, run_no, item_no, unit_no, criterion, author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    reply_id, supersedes, signed_at
)
select
    annotation_no, $operation_id, $run_no, $item_no, unit_no, criterion, $author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    $reply_id, supersedes, $signed_at
from incoming_answers
order by annotation_no
"""

_ADD_EXCERPTS = """
insert into excerpts (annotation_no, item_no, position, text, tier, coverage, spans)
select row, $item_no, position, text, tier, coverage, spans
from incoming_excerpts
order by row, position
"""

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

_ADD_PROMPT = """
insert into prompts (
    fingerprint, protocol, version, system_text, template, carrier, slots, first_used_at
)
select
    $fingerprint, $protocol, $version, $system_text, $template, $carrier, $slots, $first_used_at
where $fingerprint not in (select fingerprint from prompts)
"""

_TAKEN = ("criterion", "value", "problem", "rationale", "comment", "confidence", "links", "checks")
_ANSWERS = pa.schema(
    [
        ("annotation_no", pa.int64()),
        ("unit_no", pa.int32()),
        ("supersedes", pa.int64()),
        *(handover.SCHEMAS["annotations"].field(name) for name in (*_TAKEN, "pieces")),
    ]
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where answers go: the store's numbers of run, item and author, cutter and protocol."""

    operation_id: str
    run_id: str
    item_id: str
    run_no: int
    item_no: int
    author_no: int
    settles: bool
    cutter: str
    protocol: str


def find_place(
    cursor: Cursor, run_id: str, item_id: str, author: Author, operation_id: str
) -> Place:
    """Look up where answers go; a new author gets a number.

    Raises:
        ReviewError: the run is not there or was removed, or has no such item.
    """
    found = cursor.execute(_PLACE, {"run_id": run_id, "item_id": item_id}).fetchall()
    if not found:
        raise ReviewError(
            f"Run {run_id} was removed or has no item {item_id}; nothing was stored. "
            "Open the list of runs to see what is there."
        )
    run_no, item_no, cutter, protocol = found[0]
    return Place(
        operation_id=operation_id,
        run_id=run_id,
        item_id=item_id,
        run_no=run_no,
        item_no=item_no,
        author_no=author_number(cursor, author),
        settles=author.kind is AuthorKind.ADJUDICATOR,
        cutter=cutter,
        protocol=protocol,
    )


def author_number(cursor: Cursor, author: Author) -> int:
    """The number of an author; a new one gets one."""
    who = {"kind": author.kind.value, "name": author.name}
    found = cursor.execute(_AUTHOR, who).fetchall()
    if not found:
        cursor.execute(_ADD_AUTHOR, who)
        found = cursor.execute(_AUTHOR, who).fetchall()
    return int(found[0][0])


def append_answers(
    cursor: Cursor,
    place: Place,
    answers: Sequence[Answer],
    signed_at: datetime,
    *,
    reply_id: str | None = None,
) -> list[int]:
    """Append annotations with their excerpts; each supersedes the one that was current."""
    units = dict(cursor.execute(_UNITS, {"item_no": place.item_no}).fetchall())
    current = _current(cursor, place)
    last = next((int(number) for (number,) in cursor.execute(_LAST).fetchall()), 0)
    rows, excerpts = [], []
    for number, answer in enumerate(answers, start=last + 1):
        if answer.unit_id not in units:
            raise ReviewError(
                f"Item {place.item_id} has no unit {answer.unit_id}; nothing was stored. "
                "Open the item again."
            )
        unit_no = units[answer.unit_id]
        supersedes = current.get((unit_no, answer.criterion))
        rows.append(_row(answer, number, unit_no, supersedes))
        excerpts.extend(_excerpt_rows(answer, number))
    cursor.register("incoming_answers", pa.Table.from_pylist(rows, _ANSWERS))
    facts = {
        "operation_id": place.operation_id,
        "run_no": place.run_no,
        "item_no": place.item_no,
        "author_no": place.author_no,
        "reply_id": reply_id,
        "signed_at": signed_at,
    }
    cursor.execute(_ADD_ANNOTATIONS, facts)
    if excerpts:
        found = pa.Table.from_pylist(excerpts, handover.SCHEMAS["excerpts"])
        cursor.register("incoming_excerpts", found)
        cursor.execute(_ADD_EXCERPTS, {"item_no": place.item_no})
    return [int(row["annotation_no"]) for row in rows]


def append_reply(
    cursor: Cursor,
    place: Place,
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


def _current(cursor: Cursor, place: Place) -> Mapping[tuple[int, str], int]:
    facts = {
        "item_no": place.item_no,
        "run_no": place.run_no,
        "author_no": place.author_no,
        "settles": place.settles,
    }
    rows = cursor.execute(_CURRENT, facts).fetchall()
    return {(unit_no, criterion): number for unit_no, criterion, number in rows}


def _row(answer: Answer, number: int, unit_no: int, supersedes: int | None) -> dict[str, Any]:
    pieces = [
        {
            "text": each.text,
            "span_start": None if each.span is None else each.span.start,
            "span_end": None if each.span is None else each.span.end,
            "value": each.value,
            "score": each.score,
        }
        for each in answer.pieces
    ]
    row = {name: getattr(answer, name) for name in _TAKEN}
    numbers = {"annotation_no": number, "unit_no": unit_no, "supersedes": supersedes}
    return {**row, **numbers, "pieces": pieces}


def _excerpt_rows(answer: Answer, number: int) -> list[dict[str, Any]]:
    rows = []
    for position, excerpt in enumerate(answer.excerpts):
        placement = excerpt.placement
        spans = () if placement is None else placement.spans
        rows.append(
            {
                "row": number,
                "position": position,
                "text": excerpt.text,
                "tier": None if placement is None else placement.tier.value,
                "coverage": None if placement is None else placement.coverage,
                "spans": [
                    {"field": each.field, "span_start": each.start, "span_end": each.end}
                    for each in spans
                ],
            }
        )
    return rows
