"""Meetings of the store as they stand, and what their minutes tell."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from data.items.unit_findings import found_against
from data.meetings import decisions_sql
from data.meetings import meetings_sql as sql
from data.meetings.decided_before import decided_before
from data.meetings.decisions import Row, rows_of, said_when, to_recheck
from data.meetings.save_meetings import DEFERRED, FINISHED, PRESENT
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import EvidenceKind
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.wording import unit_in_words
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.decided_before import Before
from faithfulness.review.guideline_notes import Proposal
from faithfulness.review.meeting import AgendaPoint, Meeting, Point, PointState
from faithfulness.review.minutes import Matter, Minutes, Ruling, in_words
from faithfulness.review.minutes_voices import FoundAgainst, Voice, is_unquoted

SECONDS = 30.0
_GAPS = ("guideline_gap",)


def meetings(store: Store) -> pd.DataFrame:
    """Every meeting, the newest first.

    Columns: meeting_id, title, host, began_at, finished_at (missing while it goes on), people (a
    list of names), points, of which decided, deferred, open (none of a removed run) and removed
    (of a run that was removed since).
    """
    with store.read(seconds=SECONDS) as cursor:
        return cursor.execute(sql.MEETINGS).df()


def pace(store: Store) -> tuple[float | None, int]:
    """Median seconds that meetings spent on a point, and of how many points; None for none."""
    with store.read(seconds=SECONDS) as cursor:
        seconds, points = cursor.execute(sql.PACE).fetchall()[0]
    return seconds, int(points)


def people(store: Store, points: Iterable[Point] = (), *, but: str = "") -> list[str]:
    """Everybody else who rated or was at a meeting: raters of these points' runs first, by name.

    Raters who came with the sample are named only where nobody else is known.
    """
    asked = {"run_ids": list({each.run_id for each in points}), "but": but}
    with store.read(seconds=SECONDS) as cursor:
        return [name for (name,) in cursor.execute(sql.PEOPLE, asked).fetchall()]


def has_meeting(store: Store, meeting_id: str) -> bool:
    with store.read(seconds=SECONDS) as cursor:
        return bool(cursor.execute(sql.MEETING, {"meeting_id": meeting_id}).fetchall())


def load_meeting(store: Store, meeting_id: str, *, with_removed: bool = False) -> Meeting:
    """A meeting as it stands now; its record has the points of removed runs as well.

    Raises:
        ReviewError: there is no such meeting.
    """
    asked = {"meeting_id": meeting_id}
    with store.read(seconds=SECONDS) as cursor:
        known = cursor.execute(sql.MEETING, asked).fetchall()
        wanted = asked | {"with_removed": with_removed}
        points = rows_of(cursor, sql.POINTS, wanted)
        events = rows_of(cursor, sql.EVENTS, asked)
        decisions = rows_of(cursor, decisions_sql.DECISIONS, wanted)
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
        agenda=tuple(_agenda(points, events, decisions)),
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
        decisions = rows_of(cursor, decisions_sql.DECISIONS, wanted)
        units = rows_of(cursor, sql.UNITS, asked)
        proposals = rows_of(cursor, decisions_sql.PROPOSALS, asked | {"protocol": None})
        rulings = in_words(list(_rulings(cursor, decisions)))
        matters = dict(
            zip([each["position"] for each in units], _matters(cursor, units), strict=True)
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
        proposals=tuple(_proposal(each) for each in proposals),
        recheck=tuple(_recheck(store, protocols)),
        gaps=tuple(_gaps(decisions)),
    )


def _agenda(
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
            state=_state(decided, deferred),
            decisions=tuple(each["annotation_no"] for each in decided),
            decided_before=point["earlier"],
            seconds=sum(each["seconds"] for each in (*happened[key], *own)),
            reason=deferred[-1]["text"] if deferred else "",
        )


def _state(decided: Sequence[Row], deferred: Sequence[Row]) -> PointState:
    """The last word of any run counts; a decision that was taken back leaves the point open."""
    if deferred and (not decided or deferred[-1]["happened_at"] > decided[-1]["signed_at"]):
        return PointState.DEFERRED
    last = {each["run_no"]: each["value"] for each in decided}
    stands = any(value is not None for value in last.values())
    return PointState.DECIDED if stands else PointState.OPEN


def _rulings(cursor: Cursor, decisions: Sequence[Row]) -> Iterable[Ruling]:
    for row, matter in zip(decisions, _matters(cursor, decisions), strict=True):
        yield Ruling(
            matter=matter,
            number=row["annotation_no"],
            value=_title(row, row["value"]),
            reason=row["reason"],
            error_class=row["error_class"],
            by=row["decided_by"],
            decided_at=row["signed_at"],
            how=row["how"],
            stands=row["stands"],
        )


def _matters(cursor: Cursor, rows: Sequence[Row]) -> list[Matter]:
    said = said_when(cursor, rows, with_baseline=True)
    before = decided_before(cursor, rows)
    found = _found_where_unquoted(cursor, rows, said)
    return [_matter(*each) for each in zip(rows, said, before, found, strict=True)]


def _found_where_unquoted(
    cursor: Cursor, rows: Sequence[Row], said: Sequence[Sequence[Voice]]
) -> list[tuple[FoundAgainst, ...]]:
    people = [[each for each in voices if not is_baseline(each.author)] for voices in said]
    asked = [at for at, voices in enumerate(people) if is_unquoted(voices)]
    units = [(rows[at]["item_id"], rows[at]["unit_id"]) for at in asked]
    found = dict(zip(asked, found_against(cursor, units), strict=True))
    return [found.get(at, ()) for at in range(len(rows))]


def _matter(
    row: Row, said: Sequence[Voice], before: Sequence[Before], found: tuple[FoundAgainst, ...]
) -> Matter:
    voices = [replace(each, value=_title(row, each.value)) for each in said]
    asked = PROTOCOLS[row["protocol"]]
    return Matter(
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
        before=tuple(replace(each, value=_title(row, each.value) or "") for each in before),
        seconds=row.get("seconds", 0.0),
    )


def _title(row: Mapping[str, Any], value: str | None) -> str | None:
    scale = PROTOCOLS[row["protocol"]].criterion(row["criterion"]).scale
    if value is None or value not in scale:
        return value
    return f"{value} {scale.label(value).title}" if scale.ordinal else scale.label(value).title


def _proposal(row: Row) -> Proposal:
    return Proposal(
        protocol=PROTOCOLS[row["protocol"]].title,
        section=row["section"],
        wording=row["wording"],
        by=row["proposed_by"],
        proposed_at=row["proposed_at"],
        meeting_id=row["meeting_id"],
    )


def _recheck(store: Store, protocols: Collection[str]) -> Iterable[tuple[str, str]]:
    for each in to_recheck(store):
        if each.protocol in protocols:
            named = each.external_id or each.point.item_id[:8]
            yield f"{named} · {unit_in_words(each.point.unit_id)}", each.why


def _gaps(decisions: Sequence[Row]) -> Iterable[str]:
    """Where what stands was decided on a gap; nothing has changed yet that calls for a re-check."""
    for row in decisions:
        counts = row["stands"] and row["value"] is not None and row["removed_at"] is None
        if counts and row["error_class"] in _GAPS:
            yield f"{row['external_id'] or row['item_id'][:8]} · {unit_in_words(row['unit_id'])}"
