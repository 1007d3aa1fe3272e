"""Distributions of labels and scores by annotator, run or system, with the items per bar."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.distributions import counts as counts
from data.distributions.counts import NONE, NOT_JUDGED, UNREAD
from data.distributions.distributions_sql import (
    BIN,
    LEFT_AMONG,
    NARROWED,
    SUMMARIES,
    select_parameters,
)
from data.items.addressed_items import left_out
from data.items.counted_runs import runs_share_items
from data.items.current_sql import DECISIONS_IN_RUNS, GONE, WITH_DECISIONS
from data.store.cache.item_filter_sql import narrowed
from data.store.store import Store
from faithfulness.model.measure import Measure
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.statistics.intervals import Interval, compute_mean_interval
from faithfulness.statistics.label_rates import compute_share_bounds

_UNITS = f"""
, by_unit as (
    select
        run_no, HOME as home_no, item_no, unit_no, author_no, annotation_no,
        case when value is not null then value when problem <> '' then ' unread'
            else ' not judged' end as said
    from SIGNED
    where run_no in (select run_no from stays)
        and author_no in (select author_no from voices)
        and criterion = $criterion
        and ($field is null or unit_no in (select unit_no from units where field = $field))
        and (not $narrows or (run_no, item_no) in (select (run_no, item_no) from left_items))
        and annotation_no not in (
            {GONE}
        )
)
"""  # noqa: S608 - put together from constants

# Texts are looked up for the page alone.
_PAGE = """
select
    p.line_no, p.total, r.run_id, r.name as run, i.item_id, ri.external_id,
    u.unit_id, w.kind as author_kind, w.name as author, p.said, a.problem, p.value,
    coalesce(
        u.text,
        substr(f.text, u.span_start + 1, u.span_end - u.span_start),
        left(f.text, 300),
        ''
    ) as text,
    coalesce(left(q.text, 200), '') as query
from page p
join stays r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join run_items ri on ri.run_no = p.run_no and ri.item_no = p.item_no
left join annotations a on a.annotation_no = p.annotation_no
left join authors w on w.author_no = a.author_no
left join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
left join fields f
    on f.item_no = p.item_no
    and f.name = case when u.field is null or u.field = '' then 'response' else u.field end
left join fields q on q.item_no = p.item_no and q.name = 'query'
order by p.line_no
"""

_UNITS_FOUND = "".join(
    (
        NARROWED,
        _UNITS,
        """
, in_line as (
    select s.*
    from by_unit s
    join lines l on l.run_no = s.run_no and l.author_no = s.author_no
    where l.line = $line
        and ($value is null or s.said = $value)
    ONCE
)
, page as (
    select
        run_no, item_no, unit_no, annotation_no, said, null::double as value,
        count(*) over () as total,
        row_number() over (order by run_no desc, item_no, unit_no, author_no) as line_no
    from in_line
    order by line_no
    limit $limit
    offset $skip
)
""",
        _PAGE,
    )
)
UNITS_FOUND = (
    _UNITS_FOUND.replace("HOME", "run_no").replace("SIGNED", "annotations").replace("ONCE", "")
)
# The same where a decision counts in other runs than its own: in a line each counts once.
_ONCE = """qualify row_number() over (
        partition by s.annotation_no
        order by s.run_no <> s.home_no, s.run_no
    ) = 1"""
UNITS_FOUND_WITH_DECISIONS = (
    _UNITS_FOUND.replace(", by_unit as", f", {narrowed(DECISIONS_IN_RUNS, None)}, by_unit as", 1)
    .replace("HOME", "home_no")
    .replace("SIGNED", WITH_DECISIONS)
    .replace("ONCE", _ONCE)
)

_ITEMS_FOUND = (
    """
