"""Which units somebody calls contradicted, counted and in order, a page at a time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from data.contradictions import contradictions_sql as sql
from data.contradictions.cases_sql import CASES, CASES_WITH_DECISIONS
from data.items.cases import Place
from data.items.current_sql import DECIDED_FOR_OTHER_RUNS
from data.store.cache.incremental_cache import asked_of, table_by_item
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks.against import CONTRADICTS
from faithfulness.model.contradiction import Meaning, asked_criterion, meanings, titles
from faithfulness.model.selection import AGREEMENTS, CLASHES, PLACEMENTS, Selection
from faithfulness.model.vocabulary import AuthorKind, UnitKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.text.clashes import ClashKind

PAGE = 20
SECONDS = 30.0
LISTS = ("contradicted", "not_supported", "unfounded", "clashing", "found_by_check")
SORTS = ("disputed", "sure", "stored")
GROUPS = ("", "protocol", "run", "system", "agreement", "placement", "clash")
# The bit of each word; the SQL sets the same ones, counted from 1 in the order of the words.
BITS: Mapping[str, Mapping[str, int]] = {
    "placement": {word: 1 << at for at, word in enumerate(PLACEMENTS, start=1)},
    "clash": {word: 1 << at for at, word in enumerate(CLASHES, start=1)},
    "agreement": {word: 1 << at for at, word in enumerate(AGREEMENTS, start=1)},
}
# A label by a kind of author is one bit of what is said about a unit.
KNOWN_LABELS = tuple(titles(PROTOCOLS.values()))
KINDS = tuple(kind.value for kind in AuthorKind)
Histogram = dict[str, Any]  # arrays by column
Columns = dict[str, list[Any]]
_CASE_COLUMNS = {
    **dict.fromkeys(("run_no", "item_no", "unit_no"), "int64"),
    "in_group": "str",
    **dict.fromkeys(("yes", "nay"), "int64"),
}
_COLUMNS = {"placement": "placements", "clash": "clashes", "agreement": "agreements"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One page of cases, with every count that a reader needs beside it.

    `cases` has one row a case, in order: run_no, item_no, unit_no, in_group, yes (raters
    and judges who speak for its place on the list; of what checks found those who speak against
    the unit) and nay (the others of them with a value).
    """

    cases: pd.DataFrame
    total: int
    lists: Mapping[str, int]  # each list, under all choices that are made
    counts: Mapping[str, Mapping[str, int]]  # by part and word; each part without its own choice
    units: Mapping[UnitKind, int]  # what kind of unit the cases are
    groups: Mapping[str, int]


class Step(NamedTuple):
    """An item of a list, seen from another: before it (-1), itself (0), or behind it (1).

    The first item of a list that does not hold the other is behind it.
    """

    step: int = 1
    number: int = 0  # in the list, from 1
    total: int = 0
    run_id: str = ""
    item_id: str = ""
    unit_id: str = ""


def contradicted_units(
    store: Store,
    selection: Selection,
    *,
    which: str = "contradicted",
    sort: str = "disputed",
    group: str = "",
    page: int = 1,
) -> Found:
    """The units of one list: who says what about each is loaded by `records.load_cases`.

    Authors narrow to units that one of them calls so (where checks found something, to units that
    one of them answered about); labels to units that somebody (of the kind `by`) gives one of
    them; words are looked for in the unit and in what is quoted for it.

    Args:
        store: where to look.
        selection: what narrows.
        which: contradicted; not_supported, where a scale has no word for contradiction;
            unfounded, contradicted without evidence that can be found; clashing, called supported
            although a clash was found; found_by_check, with a finding of a check that contradicts
            a source, whatever anybody says.
        sort: disputed (most authors on the smaller side), sure (highest confidence) or stored.
        group: part by which the cases stand together, or "".
        page: from 1.
    """
    facts = narrowing(selection) | {
        "which": which,
        "sort": sort,
        "group_by": group,
        "skip": (max(page, 1) - 1) * PAGE,
        "limit": PAGE,
    }
    known = remembered(store, "cases", all_cases)
    with store.read(seconds=SECONDS) as cursor:
        parts = _parts(beside(cursor, known).execute(sql.FOUND, facts))
    histogram, groups = _histogram(parts["counts"]), parts["group"]
    left = histogram["cases"] * _kept(histogram, selection)
    shown = parts["page"] | {
        "in_group": [_word(group, str(each)) for each in parts["page"]["in_group"]]
    }
    return Found(
        cases=pd.DataFrame(
            {name: pd.Series(shown[name], dtype=kind) for name, kind in _CASE_COLUMNS.items()}
        ),
        total=sum(groups["cases"]),
        lists={each: int(left[histogram[each]].sum()) for each in LISTS},
        counts=_counts(histogram, which, selection),
        units=dict(_units(groups)),
        groups=dict(_sizes(groups, group)),
    )


def places(found: Found) -> list[Place]:
    """Where the cases of a page are, for `records.load_cases`."""
    columns = ("run_no", "item_no", "unit_no", "in_group")
    rows = zip(*(found.cases[each].tolist() for each in columns), strict=True)
    return [Place(*row) for row in rows]


def steps(store: Store, selection: Selection, *, run_id: str, item_id: str) -> list[Step]:
    """An item of the selection's list and those beside it, or the list's first without it."""
    facts = narrowing(selection) | {
        "which": selection.listed,
        "sort": selection.sort if selection.sort in SORTS else SORTS[0],
        "group_by": selection.group if selection.group in GROUPS else "",
        "run_id": run_id,
        "item_id": item_id,
    }
    known = remembered(store, "cases", all_cases)
    with store.read(seconds=SECONDS) as cursor:
        rows = beside(cursor, known).execute(sql.STEPS, facts).fetchall()
    return [Step(*row) for row in rows]


