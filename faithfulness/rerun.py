"""Rerun: ask a judge about one item, once or several times, and compare with what is stored."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from faithfulness.errors import JudgeFailed
from faithfulness.intake import place_excerpts
from faithfulness.judges.judge import Judge, Question, read_reply
from faithfulness.judges.prices import cost_of
from faithfulness.protocol import Reading
from faithfulness.vocabulary import Annotation, Answer, Author, Excerpt, Reply, unread

# What a sample gave where it gave no value; no scale has such labels.
UNREAD, NOT_JUDGED = "unread", "not judged"

Place = tuple[str, str]  # unit and criterion


class Sample(NamedTuple):
    """One reply to the question, what it says, and its cost; None where that is not known."""

    reply: Reply
    reading: Reading
    cost: float | None


class Kind(StrEnum):
    """What became of one author's answer."""

    SAME = "same"
    MOVED = "moved"
    NEW = "new"  # nobody had answered here
    GONE = "gone"  # the new answer says nothing here, or "not judged"
    UNREAD = "unread"  # the new answer has no value and a problem


class Drift(StrEnum):
    """How the quoted words differ from those that were quoted before."""

    NONE = "none"  # neither quotes
    SAME = "same"
    WORDS = "words"  # other words from the same place
    PLACE = "place"  # words from another place, or not to be found
    ADDED = "added"
    DROPPED = "dropped"


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One stored answer beside the new one about the same unit and criterion."""

    unit_id: str
    criterion: str
    kind: Kind
    before: Annotation | None = None
    after: Answer | None = None
    excerpts: Drift = Drift.NONE
    rationale_changed: bool = False

    @property
    def author(self) -> Author | None:
        return None if self.before is None else self.before.author


def ask(
    question: Question,
    judge: Judge,
    *,
    samples: int = 1,
    have: Sequence[Sample] = (),
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    taken: Callable[[Sample], None] | None = None,
) -> tuple[Sample, ...]:
    """Ask until there are so many samples; one after the other, each exactly once.

    Args:
        question: what is asked; all samples share its mark.
        judge: who is asked.
        samples: how many are wanted in all.
        have: samples of the same question that came before a failure; they are not paid again.
        progress: told how many there are, of how many, before each call and at the end.
        stop: asked before each call.
        taken: given each new sample at once, so that a later failure does not lose it.

    Raises:
        JudgeFailed: the judge gave no reply, or `stop` said so (kind "stopped").
    """
    found = list(have)
    while len(found) < samples:
        if stop is not None and stop():
            raise JudgeFailed("Stopped before the next question was asked.", kind="stopped")
        if progress is not None:
            progress(len(found), samples)
        reply = judge.ask(question, sample=len(found))
        sample = read(question, reply)
        found.append(sample)
        if taken is not None:
            taken(sample)
    if progress is not None:
        progress(len(found), samples)
    return tuple(found)


def read(question: Question, reply: Reply) -> Sample:
    """What a reply says about the question's item, with its excerpts looked for; never raises."""
    reading = read_reply(question, reply)
    placed = place_excerpts(reading.answers, question.item, question.protocol)
    return Sample(reply, Reading(tuple(placed), reading.notes), cost_of(reply))


def settle(samples: Sequence[Sample]) -> Reading:
    """What the samples say together.

    Of several, the outcome that most gave counts, with its share as confidence and the words of the
    first sample that gave it. "Unread" is an outcome like a value, and so is saying nothing where
    others answer: one lucky reply among broken ones does not speak for all. A tie is Unread; where
    most say nothing there is no answer.
    """
    if len(samples) == 1:
        return samples[0].reading
    counts = stability(samples)
    settled = [_settled(place, each, samples) for place, each in counts.items()]
    answers = tuple(each for each in settled if each is not None)
    notes = tuple(
        f"sample {number}: {note}"
        for number, sample in enumerate(samples, start=1)
        for note in sample.reading.notes
    )
    return Reading(answers, notes)


def stability(samples: Sequence[Sample]) -> dict[Place, Counter[str]]:
    """How many samples gave each outcome (a value, unread, not judged), by unit and criterion.

    A sample that says nothing at a place where another has an answer did not judge it.
    """
    said = [_by_place(each.reading) for each in samples]
    places = dict.fromkeys(place for each in said for place in each)
    return {place: Counter(outcome(each.get(place)) for each in said) for place in places}


