"""Inconsistencies as queue cases, with both answers, affected points and decision state."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from data.inconsistencies.inconsistencies import load_inconsistencies
from data.inconsistencies.inconsistencies_sql import AUTHORS
from data.inconsistencies.store_inconsistencies import load_all_audits
from data.items.chosen_runs import map_points_to_chosen_runs
from data.items.narrowing_sql import run_is_counted
from data.items.sample_runs import find_sample_items, load_sample_runs
from data.store.cache.incremental_cache import SECONDS
from data.store.engine import Cursor
from data.store.store import Store
from data.triage.point_cases import load_point_cases
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.vocabulary import Annotation, Author, AuthorKind
from faithfulness.policies.inconsistencies import Inconsistency
from faithfulness.policies.inconsistency_case import AuditCase
from faithfulness.policies.inconsistency_order import explain_audit
from faithfulness.review.meeting import Point

# As NARROWED of `data.inconsistencies.inconsistencies_sql`, with slices, and with words of the
# response alone: what a case is about.
INSIDE = f"""
select distinct n.item_no
from run_items n
join runs r on r.run_no = n.run_no
where (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], r.system))
    and ($protocol = '' or r.protocol = $protocol)
    and r.run_no not in (select run_no from run_removals)
    and ($item_id = '' or n.item_no in (select item_no from items where item_id = $item_id))
    and (
        $slice_keys = 0
        or len(
            list_filter(
                map_entries(n.attributes),
                lambda one: list_contains($slices::varchar[], one.key || chr(31) || one.value)
            )
        ) = $slice_keys
    )
    and (
        $words = ''
        or n.item_no in (
            select item_no
            from fields
            where name = 'response'
                and contains(lower(text), lower($words))
        )
    )
    and {run_is_counted("r")}