def all_cases(store: Store) -> pa.Table:
    """Every case of the store as a few numbers; what is looked at narrows it in a second step."""
    known: Sequence[Meaning] = meanings(PROTOCOLS.values())
    facts = {
        "tiers": [each for each in PLACEMENTS if each != "none"],
        "clash_kinds": [kind.value for kind in ClashKind],
        "kinds": list(KINDS),
        "known_labels": list(KNOWN_LABELS),
        "meant_protocols": [each.protocol for each in known],
        "meant_criteria": [each.criterion for each in known],
        "meant_values": [each.value for each in known],
        "meant_says": [each.says.value for each in known],
        "asked_protocols": list(PROTOCOLS),
        "asked_criteria": [asked_criterion(each).key for each in PROTOCOLS.values()],
        "asked_kinds": [each.unit.value for each in PROTOCOLS.values()],
        "check_names": [check for check, _ in CONTRADICTS],
        "check_kinds": [kind for _, kind in CONTRADICTS],
        "check_clashes": [BITS["clash"][clash] for clash in CONTRADICTS.values()],
    }

    def ask(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
        spread = asked_of(cursor, DECIDED_FOR_OTHER_RUNS, {}, items).fetchall()
        question = CASES_WITH_DECISIONS if spread else CASES
        return asked_of(cursor, question, facts, items).to_arrow_table()

    return table_by_item(store, "cases", ask)


def beside(cursor: Cursor, cases: pa.Table) -> Cursor:
    """Let a cursor ask about these cases by the name that the statements use."""
    return cursor.register("all_cases", cases)


def narrowing(selection: Selection) -> dict[str, Any]:
    """The parameters that a selection fills; an empty one does not narrow."""
    return {
        "protocol": selection.protocol or None,
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "authors": [f"{each.kind.value}:{each.name}" for each in selection.authors],
        "labels": _said(selection),
        "words": selection.words or None,
        "slices": [f"{key}\x1f{value}" for key, value in selection.slices],
        "slice_keys": len({key for key, _ in selection.slices}),
        "placements": _mask("placement", selection.placements),
        "clashes": _mask("clash", selection.clashes),
        "agreements": _mask("agreement", selection.agreements),
    }


def _said(selection: Selection) -> int:
    """The bits of the labels asked for; one that no protocol has is a bit that nothing sets."""
    by = [each for each in KINDS if selection.by in ("", each)]
    bits = 0
    for label in selection.labels:
        at = KNOWN_LABELS.index(label) if label in KNOWN_LABELS else len(KNOWN_LABELS)
        bits |= sum(1 << (at * len(KINDS) + KINDS.index(kind)) for kind in by)
    return bits


def _mask(part: str, words: Iterable[str]) -> int:
    return sum(bit for word, bit in BITS[part].items() if word in set(words))


def _counts(histogram: Histogram, which: str, selection: Selection) -> dict[str, dict[str, int]]:
    """How many cases each word would leave, under the choices made in all other parts."""
    found: dict[str, dict[str, int]] = {}
    for part, words in BITS.items():
        left = histogram["cases"] * (histogram[which] & _kept(histogram, selection, but=part))
        bits = histogram[_COLUMNS[part]]
        found[part] = {word: int(left[(bits & bit) != 0].sum()) for word, bit in words.items()}
    return found


def _kept(histogram: Histogram, selection: Selection, but: str = "") -> Any:
    """Which rows the choices leave; those of one part may be left aside."""
    chosen = {
        "placement": _mask("placement", selection.placements),
        "clash": _mask("clash", selection.clashes),
        "agreement": _mask("agreement", selection.agreements),
    }
    kept = histogram["cases"] > 0
    for part, mask in chosen.items():
        if mask and part != but:
            kept = kept & ((histogram[_COLUMNS[part]] & mask) != 0)
    return kept


def _parts(found: Cursor) -> dict[str, Columns]:
    """The rows of each part by column; of the few that a page has pandas makes hard work."""
    _, *names = (str(each[0]) for each in found.description or ())
    rows: dict[str, list[Sequence[Any]]] = {"counts": [], "group": [], "page": []}
    for said, *row in found.fetchall():
        rows[said].append(row)
    return {
        said: {name: [row[at] for row in listed] for at, name in enumerate(names)}
        for said, listed in rows.items()
    }


def _histogram(counts: Columns) -> Histogram:
    """The columns as plain arrays: a page sums them some thirty times."""
    counted = {name: np.array(counts[name], int) for name in ("cases", *_COLUMNS.values())}
    return counted | {name: np.array(counts[name], bool) for name in LISTS}


def _units(groups: Columns) -> Counter[UnitKind]:
    found: Counter[UnitKind] = Counter()
    for protocol, cases in zip(groups["protocol"], groups["cases"], strict=True):
        found[PROTOCOLS[protocol].unit] += int(cases)
    return found


def _sizes(groups: Columns, group: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for said, cases in zip(groups["in_group"], groups["cases"], strict=True):
        found[_word(group, said)] += int(cases)
    return found


def _word(group: str, said: str) -> str:
    """A group's own word: the SQL says the parts that are bits by their lowest one."""
    if group not in BITS or not said.isdecimal():
        return said
    return next((word for word, bit in BITS[group].items() if bit == int(said)), "")
