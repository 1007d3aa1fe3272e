"""Disagreements of the store: found once per version, narrowed and ordered in memory."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from data import queries_disagreements_sql as sql
from data.by_item import table_by_item
from data.changes import stamp_of
from data.engine import Cursor
from data.loaded_cases import forget
from data.older_store import stand_in
from data.records.loading import between
from data.remembered import remembered
from data.store import Store
from faithfulness.checks.against import AGAINST
from faithfulness.disagreement import Kind, kinds_of, order, severity
from faithfulness.protocol import Criterion
from faithfulness.protocols import PROTOCOLS
from faithfulness.selection import Selection
from faithfulness.selection_sides import BASELINE
from faithfulness.text.clashes import ClashKind

PAGE = 20
SECONDS = 30.0
LAST = 2**31 - 1
STATES = ("open", "decided", "all")
SORTS = ("worst", "far", "stored")
BITS = {kind: 1 << at for at, kind in enumerate(Kind)}
CLASH_BITS = {kind.value: 1 << at for at, kind in enumerate(ClashKind, start=1)} | {"quote": 32}
FOUND_BITS = {found: 1 << at for at, found in enumerate(AGAINST)}
_WIDTH = 7  # bits of a packed count: up to 127 authors may give one value to one unit
_MASK = (1 << _WIDTH) - 1
_SAME = ["question", "rater_votes", "judge_votes", "sample_votes", "sureness", "absent"]
_SAME += ["clashes", "found"]


class Question(NamedTuple):
    """A criterion of a protocol, by the number it has in the table of disagreements."""

    protocol: str
    criterion: Criterion


@dataclass(frozen=True, kw_only=True, slots=True)
class Queue:
    """One page of disagreements as numbers, and how many each choice would leave.

    `rows` has one row a disagreement, in order, with the columns of `all_disagreements`.
    """

    rows: pd.DataFrame
    total: int
    page: int
    pages: int
    kinds: Mapping[Kind, int]  # without the choice of kinds
    states: Mapping[str, int]  # without the choice of open or decided, as it is now
    as_of: int  # open ones decided after this annotation keep their place


QUESTIONS = tuple(
    Question(protocol.key, criterion)
    for protocol in PROTOCOLS.values()
    for criterion in protocol.criteria
)


def all_disagreements(store: Store, *, with_baseline: bool = False) -> pa.Table:
    """Every disagreement of the store; after a decision only what it changed is found again.

    Columns:
        nth: the row; question: a number in QUESTIONS; run_no (where a decision goes), item_no,
            unit_no.
        rater_mask, judge_mask: a bit for each value that somebody gives.
        rater_votes, judge_votes, sample_votes: how many give each value, see `votes_in`.
        sureness: mean confidence, missing when nobody says; absent: 1 a rater's quote stands
            nowhere, 2 a judge's; clashes: bits of CLASH_BITS; found: bits of FOUND_BITS.
        decided_no, decided_place: the decision that counts and its value, else missing.
        kinds: bits of BITS; severity, weight.
    """
    name = "disagreements with baseline" if with_baseline else "disagreements"
    return remembered(store, name, lambda asked: _refreshed(asked, with_baseline))


def queue(
    store: Store,
    selection: Selection,
    *,
    kinds: Collection[Kind] = (),
    decided: str = "open",
    sort: str = "worst",
    page: int = 1,
    as_of: int | None = None,
    with_baseline: bool = False,
    size: int = PAGE,
) -> Queue:
    """One page of the disagreements that a selection leaves; a page too far gives the last.

    Args:
        store: where to look.
        selection: narrows by protocol, criterion, runs, systems, authors who answered, labels
            that somebody (of the kind `by`) gives, slices, item and words in the unit.
        kinds: any of these; all when empty.
        decided: open, decided or all.
        sort: worst (by weight), far (by severity) or stored.
        page: from 1.
        as_of: decisions after this annotation leave their place in the list of open ones, so
            that a list does not shift under the hands of whoever works through it.
        with_baseline: count the offline baseline as a judge.
        size: how many a page holds.
    """
    known = all_disagreements(store, with_baseline=with_baseline)
    counted = _last(store) if as_of is None else as_of
    facts = _narrowing(selection) | {
        "kinds": sum(BITS[each] for each in kinds),
        "decided": decided,
        "sort": sort,
        "as_of": counted,
        "but": _left_out(with_baseline),
        "limit": size,
    }
    with store.read(seconds=SECONDS) as cursor:
        cursor.register("all_disagreements", known)
        asked = facts | {"skip": (max(page, 1) - 1) * size}
        rows = cursor.execute(sql.QUEUE, asked).df()
        total = _total(rows, facts["kinds"])
        pages = max(1, -(-total // size))
        if page > pages:
            rows = cursor.execute(sql.QUEUE, facts | {"skip": (pages - 1) * size}).df()
    nth = rows.loc[rows["part"] == "page", "nth"].astype(int).tolist()
    return Queue(
        rows=known.take(pa.array(nth, pa.int64())).to_pandas(),
        total=total,
        page=min(max(page, 1), pages),
        pages=pages,
        kinds={each: _total(rows, bit, decided) for each, bit in BITS.items()},
        states={each: _total(rows, facts["kinds"], each) for each in STATES},
        as_of=counted,
    )


def every_one(store: Store, selection: Selection) -> pd.DataFrame:
    """All disagreements that a selection leaves, open or decided, the worst first."""
    known = all_disagreements(store)
    facts = _narrowing(selection) | {
        "kinds": 0,
        "decided": "all",
        "sort": "worst",
        "as_of": LAST,
        "but": _left_out(with_baseline=False),
        "limit": known.num_rows,
        "skip": 0,
    }
    with store.read(seconds=SECONDS) as cursor:
        cursor.register("all_disagreements", known)
        rows = cursor.execute(sql.QUEUE, facts).df()
    nth = rows.loc[rows["part"] == "page", "nth"].astype(int).tolist()
    found: pd.DataFrame = known.take(pa.array(nth, pa.int64())).to_pandas()
    return found


def votes_in(question: int, packed: int) -> dict[str, int]:
    """How many give each value, out of a packed number."""
    values = QUESTIONS[question].criterion.scale.values
    counts = ((value, (packed >> (_WIDTH * at)) & _MASK) for at, value in enumerate(values))
    return {value: count for value, count in counts if count}


def _last(store: Store) -> int:
    with store.read() as cursor:
        stand_in(cursor)
        return stamp_of(cursor).annotation


def _total(rows: pd.DataFrame, kinds: int, state: str = "") -> int:
    """How many are on the list, or in a state whether on the list or not."""
    counts = rows[rows["part"] == "count"]
    kept = (counts["kinds"] & kinds != 0) if kinds else counts["units"] > 0
    if not state:
        kept &= counts["is_listed"]
    elif state != "all":
        kept &= counts["is_open"] == (state == "open")
    return int(counts.loc[kept, "units"].sum())


def _narrowing(selection: Selection) -> dict[str, Any]:
    numbers = [
        at
        for at, each in enumerate(QUESTIONS)
        if selection.protocol in ("", each.protocol)
        and selection.criterion in ("", each.criterion.key)
    ]
    slices = [f"{key}\x1f{value}" for key, value in selection.slices]
    return {
        "questions": numbers,
        "asked": [f"{each.protocol}:{each.criterion.key}" for each in QUESTIONS],
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "authors": [f"{each.kind.value}:{each.name}" for each in selection.authors],
        "slices": slices,
        "slice_keys": len({key for key, _ in selection.slices}),
        "everything": not (selection.runs or selection.systems or slices),
        "words": selection.words or None,
        "item_id": selection.item or None,
        "by_label": bool(selection.labels),
        "by": selection.by,
        "bits": [_bits(each.criterion, selection.labels) for each in QUESTIONS],
    }


def _bits(criterion: Criterion, labels: Iterable[str]) -> int:
    wanted = set(labels)
    return sum(1 << at for at, value in enumerate(criterion.scale.values) if value in wanted)


def _refreshed(store: Store, with_baseline: bool) -> pa.Table:
    def ask(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
        forget(store, items)
        facts = _facts(with_baseline)
        if items is None:
            found = cursor.execute(sql.ALL, facts).df()
        else:
            found = cursor.execute(sql.SOME, facts | between([*items])).df()
        return pa.Table.from_pandas(_weighed(found), preserve_index=False)

    rows = table_by_item(store, ("disagreements", with_baseline), ask)
    return rows.append_column("nth", pa.array(np.arange(rows.num_rows)))


def _facts(with_baseline: bool) -> dict[str, Any]:
    values = [
        (each.protocol, each.criterion.key, value, number, place)
        for number, each in enumerate(QUESTIONS)
        for place, value in enumerate(each.criterion.scale.values)
    ]
    names = ("protocols", "criteria", "values", "questions", "places")
    return {
        **{name: [row[at] for row in values] for at, name in enumerate(names)},
        "but": _left_out(with_baseline),
        "clash_kinds": [kind.value for kind in ClashKind],
        "found_kinds": [f"{check}:{kind}" for check, kind in AGAINST],
    }


def _left_out(with_baseline: bool) -> list[str]:
    return [] if with_baseline else [f"{BASELINE.kind.value}:{BASELINE.name}"]


def _weighed(rows: pd.DataFrame) -> pd.DataFrame:
    """With kind, severity and weight; rows that look the same are weighed once."""
    rows = rows.astype({"decided_no": "Int64", "decided_place": "Int64"})
    group = rows.groupby(_SAME, sort=False, dropna=False).ngroup()
    once = rows.loc[~group.duplicated(), _SAME]
    weighed = [_weigh(*row) for row in once.itertuples(index=False, name=None)]
    names = ["rater_mask", "judge_mask", "kinds", "severity", "weight"]
    table = pd.DataFrame(weighed, columns=names)
    return rows.reset_index(drop=True).join(table.iloc[group].reset_index(drop=True))


def _weigh(
    question: int,
    raters: int,
    judges: int,
    samples: int,
    sureness: float,
    absent: int,
    clash: int,
    found: int,
) -> tuple[int, int, int, float, float]:
    by_raters, by_judges = votes_in(question, raters), votes_in(question, judges)
    sampled = votes_in(question, samples)
    distance = severity(QUESTIONS[question].criterion.scale, {*by_raters, *by_judges, *sampled})
    sure = None if pd.isna(sureness) else float(sureness)
    voices = sum(by_raters.values()) + sum(by_judges.values())
    weight = order(distance, voices, sure, bool(absent), bool(clash or found))
    kinds = sum(BITS[each] for each in kinds_of(by_raters, by_judges, sampled))
    criterion = QUESTIONS[question].criterion
    return _bits(criterion, by_raters), _bits(criterion, by_judges), kinds, distance, weight
