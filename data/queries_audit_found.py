"""Every inconsistency of the store by numbers: found once, then again only where it changed."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pandas as pd

from data import queries_audit_sql as sql
from data.by_item import asked_of, by_item
from data.engine import Cursor
from data.remembered import remembered
from data.store import Store
from faithfulness.audit_order import gravity, weigh
from faithfulness.audit_rules import (
    AGAINST_SENTENCES,
    AUDIT_RULES,
    ETHICS_TICKED,
    QUOTE_ABSENT,
    UNDISCLOSED,
    WITHOUT_LINK,
)

RULES = tuple(AUDIT_RULES)
NOBODY = -1
_ORDER = ["several", "rule", "item_no", "one_author", "other_author"]
_SAME = ["rule", "value", "units", "sureness", "is_absent", "is_clash", "own"]
# The columns of `sql.INCONSISTENCIES` as it gives them.
_TYPES = {
    **dict.fromkeys(("rule", "item_no", "one_author", "other_author"), "int32"),
    "value": "object",
    **dict.fromkeys(("units", "labels"), "int32"),
    "sureness": "float64",
    **dict.fromkeys(("is_absent", "is_clash"), "bool"),
}
_WEIGHED_TYPES = {
    **_TYPES,
    "other_author": "int64",
    **dict.fromkeys(("own", "several"), "bool"),
    **dict.fromkeys(("severity", "weight"), "float64"),
}


def all_audits(store: Store) -> pd.DataFrame:
    """Every inconsistency, in the order of the list.

    Columns: rule (a place in RULES), item_no, one_author, other_author (NOBODY where the answer
    lacks something of its own), value (that is ruled out), units (sentences against it, or that it
    is about), labels (bits: 1 supported, 2 unsupported, 4 contradictory), sureness, is_absent,
    is_clash, several (authors), own (one author against themselves), severity, weight (the place
    in the queue).
    """
    return remembered(store, "audits", _refreshed)


def _refreshed(store: Store) -> pd.DataFrame:
    rows = by_item(store, "audits", _ask, _merged, lambda found: 8 * found.size)
    if rows.empty:  # as in most stores, and an order of nothing takes milliseconds
        return rows
    return rows.sort_values(_ORDER, kind="stable").reset_index(drop=True)


def _ask(cursor: Cursor, items: Sequence[int] | None) -> pd.DataFrame:
    facts = _facts()
    asked = {"criteria": facts["criteria"]}
    if not asked_of(cursor, sql.ANYTHING, asked, items).fetchall():
        return _nothing()
    return _weighed(asked_of(cursor, sql.INCONSISTENCIES, facts, items).df())


@cache
def _nothing() -> pd.DataFrame:
    """No rows, with the columns that some would have; nobody changes it."""
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in _WEIGHED_TYPES.items()})


def _merged(before: pd.DataFrame, changed: Sequence[int], found: pd.DataFrame) -> pd.DataFrame:
    if before.empty:
        return found
    kept = before[~before["item_no"].isin(changed)]
    return pd.concat([kept, found], ignore_index=True) if len(found) else kept


def _weighed(found: pd.DataFrame) -> pd.DataFrame:
    others = found["other_author"].astype("Int64").fillna(NOBODY).astype("int64")
    own = others == found["one_author"]
    rows = found.assign(other_author=others, own=own, several=(others != NOBODY) & ~own)
    group = rows.groupby(_SAME, sort=False, dropna=False).ngroup()
    once = rows.loc[~group.duplicated(), _SAME]
    weighed = [_weigh(*row) for row in once.itertuples(index=False, name=None)]
    table = pd.DataFrame(weighed, columns=["severity", "weight"], dtype="float64")
    return rows.reset_index(drop=True).join(table.iloc[group].reset_index(drop=True))


def _weigh(
    key: int, value: str, units: int, sureness: float, absent: bool, clash: bool, own: bool
) -> tuple[float, float]:
    rule = AUDIT_RULES[RULES[key]]
    return gravity(rule, value), weigh(
        rule,
        value,
        sentences=units,
        sureness=None if pd.isna(sureness) else sureness,
        absent=absent,
        clash=clash,
        own=own,
    )


def _facts() -> dict[str, Any]:
    values = [(rule, value) for rule in AUDIT_RULES.values() for value in rule.values]
    against = [RULES.index(each.key) for each in AGAINST_SENTENCES]
    counted = {
        label: [int(label in each.labels) for each in AGAINST_SENTENCES]
        for label in ("supported", "unsupported", "contradictory")
    }
    return {
        **counted,
        "rules": against,
        "at_least": [each.at_least for each in AGAINST_SENTENCES],
        "value_rules": [RULES.index(rule.key) for rule, _ in values],
        "criteria": [rule.criterion for rule, _ in values],
        "values": [value for _, value in values],
        "without_link": RULES.index(WITHOUT_LINK.key),
        "ticked": RULES.index(ETHICS_TICKED.key),
        "undisclosed": UNDISCLOSED,
        "absent": RULES.index(QUOTE_ABSENT.key),
    }
