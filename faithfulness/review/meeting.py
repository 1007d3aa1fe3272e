"""Meetings: an agenda of disagreements, the people present and the state of every point."""

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.vocabulary import Annotation, Author, AuthorKind
from faithfulness.review.disagreement import Disagreement


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
        """The first point that nobody decided or deferred; when all are, the first deferred one."""
        states = (PointState.OPEN, PointState.DEFERRED)
        found = (each for state in states for each in self.agenda if each.state is state)
        return next(found, None)

    @property
    def runs(self) -> frozenset[str]:
        """The runs that its points are of."""
        return frozenset(each.point.run_id for each in self.agenda)


def hide_names(found: Disagreement, since: datetime | None = None) -> Disagreement:
    """The same disagreement with authors called A, B, C, and nothing beside that names them.

    The letters follow a hash and not the names, so that a name early in the alphabet is not always
    A. Who is a judge and who a rater stays known, and samples are told as those of Judge 1: whoever
    explains them has no letters. Earlier decisions lose their authors. Who joins after `since`
    comes last.
    """
    said = _sort_annotations(found, since)
    letters = {each.author: format_letter(nth) for nth, each in enumerate(said)}
    kept = tuple(_hide_name(each, letters[each.author]) for each in said)
    names = assign_aliases(found, since)
    judges = {each.name: names[each] for each in names if each.kind is AuthorKind.JUDGE}
    return replace(
        found,
        case=replace(found.case, annotations=kept),
        samples=tuple((judges.get(name, "?"), values) for name, values in found.samples),
        decisions=tuple(replace(each, by="") for each in found.decisions),
    )


def assign_aliases(found: Disagreement, since: datetime | None = None) -> dict[Author, str]:
    """What authors are called while names are hidden: Judge 1, Rater 2, in the order of letters.

    With `since`, when a meeting began, a judge that is asked in it becomes the last: nobody that a
    team has spoken of is called differently from then on.
    """
    return _number_authors(tuple(each.author for each in _sort_annotations(found, since)))


def hide_annotation_names(
    said: Sequence[Annotation], names: Mapping[Author, str]
) -> tuple[Annotation, ...]:
    """Annotations of an item with authors as `assign_aliases` calls them.

    Those who say nothing on that point are numbered after them. The offline baseline keeps its
    name, since it takes no side.
    """
    others = sorted({each.author for each in said} - set(names), key=_compute_author_shuffle_key)
    hidden = _number_authors((*names, *(each for each in others if not is_baseline(each))))
    return tuple(
        replace(each, author=replace(each.author, name=hidden.get(each.author, each.author.name)))
        for each in said
    )


def format_letter(nth: int) -> str:
    """The name of the nth: A to Z, then A2, B2 and so on."""
    again, place = divmod(nth, len(string.ascii_uppercase))
    return string.ascii_uppercase[place] + (str(again + 1) if again else "")


def _sort_annotations(found: Disagreement, since: datetime | None) -> list[Annotation]:
    def joined(said: Annotation) -> bool:
        return since is not None and said.supersedes is None and said.signed_at >= since

    return sorted(
        found.case.annotations, key=lambda each: (joined(each), _compute_shuffle_key(each))
    )


def _compute_shuffle_key(said: Annotation) -> tuple[str, int]:
    words = f"{said.item_id}\x00{said.answer.unit_id}\x00{said.author.kind}\x00{said.author.name}"
    return sha256(words.encode()).hexdigest(), said.number


def _compute_author_shuffle_key(author: Author) -> str:
    return sha256(f"{author.kind}\x00{author.name}".encode()).hexdigest()


def _number_authors(authors: Sequence[Author]) -> dict[Author, str]:
    numbers: Counter[AuthorKind] = Counter()
    found = {}
    for each in authors:
        numbers[each.kind] += 1
        found[each] = f"{each.kind.value.capitalize()} {numbers[each.kind]}"
    return found


def _hide_name(said: Annotation, name: str) -> Annotation:
    # Numbers and times give away who answered together with whom.
    return replace(
        said,
        number=0,
        author=replace(said.author, name=name),
        signed_at=datetime.fromtimestamp(0, UTC),
        supersedes=None,
        reply_id=None,
    )
