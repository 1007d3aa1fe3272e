"""Load meetings in their current state, and the contents of their minutes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from data.items.sample_people import SAMPLE_RATERS
from data.items.unit_findings import load_findings_against
from data.meetings.decisions import (
    DECISIONS,
    PROPOSALS,
    Row,
    find_rechecks,
    load_voices,
    query_rows,
    register_units,
)
from data.meetings.save_meetings import DEFERRED, FINISHED, PRESENT
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import EvidenceKind
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.wording import format_unit, parse_undone_number
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.decided_before import EarlierDecision
from faithfulness.review.guideline_notes import Proposal
from faithfulness.review.meeting import AgendaPoint, Meeting, Point, PointState
from faithfulness.review.minutes import (
    Minutes,
    MinutesDecision,
    MinutesPoint,
    describe_undone_decisions,
)
from faithfulness.review.minutes_voices import FoundAgainst, Voice, is_unquoted

_BEFORE = """
select q.nth, a.annotation_no, a.value, w.name, a.signed_at, d.reason, d.error_class
from asked_units q
join annotations a
    on a.item_no = q.item_no
    and a.unit_no = q.unit_no
    and a.criterion = q.criterion
    and a.annotation_no < q.before
join adjudications d on d.annotation_no = a.annotation_no
join runs r on r.run_no = a.run_no and r.protocol = q.protocol
join authors w on w.author_no = a.author_no
where a.item_no between $first and $last
    and (r.run_no = q.run_no or r.run_no not in (select run_no from run_removals))
order by q.nth, a.annotation_no
"""


def load_earlier_decisions(
    cursor: Cursor, rows: Sequence[Row]
) -> list[tuple[EarlierDecision, ...]]:
    """For each decision those before it on its point; for other units all that there are.

    What takes a decision back decides nothing: it says of another that it does not count.
    """
    if not rows:
        return []
    history: list[list[tuple[Any, ...]]] = [[] for _ in rows]
    for nth, *told in cursor.execute(_BEFORE, register_units(cursor, rows)).fetchall():
        history[nth].append(tuple(told))
    return [tuple(_iter_earlier_decisions(each)) for each in history]


def _iter_earlier_decisions(history: Sequence[tuple[Any, ...]]) -> Iterator[EarlierDecision]:
    gone = {parse_undone_number(row[4]) for row in history}
    made = [row for row in history if row[1] is not None and not parse_undone_number(row[4])]
    counting = [row[0] for row in made if row[0] not in gone]
    for number, value, by, signed_at, reason, error_class in made:
        yield EarlierDecision(
            value=value,
            reason=reason,
            by=by,
            decided_at=signed_at,
            error_class=error_class,
            counted=number in counting[-1:],
        )


# As a single meeting is told: of a point the last word counts, whichever run of its protocol it was
# said in, and a decision that was taken back leaves it open. A meeting was held whatever became of
# its runs: points of removed ones stay as they were signed, and are counted by themselves as well.
# What was said in a removed run settles no point of another.
MEETINGS = """
with settled_in as (
    select
        f.meeting_id, r.protocol, a.unit_no, a.criterion,
        r.run_no in (select run_no from run_removals) as is_removed,
        max(a.signed_at) as at,
        arg_max(a.value is not null, a.annotation_no) as stands
    from decision_facts f
    join annotations a on a.annotation_no = f.annotation_no
    join runs r on r.run_no = a.run_no
    where f.meeting_id <> ''
    group by f.meeting_id, r.run_no, r.protocol, a.unit_no, a.criterion
),
settled as (
    select
        s.meeting_id, s.protocol, s.unit_no, s.criterion, k.is_removed,
        max(s.at) as at,
        bool_or(s.stands) as stands
    from settled_in s
    join (values (false), (true)) k (is_removed) on k.is_removed or not s.is_removed
    group by s.meeting_id, s.protocol, s.unit_no, s.criterion, k.is_removed
),
points as (
    select p.*, r.protocol, p.run_no in (select run_no from run_removals) as is_removed
    from meeting_points p
    join runs r on r.run_no = p.run_no
),
put_off as (
    select meeting_id, run_no, unit_no, criterion, max(happened_at) as at
    from meeting_events
    where kind = 'deferred'
    group by meeting_id, run_no, unit_no, criterion
),
states as (
    select
        p.meeting_id,
        p.is_removed,
        case
            when d.at is not null and (s.at is null or d.at > s.at) then 'deferred'
            when coalesce(s.stands, false) then 'decided'
            else 'open'
        end as state
    from points p
    left join settled s
        on s.meeting_id = p.meeting_id
        and s.is_removed = p.is_removed
        and s.protocol = p.protocol
        and s.unit_no = p.unit_no
        and s.criterion = p.criterion
    left join put_off d
        on d.meeting_id = p.meeting_id
        and d.run_no = p.run_no
        and d.unit_no = p.unit_no
        and d.criterion = p.criterion
),
counts as (
    select
        meeting_id,
        count(*)::integer as points,
        (count(*) filter (where state = 'decided'))::integer as decided,
        (count(*) filter (where state = 'deferred'))::integer as deferred,
        (count(*) filter (where state = 'open' and not is_removed))::integer as open,
        (count(*) filter (where is_removed))::integer as removed
    from states
    group by meeting_id
),
told as (
    select
        meeting_id,
        max(happened_at) filter (where kind = 'finished') as finished_at,
        list_distinct(flatten(list(people) filter (where kind = 'present'))) as people
    from meeting_events
    group by meeting_id
)
select
    m.meeting_id, m.title, m.host, m.began_at, e.finished_at,
    list_sort(coalesce(e.people, [])) as people,
    coalesce(c.points, 0) as points,
    coalesce(c.decided, 0) as decided,
    coalesce(c.deferred, 0) as deferred,
    coalesce(c.open, 0) as open,
    coalesce(c.removed, 0) as removed
