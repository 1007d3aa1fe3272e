"""Meetings: an agenda of disagreements, who is there, and what became of each point."""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from faithfulness.disagreement import Disagreement
from faithfulness.vocabulary import Annotation, Author


class Point(NamedTuple):
    """One point of an agenda: a unit and criterion of a run's item."""

    run_id: str
    item_id: str
    unit_id: str
    criterion: str


class PointState(StrEnum):
    """What became of a point in a meeting."""

    OPEN = "open"
    DECIDED = "decided"
    DEFERRED = "deferred"


@dataclass(frozen=True, kw_only=True, slots=True)
class AgendaPoint:
    """A point with what happened to it in this meeting.

    `decided_before` counts decisions that stand from outside this meeting: a further one warns.
    """

    point: Point
    position: int
    state: PointState
    decisions: tuple[int, ...] = ()
    decided_before: int = 0
    seconds: float = 0.0
    reason: str = ""  # why it was deferred


@dataclass(frozen=True, kw_only=True, slots=True)
class Meeting:
    """A meeting as its records leave it; `here` are those of `present` who are there now."""

    id: str
    title: str
    host: str
    present: tuple[str, ...]
    hides_authors: bool
    began_at: datetime
    finished_at: datetime | None
    agenda: tuple[AgendaPoint, ...]
    here: tuple[str, ...] = ()

    @property
    def next_open(self) -> AgendaPoint | None:
        """The first point that nobody decided or deferred."""
        return next((each for each in self.agenda if each.state is PointState.OPEN), None)


def without_names(found: Disagreement) -> Disagreement:
    """The same disagreement with authors called A, B, C, and nothing beside that names them.

    The letters follow the words said and not the names, so that a name early in the alphabet is
    not always A. Who is a judge and who a rater stays known. Earlier decisions lose their authors.
    """
    said = sorted(found.case.annotations, key=_shuffled)
    letters = {each.author: letter(nth) for nth, each in enumerate(said)}
    kept = tuple(_unsigned(each, letters[each.author]) for each in said)
    called = {author.name: name for author, name in letters.items()}
    return replace(
        found,
        case=replace(found.case, annotations=kept),
        samples=tuple((called.get(name, "?"), values) for name, values in found.samples),
        decisions=tuple(replace(each, by="") for each in found.decisions),
    )


def unsigned(said: Sequence[Annotation], *, but: Author) -> tuple[Annotation, ...]:
    """Annotations of an item with authors called A, B, C; one author keeps the name."""
    others = {each.author: _shuffled(each)[0] for each in said if each.author != but}
    order = sorted(others, key=lambda author: others[author])
    letters = {author: letter(nth) for nth, author in enumerate(order)} | {but: but.name}
    return tuple(
        replace(each, author=replace(each.author, name=letters[each.author])) for each in said
    )


def letter(nth: int) -> str:
    """The name of the nth: A to Z, then A2, B2 and so on."""
    again, place = divmod(nth, len(string.ascii_uppercase))
    return string.ascii_uppercase[place] + (str(again + 1) if again else "")


def names_behind(named: Disagreement) -> Mapping[str, str]:
    """Whom each letter of `without_names` stands for."""
    said = sorted(named.case.annotations, key=_shuffled)
    return {letter(nth): each.author.name for nth, each in enumerate(said)}


def _shuffled(said: Annotation) -> tuple[str, int]:
    words = f"{said.item_id}\x00{said.answer.unit_id}\x00{said.author.kind}\x00{said.author.name}"
    return sha256(words.encode()).hexdigest(), said.number


def _unsigned(said: Annotation, name: str) -> Annotation:
    # Numbers and times give away who answered together with whom.
    return replace(
        said,
        number=0,
        author=replace(said.author, name=name),
        signed_at=datetime.fromtimestamp(0, UTC),
        supersedes=None,
        reply_id=None,
    )
