"""Append annotations with their excerpts, and assign row numbers inside the transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from data.items.places import find_standing
from data.store.engine import Cursor
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Answer, Author, AuthorKind

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

# The last numbers given out come with the same answer, under a name that no criterion has. The
# engine finds the last row faster than the greatest number.
_LAST_NUMBERS = """
union all
select 1, '', annotation_no
from (select annotation_no from annotations order by annotation_no desc limit 1)
union all
select 2, '', summary_no
from (select summary_no from summaries order by summary_no desc limit 1)
"""

_OWN = f"""
select unit_no, criterion, annotation_no
from annotations
where item_no = $item_no
    and run_no = $run_no
    and author_no = $author_no
{_LAST_NUMBERS}"""  # noqa: S608 - put together from constants

# An adjudicator settles for everybody: a later verdict supersedes whoever gave the earlier one.
_SETTLED = f"""
select unit_no, criterion, annotation_no
from annotations
where item_no = $item_no
    and run_no = $run_no
    and author_no in (select author_no from authors where kind = 'adjudicator')
{_LAST_NUMBERS}"""  # noqa: S608 - put together from constants

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
    unnest($reply_id::varchar[]), unnest($supersedes::bigint[]), $signed_at
"""

_ADD_EXCERPTS = """
insert into excerpts (annotation_no, item_no, position, text, tier, coverage, spans)
select
    unnest($row::bigint[]), $item_no, unnest($position::smallint[]), unnest($text::varchar[]),
    unnest($tier::varchar[]), unnest($coverage::double[]),
    unnest($spans::struct(field varchar, span_start integer, span_end integer)[][])
"""

_TAKEN = ("criterion", "value", "problem", "rationale", "comment", "confidence")


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerTarget:
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


class EarlierAnswers(NamedTuple):
    """What an author's answers follow: the current ones by unit and criterion, the last numbers."""

    current: Mapping[tuple[int, str], int]
    annotation_no: int
    summary_no: int


def find_place(
    cursor: Cursor, run_id: str, item_id: str, author: Author, operation_id: str
) -> AnswerTarget:
    """Look up where answers go; a new author gets a number.

    Raises:
        ReviewError: the run is not there or was removed, or has no such item.
    """
    found = find_standing(cursor, run_id, item_id)
    if found is None:
        raise build_missing_item_error(run_id, item_id)
    return AnswerTarget(
        operation_id=operation_id,
        run_id=run_id,
        item_id=item_id,
        author_no=ensure_author_number(cursor, author),
        settles=author.kind is AuthorKind.ADJUDICATOR,
        **found._asdict(),
    )


def build_missing_item_error(run_id: str, item_id: str) -> ReviewError:
    return ReviewError(
        f"Run {run_id} was removed or has no item {item_id}; nothing was stored. "
        "Open the list of runs to see what is there."
    )


def ensure_author_number(cursor: Cursor, author: Author) -> int:
    """The number of an author; a new one gets one."""
    who = {"kind": author.kind.value, "name": author.name}
    found = cursor.execute(_AUTHOR, who).fetchall()
    if not found:
        cursor.execute(_ADD_AUTHOR, who)
        found = cursor.execute(_AUTHOR, who).fetchall()
    return int(found[0][0])


def load_unit_numbers(cursor: Cursor, item_no: int) -> dict[str, int]:
    """The numbers of an item's units."""
    return dict(cursor.execute(_UNITS, {"item_no": item_no}).fetchall())


def append_answers(
    cursor: Cursor,
    place: AnswerTarget,
    answers: Sequence[Answer],
    signed_at: datetime,
    *,
    before: EarlierAnswers,
    units: Mapping[str, int] | None = None,
    reply_ids: Sequence[str | None] | None = None,
) -> list[int]:
    """Append annotations with their excerpts; each supersedes the one that is current.

    `units` are numbers where they are at hand, `reply_ids` the reply that each answer is from.
    """
    units = load_unit_numbers(cursor, place.item_no) if units is None else units
    from_replies = [None] * len(answers) if reply_ids is None else reply_ids
    rows, excerpts = [], []
    for number, answer in enumerate(answers, start=before.annotation_no + 1):
        if answer.unit_id not in units:
            raise ReviewError(
                f"Item {place.item_id} has no unit {answer.unit_id}; nothing was stored. "
                "Open the item again."
            )
        unit_no = units[answer.unit_id]
        supersedes = before.current.get((unit_no, answer.criterion))
        rows.append(_build_annotation_row(answer, number, unit_no, supersedes))
        excerpts.extend(_build_excerpt_rows(answer, number))
    facts = {
        "operation_id": place.operation_id,
        "run_no": place.run_no,
        "item_no": place.item_no,
        "author_no": place.author_no,
        "reply_id": from_replies,
        "signed_at": signed_at,
    }
    if rows:
        cursor.execute(_ADD_ANNOTATIONS, facts | _rows_to_columns(rows))
    if excerpts:
        cursor.execute(_ADD_EXCERPTS, {"item_no": place.item_no} | _rows_to_columns(excerpts))
    return [int(row["annotation_no"]) for row in rows]


def load_earlier_answers(cursor: Cursor, place: AnswerTarget) -> EarlierAnswers:
    """What an author's next answers follow; of an adjudicator's what any of them said."""
    where = {"item_no": place.item_no, "run_no": place.run_no}
    if place.settles:
        rows = cursor.execute(_SETTLED, where).fetchall()
    else:
        rows = cursor.execute(_OWN, where | {"author_no": place.author_no}).fetchall()
    last_of_all = sorted(rows, key=itemgetter(2))
    last = {part: number for part, criterion, number in rows if not criterion}
    current = {(unit, criterion): number for unit, criterion, number in last_of_all if criterion}
    return EarlierAnswers(current, annotation_no=last.get(1, 0), summary_no=last.get(2, 0))


def _rows_to_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows turned into one list a column, as the engine takes them apart again."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def _build_annotation_row(
    answer: Answer, number: int, unit_no: int, supersedes: int | None
) -> dict[str, Any]:
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


def _build_excerpt_rows(answer: Answer, number: int) -> list[dict[str, Any]]:
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