from meetings m
left join counts c on c.meeting_id = m.meeting_id
left join told e on e.meeting_id = m.meeting_id
order by m.began_at desc, m.meeting_id
"""

# Seconds that meetings spent on each point they decided or deferred.
PACE = """
with spent as (
    select meeting_id, run_no, unit_no, criterion, seconds
    from meeting_events
    where unit_no is not null
    union all
    select f.meeting_id, a.run_no, a.unit_no, a.criterion, f.seconds
    from decision_facts f
    join annotations a on a.annotation_no = f.annotation_no
    where f.meeting_id <> '' and f.how = 'decided'
),
points as (
    select sum(seconds) as seconds
    from spent
    group by meeting_id, run_no, unit_no, criterion
    having sum(seconds) > 0
)
select median(seconds), count(*)
from points
"""

# Who came with the sample is nobody to be present: they are left out once anybody else is known.
# One of them who was at a meeting about other runs is somebody.
PEOPLE = f"""
with {SAMPLE_RATERS.strip()},
own_meetings as (
    select p.meeting_id
    from meeting_points p
    join runs r on r.run_no = p.run_no
    where not r.is_sample
),
met as (
    select distinct s.author_no
    from summaries s
    join runs r on r.run_no = s.run_no
    where list_contains($run_ids::varchar[], r.run_id)
),
known as (
    select
        unnest(people) as name,
        false as met,
        meeting_id in (select meeting_id from own_meetings) as is_own
    from meeting_events
    where kind = 'present'
    union all
    select name, author_no in (select author_no from met), false
    from authors
    where kind = 'rater'
),
people as (
    select
        name,
        bool_or(met) as met,
        bool_or(is_own) or name not in (select name from sample_raters) as is_here
    from known
    where name <> $but
    group by name
)
select name
from people
where is_here
    or not exists (select 1 from people where is_here)
