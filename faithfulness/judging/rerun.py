"""Rerun a judge on one item, once or several times, and compare with the stored answers."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from faithfulness.intake.intake import place_excerpts
from faithfulness.judging.judge import Judge, JudgeQuestion, read_reply
from faithfulness.judging.prices import compute_reply_cost
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.protocol import Protocol, ReplyReading
from faithfulness.model.scale import Scale
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    Excerpt,
    Reply,
    make_unread_answer,
)

# What a sample gave where it gave no value; no scale has such labels.
UNREAD, NOT_JUDGED = "unread", "not judged"
TIED = "samples tied"  # the problem of an answer on which the samples do not settle
_SCORED = "scored"

Place = tuple[str, str]  # unit and criterion


class Sample(NamedTuple):
    """One reply to the question, what it says, and its cost; None where that is not known."""

    reply: Reply
    reading: ReplyReading
    cost: float | None


class ChangeKind(StrEnum):
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
class AnswerChange:
    """One stored answer beside the new one about the same unit and criterion."""

    unit_id: str
    criterion: str
    kind: ChangeKind
    before: Annotation | None = None
    after: Answer | None = None
    excerpts: Drift = Drift.NONE
    rationale_changed: bool = False

    @property
    def author(self) -> Author | None:
        return None if self.before is None else self.before.author


def ask_judge(
    question: JudgeQuestion,
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


def read(question: JudgeQuestion, reply: Reply) -> Sample:
    """What a reply says about the question's item, with its excerpts looked for; never raises."""
    reading = read_reply(question, reply)
    placed = place_excerpts(reading.answers, question.item, question.protocol)
    return Sample(reply, ReplyReading(tuple(placed), reading.notes), compute_reply_cost(reply))


def settle_samples(samples: Sequence[Sample], protocol: Protocol) -> ReplyReading:
    """Combine the samples into one answer for each unit and criterion.

    A nominal label is settled by plurality, a score on an ordinal scale by the median. Of an even
    number of scores the lower of the two in the middle counts; if these lie more than one step
    apart, the samples are tied. A tie is Unread with the problem `TIED` and the counts.

    "Unread" is an outcome like a label, and so is saying nothing where other samples answer: one
    readable reply among broken ones does not speak for all. Where most say nothing there is no
    answer. Rationale, excerpts and stated confidence are those of the first sample that gave the
    settled value; the share of samples is in `count_outcomes`, not in the confidence.
    """
    if len(samples) == 1:
        return samples[0].reading
    settled = [
        _settle_place(place, counts, samples, protocol.criterion(place[1]).scale)
        for place, counts in count_outcomes(samples).items()
    ]
    answers = tuple(answer for answer in settled if answer is not None)
    notes = tuple(
        f"sample {number}: {note}"
        for number, sample in enumerate(samples, start=1)
        for note in sample.reading.notes
    )
    return ReplyReading(answers, notes)


def warn_of_equal_samples(settings: Mapping[str, str], samples: int) -> str:
    """Why the samples of a judge with these settings show no stability; empty where they can.

    Args:
        settings: of the judge, as text; a temperature that is no number is not zero.
        samples: how often the same question is asked.
    """
    try:
        is_zero = float(settings.get("temperature", "")) == 0
    except ValueError:
        is_zero = False
    if samples == 1 or not is_zero:
        return ""
    return (
        f"At temperature 0 the {samples} samples will be nearly the same, so that their agreement "
        "says nothing about how stable the answers are. Set a temperature above 0, or ask once."
    )


def count_outcomes(samples: Sequence[Sample]) -> dict[Place, Counter[str]]:
    """How many samples gave each outcome (a value, unread, not judged), by unit and criterion.

    A sample that says nothing at a place where another has an answer did not judge it.
    """
    said = [_index_by_place(each.reading) for each in samples]
    places = dict.fromkeys(place for each in said for place in each)
    return {place: Counter(get_outcome(each.get(place)) for each in said) for place in places}


def get_outcome(answer: Answer | None) -> str:
    """The value, or the word for its absence."""
    if answer is None:
        return NOT_JUDGED
    if answer.value is not None:
        return answer.value
    return UNREAD if answer.is_unread else NOT_JUDGED


def find_source_sample(answer: Answer, samples: Sequence[Sample]) -> int:
    """Which sample a settled answer takes its words from; the first when none said the same."""
    place = answer.unit_id, answer.criterion
    for number, sample in enumerate(samples):
        said = _index_by_place(sample.reading).get(place)
        if said is not None and get_outcome(said) == get_outcome(answer):
            return number
    return 0


