"""Answers that cannot all be right, over the whole store, a page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from data import queries_audit_sql as sql
from data import records
from data.remembered import remembered
from data.store import Store
from faithfulness.audit import Inconsistency, audit
from faithfulness.audit_rules import (
    AGAINST_SENTENCES,
    AUDIT_RULES,
    ETHICS_TICKED,
    QUOTE_ABSENT,
    UNDISCLOSED,
    WITHOUT_LINK,
    says,
)
from faithfulness.errors import ReviewError
from faithfulness.selection import Selection

PAGE = 20
SECONDS = 60.0
WHOSE = ("", "one_author", "several_authors")
_RULES = tuple(AUDIT_RULES)
_NOBODY = -1
_COLUMNS = [
    "rule", "title", "says", "item_id", "run_id", "run", "external_id", "unit_id", "units",
    "one_author", "one_criterion", "one_value", "other_author", "other_values", "same_author",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Audited:
    """One page of inconsistencies, worst first, and how many there are.

    Columns of `rows`: rule (a key of AUDIT_RULES), title (the rule's), says (both sides in one
    sentence), item_id, run_id, run (its name), external_id and unit_id (where the reader opens),
    units (ids that rule the answer out, or that it is about), one_author ("rater Ada"),
    one_criterion, one_value, other_author (empty where the answer lacks something of its own),
    other_values, same_author.
    """

    rows: pd.DataFrame
    total: int
    counts: Mapping[str, int]  # by rule, whatever rule is chosen


def audits(
    store: Store, selection: Selection, page: int = 1, *, rule: str = "", whose: str = ""
) -> Audited:
    """Answers on one item that cannot all be right; an author's own contradictions first.

    Args:
        store: where to look.
        selection: narrows to items by runs, systems, protocol, item and words; its authors to
            inconsistencies in which one of them has a part.
        page: from 1.
        rule: only of this rule of AUDIT_RULES.
        whose: one_author, several_authors, or both where empty.

    Raises:
        ReviewError: there is no such rule.
    """
    if rule and rule not in AUDIT_RULES:
        raise ReviewError(f"There is no audit rule {rule!r}. One of: {', '.join(AUDIT_RULES)}.")
    found = remembered(store, "audits", _all)
    found = found[_narrowed(store, selection, found, whose)]
    numbers = found["rule"].value_counts()
    counts = {key: int(numbers.get(at, 0)) for at, key in enumerate(_RULES)}
    if rule:
        found = found[found["rule"] == _RULES.index(rule)]
    skip = (max(page, 1) - 1) * PAGE
    return Audited(
        rows=_told(store, found.iloc[skip : skip + PAGE]), total=len(found), counts=counts
    )


def item_audit(store: Store, item_id: str) -> tuple[Inconsistency, ...]:
    """What on one item cannot all be right.

    Raises:
        ReviewError: the store has no such item.
    """
    item = records.load_item(store, item_id)
    return audit(item, records.load_annotations(store, item_id))


def _all(store: Store) -> pd.DataFrame:
    """Every inconsistency of the store by numbers, in the order of the list."""
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(sql.INCONSISTENCIES, _facts()).df()
    found = found.astype({"other_author": "Int64", "other_run": "Int64"})
    for name in ("other_author", "other_run"):
        found[name] = found[name].fillna(_NOBODY).astype(int)
    alone = found["other_author"].isin([_NOBODY]) | (found["other_author"] == found["one_author"])
    found = found.assign(several=~alone)
    order = ["several", "rule", "item_no", "one_author", "other_author"]
    return found.sort_values(order, kind="stable").reset_index(drop=True)


def _facts() -> dict[str, Any]:
    values = [(rule, value) for rule in AUDIT_RULES.values() for value in rule.values]
    labels = [(rule, label) for rule in AGAINST_SENTENCES for label in rule.labels]
    return {
        "rules": [_RULES.index(each.key) for each in AGAINST_SENTENCES],
        "at_least": [each.at_least for each in AGAINST_SENTENCES],
        "value_rules": [_RULES.index(rule.key) for rule, _ in values],
        "criteria": [rule.criterion for rule, _ in values],
        "values": [value for _, value in values],
        "label_rules": [_RULES.index(rule.key) for rule, _ in labels],
        "labels": [label for _, label in labels],
        "without_link": _RULES.index(WITHOUT_LINK.key),
        "ticked": _RULES.index(ETHICS_TICKED.key),
        "undisclosed": UNDISCLOSED,
        "absent": _RULES.index(QUOTE_ABSENT.key),
    }


def _narrowed(
    store: Store, selection: Selection, found: pd.DataFrame, whose: str
) -> "pd.Series[bool]":
    stays = pd.Series(True, index=found.index)
    if whose not in WHOSE:
        raise ReviewError(f"“{whose}” is nobody; one of {', '.join(WHOSE[1:])}.")
    if whose:
        stays &= found["several"] == (whose == "several_authors")
    facts = {
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "protocol": selection.protocol,
        "item_id": selection.item,
        "words": selection.words,
    }
    with store.read(seconds=SECONDS) as cursor:
        if any(facts.values()):
            items = cursor.execute(sql.NARROWED, facts).fetchnumpy()["item_no"]
            stays &= found["item_no"].isin(items)
        if selection.authors:
            wanted = {(each.kind.value, each.name) for each in selection.authors}
            known = cursor.execute(sql.AUTHORS).fetchall()
            numbers = [number for number, kind, name in known if (kind, name) in wanted]
            stays &= found["one_author"].isin(numbers) | found["other_author"].isin(numbers)
    return stays


def _told(store: Store, found: pd.DataFrame) -> pd.DataFrame:
    """One page with names instead of numbers."""
    opens = found["other_run"].where(found["other_run"] != _NOBODY, found["one_run"])
    rows: list[dict[Any, Any]] = found.assign(opens=opens).to_dict("records")
    names = _names(store, rows)
    return pd.DataFrame([_row(row, names) for row in rows], columns=_COLUMNS)


def _row(row: Mapping[str, Any], names: "_Names") -> dict[str, Any]:
    rule = AUDIT_RULES[_RULES[row["rule"]]]
    one, other = names.people[row["one_author"]], names.people.get(row["other_author"], "")
    units = [names.units[unit] for unit in row["units"]]
    labels = [str(label) for label in row["labels"]]
    return names.places[row["item_no"], row["opens"]] | {
        "rule": rule.key,
        "title": rule.title,
        "says": says(rule, one, row["value"], other, len(units), " or ".join(labels)),
        "unit_id": units[0],
        "units": units,
        "one_author": one,
        "one_criterion": row["criterion"],
        "one_value": row["value"],
        "other_author": other,
        "other_values": labels,
        "same_author": not row["several"],
    }


def _names(store: Store, rows: Sequence[Mapping[str, Any]]) -> "_Names":
    units = sorted({int(unit) for row in rows for unit in row["units"]})
    at = {"items": [row["item_no"] for row in rows], "runs": [row["opens"] for row in rows]}
    with store.read(seconds=SECONDS) as cursor:
        people = cursor.execute(sql.AUTHORS).fetchall()
        ids = cursor.execute(sql.UNITS, {"units": units}).fetchall()
        places = cursor.execute(sql.PLACES, at).fetchall()
    return _Names(
        people={number: f"{kind} {name}" for number, kind, name in people},
        units=dict(ids),
        places={
            (item_no, run_no): {
                "item_id": item_id,
                "run_id": run_id,
                "run": run,
                "external_id": external_id,
            }
            for item_no, item_id, run_no, run_id, run, external_id in places
        },
    )


class _Names(NamedTuple):
    """What people read instead of the store's numbers."""

    people: Mapping[int, str]
    units: Mapping[int, str]
    places: Mapping[tuple[int, int], dict[str, Any]]