, page as (
    select
        run_no, item_no, null::integer as unit_no, null::bigint as annotation_no,
        """,
    BIN,
    """ as said,
        value,
        count(*) over () as total,
        row_number() over (order by value nulls last, run_no desc, item_no) as line_no
    from numbers
    where line = $line
        and ($value is null or """,
    BIN,
    """ = $value)
    order by line_no
    limit $limit
    offset $skip
)
""",
    _PAGE,
)
ITEMS_FOUND = "".join((NARROWED, SUMMARIES, *_ITEMS_FOUND))


PAGE = 25
SECONDS = 30.0
ROWS = ("author", "run", "system")
APART = (UNREAD, NOT_JUDGED, NONE)
NO_MEAN = Interval(value=None, low=None, high=None, counted=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class DistributionLine:
    """One row of a distribution: who, how often each value, and the mean over items.

    `counts` are units by label, or items by bin; what has no value is counted apart. The mean is
    that of the scores or of the protocol's number, over items; `median` likewise. `items` have
    something that is counted; `left_out` are answered too, and have nothing for the mean.
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
    left_out: int = 0
    mean: Interval = NO_MEAN
    called: str = ""  # what the mean is a mean of, such as "F1"
    median: float | None = None

    @property
    def counted(self) -> int:
        return sum(self.counts.values())


class CountedPage(NamedTuple):
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


def load_distribution_lines(
    store: Store, selection: Selection, measure: Measure, *, by_row: str = "author"
) -> tuple[DistributionLine, ...]:
    """One line for each author, run or system; of runs and systems, raters are taken together.

    Narrowed by runs, systems, authors, slices, words and whether texts that speak to their judge
    are left out. The offline baseline is left out unless
    the selection names it. An author's answers in several runs all count; in the mean an item
    counts once.
    """
    asked = counts.load_lines(store, _build_parameters(store, selection, measure, by_row))
    if measure.kind == "numbers" or measure.criterion is None:
        return tuple(_build_number_lines(store, asked))
    numbers: dict[str, DistributionLine] = {}
    if measure.kind == "labels" and _is_first(measure) and not measure.field:
        numbers = {line.key: line for line in _build_number_lines(store, asked)}
    found = counts.load_labels(store, measure.criterion.key, measure.field)
    lines = []
    for place, about, rows in counts.iterate_lines(asked, found.where):
        mine = found.only(rows, place)
        number = numbers.get(about["line"])
        if measure.kind == "scores":
            number = _build_number_line(about, mine.scores())
        lines.append(_build_label_line(about, mine, number))
    return tuple(lines)


def load_trend(
    store: Store, selection: Selection, measure: Measure
) -> tuple[DistributionLine, ...]:
    """The means alone, of each run by raters and by every judge, in the order of import.

    Empty where the measure has no number. Where nobody signed a score, the numbers that came with
    the files stand in.
    """
    asked = counts.load_lines(store, _build_parameters(store, selection, measure, "run"))
    lines: tuple[DistributionLine, ...] = ()
    if measure.kind == "scores" and measure.criterion is not None:
        found = counts.load_labels(store, measure.criterion.key, measure.field)
        lines = tuple(
            _build_number_line(about, found.only(rows, place).scores())
            for place, about, rows in counts.iterate_lines(asked, found.where)
        )
    if not lines and (measure.criterion is None or _is_first(measure)):
        lines = tuple(_build_number_lines(store, asked))
    return lines


def compute_shares(
    store: Store, selection: Selection, measure: Measure, *, by_row: str, line: str = ""
) -> dict[tuple[str, str], Share]:
    """What part of each line's labels or items has which value, by the line's key and the value.

    Labels are drawn with their items, so the interval knows that sentences of one response are
    alike. What is never said has no share; `line` asks for one line alone.
    """
    asked = counts.load_lines(store, _build_parameters(store, selection, measure, by_row))
    found: dict[tuple[str, str], Share] = {}
    for key, cells in _count_values(store, asked, measure, line):
        totals = cells.sum(axis=0)
        said = [at for at in range(len(measure.values)) if totals[at]]
        if said:
            edges = compute_share_bounds(cells)
            for at in said:
                each = edges[at]
                part = float(totals[at] / totals.sum())
                found[key, measure.values[at]] = Share(part, each.low, each.high, each.reason)
    return found


def compute_share(
    store: Store, selection: Selection, measure: Measure, *, by_row: str, bar: tuple[str, str]
) -> Share | None:
    """The share of one value in one line; None where it is never said."""
    return compute_shares(store, selection, measure, by_row=by_row, line=bar[0]).get(
        (bar[0], bar[1])
    )


