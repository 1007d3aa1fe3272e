"""Append the findings and the updated protocol summary after answers are stored."""

from collections.abc import Sequence

from data.items.append import AnswerTarget, EarlierAnswers
from data.items.findings import append_findings
from data.items.loading import query_annotations, query_item
from data.store.engine import Cursor
from faithfulness.model.vocabulary import Answer, Author, Item
from faithfulness.protocols import protocol

_ADD_SUMMARY = """
insert into summaries (
    summary_no, run_no, item_no, author_no, name, value, counted, left_out, parts, given
)
values (
    $summary_no, $run_no, $item_no, $author_no, $name, $value, $counted, $left_out,
    map($parts::varchar[], $numbers::double[]), false
)
"""


def append_findings_and_summary(
    cursor: Cursor,
    place: AnswerTarget,
    author: Author,
    answers: Sequence[Answer],
    numbers: Sequence[int],
    *,
    before: EarlierAnswers,
    item: Item | None = None,
) -> None:
    """Append what is found on answers just signed, and the author's Summary made anew.

    Args:
        cursor: of the transaction that stores the answers.
        place: where they are stored.
        author: who signed them.
        answers: what was signed just now.
        numbers: of their annotations.
        before: what stood before them; nothing where the author signs here first.
        item: the item, if it is at hand.
    """
    if item is None or item.id != place.item_id:
        item = query_item(cursor, place.item_no, place.item_id, place.cutter)
    append_findings(cursor, place.protocol, item, answers, numbers)
    if before.current:
        found = query_annotations(cursor, place.item_id, place.run_id, current=True, author=author)
        answers = [each.answer for each in found]
    _append_summary(cursor, place, item, answers, before.summary_no + 1)


def _append_summary(
    cursor: Cursor, place: AnswerTarget, item: Item, current: Sequence[Answer], number: int
) -> None:
    summary = protocol(place.protocol).summarise(item, current)
    facts = {
        "summary_no": number,
        "run_no": place.run_no,
        "item_no": place.item_no,
        "author_no": place.author_no,
        "name": summary.name,
        "value": summary.value,
        "counted": summary.counted,
        "left_out": summary.left_out,
        "parts": list(summary.parts),
        "numbers": list(summary.parts.values()),
    }
    cursor.execute(_ADD_SUMMARY, facts)
