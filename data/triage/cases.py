"""Load the annotations and decisions shown on disagreement cards."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from data.items.cases import CaseNumbers, load_cases
from data.store.cache.item_filter_sql import between
from data.store.cache.loaded_cases import Key, keep, loaded
from data.store.engine import Cursor
from data.store.store import Store
from data.triage.disagreements import (
    BITS,
    CLASH_BITS,
    FOUND_BITS,
    QUESTIONS,
    SECONDS,
    NumberedCriterion,
)
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.vocabulary import Annotation, Author, AuthorKind
from faithfulness.review.disagreement import Decision, Disagreement

# Every decision there ever was on these units; a later one supersedes, and both stay.
DECISIONS = """
select
    a.unit_no, a.criterion, a.annotation_no, a.value, w.name, d.reason, d.error_class,
    a.signed_at,
    a.annotation_no not in (
        select supersedes
        from annotations
        where item_no between $first and $last
            and supersedes is not null
    ) as is_current
from adjudications d
join annotations a
    on a.annotation_no = d.annotation_no
    and a.item_no between $first and $last
join authors w on w.author_no = a.author_no
where d.item_no between $first and $last
    and a.unit_no in (select unnest($units::integer[]))
    and a.run_no not in (select run_no from run_removals)
order by a.annotation_no
"""

# A tenth of the time of the question below, which has no answer where this has none.
ANY_SAMPLES = """
select 1
from sample_answers
where item_no between $first and $last
    and unit_no in (select unnest($units::integer[]))
limit 1
"""

# What each sample said where the answer of a judge that a card shows was settled from several.
SAMPLES = """
with counting as (
    select a.unit_no, a.criterion, a.reply_id
    from annotations a
    join runs r on r.run_no = a.run_no
    where a.item_no between $first and $last
        and a.unit_no in (select unnest($units::integer[]))
        and a.run_no not in (select run_no from run_removals)
        and (len($runs::integer[]) = 0 or list_contains($runs::integer[], a.run_no))
        and a.annotation_no not in (
            select supersedes
            from annotations
            where item_no between $first and $last
                and supersedes is not null
        )
    qualify row_number() over (
        partition by a.unit_no, r.protocol, a.criterion, a.author_no
        order by a.value is null, a.annotation_no desc
    ) = 1
)
select s.unit_no, s.criterion, w.name, s.value
from counting c
join reply_facts g on g.reply_id = c.reply_id and g.samples > 1
join reply_facts f on f.group_id = g.group_id
join sample_answers s
    on s.reply_id = f.reply_id
    and s.unit_no = c.unit_no
    and s.criterion = c.criterion
join replies r on r.reply_id = f.reply_id
join authors w on w.author_no = r.author_no
where s.item_no between $first and $last
    and s.value is not null
order by w.name, f.sample_no
"""

EXAMPLE_CASES = """
select
    d.annotation_no, a.value, w.name, d.reason, d.error_class, a.signed_at,
    coalesce(nullif(n.external_id, ''), left(i.item_id, 8)) || ' · ' || u.unit_id
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
join authors w on w.author_no = a.author_no
join items i on i.item_no = d.item_no
join units u on u.unit_no = a.unit_no and u.item_no = d.item_no
join run_items n on n.run_no = a.run_no and n.item_no = d.item_no
where d.annotation_no in (select unnest($numbers::bigint[]))
    and a.annotation_no between $first and $last
"""

RUNS_OF = """
select item_no, run_no
from run_items
where item_no between $first and $last
    and item_no in (select unnest($numbers::integer[]))
    and run_no not in (select run_no from run_removals)