def outcome(answer: Answer | None) -> str:
    """The value, or the word for its absence."""
    if answer is None:
        return NOT_JUDGED
    if answer.value is not None:
        return answer.value
    return UNREAD if answer.is_unread else NOT_JUDGED


def source_of(answer: Answer, samples: Sequence[Sample]) -> int:
    """Which sample a settled answer takes its words from; the first when none said the same."""
    place = answer.unit_id, answer.criterion
    for number, sample in enumerate(samples):
        said = _by_place(sample.reading).get(place)
        if said is not None and outcome(said) == outcome(answer):
            return number
    return 0


def changes(before: Sequence[Annotation], after: Reading) -> tuple[Change, ...]:
    """Every stored answer beside the new one, in the order of the new answers, then of the stored.

    Where nobody had answered, the new answer stands alone.
    """
    new = _by_place(after)
    stored: dict[Place, list[Annotation]] = {}
    for each in before:
        stored.setdefault((each.answer.unit_id, each.answer.criterion), []).append(each)
    found = []
    for place in dict.fromkeys((*new, *stored)):
        answer = new.get(place)
        if place not in stored and answer is not None:
            kind = Kind.UNREAD if answer.is_unread else Kind.NEW
            found.append(Change(unit_id=place[0], criterion=place[1], kind=kind, after=answer))
        found.extend(_change(each, answer) for each in stored.get(place, ()))
    return tuple(found)


def _settled(place: Place, counts: Mapping[str, int], samples: Sequence[Sample]) -> Answer | None:
    asked = len(samples)
    most = max(counts.values())
    first = [each for each, count in counts.items() if count == most]
    if len(first) > 1:
        shares = ", ".join(f"{count} {each}" for each, count in counts.items())
        return unread(*place, f"the {asked} samples do not agree: {shares}")
    said = _first_with(place, first[0], samples)
    if said is None:
        return None
    if first[0] == UNREAD:
        problem = f"{most} of {asked} samples could not be read here: {said.problem}"
        return replace(said, problem=problem)
    return replace(said, confidence=most / asked)


def _first_with(place: Place, wanted: str, samples: Sequence[Sample]) -> Answer | None:
    """The first answer with this outcome; None where all who had it said nothing."""
    answers = (each for sample in samples for each in sample.reading.answers)
    here = (each for each in answers if (each.unit_id, each.criterion) == place)
    return next((each for each in here if outcome(each) == wanted), None)


def _by_place(reading: Reading) -> dict[Place, Answer]:
    return {(each.unit_id, each.criterion): each for each in reading.answers}


def _change(before: Annotation, after: Answer | None) -> Change:
    old = before.answer
    new = after or Answer(unit_id=old.unit_id, criterion=old.criterion, value=None)
    return Change(
        unit_id=old.unit_id,
        criterion=old.criterion,
        kind=_kind(old, new),
        before=before,
        after=after,
        excerpts=_drift(old.excerpts, new.excerpts),
        rationale_changed=_folded(old.rationale) != _folded(new.rationale),
    )


def _kind(old: Answer, new: Answer) -> Kind:
    if outcome(old) == outcome(new):
        return Kind.SAME
    if new.is_unread:
        return Kind.UNREAD
    return Kind.GONE if new.value is None else Kind.MOVED


def _drift(old: Sequence[Excerpt], new: Sequence[Excerpt]) -> Drift:
    if not old or not new:
        return Drift.ADDED if new else Drift.DROPPED if old else Drift.NONE
    if [_folded(each.text) for each in old] == [_folded(each.text) for each in new]:
        return Drift.SAME
    return Drift.WORDS if _overlap(old, new) else Drift.PLACE


def _overlap(old: Sequence[Excerpt], new: Sequence[Excerpt]) -> bool:
    """Whether both quote from one place: some of their words are the same words of a source."""
    here, there = (
        [span for each in side if each.placement for span in each.placement.spans]
        for side in (old, new)
    )
    return any(
        a.field == b.field and a.start < b.end and b.start < a.end for a in here for b in there
    )


def _folded(text: str) -> str:
    return " ".join(text.split())
