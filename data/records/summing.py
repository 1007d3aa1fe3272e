"""Summing: a protocol's number for one item and one author, made anew after signing."""

import pyarrow as pa

from data import handover
from data.engine import Cursor
from data.records.appending import Place
from data.records.loading import annotations_at, items_at
from faithfulness.protocols import protocol
from faithfulness.vocabulary import Author

_ADD_SUMMARY = """
insert into summaries (
    summary_no, run_no, item_no, author_no, name, value, counted, left_out, parts, given
)
select
    (select coalesce(max(summary_no), 0) from summaries) + 1,
    $run_no, $item_no, $author_no, name, value, counted, left_out, parts, false
from incoming_summary
"""

_COLUMNS = ("name", "value", "counted", "left_out", "parts")
_SUMMARY = pa.schema([handover.SCHEMAS["summaries"].field(name) for name in _COLUMNS])


def append_summary(cursor: Cursor, place: Place, author: Author) -> None:
    """Append the number that the author's current annotations of this item and run now give."""
    item = items_at(cursor, [place.item_id])[place.item_id]
    current = annotations_at(cursor, place.item_id, place.run_id, current=True, author=author)
    summary = protocol(place.protocol).summarise(item, [each.answer for each in current])
    row = {
        "name": summary.name,
        "value": summary.value,
        "counted": summary.counted,
        "left_out": summary.left_out,
        "parts": list(summary.parts.items()),
    }
    cursor.register("incoming_summary", pa.Table.from_pylist([row], _SUMMARY))
    facts = {"run_no": place.run_no, "item_no": place.item_no, "author_no": place.author_no}
    cursor.execute(_ADD_SUMMARY, facts)
