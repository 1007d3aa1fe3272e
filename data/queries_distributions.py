"""How labels, scores and numbers spread, by author, run or system, and what lies behind a bar."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from data import queries_distributions_found_sql as found_sql
from data import queries_distributions_sql as sql
from data.store import Store
from faithfulness.measure import Measure
from faithfulness.selection import Selection
from faithfulness.selection_sides import BASELINE
from faithfulness.statistics.intervals import Interval, item_interval, mean_interval

PAGE = 25
SECONDS = 30.0
ROWS = ("author", "run", "system")
UNREAD, NOT_JUDGED, NONE = " unread", " not judged", " none"
APART = (UNREAD, NOT_JUDGED, NONE)
NO_MEAN = Interval(value=None, low=None, high=None, counted=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One row of a distribution: who, how often each value, and the mean over items.

    `counts` are units by label, or items by bin; what has no value is counted apart. The mean is
    that of the scores or of the protocol's number, over items; `median` likewise.
    """

    key: str
    kind: str  # of the author: rater, judge or adjudicator
    name: str  # empty where raters or adjudicators stand together
    part: str  # the run's or system's name; empty where authors are the rows
    counts: Mapping[str, int]
    unread: int = 0
    not_judged: int = 0
    without: int = 0  # items that have no number, or one that is not between 0 and 1
    items: int = 0
    mean: Interval = NO_MEAN
    called: str = ""  # what the mean is a mean of, such as "F1"
    median: float | None = None

    @property
    def counted(self) -> int:
        return sum(self.counts.values())


class Found(NamedTuple):
    """A page of what lies behind a bar.

    `lines` has run_id, run, item_id, external_id, unit_id, author_kind, author, said (the label,
    the bin, or why there is none), problem, value (an item's number), text and query.
    """

    lines: pd.DataFrame
    total: int


class Share(NamedTuple):
    """A part of a whole with its interval, or why there is none."""

    value: float
    low: float | None
    high: float | None
    reason: str


def spread(
    store: Store, selection: Selection, measure: Measure, *, by_row: str = "author"
) -> tuple[Line, ...]:
    """One line for each author, run or system; of runs and systems, raters are taken together.

    Narrowed by runs, systems, authors, slices and words. The offline baseline is left out unless
    the selection names it. An author's answers in several runs all count; in the mean an item
    counts once.
    """
    facts = _facts(selection, measure, by_row)
    if measure.kind == "numbers":
        return tuple(_number_line(row) for row in _rows(store, sql.NUMBERS, facts))
    numbers: dict[str, dict[str, Any]] = {}
    if measure.kind == "scores":
        numbers = {row["line"]: row for row in _rows(store, sql.SCORES, facts)}
    elif measure.criterion == measure.protocol.criteria[0] and not measure.field:
        numbers = {row["line"]: row for row in _rows(store, sql.NUMBERS, facts)}
    told: dict[str, list[dict[str, Any]]] = {}
    for row in _rows(store, sql.LABELS, facts):
        told.setdefault(row["line"], []).append(row)
    return tuple(_label_line(rows, numbers.get(key)) for key, rows in told.items())


def drift(store: Store, selection: Selection, measure: Measure) -> tuple[Line, ...]:
    """The means alone, of each run by raters and by every judge, in the order of import.

    Empty where the measure has no number. Where nobody signed a score, the numbers that came with
    the files stand in.
    """
    facts = _facts(selection, measure, "run")
    rows = _rows(store, sql.SCORES, facts) if measure.kind == "scores" else []
    if not rows and measure.criterion in (None, measure.protocol.criteria[0]):
        rows = _rows(store, sql.NUMBERS, facts)
    return tuple(_number_line(row) for row in rows)


def share(
    store: Store, selection: Selection, measure: Measure, *, by_row: str, bar: tuple[str, str]
) -> Share | None:
    """What part of a line's labels or items has one value; None where nothing is counted.

    Labels are drawn with their items, so the interval knows that sentences of one response are
    alike.
    """
    facts = _facts(selection, measure, by_row) | {"line": bar[0], "value": bar[1]}
    question = found_sql.ITEM_SHARES if measure.kind == "numbers" else found_sql.UNIT_SHARES
    with store.read(seconds=SECONDS) as cursor:
        found = cursor.execute(question, _named(question, facts)).fetchnumpy()
    cells = np.column_stack([np.asarray(found[name], float) for name in ("yes", "counted")])
    if not cells[:, 1].sum():
        return None
    edges = item_interval(cells, lambda sums: sums[:, 0] / sums[:, 1])
    return Share(float(cells[:, 0].sum() / cells[:, 1].sum()), edges.low, edges.high, edges.reason)


def behind(
    store: Store,
    selection: Selection,
    measure: Measure,
    *,
    by_row: str,
    line: str,
    value: str = "",
    page: int = 1,
) -> Found:
    """The units or items that a line counts under one value, or under all."""
    facts = _facts(selection, measure, by_row) | {
        "line": line,
        "value": value or None,
        "limit": PAGE,
        "skip": (max(page, 1) - 1) * PAGE,
    }
    question = found_sql.ITEMS_FOUND if measure.kind == "numbers" else found_sql.UNITS_FOUND
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(question, _named(question, facts)).df()
    return Found(found, int(found["total"].iloc[0]) if len(found) else 0)


def _label_line(rows: list[dict[str, Any]], numbers: dict[str, Any] | None) -> Line:
    units = {str(row["said"]): int(row["units"]) for row in rows if row["said"]}
    first = rows[0]
    return Line(
        key=first["line"],
        kind=first["kind"],
        name=first["name"],
        part=first["part"],
        counts={said: count for said, count in units.items() if not said.startswith(" ")},
        unread=units.get(UNREAD, 0),
        not_judged=units.get(NOT_JUDGED, 0),
        items=max(int(row["items"]) for row in rows),
        **_mean(numbers),
    )


def _number_line(row: dict[str, Any]) -> Line:
    bins = dict(zip(row["bins"], (int(each) for each in row["bin_items"]), strict=True))
    return Line(
        key=row["line"],
        kind=row["kind"],
        name=row["name"],
        part=row["part"],
        counts={said: count for said, count in bins.items() if not said.startswith(" ")},
        without=bins.get(NONE, 0),
        items=sum(bins.values()),
        **_mean(row),
    )


def _mean(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        return {}
    middle = row["middle"]
    return {
        "mean": mean_interval(np.asarray(row["item_values"], float), row["item_counts"]),
        "called": str(row["called"]),
        "median": None if middle is None else float(middle),
    }


def _rows(store: Store, question: str, facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    with store.read(seconds=SECONDS) as cursor:
        asked = cursor.execute(question, _named(question, facts))
        names = [each[0] for each in asked.description]
        return [dict(zip(names, row, strict=True)) for row in asked.fetchall()]


def _named(question: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    # The engine refuses parameters that a statement does not name.
    return {name: value for name, value in facts.items() if f"${name}" in question}


def _facts(selection: Selection, measure: Measure, by_row: str) -> dict[str, Any]:
    return {
        "protocol": measure.protocol.key,
        "criterion": measure.criterion.key if measure.criterion else None,
        "field": measure.field or None,
        "by_row": by_row,
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "authors": [f"{each.kind.value}:{each.name}" for each in selection.authors],
        "baseline": BASELINE.name,
        "words": selection.words or None,
        "slices": [f"{key}\x1f{value}" for key, value in selection.slices],
        "slice_keys": len({key for key, _ in selection.slices}),
        "narrows": bool(selection.words or selection.slices),
    }
