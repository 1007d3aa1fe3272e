"""The findings column of exports: what checks found on the unit of each row, in words.

Checks are pure functions of an item, so their findings are made here and not stored; found on an
annotation (its excerpt differs, a number clashes) is what was stored with it. What belongs to no
unit, such as a source that speaks to the judge, stands on every row of its item; a trap that a
judge's reply fell into, on every row of that reply.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import pyarrow as pa

from data.items.loading import items_at
from data.rating.review_ticks import ticks_at
from data.store.cache.item_filter_sql import between
from data.store.engine import Cursor
from faithfulness.checks import CHECKS, addressed
from faithfulness.checks.placing import WHOLE, look_at, place_of, units_of
from faithfulness.checks.review_ticks import Tick, counted, in_words
from faithfulness.judging.traps import FAILED
from faithfulness.model.vocabulary import Finding, Item
from faithfulness.protocols import protocol
from faithfulness.review.rating import units_to_rate

COLUMN = "findings"
TEXTS = pa.list_(pa.string())

_STORED = """
select annotation_no, check_name || ': ' || says
from findings
where item_no between $first and $last
    and item_no in (select unnest($numbers::integer[]))
order by annotation_no, unit_start nulls last, source_start nulls last
"""

_TRAPS = """
with told as (
    select coalesce(f.group_id, r.reply_id) as question, unnest(r.notes) as note
    from replies r
    left join reply_facts f on f.reply_id = r.reply_id
    where r.item_no between $first and $last
        and r.item_no in (select unnest($numbers::integer[]))
),
failed as (
    select distinct question, note
    from told
    where starts_with(note, $failed)
)
select a.annotation_no, x.note
from annotations a
left join reply_facts f on f.reply_id = a.reply_id
join failed x on x.question = coalesce(f.group_id, a.reply_id)
where a.item_no between $first and $last
    and a.item_no in (select unnest($numbers::integer[]))
    and a.annotation_no not in (select supersedes from annotations where supersedes is not null)
order by a.annotation_no, x.note
"""


def add_findings(cursor: Cursor, key: str, numbers: Sequence[int], rows: pa.Table) -> pa.Table:
    """Rows of some items under a protocol, with the column beside the others."""
    item_ids = list(dict.fromkeys(rows["plumbline_item"].to_pylist()))
    items, ticks = items_at(cursor, item_ids), ticks_at(cursor, item_ids)
    stored = _stored(cursor, numbers)
    by_unit = {
        (item_id, unit_id): said
        for item_id, item in items.items()
        for unit_id, said in found_in_words(item, key, ticks.get(item_id, ())).items()
    }
    places = zip(
        *(rows[name].to_pylist() for name in ("plumbline_item", "unit_id", "annotation_no")),
        strict=True,
    )
    cells = [
        [
            *stored.get(number, ()),
            *by_unit.get((item_id, unit_id), ()),
            *by_unit.get((item_id, WHOLE), ()),
        ]
        for item_id, unit_id, number in places
    ]
    return rows.append_column(COLUMN, pa.array(cells, TEXTS))


def found_in_words(item: Item, key: str, ticks: Iterable[Tick] = ()) -> dict[str, list[str]]:
    """By unit that is judged under the protocol: each finding, with what people counted of it."""
    judged = units_to_rate(item, protocol(key))
    counts = counted(item, ticks)
    said: defaultdict[str, list[str]] = defaultdict(list)
    for each in look_at(item).found:
        told = [_sentence(each)]
        told += [in_words(count) for count in counts if count.said == place_of(each, item)]
        units = list(units_of(each, item, judged))
        for unit_id in units or ([WHOLE] if each.check == addressed.KEY else []):
            said[unit_id].append("; ".join(told))
    return dict(said)


def _sentence(each: Finding) -> str:
    return f"{CHECKS[each.check].title} ({each.certainty.value}): {each.says}"


def _stored(cursor: Cursor, numbers: Sequence[int]) -> dict[int, list[str]]:
    found: defaultdict[int, list[str]] = defaultdict(list)
    where = between(list(numbers))
    rows = cursor.execute(_STORED, where).fetchall()
    rows += cursor.execute(_TRAPS, where | {"failed": FAILED}).fetchall()
    for annotation_no, said in rows:
        found[annotation_no].append(said)
    return found