order by item_no, run_no
"""

STANDING = """
select run_no, run_id, protocol, is_sample
from runs
where run_no not in (select run_no from run_removals)
order by run_no
"""


Row = Any  # a row of `all_disagreements`


class _CardAnnotators(NamedTuple):
    """Whose answers a card shows: those of raters and judges of these runs; without any, of all."""

    runs: tuple[int, ...]
    with_baseline: bool


def load_disagreements(
    store: Store,
    rows: pd.DataFrame,
    *,
    with_baseline: bool = False,
    runs: tuple[int, ...] = (),
) -> list[Disagreement]:
    """These rows of a queue with everything said about them; what is gone meanwhile is left out.

    With `runs` (see `counted_runs`) what their raters and judges say, and every decision. Of rows
    that were loaded before and did not change since, nothing is read again.
    """
    version = store.version()
    listed: list[Row] = list(rows.itertuples(index=False))
    shown = _CardAnnotators(runs, with_baseline)
    keys = [_build_key(row, shown) for row in listed]
    known = {key: each for key in keys if (each := loaded(store, key)) is not None}
    missing = [row for row, key in zip(listed, keys, strict=True) if key not in known]
    fresh = {
        _build_key(row, shown): (int(row.item_no), each)
        for row, each in _query_disagreements(store, missing, shown)
    }
    keep(store, version, fresh)
    known |= {key: each for key, (_, each) in fresh.items()}
    return [known[key] for key in keys if key in known]


def _build_key(row: Row, shown: _CardAnnotators) -> Key:
    return int(row.unit_no), int(row.question), *shown, int(row.run_no)


def _query_disagreements(
    store: Store, listed: Sequence[Row], shown: _CardAnnotators
) -> list[tuple[Row, Disagreement]]:
    if not listed:
        return []
    items = between(sorted({int(row.item_no) for row in listed}))
    of_units = {"first": items["first"], "last": items["last"]}
    of_units["units"] = [int(row.unit_no) for row in listed]
    with store.read(seconds=SECONDS) as cursor:
        runs = _load_runs_by_item(cursor, items)
        decisions = _load_decisions(cursor, of_units)
        samples = _load_samples(cursor, of_units | {"runs": list(shown.runs)})
    places = {
        CaseNumbers(run_no, int(row.item_no), int(row.unit_no), f"{row.unit_no} {run_no}")
        for row in listed
        for run_no in runs[int(row.item_no)]
    }
    cases: defaultdict[int, list[UnitCase]] = defaultdict(list)
    for each in load_cases(store, sorted(places)):
        cases[int(each.group.partition(" ")[0])].append(each)
    found = []
    for row in listed:
        question = QUESTIONS[row.question]
        here = [each for each in cases[int(row.unit_no)] if each.protocol == question.protocol]
        if here:
            key = (int(row.unit_no), question.criterion.key)
            case = _merge_cases(here, int(row.run_no), question, shown)
            last = max((each.number for each in _list_answers(here, question)), default=0)
            made = _build_disagreement(row, case, question, decisions[key], samples[key], last)
            found.append((row, made))
    return found


def _build_disagreement(
    row: Row,
    case: UnitCase,
    question: NumberedCriterion,
    decisions: list[Decision],
    samples: dict[str, list[str]],
    last: int,
) -> Disagreement:
    return Disagreement(
        case=case,
        criterion=question.criterion,
        kinds=tuple(kind for kind, bit in BITS.items() if int(row.kinds) & bit),
        severity=float(row.severity),
        weight=float(row.weight),
        sureness=None if pd.isna(row.sureness) else float(row.sureness),
        absent=tuple(
            kind
            for bit, kind in ((1, AuthorKind.RATER), (2, AuthorKind.JUDGE))
            if int(row.absent) & bit
        ),
        clashes=tuple(kind for kind, bit in CLASH_BITS.items() if int(row.clashes) & bit),
        found=tuple(each for each, bit in FOUND_BITS.items() if int(row.found) & bit),
        samples=tuple((name, tuple(said)) for name, said in samples.items() if len(set(said)) > 1),
        decisions=tuple(decisions),
        seen=max([last, *(each.number for each in decisions)]),
    )


def _list_answers(cases: list[UnitCase], question: NumberedCriterion) -> list[Annotation]:
    """All that count somewhere; of those by one author only one is shown."""
    return [
        each
        for case in cases
        for each in case.annotations
        if each.answer.criterion == question.criterion.key
    ]


def _merge_cases(
    cases: list[UnitCase], home: int, question: NumberedCriterion, shown: _CardAnnotators
) -> UnitCase:
    """One case of the runs that count: each author's last readable answer to the question.

    Of an author without any the last unread one is shown.
    """
    counted = {f"{cases[0].group.partition(' ')[0]} {run_no}" for run_no in shown.runs}
    latest: dict[Author, Annotation] = {}
    for annotation in sorted(
        _list_answers([each for each in cases if not counted or each.group in counted], question),
        key=lambda each: (each.answer.value is not None, each.number),
    ):
        settles = annotation.author.kind is AuthorKind.ADJUDICATOR
        if not settles and (shown.with_baseline or not is_baseline(annotation.author)):
            latest[annotation.author] = annotation
    base = next((each for each in cases if each.group.endswith(f" {home}")), cases[-1])
    said = sorted(
        latest.values(),
        key=lambda each: (each.author.kind is not AuthorKind.JUDGE, each.author.name),
    )
    return replace(base, annotations=tuple(said), group="")


def _load_runs_by_item(cursor: Cursor, items: dict[str, Any]) -> defaultdict[int, list[int]]:
    runs: defaultdict[int, list[int]] = defaultdict(list)
    for item_no, run_no in cursor.execute(RUNS_OF, items).fetchall():
        runs[item_no].append(run_no)
    return runs


def _load_decisions(
    cursor: Cursor, of_units: dict[str, Any]
) -> defaultdict[tuple[int, str], list[Decision]]:
    found: defaultdict[tuple[int, str], list[Decision]] = defaultdict(list)
    for unit_no, criterion, *told, is_current in cursor.execute(DECISIONS, of_units).fetchall():
        found[unit_no, criterion].append(replace(build_decision(told), is_current=is_current))
    for place, decisions in found.items():
        found[place] = _mark_current_decision(decisions)
    return found


def _mark_current_decision(decisions: list[Decision]) -> list[Decision]:
    """Each run has one that stands there; of these the latest counts."""
    stand = [each.number for each in decisions if each.is_current and each.value is not None]
    return [
        replace(each, is_current=False) if each.number in stand[:-1] else each for each in decisions
    ]


def build_decision(told: Sequence[Any]) -> Decision:
    """A decision that counts, from the columns that questions about decisions share."""
    number, value, by, reason, error_class, at = told
    return Decision(
        number=number,
        value=value,
        by=by,
        reason=reason,
        error_class=error_class,
        decided_at=at,
        is_current=True,
    )


def _load_samples(
    cursor: Cursor, of_units: dict[str, Any]
) -> defaultdict[tuple[int, str], dict[str, list[str]]]:
    found: defaultdict[tuple[int, str], dict[str, list[str]]] = defaultdict(dict)
    of_all = {name: value for name, value in of_units.items() if name != "runs"}
    if not cursor.execute(ANY_SAMPLES, of_all).fetchall():
        return found
    for unit_no, criterion, name, value in cursor.execute(SAMPLES, of_units).fetchall():
        found[unit_no, criterion].setdefault(name, []).append(value)
    return found
