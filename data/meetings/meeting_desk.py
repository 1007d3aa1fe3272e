"""Build an agenda, start a meeting, adopt unanimous ratings and confirm decisions."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.meetings.agendas import agenda_from, load_marked_points, load_marks
from data.meetings.decide_many import Settled, adopt_unanimous
from data.meetings.decisions import Recheck
from data.meetings.marks import mark_units
from data.meetings.meeting_actions import confirm_decision
from data.meetings.save_meetings import MOST_POINTS, begin_meeting
from data.store.store import Store
from data.triage.queue import load_queue
from data.triage.triage import load_triage_points
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.review.disagreement import DisagreementKind
from faithfulness.review.meeting import Point

MARKED = "marked"


@dataclass(frozen=True, kw_only=True, slots=True)
class AgendaScope:
    """The disagreements that a meeting may be about, as their own page lists them."""

    selection: Selection
    kinds: tuple[DisagreementKind, ...] = ()
    audits: bool = False  # answers that cannot all be right, alone or beside the kinds
    sort: str = "worst"
    with_baseline: bool = False


def count_open_points(store: Store, about: AgendaScope) -> int:
    """How many points wait undecided; beside answers that cannot all be right MOST_POINTS count."""
    if about.audits:
        return len(_load_points(store, about, MOST_POINTS))
    found = load_queue(
        store, about.selection, kinds=about.kinds, with_baseline=about.with_baseline, page=1
    )
    return found.total


def choose_points(
    store: Store, about: AgendaScope, source: str, first: int = MOST_POINTS
) -> list[Point]:
    """The points of a new agenda: what was marked, else the first of them in their order."""
    if source == MARKED:
        return load_marked_points(store)[:MOST_POINTS]
    return _load_points(store, about, first)


def _load_points(store: Store, about: AgendaScope, first: int) -> list[Point]:
    listed = load_triage_points if about.audits else agenda_from
    return listed(
        store,
        about.selection,
        first=first,
        kinds=about.kinds,
        sort=about.sort,
        with_baseline=about.with_baseline,
    )


def start_meeting(
    store: Store,
    points: Sequence[Point],
    *,
    host: str,
    present: Sequence[str],
    title: str,
    hides_authors: bool,
    operation_id: str,
) -> str:
    """Begin a meeting and take the marks off what it is about; gives the meeting's id.

    Raises:
        ReviewError: as `records.begin_meeting`; then no mark is taken off.
    """
    meeting_id = begin_meeting(
        store,
        host=host,
        present=present,
        agenda=points,
        operation_id=operation_id,
        title=title,
        hides_authors=hides_authors,
    )
    flagged = {(each.item_id, each.unit_id) for each in load_marks(store)}
    met = [each[:3] for each in points if (each.item_id, each.unit_id) in flagged]
    if met:
        mark_units(store, met, on=False, by=host, operation_id=f"met-{meeting_id}")
    return meeting_id


def adopt_cases(store: Store, cases: Sequence[Settled], *, by: str, operation_id: str) -> int:
    """Sign what all raters say as decisions of this person; gives how many."""
    author = Author(kind=AuthorKind.ADJUDICATOR, name=by)
    return len(adopt_unanimous(store, cases, author=author, operation_id=operation_id))


def confirm_point(
    store: Store, offered: Sequence[Recheck], point: Point, *, by: str, operation_id: str
) -> None:
    """Keep that the decision on a point stands under the words in force now.

    Raises:
        ReviewError: nobody said a name, or another decision counts by now.
    """
    if not by:
        raise ReviewError("Say who you are first; a confirmation is signed with your name.")
    made_by = next((each.made_by for each in offered if each.point == point), "")
    confirm_decision(store, point, made_by=made_by, by=by, operation_id=operation_id)
