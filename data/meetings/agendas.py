"""Build meeting agendas from disagreements and from units marked for a meeting."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from data.inconsistencies.inconsistencies import load_inconsistencies
from data.inconsistencies.store_inconsistencies import RULES
from data.meetings.decide_many import Settled
from data.meetings.save_meetings import MOST_POINTS
from data.store.cache.version_cache import remembered
from data.store.store import Store
from data.triage.cases import load_disagreements
from data.triage.disagreements import QUESTIONS, NumberedCriterion, all_disagreements, unpack_votes
from data.triage.inconsistency_queue import load_audit_rows
from data.triage.point_cases import load_points
from data.triage.queue import load_every_disagreement, load_queue
from faithfulness.model.selection import Selection
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import DisagreementKind, explain_order
from faithfulness.review.meeting import Point

MARKS = """
select m.run_no, m.item_no, m.unit_no, m.protocol, i.item_id, u.unit_id
from (
    select
        k.*, r.protocol,
        row_number() over (partition by r.protocol, k.unit_no order by k.mark_no desc) as nth
    from meeting_marks k
    join runs r on r.run_no = k.run_no
    where k.run_no not in (select run_no from run_removals)
) m
join items i on i.item_no = m.item_no
join units u on u.unit_no = m.unit_no and u.item_no = m.item_no
where m.nth = 1
    and m.is_on
order by m.mark_no
"""

LINES = """
select
    q.nth, u.unit_no, r.protocol, r.name as run, n.external_id,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text
from asked_points q
join runs r on r.run_id = q.run_id
join items i on i.item_id = q.item_id
join run_items n on n.run_no = r.run_no and n.item_no = i.item_no
join units u on u.item_no = i.item_no and u.unit_id = q.unit_id
left join fields t on t.item_no = u.item_no and t.name = u.field
where r.run_no not in (select run_no from run_removals)
order by q.nth
"""


SECONDS = 30.0
_POINTS = pa.schema([("nth", pa.int64()), *((name, pa.string()) for name in Point._fields)])
_LAST = "select coalesce(max(annotation_no), 0) from annotations"
_ITEM_NUMBERS = """
select item_no
from items
where item_id in (select unnest($item_ids::varchar[]))
"""


class MeetingMark(NamedTuple):
    """A unit that somebody marked for a meeting, under the protocol it was looked at."""

    run_no: int
    item_no: int
    unit_no: int
    protocol: str
    item_id: str
    unit_id: str


class AgendaLine(NamedTuple):
    """A point as an agenda lists it: the unit's words, where it stands, and why it is there."""

    point: Point
    protocol: str
    run: str
    external_id: str
    text: str
    why: tuple[str, ...]  # empty when nobody disagrees on it and no rule rules it out


def agenda_from(
    store: Store,
    selection: Selection,
    *,
    first: int = 20,
    kinds: Collection[DisagreementKind] = (),
    sort: str = "worst",
    with_baseline: bool = False,
) -> list[Point]:
    """The first undecided disagreements of a queue, in its order; at most MOST_POINTS."""
    size = min(max(first, 1), MOST_POINTS)
    found = load_queue(
        store, selection, kinds=kinds, sort=sort, with_baseline=with_baseline, size=size
    )
    return load_points(store, found.rows)


def load_marks(store: Store) -> list[MeetingMark]:
    """The units that are marked for a meeting, in the order of marking."""
    return remembered(store, "marks", _query_marks)


def find_marked_units(store: Store, protocol: str, item_id: str) -> tuple[str, ...]:
    """The marked units of one item."""
    asked = (protocol, item_id)
    return tuple(
        each.unit_id for each in load_marks(store) if (each.protocol, each.item_id) == asked
    )


def load_marked_points(store: Store) -> list[Point]:
    """What is marked, as points: of each unit what is disagreed on and what cannot be right.

    Where it is neither, the first question of the protocol.
    """
    flagged = load_marks(store)
    known = all_disagreements(store).to_pandas()
    known = known[known["unit_no"].isin([each.unit_no for each in flagged])]
    differ: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for unit_no, question in sorted(zip(known["unit_no"], known["question"], strict=True)):
        differ[unit_no, QUESTIONS[question].protocol].append(question)
    audited = _find_audited(store, [each.item_no for each in flagged])
    rows = [
        (run_no, each.item_no, each.unit_no, question)
        for each in flagged
        for run_no, question in _list_questions(each, differ[each.unit_no, each.protocol], audited)
    ]
    names = ["run_no", "item_no", "unit_no", "question"]
    return load_points(store, pd.DataFrame(rows, columns=names))