def _count_values(
    store: Store, asked: counts.CountedLines, measure: Measure, only: str
) -> Iterator[tuple[str, npt.NDArray[np.float64]]]:
    """By line: how often each of the measure's values is said of each item."""
    labels = measure.criterion and counts.load_labels(store, measure.criterion.key, measure.field)
    numbers = counts.load_summaries(store)
    where = labels.where if labels else numbers.where
    for place, about, rows in counts.iterate_lines(asked, where):
        if only and about["line"] != only:
            continue
        if labels:
            yield about["line"], labels.only(rows, place).cells(measure.values)
        elif told := numbers.told(rows, place):
            bins = np.array([_find_bin(each) for each in told.values if not np.isnan(each)], str)
            yield about["line"], (bins[:, None] == np.array(measure.values)[None, :]).astype(float)


def load_counted_page(
    store: Store,
    selection: Selection,
    measure: Measure,
    *,
    by_row: str,
    line: str,
    value: str = "",
    page: int = 1,
) -> CountedPage:
    """The units or items that a line counts under one value, or under all."""
    facts = _build_parameters(store, selection, measure, by_row) | {
        "line": line,
        "value": value or None,
        "limit": PAGE,
        "skip": (max(page, 1) - 1) * PAGE,
    }
    question = ITEMS_FOUND
    if measure.kind != "numbers":
        shared = runs_share_items(store)
        question = UNITS_FOUND_WITH_DECISIONS if shared else UNITS_FOUND
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(question, select_parameters(question, facts)).df()
    return CountedPage(found, int(found["total"].iloc[0]) if len(found) else 0)


def count_addressed_left_out(store: Store, selection: Selection, measure: Measure) -> int:
    """How many items the selection leaves out because their texts speak to their judge."""
    facts = _build_parameters(store, selection, measure, "author")
    facts |= {"out": facts["left_out"], "left_out": [], "narrows": True}
    with store.read(seconds=SECONDS) as cursor:
        found = cursor.execute(LEFT_AMONG, select_parameters(LEFT_AMONG, facts)).fetchall()
    return int(found[0][0])


def _is_first(measure: Measure) -> bool:
    return measure.criterion == measure.protocol.criteria[0]


def _build_label_line(
    about: Mapping[str, Any], found: counts.LabelCounts, number: DistributionLine | None
) -> DistributionLine:
    units = found.counts()
    mean = number.mean if number else NO_MEAN
    return DistributionLine(
        **_describe_line(about),
        counts={said: count for said, count in units.items() if not said.startswith(" ")},
        unread=units.get(UNREAD, 0),
        not_judged=units.get(NOT_JUDGED, 0),
        items=found.labelled_items(),
        left_out=len(np.unique(found.where.item)) - mean.counted if number else 0,
        mean=mean,
        called=number.called if number else "",
        median=number.median if number else None,
    )


def _build_number_lines(store: Store, asked: counts.CountedLines) -> Iterator[DistributionLine]:
    found = counts.load_summaries(store)
    for place, about, rows in counts.iterate_lines(asked, found.where):
        told = found.told(rows, place)
        if told is not None:
            yield _build_number_line(about, told)


def _build_number_line(about: Mapping[str, Any], told: counts.LineNumbers) -> DistributionLine:
    given = told.values[~np.isnan(told.values)]
    values, many = np.unique(given, return_counts=True)
    bins: Counter[str] = Counter({NONE: len(told.values) - len(given)})
    for value, count in zip(values.tolist(), many.tolist(), strict=True):
        bins[_find_bin(value)] += count
    mean = compute_mean_interval(values, many)
    return DistributionLine(
        **_describe_line(about),
        counts={said: count for said, count in sorted(bins.items()) if not said.startswith(" ")},
        without=bins[NONE],
        items=len(told.items),
        left_out=len(told.items) - mean.counted,
        mean=mean,
        called=told.called,
        median=float(np.median(given)) if len(given) else None,
    )


def _find_bin(value: float) -> str:
    """The tenth that a number falls into; a file's own number may be no share at all.

    Rounded first: a mean of 0.1 and 0.5 is a little less than 0.3.
    """
    exact = round(value, 9)
    return str(math.floor(round(exact * 10, 9))) if 0 <= exact <= 1 else NONE


def _describe_line(about: Mapping[str, Any]) -> dict[str, Any]:
    names = {"key": "line", "kind": "kind", "name": "name", "part": "part"}
    return {name: str(about[column]) for name, column in names.items()}


def _build_parameters(
    store: Store, selection: Selection, measure: Measure, by_row: str
) -> dict[str, Any]:
    out = left_out(store, selection).tolist()
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
        "left_out": out,
        "narrows": bool(selection.words or selection.slices or out),
    }
