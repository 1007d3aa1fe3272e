"""Disagreement queue: one page of a selection, with counts for each filter."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from data.importing.save_sql import LAST_ANNOTATION
from data.items.counted_runs import find_counted_runs
from data.items.narrowing_sql import IN_SLICES, WORDED_UNITS, run_is_counted
from data.items.sample_runs import find_sample_places, load_sample_runs
from data.store.engine import Cursor
from data.store.store import Store
from data.triage.disagreements import (
    BITS,
    QUESTIONS,
    SECONDS,
    all_disagreements,
    build_label_mask,
    list_excluded_authors,
)
from faithfulness.model.selection import Selection
from faithfulness.review.disagreement import DisagreementKind

_NARROWING = f"""
stays as (
    select run_no, protocol
    from runs
    where run_no not in (select run_no from run_removals)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and {run_is_counted()}
),
superseded as (select supersedes from annotations where supersedes is not null),
answered as (
    select a.unit_no, list_position($asked::varchar[], r.protocol || ':' || a.criterion) - 1 as nth
    from annotations a
    join runs r on r.run_no = a.run_no
    join authors p on p.author_no = a.author_no
    where len($authors::varchar[]) > 0
        and r.run_no not in (select run_no from run_removals)
        and (p.kind = 'adjudicator' or r.run_no in (select run_no from stays))
        and a.annotation_no not in (select supersedes from superseded)
        and list_contains($authors::varchar[], p.kind || ':' || p.name)
),
inside as (
    select run_no, item_no
    from run_items
    where run_no in (select run_no from stays)
        and {IN_SLICES}
),
-- Equal items of other runs, and of other protocols, do not stand in the chosen runs.
belonging as (
    select a.unit_no, list_position($asked::varchar[], s.protocol || ':' || a.criterion) - 1 as nth
    from annotations a
    join stays s on s.run_no = a.run_no
    join inside i on i.run_no = a.run_no and i.item_no = a.item_no
    join authors p on p.author_no = a.author_no
    where not $everything
        and a.value is not null
        and a.annotation_no not in (select supersedes from superseded)
        and not list_contains($but::varchar[], p.kind || ':' || lower(p.name))
),
{WORDED_UNITS},
"""  # noqa: S608 - put together from constants

_CHOSEN = """
chosen as materialized (
    select
        d.nth, d.weight, d.severity, d.kinds, d.unit_no, d.question,
        d.decided_no is null as is_open,
        case $decided
            when 'open' then d.decided_no is null or d.decided_no > $as_of
            when 'decided' then d.decided_no is not null
            else true
        end as is_listed
    from all_disagreements d
    where list_contains($questions::integer[], d.question)
        and (d.item_no, d.question) not in (
            select (unnest($sample_items::integer[]), unnest($sample_questions::integer[]))
        )
        and NARROWED
        and (
            not $by_label
            or (
                $bits[d.question + 1] & case $by
                    when 'rater' then d.rater_mask
                    when 'judge' then d.judge_mask
                    else d.rater_mask | d.judge_mask
                end
            ) <> 0
        )
),
page as (
    select nth
    from chosen
    where ($kinds = 0 or (kinds & $kinds) <> 0)
        and is_listed
    order by
        case when $sort = 'worst' then weight end desc nulls last,
        case when $sort <> 'stored' then severity end desc nulls last,
        unit_no,
        question
    limit $limit
    offset $skip
)
select kinds, is_open, is_listed, count(*)::integer as units, null::integer as nth
from chosen
group by kinds, is_open, is_listed
union all
select 0, true, true, 0, nth
from page
"""

_NARROWED = """
        ($everything or (d.unit_no, d.question) in (select unit_no, nth from belonging))
        and (len($authors::varchar[]) = 0 or (d.unit_no, d.question) in (from answered))
        and ($words is null or d.unit_no in (select unit_no from worded_units))
        and ($item_id is null or d.item_no in (select item_no from items where item_id = $item_id))
