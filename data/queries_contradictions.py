"""Which units somebody calls contradicted, counted and in order, a page at a time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from data import queries_contradictions_sql as sql
from data.records.cases import Place
from data.store import Store
from faithfulness.contradiction import Meaning, Says, meanings
from faithfulness.protocols import PROTOCOLS
from faithfulness.selection import AGREEMENTS, CLASHES, PLACEMENTS, Selection
from faithfulness.vocabulary import UnitKind

PAGE = 20
SECONDS = 30.0
LISTS = ("contradicted", "not_supported", "unfounded", "clashing")
SORTS = ("disputed", "sure", "stored")
GROUPS = ("", "protocol", "run", "system", "agreement", "placement", "clash")
# The bit of each word; the SQL sets the same ones, counted from 1 in the order of the words.
BITS: Mapping[str, Mapping[str, int]] = {
    "placement": {word: 1 << at for at, word in enumerate(PLACEMENTS, start=1)},
    "clash": {word: 1 << at for at, word in enumerate(CLASHES, start=1)},
    "agreement": {word: 1 << at for at, word in enumerate(AGREEMENTS, start=1)},
}
_COLUMNS = {"placement": "placements", "clash": "clashes", "agreement": "agreements"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One page of cases, with every count that a reader needs beside it.

    `cases` has one row a case, in order: run_no, item_no, unit_no, in_group, yes (the
    authors who speak for its place on the list) and nay (the others with a value).
    """

    cases: pd.DataFrame
    total: int
    lists: Mapping[str, int]  # each list, before placement, clash and agreement narrow it
    counts: Mapping[str, Mapping[str, int]]  # by part and word; each part without its own choice
    units: Mapping[UnitKind, int]  # what kind of unit the cases are
    groups: Mapping[str, int]


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

    Authors narrow to units that one of them calls so; labels to units that somebody (of the kind
    `by`) gives one of them; words are looked for in the unit and in what is quoted for it.

    Args:
        store: where to look.
        selection: what narrows.
        which: contradicted; not_supported, where a scale has no word for contradiction;
            unfounded, contradicted without evidence that can be found; clashing, called supported
            although a clash was found.
        sort: disputed (most authors on the smaller side), sure (highest confidence) or stored.
        group: part by which the cases stand together, or "".
        page: from 1.
    """
    facts = narrowing(selection, which) | {
        "which": which,
        "sort": sort,
        "group_by": group,
        "skip": (max(page, 1) - 1) * PAGE,
        "limit": PAGE,
    }
    with store.read(seconds=SECONDS) as cursor:
        rows: pd.DataFrame = cursor.execute(sql.FOUND, facts).df()
    cases = rows[rows["part"] == "page"]
    histogram = rows[rows["part"] == "counts"]
    groups = rows[rows["part"] == "group"]
    cases = cases.assign(in_group=[_word(group, str(each)) for each in cases["in_group"]])
    return Found(
        cases=cases[["run_no", "item_no", "unit_no", "in_group", "yes", "nay"]].astype(
            {"run_no": int, "item_no": int, "unit_no": int, "yes": int, "nay": int}
        ),
        total=int(groups["cases"].sum()),
        lists={each: _sum(histogram[_true(histogram, each)]) for each in LISTS},
        counts=_counts(histogram[_true(histogram, which)], selection),
        units=dict(_units(groups)),
        groups=dict(_sizes(groups, group)),
    )


def places(found: Found) -> list[Place]:
    """Where the cases of a page are, for `records.load_cases`."""
    columns = ("run_no", "item_no", "unit_no", "in_group")
    rows = zip(*(found.cases[each].tolist() for each in columns), strict=True)
    return [Place(*row) for row in rows]


def narrowing(selection: Selection, which: str) -> dict[str, Any]:
    """The parameters that a selection fills; an empty one does not narrow."""
    known: Sequence[Meaning] = meanings(PROTOCOLS.values())
    voice = [Says.SUPPORTED] if which == "clashing" else [Says.CONTRADICTED, Says.NOT_SUPPORTED]
    return {
        "protocol": selection.protocol or None,
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "authors": [f"{each.kind.value}:{each.name}" for each in selection.authors],
        "labels": list(selection.labels),
        "by": selection.by or None,
        "words": selection.words or None,
        "slices": [f"{key}\x1f{value}" for key, value in selection.slices],
        "slice_keys": len({key for key, _ in selection.slices}),
        "placements": _mask("placement", selection.placements),
        "clashes": _mask("clash", selection.clashes),
        "agreements": _mask("agreement", selection.agreements),
        "tiers": [each for each in PLACEMENTS if each != "none"],
        "clash_kinds": [each for each in CLASHES if each not in ("quote", "none")],
        "voice": [each.value for each in voice],
        "meant_protocols": [each.protocol for each in known],
        "meant_criteria": [each.criterion for each in known],
        "meant_values": [each.value for each in known],
        "meant_says": [each.says.value for each in known],
    }


def _mask(part: str, words: Iterable[str]) -> int:
    return sum(bit for word, bit in BITS[part].items() if word in set(words))


def _counts(histogram: pd.DataFrame, selection: Selection) -> dict[str, dict[str, int]]:
    """How many cases each word would leave, under the choices made in all other parts."""
    chosen = {
        "placement": _mask("placement", selection.placements),
        "clash": _mask("clash", selection.clashes),
        "agreement": _mask("agreement", selection.agreements),
    }
    masks = {part: histogram[column].astype(int) for part, column in _COLUMNS.items()}
    found: dict[str, dict[str, int]] = {}
    for part, words in BITS.items():
        others = [each for each in BITS if each != part and chosen[each]]
        kept = pd.Series(True, index=histogram.index)
        for other in others:
            kept &= (masks[other] & chosen[other]) != 0
        found[part] = {
            word: _sum(histogram[kept & ((masks[part] & bit) != 0)]) for word, bit in words.items()
        }
    return found


def _units(groups: pd.DataFrame) -> Counter[UnitKind]:
    found: Counter[UnitKind] = Counter()
    for protocol, cases in zip(groups["protocol"], groups["cases"], strict=True):
        found[PROTOCOLS[protocol].unit] += int(cases)
    return found


def _sizes(groups: pd.DataFrame, group: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for said, cases in zip(groups["in_group"], groups["cases"], strict=True):
        found[_word(group, said)] += int(cases)
    return found


def _true(histogram: pd.DataFrame, column: str) -> pd.Series:
    return histogram[column].fillna(False).astype(bool)


def _sum(histogram: pd.DataFrame) -> int:
    return int(histogram["cases"].sum())


def _word(group: str, said: str) -> str:
    """A group's own word: the SQL says the parts that are bits by their lowest one."""
    if group not in BITS or not said.isdecimal():
        return said
    return next((word for word, bit in BITS[group].items() if bit == int(said)), "")
