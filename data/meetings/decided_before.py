"""What was decided on points before they came up: in any run of the protocol, in any meeting."""

from collections.abc import Iterator, Sequence
from typing import Any

from data.meetings.decisions import Row, ask_about
from data.store.engine import Cursor
from faithfulness.model.wording import taken_back
from faithfulness.review.decided_before import Before

_BEFORE = """
select q.nth, a.annotation_no, a.value, w.name, a.signed_at, d.reason, d.error_class
from asked_units q
join annotations a
    on a.item_no = q.item_no
    and a.unit_no = q.unit_no
    and a.criterion = q.criterion
    and a.annotation_no < q.before
join adjudications d on d.annotation_no = a.annotation_no
join runs r on r.run_no = a.run_no and r.protocol = q.protocol
join authors w on w.author_no = a.author_no
where a.item_no between $first and $last
    and (r.run_no = q.run_no or r.run_no not in (select run_no from run_removals))
order by q.nth, a.annotation_no
"""


def decided_before(cursor: Cursor, rows: Sequence[Row]) -> list[tuple[Before, ...]]:
    """For each decision those before it on its point; for other units all that there are.

    What takes a decision back decides nothing: it says of another that it does not count.
    """
    if not rows:
        return []
    history: list[list[tuple[Any, ...]]] = [[] for _ in rows]
    for nth, *told in cursor.execute(_BEFORE, ask_about(cursor, rows)).fetchall():
        history[nth].append(tuple(told))
    return [tuple(_before(each)) for each in history]


def _before(history: Sequence[tuple[Any, ...]]) -> Iterator[Before]:
    gone = {taken_back(row[4]) for row in history}
    made = [row for row in history if row[1] is not None and not taken_back(row[4])]
    counting = [row[0] for row in made if row[0] not in gone]
    for number, value, by, signed_at, reason, error_class in made:
        yield Before(
            value=value,
            reason=reason,
            by=by,
            decided_at=signed_at,
            error_class=error_class,
            counted=number in counting[-1:],
        )