order by not met, lower(name), name
"""  # noqa: S608 - put together from constants

MEETING = """
select title, host, hides_authors, began_at
from meetings
where meeting_id = $meeting_id
"""

EVENTS = """
select kind, run_no, unit_no, criterion, people, text, seconds, happened_at
from meeting_events
where meeting_id = $meeting_id
order by event_no
"""

# `earlier` are decisions that stand from outside this meeting, in any run of the protocol.
POINTS = """
select
    p.position, p.run_no, p.item_no, p.unit_no, p.criterion, r.run_id, i.item_id, u.unit_id,
    r.protocol,
    r.run_no in (select run_no from run_removals) as is_removed,
    (
        select count(*)
        from adjudications d
        join annotations a on a.annotation_no = d.annotation_no
        join runs x on x.run_no = a.run_no
        left join decision_facts f on f.annotation_no = d.annotation_no
        where d.item_no = p.item_no
            and a.unit_no = p.unit_no
            and x.protocol = r.protocol
            and a.criterion = p.criterion
            and a.value is not null
            and x.run_no not in (select run_no from run_removals)
            and coalesce(f.meeting_id, '') <> $meeting_id
            and a.annotation_no not in (
                select supersedes
                from annotations
                where item_no = p.item_no
                    and supersedes is not null
            )
    )::integer as earlier
from meeting_points p
join runs r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
where p.meeting_id = $meeting_id
    and ($with_removed or r.run_no not in (select run_no from run_removals))
order by p.position
"""

UNITS = """
select
    p.position, p.run_no, p.item_no, p.unit_no, p.criterion, r.name as run, r.protocol, i.item_id,
    n.external_id, u.unit_id, g.removed_at,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text
