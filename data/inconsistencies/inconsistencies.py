"""Query inconsistencies between answers across the store, with pagination."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from data.inconsistencies import inconsistencies_sql as sql
from data.inconsistencies.signed_items import read_signed
from data.inconsistencies.store_inconsistencies import RULES, load_all_audits
from data.items.sample_runs import find_sample_items
from data.store.cache.item_filter_sql import between
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, Author
from faithfulness.policies.inconsistencies import Inconsistency, find_inconsistencies, format_author
from faithfulness.policies.inconsistency_rules import AUDIT_RULES

PAGE = 20
AT_ONCE = 500  # inconsistencies told at a time where all are asked for
SECONDS = 60.0
WHOSE = ("", "one_author", "several_authors")
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
    whose: Mapping[str, int]  # by WHOSE, whoever is chosen


def load_audits(
    store: Store,
    selection: Selection,
    page: int = 1,
    *,
    rule: str | Collection[str] = "",
    whose: str = "",
) -> Audited:
    """Answers on one item that cannot all be right; an author's own contradictions first.

    Args:
        store: where to look.
        selection: narrows to items by runs, systems, protocol, item and words; its authors to
            inconsistencies in which one of them has a part.
        page: from 1.
        rule: only of this rule of AUDIT_RULES, or of one of these.
        whose: one_author, several_authors, or both where empty.

    Raises:
        ReviewError: there is no such rule.
    """
    found = _load_selected_audits(store, selection)
    of_rules, of_those = _match_rules(found, rule), _match_authors(found, whose)
    numbers = found["rule"][of_those].value_counts()
    several = found["several"][of_rules]
    chosen = found[of_rules & of_those]
    skip = (max(page, 1) - 1) * PAGE
    return Audited(
        rows=_build_frame(store, chosen.iloc[skip : skip + PAGE]),
        total=len(chosen),
        counts={key: int(numbers.get(at, 0)) for at, key in enumerate(RULES)},
        whose=dict(
            zip(WHOSE, map(int, (len(several), (~several).sum(), several.sum())), strict=True)
        ),
    )


def iterate_audits(
    store: Store, selection: Selection, *, rule: str | Collection[str] = "", whose: str = ""
) -> Iterator[pd.DataFrame]:
    """All that `load_audits` lists, in its order and columns, some hundred at a time.

    Raises:
        ReviewError: there is no such rule.
    """
    found = _load_selected_audits(store, selection)
    chosen = found[_match_rules(found, rule) & _match_authors(found, whose)]
    for skip in range(0, len(chosen), AT_ONCE):
        yield _build_frame(store, chosen.iloc[skip : skip + AT_ONCE])


def _match_rules(found: pd.DataFrame, rule: str | Collection[str]) -> "pd.Series[bool]":
    rules = ([rule] if rule else []) if isinstance(rule, str) else list(rule)
    for each in rules:
        if each not in AUDIT_RULES:
            known = ", ".join(AUDIT_RULES)
            raise ReviewError(f"There is no audit rule {each!r}. One of: {known}.")
    if not rules:
        return pd.Series(True, index=found.index)
    return found["rule"].isin([RULES.index(each) for each in rules])


def _match_authors(found: pd.DataFrame, whose: str) -> "pd.Series[bool]":
    if whose not in WHOSE:
        raise ReviewError(f"“{whose}” is nobody; one of {', '.join(WHOSE[1:])}.")
    if not whose:
        return pd.Series(True, index=found.index)
    return found["several"] == (whose == "several_authors")


def _load_selected_audits(store: Store, selection: Selection) -> pd.DataFrame:
    found = load_all_audits(store)
    stays = ~found["item_no"].isin(find_sample_items(store, selection))
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
    return found[stays]


def _build_frame(store: Store, found: pd.DataFrame) -> pd.DataFrame:
    """One page in words, which the audit of its items gives."""
    numbers = [int(each) for each in found["item_no"].unique()]
    with store.read(seconds=SECONDS) as cursor:
        places = {
            (item_id, run_id): {"run": run, "external_id": external_id}
            for item_id, run_id, run, external_id in cursor.execute(
                sql.PLACES, between(numbers)
            ).fetchall()
        }
        told, _ = load_inconsistencies(cursor, found)
    # Missing only where somebody wrote between the two looks.
    rows = [
        _build_row(each) | places[each.item_id, each.run_id] for each in told if each is not None
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


def load_inconsistencies(
    cursor: Cursor, found: pd.DataFrame
) -> tuple[list[Inconsistency | None], Mapping[str, Sequence[Annotation]]]:
    """Rows of `load_all_audits` with the audit of their items, and all annotations there.

    None stands where somebody wrote between the two looks.
    """
    numbers = [int(each) for each in found["item_no"].unique()]
    signed = read_signed(cursor, numbers)
    authors = {number: author for author, number in signed.authors.items()}
    known = {
        (item_no, RULES.index(each.rule.key), each.one.author, _get_other_author(each)): each
        for item_no, item in signed.items.items()
        for each in find_inconsistencies(item, signed.annotations.get(item.id, ()))
    }
    columns = [found[name] for name in ("item_no", "rule", "one_author", "other_author")]
    told = [
        known.get((item_no, rule, authors[one], authors.get(other)))
        for item_no, rule, one, other in zip(*columns, strict=True)
    ]
    return told, signed.annotations


def _get_other_author(each: Inconsistency) -> Author | None:
    return each.other.author if each.other else None


def _build_row(each: Inconsistency) -> dict[str, Any]:
    against = each.other or each.one
    return {
        "rule": each.rule.key,
        "title": each.rule.title,
        "says": each.says,
        "item_id": each.item_id,
        "run_id": each.run_id,
        "unit_id": each.unit_id,
        "units": list(against.units),
        "one_author": format_author(each.one.author),
        "one_criterion": each.one.criterion,
        "one_value": " or ".join(each.one.values),
        "other_author": format_author(each.other.author) if each.other else "",
        "other_values": list(each.other.values) if each.other else [],
        "same_author": each.is_by_one_author,
    }
