"""Queue of the disagreements page: disagreements and inconsistencies, most severe first."""

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat

import numpy as np
import pandas as pd

from data.items.chosen_runs import load_run_protocols
from data.items.counted_runs import find_counted_runs
from data.store.store import Store
from data.triage.cases import load_disagreements
from data.triage.disagreements import all_disagreements
from data.triage.inconsistency_queue import load_audit_cases, load_audit_points, load_audit_rows
from data.triage.point_cases import load_point_cases, load_points
from data.triage.queue import PAGE, load_queue
from data.triage.similar_cases import load_earlier_decisions
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.policies.inconsistency_case import Screen
from faithfulness.review.disagreement import Disagreement, DisagreementKind, Earlier
from faithfulness.review.meeting import Point


@dataclass(frozen=True, kw_only=True, slots=True)
class Triage:
    """One page of the queue, and how many each choice would leave.

    Attributes:
        rows: disagreements on this page, as `queries_disagreement_queue.queue` gives them.
        audits: inconsistencies on this page, as `load_audit_rows` gives them.
        order: for each card whether it is an inconsistency.
        total: cards on all pages.
        page: from 1.
        pages: at least 1.
        kinds: how many of each kind of disagreement, without the choice of kinds.
        several: how many of them are of several kinds, and of how many; see `Queue`.
        audit_count: how many inconsistencies there are, without the choice of kinds.
        states: how many open, decided and all, without that choice.
        as_of: see `queries_disagreement_queue.queue`.
        selection: what it was narrowed to; cards name the runs of it.
    """

    rows: pd.DataFrame
    audits: pd.DataFrame
    order: tuple[bool, ...]
    total: int
    page: int
    pages: int
    kinds: Mapping[DisagreementKind, int]
    several: tuple[int, int]
    audit_count: int
    states: Mapping[str, int]
    as_of: int
    selection: Selection