from meeting_points p
join runs r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join run_items n on n.run_no = p.run_no and n.item_no = p.item_no
join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
left join run_removals g on g.run_no = p.run_no
where p.meeting_id = $meeting_id
order by p.position
"""


SECONDS = 30.0
_GAPS = ("guideline_gap",)


def load_meetings(store: Store) -> pd.DataFrame:
    """Every meeting, the newest first.

    Columns: meeting_id, title, host, began_at, finished_at (missing while it goes on), people (a
    list of names), points, of which decided, deferred, open (none of a removed run) and removed
    (of a run that was removed since).
    """
    with store.read(seconds=SECONDS) as cursor:
        return cursor.execute(MEETINGS).df()


def load_pace(store: Store) -> tuple[float | None, int]:
    """Median seconds that meetings spent on a point, and of how many points; None for none."""
    with store.read(seconds=SECONDS) as cursor:
        seconds, points = cursor.execute(PACE).fetchall()[0]
    return seconds, int(points)


def load_people(store: Store, points: Iterable[Point] = (), *, but: str = "") -> list[str]:
    """Everybody else who rated or was at a meeting: raters of these points' runs first, by name.

    Raters who came with the sample are named only where nobody else is known.
    """
    asked = {"run_ids": list({each.run_id for each in points}), "but": but}
    with store.read(seconds=SECONDS) as cursor:
        return [name for (name,) in cursor.execute(PEOPLE, asked).fetchall()]


def has_meeting(store: Store, meeting_id: str) -> bool:
    with store.read(seconds=SECONDS) as cursor:
        return bool(cursor.execute(MEETING, {"meeting_id": meeting_id}).fetchall())


def load_meeting(store: Store, meeting_id: str, *, with_removed: bool = False) -> Meeting:
    """A meeting as it stands now; its record has the points of removed runs as well.

    Raises:
        ReviewError: there is no such meeting.
    """
    asked = {"meeting_id": meeting_id}
    with store.read(seconds=SECONDS) as cursor:
        known = cursor.execute(MEETING, asked).fetchall()
        wanted = asked | {"with_removed": with_removed}
        points = query_rows(cursor, POINTS, wanted)
        events = query_rows(cursor, EVENTS, asked)
        decisions = query_rows(cursor, DECISIONS, wanted)
    if not known:
        raise ReviewError(f"There is no meeting {meeting_id}. Open the list of meetings.")
    title, host, hides_authors, began_at = known[0]
    present = [each["people"] for each in events if each["kind"] == PRESENT]
    finished = [each["happened_at"] for each in events if each["kind"] == FINISHED]
    return Meeting(
        id=meeting_id,
        title=title,
        host=host,
        present=tuple(dict.fromkeys(name for people in present for name in people)),
        hides_authors=hides_authors,
        began_at=began_at,
        finished_at=finished[-1] if finished else None,
        agenda=tuple(_build_agenda(points, events, decisions)),
        here=tuple(present[-1]) if present else (),
    )


def minutes_of(store: Store, meeting_id: str) -> Minutes:
    """Everything the minutes of a meeting tell, as it stands now.

    What was signed about a run that was removed since stays in them, with the day of the removal.

    Raises:
        ReviewError: there is no such meeting.
    """
    meeting = load_meeting(store, meeting_id, with_removed=True)
    asked = {"meeting_id": meeting_id}
    with store.read(seconds=SECONDS) as cursor:
        wanted = asked | {"with_removed": True}
        decisions = query_rows(cursor, DECISIONS, wanted)
        units = query_rows(cursor, UNITS, asked)
        proposals = query_rows(cursor, PROPOSALS, asked | {"protocol": None})
        rulings = describe_undone_decisions(list(_iter_decisions(cursor, decisions)))
        matters = dict(
            zip([each["position"] for each in units], _load_points(cursor, units), strict=True)
        )
    left = {each.position: each for each in meeting.agenda if each.position in matters}
    spent = {at: replace(matters[at], seconds=each.seconds) for at, each in left.items()}
    protocols = {each["protocol"] for each in (*units, *decisions)}
    return Minutes(
        meeting_id=meeting.id,
        title=meeting.title,
        host=meeting.host,
        present=meeting.present,
        at_the_end=meeting.here,
        began_at=meeting.began_at,
        finished_at=meeting.finished_at,
        seconds=sum(each.seconds for each in meeting.agenda),
        rulings=rulings,
        deferred=tuple(
            (spent[at], each.reason)
            for at, each in left.items()
            if each.state is PointState.DEFERRED
        ),
        untouched=tuple(spent[at] for at, each in left.items() if each.state is PointState.OPEN),
        proposals=tuple(_build_proposal(each) for each in proposals),
        recheck=tuple(_iter_rechecks(store, protocols)),
        gaps=tuple(_iter_gaps(decisions)),
    )


def _build_agenda(
    points: Sequence[Row], events: Sequence[Row], decisions: Sequence[Row]
) -> Iterable[AgendaPoint]:
    happened: defaultdict[tuple[int, int, str], list[Row]] = defaultdict(list)
    for each in events:
        if each["criterion"]:
            happened[each["run_no"], each["unit_no"], each["criterion"]].append(each)
    settled: defaultdict[tuple[str, int, str], list[Row]] = defaultdict(list)
    for each in decisions:
        settled[each["protocol"], each["unit_no"], each["criterion"]].append(each)
    for point in points:
        key = (point["run_no"], point["unit_no"], point["criterion"])
        decided = [
            each
            for each in settled[point["protocol"], *key[1:]]
            if point["is_removed"] or each["removed_at"] is None
        ]
        own = [each for each in decided if each["run_no"] == point["run_no"]]
        deferred = [each for each in happened[key] if each["kind"] == DEFERRED]
        yield AgendaPoint(
            point=Point(point["run_id"], point["item_id"], point["unit_id"], point["criterion"]),
            position=point["position"],
            state=_derive_state(decided, deferred),
            decisions=tuple(each["annotation_no"] for each in decided),
            decided_before=point["earlier"],
            seconds=sum(each["seconds"] for each in (*happened[key], *own)),
            reason=deferred[-1]["text"] if deferred else "",
        )


def _derive_state(decided: Sequence[Row], deferred: Sequence[Row]) -> PointState:
    """The last word of any run counts; a decision that was taken back leaves the point open."""
    if deferred and (not decided or deferred[-1]["happened_at"] > decided[-1]["signed_at"]):
        return PointState.DEFERRED
    last = {each["run_no"]: each["value"] for each in decided}
    stands = any(value is not None for value in last.values())
    return PointState.DECIDED if stands else PointState.OPEN


def _iter_decisions(cursor: Cursor, decisions: Sequence[Row]) -> Iterable[MinutesDecision]:
    for row, matter in zip(decisions, _load_points(cursor, decisions), strict=True):
        yield MinutesDecision(
            matter=matter,
            number=row["annotation_no"],
            value=_format_value(row, row["value"]),
            reason=row["reason"],
            error_class=row["error_class"],
            by=row["decided_by"],
            decided_at=row["signed_at"],
            how=row["how"],
            stands=row["stands"],
        )


def _load_points(cursor: Cursor, rows: Sequence[Row]) -> list[MinutesPoint]:
    said = load_voices(cursor, rows, with_baseline=True)
    before = load_earlier_decisions(cursor, rows)
    found = _load_findings_where_unquoted(cursor, rows, said)
    return [_build_point(*each) for each in zip(rows, said, before, found, strict=True)]


def _load_findings_where_unquoted(
    cursor: Cursor, rows: Sequence[Row], said: Sequence[Sequence[Voice]]
) -> list[tuple[FoundAgainst, ...]]:
    people = [[each for each in voices if not is_baseline(each.author)] for voices in said]
    asked = [at for at, voices in enumerate(people) if is_unquoted(voices)]
    units = [(rows[at]["item_id"], rows[at]["unit_id"]) for at in asked]
    found = dict(zip(asked, load_findings_against(cursor, units), strict=True))
    return [found.get(at, ()) for at in range(len(rows))]


def _build_point(
    row: Row,
    said: Sequence[Voice],
    before: Sequence[EarlierDecision],
    found: tuple[FoundAgainst, ...],
) -> MinutesPoint:
    voices = [replace(each, value=_format_value(row, each.value)) for each in said]
    asked = PROTOCOLS[row["protocol"]]
    return MinutesPoint(
        item_id=row["item_id"],
        external_id=row["external_id"],
        unit_id=row["unit_id"],
        run=row["run"],
        removed_at=row["removed_at"],
        protocol=asked.title,
        question=asked.criterion(row["criterion"]).question,
        text=row["text"],
        voices=tuple(each for each in voices if not is_baseline(each.author)),
        baseline=next((each for each in voices if is_baseline(each.author)), None),
        found=found,
        asks_quotes=asked.evidence.kind is not EvidenceKind.NONE,
        before=tuple(replace(each, value=_format_value(row, each.value) or "") for each in before),
        seconds=row.get("seconds", 0.0),
    )


def _format_value(row: Mapping[str, Any], value: str | None) -> str | None:
    scale = PROTOCOLS[row["protocol"]].criterion(row["criterion"]).scale
    if value is None or value not in scale:
        return value
    return f"{value} {scale.label(value).title}" if scale.ordinal else scale.label(value).title


def _build_proposal(row: Row) -> Proposal:
    return Proposal(
        protocol=PROTOCOLS[row["protocol"]].title,
        section=row["section"],
        wording=row["wording"],
        by=row["proposed_by"],
        proposed_at=row["proposed_at"],
        meeting_id=row["meeting_id"],
    )


def _iter_rechecks(store: Store, protocols: Collection[str]) -> Iterable[tuple[str, str]]:
    for each in find_rechecks(store):
        if each.protocol in protocols:
            named = each.external_id or each.point.item_id[:8]
            yield f"{named} · {format_unit(each.point.unit_id)}", each.why


def _iter_gaps(decisions: Sequence[Row]) -> Iterable[str]:
    """Where what stands was decided on a gap; nothing has changed yet that calls for a re-check."""
    for row in decisions:
        counts = row["stands"] and row["value"] is not None and row["removed_at"] is None
        if counts and row["error_class"] in _GAPS:
            yield f"{row['external_id'] or row['item_id'][:8]} · {format_unit(row['unit_id'])}"