def list_changes(before: Sequence[Annotation], after: ReplyReading) -> tuple[AnswerChange, ...]:
    """Every stored answer beside the new one, in the order of the new answers, then of the stored.

    Where nobody had answered, the new answer stands alone.
    """
    new = _index_by_place(after)
    stored: dict[Place, list[Annotation]] = {}
    for each in before:
        stored.setdefault((each.answer.unit_id, each.answer.criterion), []).append(each)
    found = []
    for place in dict.fromkeys((*new, *stored)):
        answer = new.get(place)
        if place not in stored and answer is not None:
            kind = ChangeKind.UNREAD if answer.is_unread else ChangeKind.NEW
            found.append(
                AnswerChange(unit_id=place[0], criterion=place[1], kind=kind, after=answer)
            )
        found.extend(_build_change(each, answer) for each in stored.get(place, ()))
    return tuple(found)


def rank_outcomes(counts: Mapping[str, int], scale: Scale) -> list[tuple[str, int]]:
    """Outcomes with their counts, the most frequent first, equally frequent ones by the scale."""
    order = {value: position for position, value in enumerate((*scale.values, UNREAD, NOT_JUDGED))}
    return sorted(counts.items(), key=lambda pair: (-pair[1], order.get(pair[0], len(order))))


def _settle_place(
    place: Place, counts: Mapping[str, int], samples: Sequence[Sample], scale: Scale
) -> Answer | None:
    winner = _find_median_outcome(counts, scale) if scale.ordinal else _find_most_frequent(counts)
    if winner is None:
        tally = ", ".join(f"{outcome} ×{count}" for outcome, count in rank_outcomes(counts, scale))
        return make_unread_answer(*place, f"{TIED}: {tally}")
    answer = _find_first_answer(place, winner, samples)
    if answer is not None and winner == UNREAD:
        unread_samples = f"{counts[UNREAD]} of {len(samples)} samples could not be read here"
        return replace(answer, problem=f"{unread_samples}: {answer.problem}")
    return answer


def _find_most_frequent(counts: Mapping[str, int]) -> str | None:
    """The outcome with the highest count; None for a tie."""
    highest = max(counts.values())
    winners = [outcome for outcome, count in counts.items() if count == highest]
    return winners[0] if len(winners) == 1 else None


def _find_median_outcome(counts: Mapping[str, int], scale: Scale) -> str | None:
    """The median score, "unread" or "not judged" where more samples end so; None for a tie."""
    positions = sorted(
        position for position, value in enumerate(scale.values) for _ in range(counts.get(value, 0))
    )
    without_score = {name: counts[name] for name in (UNREAD, NOT_JUDGED) if counts.get(name)}
    winner = _find_most_frequent({_SCORED: len(positions)} | without_score)
    if winner != _SCORED:
        return winner
    lower, upper = positions[(len(positions) - 1) // 2], positions[len(positions) // 2]
    return scale.values[lower] if upper - lower <= 1 else None


def _find_first_answer(place: Place, wanted: str, samples: Sequence[Sample]) -> Answer | None:
    """The first answer with this outcome; None where all who had it said nothing."""
    answers = (each for sample in samples for each in sample.reading.answers)
    here = (each for each in answers if (each.unit_id, each.criterion) == place)
    return next((each for each in here if get_outcome(each) == wanted), None)


def _index_by_place(reading: ReplyReading) -> dict[Place, Answer]:
    return {(each.unit_id, each.criterion): each for each in reading.answers}


def _build_change(before: Annotation, after: Answer | None) -> AnswerChange:
    old = before.answer
    new = after or Answer(unit_id=old.unit_id, criterion=old.criterion, value=None)
    return AnswerChange(
        unit_id=old.unit_id,
        criterion=old.criterion,
        kind=_classify_change(old, new),
        before=before,
        after=after,
        excerpts=_classify_drift(old.excerpts, new.excerpts),
        rationale_changed=_fold_whitespace(old.rationale) != _fold_whitespace(new.rationale),
    )


def _classify_change(old: Answer, new: Answer) -> ChangeKind:
    if get_outcome(old) == get_outcome(new):
        return ChangeKind.SAME
    if new.is_unread:
        return ChangeKind.UNREAD
    return ChangeKind.GONE if new.value is None else ChangeKind.MOVED


def _classify_drift(old: Sequence[Excerpt], new: Sequence[Excerpt]) -> Drift:
    if not old or not new:
        return Drift.ADDED if new else Drift.DROPPED if old else Drift.NONE
    if [_fold_whitespace(each.text) for each in old] == [
        _fold_whitespace(each.text) for each in new
    ]:
        return Drift.SAME
    return Drift.WORDS if _have_common_place(old, new) else Drift.PLACE


def _have_common_place(old: Sequence[Excerpt], new: Sequence[Excerpt]) -> bool:
    """Whether both quote from one place: some of their words are the same words of a source."""
    here, there = (
        [span for each in side if each.placement for span in each.placement.spans]
        for side in (old, new)
    )
    return any(
        a.field == b.field and a.start < b.end and b.start < a.end for a in here for b in there
    )


def _fold_whitespace(text: str) -> str:
    return " ".join(text.split())