def load_triage(
    store: Store,
    selection: Selection,
    *,
    kinds: Collection[DisagreementKind] = (),
    audits: bool = False,
    decided: str = "open",
    sort: str = "worst",
    page: int = 1,
    as_of: int | None = None,
    with_baseline: bool = False,
) -> Triage:
    """One page of the queue; a page too far gives the last.

    Without a choice it holds disagreements; with `audits` and no kinds inconsistencies alone, with
    both all of them in one order. What is settled is no inconsistency any more, so that none of
    them is decided. The other arguments are those of `queries_disagreement_queue.queue`.
    """
    size, page = PAGE, max(page, 1)
    mixed = audits and bool(kinds)
    found = load_queue(
        store,
        selection,
        kinds=kinds,
        decided=decided,
        sort=sort,
        # Of two orders put together every page needs all that stands before it.
        page=1 if mixed else page,
        size=page * size if mixed else size,
        as_of=as_of,
        with_baseline=with_baseline,
    )
    own = load_audit_rows(store, selection, sort=sort, with_baseline=with_baseline)
    listed = own.iloc[:0] if decided == "decided" or not audits else own
    only = audits and not kinds
    total = len(listed) + (0 if only else found.total)
    pages = max(1, -(-total // size))
    at = min(page, pages)
    if page > pages and mixed:
        return load_triage(
            store, selection, kinds=kinds, audits=True, decided=decided, sort=sort, page=pages,
            as_of=found.as_of, with_baseline=with_baseline,
        )  # fmt: skip
    rows = found.rows.iloc[:0] if only else found.rows
    first, last = ((at - 1) * size, at * size) if audits else (0, size)
    order = _merge_order(rows, listed.head(last), sort)
    before = order[:first]
    here = order[first:last]
    skipped, taken = before.count(True), here.count(True)
    return Triage(
        rows=rows.iloc[before.count(False) : before.count(False) + here.count(False)],
        audits=listed.iloc[skipped : skipped + taken],
        order=tuple(here),
        total=total,
        page=at if audits else found.page,
        pages=pages if audits else found.pages,
        kinds=found.kinds,
        several=found.several,
        audit_count=0 if decided == "decided" else len(own),
        states=_count_states(found.states, len(own) if audits else 0, only=only),
        as_of=found.as_of,
        selection=selection,
    )


def load_triage_cases(
    store: Store, found: Triage, *, runs: Collection[str] = (), with_baseline: bool = False
) -> Screen:
    """Everything that the cards of one page show; `runs` are those that it is narrowed to."""
    counted = find_counted_runs(store, found.selection)
    shown = load_disagreements(store, found.rows, with_baseline=with_baseline, runs=counted)
    own = load_audit_cases(store, found.audits, found.selection, with_baseline=with_baseline)
    points = {point: each for case in own for point, each in case.cases.items()}
    about = [*shown, *points.values()]
    if all_disagreements(store).num_rows:
        about = _load_in_all_runs(store, about) if with_baseline or counted else about
        earlier = load_earlier_decisions(store, about, runs=runs)
    else:  # where nobody disagrees on anything no pattern was decided before
        earlier = [Earlier(values={}, examples=(), like=0) for _ in about]
    return Screen(
        disagreements=list(zip(shown, earlier[: len(shown)], strict=True)),
        audits=own,
        earlier=dict(zip(points, earlier[len(shown) :], strict=True)),
    )


def _load_in_all_runs(store: Store, about: Sequence[Disagreement]) -> list[Disagreement]:
    """The same cases as raters and judges of all runs leave them, without the baseline."""
    points = [_build_point(each) for each in about]
    try:
        known = load_point_cases(store, points)
    except ReviewError:  # a run was removed since they were loaded: the next drawing knows
        return list(about)
    return [known.get(point, each) for point, each in zip(points, about, strict=True)]


def _build_point(found: Disagreement) -> Point:
    case = found.case
    return Point(case.run_id, case.item.id, case.unit.id, found.criterion.key)


def load_triage_points(
    store: Store,
    selection: Selection,
    *,
    first: int,
    kinds: Collection[DisagreementKind] = (),
    sort: str = "worst",
    with_baseline: bool = False,
) -> list[Point]:
    """The first points of what `load_triage` lists with `audits`, in its order.

    Many inconsistencies are about the same points, and people may differ on them besides; each
    point stands there once, whichever runs hold it.
    """
    own = load_audit_rows(store, selection, sort=sort, with_baseline=with_baseline)
    rows = own.iloc[:0]
    if kinds:
        rows = load_queue(
            store, selection, kinds=kinds, sort=sort, with_baseline=with_baseline, size=first
        ).rows
    differ, audited = iter(load_points(store, rows)), load_audit_points(store, own, selection)
    with store.read() as cursor:
        protocols = load_run_protocols(cursor)
    points: dict[tuple[str, ...], Point] = {}
    for is_audit in _merge_order(rows, own, sort):
        # What is gone since the rows were read has no point any more.
        for point in next(audited, ()) if is_audit else islice(differ, 1):
            # A decision counts for every run of the protocol: one of them is met about.
            points.setdefault((protocols.get(point.run_id, ""), *point[1:]), point)
        if len(points) >= first:
            break
    return list(points.values())[:first]


def _merge_order(rows: pd.DataFrame, audits: pd.DataFrame, sort: str) -> list[bool]:
    """Which of them come when, the graver first; True stands for an inconsistency.

    Each list keeps its own order, so that the beginning is the same however much follows it.
    """
    if sort == "stored" or rows.empty or audits.empty:
        return [False] * len(rows) + [True] * len(audits)
    if sort == "worst":  # half decided ones stand first, whatever they weigh
        own, graver = rows["weight"], audits["weight"].mask(audits["is_decided"], np.inf)
    else:
        own, graver = rows["severity"], audits["severity"]
    both = heapq.merge(
        zip(-own, repeat(False), strict=False),
        zip(-graver, repeat(True), strict=False),
        key=lambda each: each[0],
    )
    return [is_audit for _, is_audit in both]


def _count_states(states: Mapping[str, int], audits: int, *, only: bool) -> dict[str, int]:
    more = {"open": audits, "all": audits}
    return {each: (0 if only else count) + more.get(each, 0) for each, count in states.items()}