"""  # noqa: S608 - put together from constants


SENTENCES = 3  # of one side that a card offers to settle; the next come when these are settled
_AT_ONCE = 100  # inconsistencies read at a time for an agenda
_LABELS = {"supported": 1, "unsupported": 2, "contradictory": 4}


def load_audit_rows(
    store: Store,
    selection: Selection,
    *,
    sort: str = "worst",
    with_baseline: bool = False,
    with_sample: bool = False,
) -> pd.DataFrame:
    """The rows of `load_all_audits` that a selection leaves, with `is_decided`, ordered.

    Args:
        store: where to look.
        selection: narrows to items by runs, systems, protocol, slices, item and words in the
            response; to cases by authors who have a part and by labels (of the kind `by`) in them.
        sort: worst (by weight, but first what a decision has a part in: half of it is settled),
            far (by severity) or stored.
        with_baseline: count the offline baseline as a judge.
        with_sample: leave the sample in, whatever else is stored.
    """
    rows = load_all_audits(store)
    if rows.empty:
        return rows.assign(is_decided=False)
    left_out = [] if with_sample else find_sample_items(store, selection)
    with store.read(seconds=SECONDS) as cursor:
        stays = _match_selection(cursor, selection, rows) & ~rows["item_no"].isin(left_out)
        known = {
            number: Author(kind=AuthorKind(kind), name=name)
            for number, kind, name in cursor.execute(AUTHORS).fetchall()
        }
    if not with_baseline:
        stays &= ~_match_authors(rows, [at for at, each in known.items() if is_baseline(each)])
    if selection.authors:
        stays &= _match_authors(
            rows, [at for at, each in known.items() if each in selection.authors]
        )
    if selection.labels:
        stays &= _match_labels(rows, selection, known)
    settling = [at for at, each in known.items() if each.kind is AuthorKind.ADJUDICATOR]
    left = rows[stays]
    left = left.assign(is_decided=_match_authors(left, settling))
    by = {"worst": ["is_decided", "weight", "severity"], "far": ["severity"]}
    falling = by.get(sort, [])
    places = ["item_no", "rule", "one_author", "other_author"]
    rising = [False] * len(falling) + [True] * len(places)
    return left.sort_values([*falling, *places], ascending=rising, kind="stable")


def load_audit_cases(
    store: Store, rows: pd.DataFrame, selection: Selection, *, with_baseline: bool = False
) -> list[AuditCase]:
    """These rows with everything said about their points, in the runs that were chosen.

    What is gone meanwhile is left out.
    """
    if rows.empty:
        return []
    listed: list[Any] = list(rows.itertuples(index=False))
    samples = load_sample_runs(store)
    with store.read(seconds=SECONDS) as cursor:
        told, said = load_inconsistencies(cursor, rows)
        found = [(row, each) for row, each in zip(listed, told, strict=True) if each is not None]
        signed = [_build_points(each, said[each.item_id]) for _, each in found]
        points = _move_to_chosen_runs(cursor, signed, selection, samples)
    asked = list(dict.fromkeys(point for each in points for point in each))
    cases = load_point_cases(store, asked, with_baseline=with_baseline)
    return [
        AuditCase(
            found=each,
            why=_explain_row(row, each),
            points=own,
            cases={point: cases[point] for point in own},
            settled=_list_adjudications(each, said[each.item_id]),
        )
        for (row, each), own in zip(found, points, strict=True)
        if all(point in cases for point in own)
    ]


def load_audit_points(
    store: Store, rows: pd.DataFrame, selection: Selection
) -> Iterator[tuple[Point, ...]]:
    """Of each row both sides as points of an agenda: the answer, and the first sentence against it.

    Read some at a time, as far as they are asked for; what is gone meanwhile has no points.
    """
    samples = load_sample_runs(store)
    for skip in range(0, len(rows), _AT_ONCE):
        with store.read(seconds=SECONDS) as cursor:
            told, said = load_inconsistencies(cursor, rows.iloc[skip : skip + _AT_ONCE])
            signed = [
                () if each is None else _build_points(each, said[each.item_id], most=1)
                for each in told
            ]
            points = _move_to_chosen_runs(cursor, signed, selection, samples)
        yield from points


def _match_selection(cursor: Cursor, selection: Selection, rows: pd.DataFrame) -> "pd.Series[bool]":
    facts: dict[str, Any] = {
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "protocol": selection.protocol,
        "item_id": selection.item,
        "words": selection.words,
        "slices": [f"{key}\x1f{value}" for key, value in selection.slices],
    }
    if not any(facts.values()):
        return pd.Series(True, index=rows.index)
    facts["slice_keys"] = len({key for key, _ in selection.slices})
    items = cursor.execute(INSIDE, facts).fetchnumpy()["item_no"]
    inside: pd.Series[bool] = rows["item_no"].isin(items)
    return inside


def _match_authors(rows: pd.DataFrame, authors: Sequence[int]) -> "pd.Series[bool]":
    return rows["one_author"].isin(authors) | rows["other_author"].isin(authors)


def _match_labels(
    rows: pd.DataFrame, selection: Selection, known: Mapping[int, Author]
) -> "pd.Series[bool]":
    """Where somebody (of the kind asked for) gives one of the labels."""
    kinds = [at for at, each in known.items() if selection.by in ("", each.kind.value)]
    bits = sum(bit for label, bit in _LABELS.items() if label in selection.labels)
    one = rows["value"].isin(selection.labels) & rows["one_author"].isin(kinds)
    other = (rows["labels"].to_numpy(np.int64) & bits != 0) & rows["other_author"].isin(kinds)
    given: pd.Series[bool] = one | other
    return given


def _build_points(
    found: Inconsistency, said: Sequence[Annotation], most: int = SENTENCES
) -> tuple[Point, ...]:
    runs = {each.number: each.run_id for each in said}
    return tuple(
        Point(runs[number], found.item_id, unit_id, side.criterion)
        for side in (found.one, found.other)
        if side is not None
        for number, unit_id in list(zip(side.annotations, side.units, strict=True))[:most]
    )


def _move_to_chosen_runs(
    cursor: Cursor,
    signed: Sequence[tuple[Point, ...]],
    selection: Selection,
    samples: Collection[str],
) -> list[tuple[Point, ...]]:
    """The points of each as the queue of disagreements names them, not as they were signed."""
    points = [point for each in signed for point in each]
    homes = map_points_to_chosen_runs(cursor, points, selection, samples)
    return [tuple(homes[point] for point in each) for each in signed]


def _explain_row(row: Any, found: Inconsistency) -> tuple[str, ...]:
    phrases = explain_audit(
        found,
        sureness=None if pd.isna(row.sureness) else float(row.sureness),
        absent=bool(row.is_absent),
        clash=bool(row.is_clash),
    )
    return ("one side is decided", *phrases) if row.is_decided else phrases


def _list_adjudications(found: Inconsistency, said: Sequence[Annotation]) -> tuple[Annotation, ...]:
    criteria = {side.criterion for side in (found.one, found.other) if side is not None}
    latest = {
        (each.answer.criterion, each.answer.unit_id): each
        for each in sorted(said, key=lambda each: each.number)
        if each.author.kind is AuthorKind.ADJUDICATOR and each.answer.criterion in criteria
    }
    return tuple(each for each in latest.values() if each.answer.value is not None)
