"""Compute all inconsistencies of the store once, then update only changed items."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pandas as pd

from data.inconsistencies import inconsistencies_sql as sql
from data.inconsistencies.signed_items import read_signed
from data.store.cache.incremental_cache import asked_of, by_item
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.intake.departures import select_linked_answer
from faithfulness.policies.inconsistencies import find_inconsistencies
from faithfulness.policies.inconsistency_order import compute_gravity, weigh_inconsistency
from faithfulness.policies.inconsistency_rules import (
    ABOVE_CHECKED,
    AGAINST_SENTENCES,
    AGAINST_STATEMENTS,
    AUDIT_RULES,
    LINKS_NOT_TAKEN,
    QUOTE_ABSENT,
    WITHOUT_LINK,
    AuditRule,
)
from faithfulness.protocols.expert_rubric import PROTOCOL as EXPERT_RUBRIC
from faithfulness.protocols.response_consistency import PARTS_UNVERIFIED

RULES = tuple(AUDIT_RULES)
NOBODY = -1
AT_ONCE = 500  # items whose answers are read at a time
_ORDER = ["several", "rule", "item_no", "one_author", "other_author"]
_SAME = ["rule", "value", "leaves", "units", "sureness", "is_absent", "is_clash", "own"]
# The columns of `sql.INCONSISTENCIES` as it gives them.
_TYPES = {
    **dict.fromkeys(("rule", "item_no", "one_author", "other_author"), "int32"),
    **dict.fromkeys(("value", "leaves"), "object"),
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


def load_all_audits(store: Store) -> pd.DataFrame:
    """Every inconsistency, in the order of the list.

    Columns: rule (a place in RULES), item_no, one_author, other_author (NOBODY where the answer
    lacks something of its own), value (that is ruled out), leaves (the best that the rule leaves),
    units (sentences against it, or that it
    is about), labels (bits: 1 supported, 2 unsupported, 4 contradictory), sureness, is_absent,
    is_clash, several (authors), own (one author against themselves), severity, weight (the place
    in the queue).
    """
    return remembered(store, "audits", _refresh_audits)


def _refresh_audits(store: Store) -> pd.DataFrame:
    rows = by_item(store, "audits", _query_audits, _merge_audits, lambda found: 8 * found.size)
    if rows.empty:  # as in most stores, and an order of nothing takes milliseconds
        return rows
    return rows.sort_values(_ORDER, kind="stable").reset_index(drop=True)


def _query_audits(cursor: Cursor, items: Sequence[int] | None) -> pd.DataFrame:
    facts = _build_parameters()
    asked = {"criteria": facts["criteria"]}
    if not asked_of(cursor, sql.ANYTHING, asked, items).fetchall():
        return _make_empty_frame()
    found = asked_of(cursor, sql.INCONSISTENCIES, facts, items).df()
    return _add_weights(_keep_departures(cursor, found))


def _keep_departures(cursor: Cursor, found: pd.DataFrame) -> pd.DataFrame:
    """Leave out answers that agree with their marked statements; say what the others' marks leave.

    Which do takes the statements of the item, so that the audit of the item says it.
    """
    is_candidate = found["rule"] == RULES.index(AGAINST_STATEMENTS.key)
    candidates = found[is_candidate]
    if candidates.empty:
        return found
    numbers = sorted({int(each) for each in candidates["item_no"]})
    leaves: dict[tuple[int, int], str] = {}
    for skip in range(0, len(numbers), AT_ONCE):
        leaves |= _load_statement_leaves(cursor, numbers[skip : skip + AT_ONCE])
    marked = [
        leaves.get((int(item), int(author)), "")
        for item, author in zip(candidates["item_no"], candidates["one_author"], strict=True)
    ]
    departing = candidates.assign(leaves=marked)
    departing = departing[departing["leaves"] != ""]
    return pd.concat([found[~is_candidate], departing], ignore_index=True)


def _load_statement_leaves(cursor: Cursor, numbers: Sequence[int]) -> dict[tuple[int, int], str]:
    """By item and author: what the marked statements leave, where the answer departs from them."""
    signed = read_signed(cursor, numbers)
    return {
        (number, signed.authors[each.one.author]): each.leaves
        for number, item in signed.items.items()
        for each in find_inconsistencies(item, signed.annotations.get(item.id, ()))
        if each.rule is AGAINST_STATEMENTS
    }


def _get_leaves(rule: AuditRule, value: str) -> str:
    return select_linked_answer(value) if rule is LINKS_NOT_TAKEN else rule.leaves


@cache
def _make_empty_frame() -> pd.DataFrame:
    """No rows, with the columns that some would have; nobody changes it."""
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in _WEIGHED_TYPES.items()})


def _merge_audits(
    before: pd.DataFrame, changed: Sequence[int], found: pd.DataFrame
) -> pd.DataFrame:
    if before.empty:
        return found
    kept = before[~before["item_no"].isin(changed)]
    return pd.concat([kept, found], ignore_index=True) if len(found) else kept


def _add_weights(found: pd.DataFrame) -> pd.DataFrame:
    others = found["other_author"].astype("Int64").fillna(NOBODY).astype("int64")
    own = others == found["one_author"]
    rows = found.assign(other_author=others, own=own, several=(others != NOBODY) & ~own)
    group = rows.groupby(_SAME, sort=False, dropna=False).ngroup()
    once = rows.loc[~group.duplicated(), _SAME]
    weighed = [_compute_weight(*row) for row in once.itertuples(index=False, name=None)]
    table = pd.DataFrame(weighed, columns=["severity", "weight"], dtype="float64")
    return rows.reset_index(drop=True).join(table.iloc[group].reset_index(drop=True))


def _compute_weight(
    key: int,
    value: str,
    leaves: str,
    units: int,
    sureness: float,
    absent: bool,
    clash: bool,
    own: bool,
) -> tuple[float, float]:
    rule = AUDIT_RULES[RULES[key]]
    return compute_gravity(rule, value, leaves), weigh_inconsistency(
        rule,
        value,
        leaves,
        sentences=units,
        sureness=None if pd.isna(sureness) else sureness,
        absent=absent,
        clash=clash,
        own=own,
    )


def _build_parameters() -> dict[str, Any]:
    values = [(rule, value) for rule in AUDIT_RULES.values() for value in rule.values]
    against = [RULES.index(each.key) for each in AGAINST_SENTENCES]
    observations = [
        (rule, check)
        for rule in ABOVE_CHECKED
        for criterion in EXPERT_RUBRIC.criteria
        if criterion.key == rule.criterion
        for check in criterion.checklist
    ]
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
        "leaves": [_get_leaves(rule, value) for rule, value in values],
        "checked_rules": [RULES.index(rule.key) for rule, _ in observations],
        "checks": [each.key for _, each in observations],
        "levels": [each.level for _, each in observations],
        "without_link": RULES.index(WITHOUT_LINK.key),
        "links_not_taken": RULES.index(LINKS_NOT_TAKEN.key),
        "against_statements": RULES.index(AGAINST_STATEMENTS.key),
        "unverified": PARTS_UNVERIFIED,
        "absent": RULES.index(QUOTE_ABSENT.key),
        "absent_leaves": QUOTE_ABSENT.leaves,
    }
