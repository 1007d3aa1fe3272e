"""A process in which people rate, decide and meet through the product's functions until killed.

As tests/faults/writer.py it forks one child per line on its standard input. Each kind of save
leaves a known number of rows in known tables, and its name is synced to a file once the product
says that it is saved.
"""

import itertools
import os
import random
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from data.items.loading import load_item
from data.meetings.decide import decide
from data.meetings.decide_many import Settled, decide_like
from data.meetings.decision_facts import Circumstances
from data.meetings.save_meetings import begin_meeting, note_event
from data.rating import rating_desk
from data.rating.drafts import DraftStep, Sheet
from data.rating.rating_desk import build_operation_id
from data.runs.queries import run_items, runs
from data.store.store import Store, open_store
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import protocol
from faithfulness.review.meeting import Point
from tests.data.stored import ADA, BEN, CONTEXT, NORTH, save_drafts, sentence_draft
from tests.faults import writer
from tests.made_stores import new_store

ITEMS, LIKE = 30, 5
GROUNDING = protocol("sentence_grounding")
LABELS = {"s1": "supported", "s2": "contradictory", "s3": "no_rad"}
QUOTES = {"s1": "holds 1.7 litres", "s2": "$45.00"}
EVE = Author(kind=AuthorKind.ADJUDICATOR, name="eve")
TOLD = Circumstances(wording="Say so.", seconds=3.0)

# The rows that each kind of operation leaves, whole or not at all.
LEAVES: dict[str, dict[str, int]] = {
    "draft": {"drafts": 3},
    "sheet": {"annotations": 3, "excerpts": 2, "rating_times": 3, "drafts": 1},
    "adjudication": {
        "annotations": 1, "adjudications": 1, "decision_facts": 1, "guideline_proposals": 1
    },
    "adjudications": {"annotations": LIKE, "adjudications": LIKE, "decision_facts": LIKE},
    "meeting": {"meetings": 1, "meeting_points": LIKE, "meeting_events": 1},
    "meeting event": {"meeting_events": 1},
}  # fmt: skip

ROWS = """
with left_behind as (
    select operation_id, 'annotations' as what from annotations
    union all
    select a.operation_id, 'excerpts' from excerpts e join annotations a using (annotation_no)
    union all
    select a.operation_id, 'adjudications'
    from adjudications d join annotations a using (annotation_no)
    union all
    select a.operation_id, 'decision_facts'
    from decision_facts f join annotations a using (annotation_no)
    union all
    select operation_id, 'rating_times' from rating_times
    union all
    select operation_id, 'drafts' from drafts
    union all
    select operation_id, 'meetings' from meetings
    union all
    select operation_id, 'meeting_points' from meeting_points
    union all
    select operation_id, 'meeting_events' from meeting_events
    union all
    select operation_id, 'guideline_proposals' from guideline_proposals
)
select operation_id, what, count(*) from left_behind group by operation_id, what
"""
OPERATIONS = "select operation_id, kind from operations where kind <> 'import'"
STEPS = "select step_id from drafts"


def prepare(path: Path) -> None:
    """A store of items on which raters and a judge differ."""
    store = new_store(path)
    values = {ADA: ("supported",) * 3, BEN: ("unsupported",) * 3, NORTH: ("contradictory",) * 3}
    save_drafts(store, [sentence_draft(number, values) for number in range(ITEMS)])
    store.close()


