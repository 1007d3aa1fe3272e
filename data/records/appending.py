"""Appending: rows for signed answers, with numbers given out inside the transaction."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any

from data.engine import Cursor
from data.records.places import find_standing
from faithfulness.errors import ReviewError
from faithfulness.prompt import Prompt
from faithfulness.vocabulary import Answer, Author, AuthorKind, Reply

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

_OWN = """
select unit_no, criterion, annotation_no
from annotations
where item_no = $item_no
    and run_no = $run_no
    and author_no = $author_no
"""

# An adjudicator settles for everybody: a later verdict supersedes whoever gave the earlier one.
_SETTLED = """
select unit_no, criterion, annotation_no
from annotations
where item_no = $item_no
    and run_no = $run_no
    and author_no in (select author_no from authors where kind = 'adjudicator')
"""

# The engine finds the last row faster than the greatest number.
_LAST = "select annotation_no from annotations order by annotation_no desc limit 1"

# Lists as parameters are stored in half the time that a table of Arrow takes to be registered.
_ADD_ANNOTATIONS = """
insert into annotations (
    annotation_no, operation_id, run_no, item_no, unit_no, criterion, author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    reply_id, supersedes, signed_at
)
select
    unnest($annotation_no::bigint[]), $operation_id, $run_no, $item_no,
    unnest($unit_no::integer[]), unnest($criterion::varchar[]), $author_no,
    unnest($value::varchar[]), unnest($problem::varchar[]), unnest($rationale::varchar[]),
    unnest($comment::varchar[]), unnest($confidence::double[]), unnest($links::varchar[][]),
    unnest($checks::varchar[][]),
    unnest(
        $pieces::struct(
            text varchar, span_start integer, span_end integer, value varchar, score double
        )[][]
    ),
    $reply_id, unnest($supersedes::bigint[]), $signed_at
"""

_ADD_EXCERPTS = """
insert into excerpts (annotation_no, item_no, position, text, tier, coverage, spans)
select
    unnest($row::bigint[]), $item_no, unnest($position::smallint[]), unnest($text::varchar[]),
    unnest($tier::varchar[]), unnest($coverage::double[]),
    unnest($spans::struct(field varchar, span_start integer, span_end integer)[][])
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

_TAKEN = ("criterion", "value", "problem", "rationale", "comment", "confidence")


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
    found = find_standing(cursor, run_id, item_id)
    if found is None:
        raise ReviewError(
            f"Run {run_id} was removed or has no item {item_id}; nothing was stored. "
            "Open the list of runs to see what is there."
        )
    return Place(
        operation_id=operation_id,
        run_id=run_id,
        item_id=item_id,
        author_no=author_number(cursor, author),
        settles=author.kind is AuthorKind.ADJUDICATOR,
        **found._asdict(),
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
    current: Mapping[tuple[int, str], int],
    reply_id: str | None = None,
) -> list[int]:
    """Append annotations with their excerpts; each supersedes the one that is current."""
    units = dict(cursor.execute(_UNITS, {"item_no": place.item_no}).fetchall())
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
    facts = {
        "operation_id": place.operation_id,
        "run_no": place.run_no,
        "item_no": place.item_no,
        "author_no": place.author_no,
        "reply_id": reply_id,
        "signed_at": signed_at,
    }
    if rows:
        cursor.execute(_ADD_ANNOTATIONS, facts | _columns(rows))
    if excerpts:
        cursor.execute(_ADD_EXCERPTS, {"item_no": place.item_no} | _columns(excerpts))
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


def current_ones(cursor: Cursor, place: Place) -> Mapping[tuple[int, str], int]:
    """What stands of an author by unit and criterion; of an adjudicator what any of them said."""
    where = {"item_no": place.item_no, "run_no": place.run_no}
    if place.settles:
        rows = cursor.execute(_SETTLED, where).fetchall()
    else:
        rows = cursor.execute(_OWN, where | {"author_no": place.author_no}).fetchall()
    last_of_all = sorted(rows, key=itemgetter(2))
    return {(unit_no, criterion): number for unit_no, criterion, number in last_of_all}


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows turned into one list a column, as the engine takes them apart again."""
    return {name: [row[name] for row in rows] for name in rows[0]}


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
    lists = {"links": list(answer.links), "checks": list(answer.checks), "pieces": pieces}
    return {**row, **numbers, **lists}


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