def load_agenda_lines(store: Store, points: Sequence[Point]) -> list[AgendaLine]:
    """Points as an agenda lists them; those of a run that was removed meanwhile are left out."""
    asked = [{"nth": nth} | each._asdict() for nth, each in enumerate(points)]
    with store.read(seconds=SECONDS) as cursor:
        cursor.register("asked_points", pa.Table.from_pylist(asked, _POINTS))
        found = cursor.execute(LINES).fetchall()
    known = all_disagreements(store).to_pandas()
    known = known[known["unit_no"].isin([each[1] for each in found])]
    why = {
        (
            each.case.item.id,
            each.case.unit.id,
            each.case.protocol,
            each.criterion.key,
        ): explain_order(each)
        for each in load_disagreements(store, known)
    }
    doubts = _find_doubts(store, {each.item_id for each in points})
    told = []
    for nth, _, protocol, run, external_id, text in found:
        point = points[nth]
        key = (point.item_id, point.unit_id, protocol, point.criterion)
        both = (*why.get(key, ()), *doubts.get(point[1:], ()))
        told.append(AgendaLine(point, protocol, run, external_id, text, both))
    return told


def find_unanimous_cases(
    store: Store,
    *,
    protocol: str = "",
    runs: Sequence[str] = (),
    raters: int = 2,
    limit: int = MOST_POINTS,
) -> tuple[int, list[Settled]]:
    """Undecided disagreements on which all raters say the same: how many, and the worst of them.

    They count as a verdict without anybody adopting them. Those of `runs`; without any, of all
    that count. A decision counts in every run with the item, so that raters of all runs are asked.
    """
    with store.read() as cursor:
        # Read first: what is answered while the list is made must show as answered since.
        seen = int(cursor.execute(_LAST).fetchall()[0][0])
    chosen = Selection(protocol=protocol, runs=tuple(runs))
    known = load_every_disagreement(store, chosen, in_all_runs=True)
    rows = known[known["decided_no"].isna()]
    said = [
        unpack_votes(int(question), int(packed))
        for question, packed in zip(rows["question"], rows["rater_votes"], strict=True)
    ]
    alike = [len(each) == 1 and sum(each.values()) >= raters for each in said]
    kept = pd.Series(alike, index=rows.index, dtype=bool)
    rows = rows.assign(said=[next(iter(each), "") for each in said])[kept]
    shown = rows.sort_values(["weight", "unit_no"], ascending=[False, True]).head(limit)
    points = load_points(store, shown)
    settled = [Settled(*each, seen) for each in zip(points, shown["said"], strict=True)]
    return len(rows), settled


def _query_marks(store: Store) -> list[MeetingMark]:
    with store.read(seconds=SECONDS) as cursor:
        # Mostly nothing is: planning the question takes several times as long as this one.
        if not cursor.execute("select 1 from meeting_marks limit 1").fetchall():
            return []
        return [MeetingMark(*row) for row in cursor.execute(MARKS).fetchall()]


def _find_audited(store: Store, items: Sequence[int]) -> set[tuple[int, str]]:
    """Which criterion's answers about these items cannot all be right."""
    known = load_audit_rows(store, Selection(), with_sample=True)
    near = known[known["item_no"].isin(items)]
    rules = [AUDIT_RULES[RULES[each]] for each in near["rule"]]
    return {(int(at), rule.criterion) for at, rule in zip(near["item_no"], rules, strict=True)}


def _find_doubts(store: Store, item_ids: Collection[str]) -> dict[tuple[str, str, str], list[str]]:
    """By item, unit and criterion: the rules by which it cannot be right beside other answers."""
    known = load_audit_rows(store, Selection(), with_sample=True)
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(_ITEM_NUMBERS, {"item_ids": list(item_ids)}).fetchall()
        numbers = [number for (number,) in rows]
        told, _ = load_inconsistencies(cursor, known[known["item_no"].isin(numbers)])
    found: defaultdict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
    for each in filter(None, told):
        for side in filter(None, (each.one, each.other)):
            for unit_id in side.units:
                found[each.item_id, unit_id, side.criterion][each.rule.title] = None
    return {place: list(titles) for place, titles in found.items()}


def _list_questions(
    mark: MeetingMark, differ: Sequence[int], audited: Collection[tuple[int, str]]
) -> list[tuple[int, int]]:
    """Runs and questions that a mark is about; all are asked in the run that it was made in."""
    known = set(differ)
    criteria = PROTOCOLS[mark.protocol].criteria
    numbers = {
        each.key: QUESTIONS.index(NumberedCriterion(mark.protocol, each)) for each in criteria
    }
    doubted = [number for key, number in numbers.items() if (mark.item_no, key) in audited]
    more = [number for number in doubted if number not in known]
    asked = [*differ, *more] or [numbers[criteria[0].key]]
    return [(mark.run_no, number) for number in asked]
