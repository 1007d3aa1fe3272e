"""What the store's checks found against units, with the words of the source they point at."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from data.engine import Cursor
from data.records.loading import items_at
from faithfulness.checks import CHECKS
from faithfulness.checks.against import AGAINST, findings_against
from faithfulness.minutes_voices import FoundAgainst
from faithfulness.vocabulary import Finding, Item

# Of an item the rows of the latest version of the checks count, as in the order of disagreements.
_STORED = """
select distinct a.unit_no, a.check_name, a.kind
from unit_findings a
where a.item_no between $first and $last
    and a.unit_no in (select unnest($units::integer[]))
    and not exists (
        select 1
        from checked_items c
        where c.item_no = a.item_no
            and c.checks_version > a.checks_version
    )
"""


def found_against(cursor: Cursor, rows: Sequence[dict[str, Any]]) -> list[tuple[FoundAgainst, ...]]:
    """For each of these units, by item_id, item_no, unit_id and unit_no, what the store holds.

    The store keeps which check found something, not where: the item is read again for the words. A
    finding that is not made any more is told without words.
    """
    if not rows:
        return []
    numbers = [row["item_no"] for row in rows]
    asked = {"first": min(numbers), "last": max(numbers), "units": [r["unit_no"] for r in rows]}
    stored: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
    for unit_no, check, kind in cursor.execute(_STORED, asked).fetchall():
        stored[unit_no].add((check, kind))
    wanted = {row["item_id"] for row in rows if row["unit_no"] in stored}
    items = items_at(cursor, sorted(wanted)) if wanted else {}
    found = {item_id: list(findings_against(item)) for item_id, item in items.items()}
    return [
        tuple(_told(stored[row["unit_no"]], items[row["item_id"]], row, found[row["item_id"]]))
        if row["unit_no"] in stored and row["item_id"] in items
        else ()
        for row in rows
    ]


def _told(
    stored: set[tuple[str, str]],
    item: Item,
    row: dict[str, Any],
    found: Sequence[tuple[str, Finding]],
) -> Iterator[FoundAgainst]:
    for key in (each for each in AGAINST if each in stored):
        title = CHECKS[key[0]].title
        here = [
            each
            for unit_id, each in found
            if unit_id == row["unit_id"] and (each.check, each.kind) == key
        ]
        for each in dict.fromkeys(here):
            span = each.source
            words = item.text_of(span.field)[span.start : span.end] if span else ""
            field = span.field if span else ""
            yield FoundAgainst(check=title, says=each.says, words=words, field=field)
        if not here:
            yield FoundAgainst(check=title, says=AGAINST[key])
