"""Append findings of the automatic checks for new answers, and recheck older annotations."""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from data.importing.import_tables import SCHEMAS, list_finding_values
from data.items.loading import query_annotations, query_items
from data.items.recheck_findings import recheck_items
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks.evidence import findings
from faithfulness.model.errors import AlreadyDone
from faithfulness.model.vocabulary import Answer, Finding, Item
from faithfulness.protocols import protocol

_ADD = """
insert into findings (
    annotation_no, item_no, unit_no, check_name, kind,
    unit_start, unit_end, source_field, source_start, source_end, says
)
select
    a.annotation_no, a.item_no, a.unit_no, n.check_name, n.kind,
    n.unit_start, n.unit_end, n.source_field, n.source_start, n.source_end, n.says
from incoming_findings n
join annotations a on a.annotation_no = n.row
where a.annotation_no between $first and $last
order by a.annotation_no
"""

_WITHOUT = """
select distinct i.item_id, r.run_id, r.protocol
from excerpts e
join annotations a on a.annotation_no = e.annotation_no
join runs r on r.run_no = a.run_no
join items i on i.item_no = e.item_no
where r.run_no not in (select run_no from run_removals)
    and not exists (
        select 1
        from findings f
        join annotations b on b.annotation_no = f.annotation_no
        where f.item_no = e.item_no
            and b.run_no = a.run_no
    )
order by i.item_id, r.run_id
"""


def append_findings(
    cursor: Cursor, key: str, item: Item, answers: Sequence[Answer], numbers: Sequence[int]
) -> None:
    """Check answers that were just signed under the protocol with this key."""
    if not any(each.excerpts for each in answers):
        return
    found = findings(item, protocol(key), answers)
    _insert_findings(cursor, ((numbers[nth], finding) for nth, finding in found))


def refind(store: Store, *, operation_id: str) -> int:
    """Check what was stored before findings were kept, and return how many were found.

    Answers are checked once; items also when this version's checks have not looked at them.
    """

    def work(cursor: Cursor) -> int:
        count = 0
        for item_id, run_id, key in cursor.execute(_WITHOUT).fetchall():
            item = query_items(cursor, [item_id])[item_id]
            signed = query_annotations(cursor, item_id, run_id, current=False)
            found = list(findings(item, protocol(key), [each.answer for each in signed]))
            _insert_findings(cursor, ((signed[nth].number, finding) for nth, finding in found))
            count += len(found)
        return count

    try:
        on_answers = store.write(operation_id, "findings", work, is_bulk=True)
    except AlreadyDone as done:
        on_answers = int(done.outcome)
    return on_answers + recheck_items(store, operation_id=operation_id)


def _insert_findings(cursor: Cursor, found: Iterable[tuple[int, Finding]]) -> None:
    schema = SCHEMAS["findings"]
    rows = [dict(zip(schema.names, (number, *list_finding_values(each)), strict=True))
            for number, each in found]  # fmt: skip
    if rows:
        cursor.register("incoming_findings", pa.Table.from_pylist(rows, schema))
        among = [row["row"] for row in rows]
        cursor.execute(_ADD, {"first": min(among), "last": max(among)})