"""

QUEUE = "with" + _NARROWING + _CHOSEN.replace("NARROWED", _NARROWED.strip())
# Where nothing needs more than the table itself, as on the first page and after each decision: what
# the other question would not read is planned all the same, and that is most of its time.
QUEUE_OF_ALL = "with" + _CHOSEN.replace("NARROWED", "true")
# Of items that several runs hold: those of the chosen runs that do.
CHOSEN_RUNS = f"""
select n.item_no, r.protocol, list(r.run_no order by r.run_no) as run_numbers
from run_items n
join runs r on r.run_no = n.run_no
where n.item_no in (select unnest($items::integer[]))
    and r.run_no not in (select run_no from run_removals)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], r.system))
    and {run_is_counted("r")}
group by n.item_no, r.protocol
"""  # noqa: S608 - put together from constants
FACTS_OF_ALL = (
    *("questions", "sample_items", "sample_questions", "decided", "as_of", "by_label", "bits"),
    *("by", "kinds", "sort", "limit", "skip"),
)


PAGE = 20
LAST = 2**31 - 1
STATES = ("open", "decided", "all")
SORTS = ("worst", "far", "stored")


class _QueueRow(NamedTuple):
    """How many have the same kinds and state, or (no units) the place of one on the page."""

    kinds: int
    is_open: bool
    is_listed: bool
    units: int
    nth: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Queue:
    """One page of disagreements as numbers, and how many each choice would leave.

    `rows` are rows of `all_disagreements` in order. Where runs are chosen, the `run_no` of each is
    one of them.
    """

    rows: pd.DataFrame
    total: int
    page: int
    pages: int
    kinds: Mapping[
        DisagreementKind, int
    ]  # without the choice of kinds; one of several counts under each
    several: tuple[int, int]  # how many are of several kinds, and of how many, as `kinds` counts
    states: Mapping[str, int]  # without the choice of open or decided, as it is now
    as_of: int  # open ones decided after this annotation keep their place


def load_queue(
    store: Store,
    selection: Selection,
    *,
    kinds: Collection[DisagreementKind] = (),
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
    runs = find_counted_runs(store, selection)
    known = all_disagreements(store, with_baseline=with_baseline, runs=runs)
    counted = _load_last_annotation(store) if as_of is None else as_of
    facts = (
        _build_parameters(selection)
        | {
            "kinds": sum(BITS[each] for each in kinds),
            "decided": decided,
            "sort": sort,
            "as_of": counted,
            "but": list_excluded_authors(with_baseline),
            "limit": size,
        }
        | _list_sample_places(store, selection)
    )
    samples = load_sample_runs(store).values()
    with store.read(seconds=SECONDS) as cursor:
        cursor.register("all_disagreements", known)
        rows = _query_rows(cursor, facts, (max(page, 1) - 1) * size)
        total = _count_units(rows, facts["kinds"])
        pages = max(1, -(-total // size))
        if page > pages:
            rows = _query_rows(cursor, facts, (pages - 1) * size)
        listed = _move_to_chosen_runs(cursor, _take_listed(known, rows), selection, samples)
    return Queue(
        rows=listed,
        total=total,
        page=min(max(page, 1), pages),
        pages=pages,
        kinds={each: _count_units(rows, bit, decided) for each, bit in BITS.items()},
        several=(_count_of_several_kinds(rows, decided), _count_units(rows, 0, decided)),
        states={each: _count_units(rows, facts["kinds"], each) for each in STATES},
        as_of=counted,
    )


def load_every_disagreement(
    store: Store, selection: Selection, *, in_all_runs: bool = False
) -> pd.DataFrame:
    """All disagreements that a selection leaves, open or decided, the worst first.

    With `in_all_runs` those among raters and judges of all runs, on units of the chosen ones.
    """
    runs = () if in_all_runs else find_counted_runs(store, selection)
    known = all_disagreements(store, runs=runs)
    facts = (
        _build_parameters(selection)
        | {
            "kinds": 0,
            "decided": "all",
            "sort": "worst",
            "as_of": LAST,
            "but": list_excluded_authors(with_baseline=False),
            "limit": known.num_rows,
        }
        | _list_sample_places(store, selection)
    )
    samples = load_sample_runs(store).values()
    with store.read(seconds=SECONDS) as cursor:
        cursor.register("all_disagreements", known)
        rows = _take_listed(known, _query_rows(cursor, facts, 0))
        return _move_to_chosen_runs(cursor, rows, selection, samples)


def _load_last_annotation(store: Store) -> int:
    with store.read() as cursor:
        return int(cursor.execute(LAST_ANNOTATION).fetchall()[0][0])


def _query_rows(cursor: Cursor, facts: Mapping[str, Any], skip: int) -> list[_QueueRow]:
    question, asked = QUEUE, {**facts, "skip": skip}
    if facts["everything"] and not (facts["authors"] or facts["words"] or facts["item_id"]):
        question, asked = QUEUE_OF_ALL, {name: asked[name] for name in FACTS_OF_ALL}
    return [_QueueRow(*row) for row in cursor.execute(question, asked).fetchall()]


def _take_listed(known: pa.Table, rows: Iterable[_QueueRow]) -> pd.DataFrame:
    nth = pa.array([row.nth for row in rows if row.nth is not None], pa.int64())
    found: pd.DataFrame = known.take(nth).to_pandas()
    return found


def _move_to_chosen_runs(
    cursor: Cursor, rows: pd.DataFrame, selection: Selection, samples: Collection[int]
) -> pd.DataFrame:
    """The same rows, each in a run that was chosen: whoever looks at a run decides in it.

    A decision counts for every run of its protocol with the item, whichever it is stored under.
    Where no run is chosen, an item is looked at in another run than one of the sample.
    """
    chosen_some = selection.runs or selection.systems or rows["run_no"].isin(samples).any()
    if rows.empty or not chosen_some:
        return rows
    facts = {
        "items": [int(each) for each in rows["item_no"].unique()],
        "runs": list(selection.runs),
        "systems": list(selection.systems),
    }
    found = cursor.execute(CHOSEN_RUNS, facts).fetchall()
    chosen = {(item_no, protocol): runs for item_no, protocol, runs in found}
    listed: list[Any] = list(rows.itertuples(index=False))
    homes: list[int] = []
    for row in listed:
        runs = chosen.get((row.item_no, QUESTIONS[row.question].protocol), [])
        homes.append(row.run_no if row.run_no in runs or not runs else runs[-1])
    return rows.assign(run_no=homes)


def _count_units(rows: Iterable[_QueueRow], kinds: int, state: str = "") -> int:
    """How many are on the list, or in a state whether on the list or not."""
    return sum(
        row.units
        for row in rows
        if (not kinds or row.kinds & kinds) and (row.is_listed if not state else _is_in(row, state))
    )


def _count_of_several_kinds(rows: Iterable[_QueueRow], state: str) -> int:
    return sum(row.units for row in rows if row.kinds.bit_count() > 1 and _is_in(row, state))


def _is_in(row: _QueueRow, state: str) -> bool:
    return state == "all" or row.is_open == (state == "open")


def _list_sample_places(store: Store, selection: Selection) -> dict[str, list[int]]:
    """Items and questions of the sample that do not count, as two lists of the same length."""
    places = find_sample_places(store, selection)
    pairs = [
        (int(item_no), at)
        for item_no, protocol in zip(places["item_no"], places["protocol"], strict=True)
        for at, each in enumerate(QUESTIONS)
        if each.protocol == protocol
    ]
    return {
        "sample_items": [item_no for item_no, _ in pairs],
        "sample_questions": [at for _, at in pairs],
    }


def _build_parameters(selection: Selection) -> dict[str, Any]:
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
        "bits": [build_label_mask(each.criterion, selection.labels) for each in QUESTIONS],
    }
