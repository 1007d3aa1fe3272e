"""Load the stored findings for units, with the source passages they refer to."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from data.items.current_sql import LATEST_FINDINGS
from data.items.loading import query_items
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks import CHECKS
from faithfulness.checks.against import (
    AGAINST,
    CONTRADICTS,
    group_contradictions,
    iterate_counterevidence,
)
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.vocabulary import Finding, Item
from faithfulness.review.minutes_voices import FoundAgainst

Stored = Mapping[str, Collection[tuple[str, str]]]  # checks and kinds by unit

# The range of the numbers lets the engine skip blocks of the file.
_NUMBERS = """
select coalesce(min(item_no), 0), coalesce(max(item_no), 0)
from items
where item_id in (select unnest($item_ids::varchar[]))
"""

_STORED = f"""
select distinct i.item_id, u.unit_id, a.check_name, a.kind
from unit_findings a
join items i on i.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
where a.item_no between $first and $last
    and u.item_no between $first and $last
    and i.item_no between $first and $last
    and i.item_id in (select unnest($item_ids::varchar[]))
    and {LATEST_FINDINGS}
"""  # noqa: S608 - put together from constants


def add_contradictions(store: Store, cases: Iterable[UnitCase]) -> list[UnitCase]:
    """These cases with what checks found on their units that contradicts a source.

    The store keeps which check found something, not where: the items are read again for that.
    """
    wanted = list(cases)
    with store.read() as cursor:
        stored = _load_stored_findings(cursor, {each.item.id for each in wanted})
        items = query_items(cursor, sorted(stored))
    told = {
        item_id: group_contradictions(items[item_id], _filter_contradicting(units))
        for item_id, units in stored.items()
        if item_id in items
    }
    return [
        replace(each, contradictions=told.get(each.item.id, {}).get(each.unit.id, ()))
        for each in wanted
    ]


def load_findings_against(
    cursor: Cursor, units: Sequence[tuple[str, str]]
) -> list[tuple[FoundAgainst, ...]]:
    """For each of these units, by the ids of item and unit, what the store holds against it.

    As above the item is read again; a finding that is not made any more is told without words.
    """
    if not units:
        return []
    stored = _load_stored_findings(cursor, {item_id for item_id, _ in units})
    items = query_items(cursor, sorted(stored))
    found = {item_id: list(iterate_counterevidence(item)) for item_id, item in items.items()}
    return [
        tuple(
            _build_findings_against(
                stored[item_id][unit_id], items[item_id], unit_id, found[item_id]
            )
        )
        if unit_id in stored.get(item_id, {}) and item_id in items
        else ()
        for item_id, unit_id in units
    ]


def _filter_contradicting(units: Stored) -> Stored:
    return {unit_id: [key for key in keys if key in CONTRADICTS] for unit_id, keys in units.items()}


def _load_stored_findings(cursor: Cursor, item_ids: Collection[str]) -> dict[str, Stored]:
    asked = {"item_ids": sorted(item_ids)}
    first, last = cursor.execute(_NUMBERS, asked).fetchall()[0]
    rows = cursor.execute(_STORED, asked | {"first": first, "last": last}).fetchall()
    stored: dict[str, defaultdict[str, set[tuple[str, str]]]] = {}
    for item_id, unit_id, check, kind in rows:
        stored.setdefault(item_id, defaultdict(set))[unit_id].add((check, kind))
    return dict(stored)


def _build_findings_against(
    stored: Collection[tuple[str, str]],
    item: Item,
    unit_id: str,
    found: Sequence[tuple[str, Finding]],
) -> Iterator[FoundAgainst]:
    for key in (each for each in AGAINST if each in stored):
        title = CHECKS[key[0]].title
        here = [
            finding
            for found_on, finding in found
            if found_on == unit_id and (finding.check, finding.kind) == key
        ]
        for each in dict.fromkeys(here):
            span = each.source
            words = item.text_of(span.field)[span.start : span.end] if span else ""
            field = span.field if span else ""
            yield FoundAgainst(check=title, says=each.says, words=words, field=field)
        if not here:
            yield FoundAgainst(check=title, says=AGAINST[key])