class People:
    """Everybody at work on one open store, each save under a name of its own."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self.store = store
        self._chance = chance
        self._run = str(runs(store)["run_id"][0])
        self._items = run_items(store, self._run, limit=ITEMS)["item_id"].tolist()
        self._meeting = ""
        self.kinds: dict[str, Callable[[], str]] = {
            "draft": self.draft,
            "sheet": self.sheet,
            "adjudication": self.decision,
            "adjudications": self.like,
            "meeting": self.meeting,
            "meeting event": self.event,
        }

    def save(self, kind: str = "") -> str:
        """One save of a kind, or of any; gives the name by which it is found again."""
        return self.kinds[kind or self._chance.choice(list(self.kinds))]()

    def draft(self) -> str:
        return self.fill(self.new_sheet())

    def sheet(self) -> str:
        sheet = self.new_sheet()
        self.fill(sheet)
        return self.sign(sheet)

    def sign(self, sheet: Sheet) -> str:
        """Sign what stands on a sheet, as the page does."""
        last = rating_desk.read_sheet(self.store, sheet, GROUNDING).last
        item = load_item(self.store, sheet.item_id)
        seen = (last, sheet.rater)
        assert not rating_desk.sign(self.store, sheet, item, GROUNDING, seen=seen, times={})
        return build_operation_id(sheet, last)

    def decision(self, operation_id: str = "") -> str:
        name = operation_id or f"decision-{uuid.uuid4().hex}"
        decide(
            self.store,
            **self.point()._asdict(),
            value=self._chance.choice(list(LABELS.values())),
            author=EVE,
            reason="the source says so",
            seen=self.last(),
            operation_id=name,
            circumstances=replace(TOLD, meeting_id=self._met()),
        )
        return name

    def like(self) -> str:
        name, last = f"like-{uuid.uuid4().hex}", self.last()
        decide_like(
            self.store,
            [Settled(each, "supported", last) for each in self._points()],
            follows="the first",
            author=EVE,
            reason="as there",
            operation_id=name,
            meeting_id=self._met(),
        )
        return name

    def meeting(self) -> str:
        name, agenda = f"meeting-{uuid.uuid4().hex}", self._points()
        self._meeting = begin_meeting(
            self.store, host="eve", present=["ada"], agenda=agenda, operation_id=name
        )
        return name

    def event(self) -> str:
        name, met = f"event-{uuid.uuid4().hex}", self._met()
        told = {"by": "eve", "point": self.point(), "seconds": 4.0, "operation_id": name}
        note_event(self.store, met, self._chance.choice(["timed", "deferred"]), **told)
        return name

    def new_sheet(self) -> Sheet:
        return Sheet(self._run, self._chance.choice(self._items), f"rater {uuid.uuid4().hex}")

    def point(self) -> Point:
        unit = self._chance.choice(list(LABELS))
        return Point(self._run, self._chance.choice(self._items), unit, "label")

    def last(self) -> int:
        """The number of the last annotation, as a screen that was drawn just now has it."""
        with self.store.read() as cursor:
            found = cursor.execute("select max(annotation_no) from annotations").fetchall()
        return int(found[0][0])

    def _points(self) -> list[Point]:
        return [
            Point(self._run, item, "s1", "label") for item in self._chance.sample(self._items, LIKE)
        ]

    def _met(self) -> str:
        if not self._meeting:
            self.meeting()
        return self._meeting

    def fill(self, sheet: Sheet) -> str:
        """Answer everything on a sheet without signing it; gives the last step."""
        item = load_item(self.store, sheet.item_id)
        steps = [
            DraftStep(f"{sheet.rater}.{nth}", unit, "set", _state(unit), 2.0)
            for nth, unit in enumerate(LABELS)
        ]
        rating_desk.keep_steps(self.store, sheet, item, GROUNDING, steps)
        return steps[-1].id


def _state(unit: str) -> dict[str, object]:
    excerpts = []
    if unit in QUOTES:
        at = CONTEXT.index(QUOTES[unit])
        excerpts = [
            {"field": "context", "text": QUOTES[unit], "start": at, "end": at + len(QUOTES[unit])}
        ]
    return {"label": {"value": LABELS[unit], "rationale": f"why {unit}", "excerpts": excerpts}}


def stored(store: Store) -> set[str]:
    """The names of all saves that are in the store: operations, and the steps of drafts."""
    with store.read() as cursor:
        operations = cursor.execute(OPERATIONS).fetchall()
        return {row[0] for row in operations + cursor.execute(STEPS).fetchall()}


def complaints(store: Store, acknowledged: set[str]) -> list[str]:
    """What is lost, half stored, stored twice, or belongs to nothing that was stored."""
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    with store.read() as cursor:
        for name, what, count in cursor.execute(ROWS).fetchall():
            found[name][what] = count
        kinds = cursor.execute(OPERATIONS).fetchall()
    known = {name for name, _ in kinds}
    lost = [f"lost: {name}" for name in acknowledged - stored(store)]
    half = [
        f"{kind} has {found[name]}: {name}" for name, kind in kinds if found[name] != LEAVES[kind]
    ]
    twice = [f"twice: {name}" for name, count in Counter(kinds).items() if count > 1]
    orphans = [f"of nothing: {name}" for name in found if name not in known | {"import-first"}]
    return lost + half + twice + orphans


def work_until_killed(mode: str, path: Path, acknowledgements: Path) -> None:
    handle = os.open(acknowledgements, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    people = People(open_store(path), random.Random(os.getpid()))
    for count, kind in enumerate(itertools.chain(LEAVES, itertools.repeat(""))):
        os.write(handle, f"{people.save(kind)}\n".encode())
        os.fsync(handle)
        if mode == "checkpoint" and count % 2:
            people.store.checkpoint()
        if count == len(LEAVES) - 1:  # however slow the machine, most kills find saves to break
            acknowledgements.with_suffix(".open").touch()


if __name__ == "__main__":
    writer.main(work_until_killed)
