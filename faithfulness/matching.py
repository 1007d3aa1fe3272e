"""Bring what an author says about sentences of their own cut to the item's units."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faithfulness.protocol import Criterion, Reading
from faithfulness.scale import how_severe
from faithfulness.text.alignment import align
from faithfulness.text.normalise import fold_blanks
from faithfulness.vocabulary import Answer, Excerpt, Item, Piece, Span, Unit, UnitKind, unread

_SHOWN = 80  # characters of a foreign sentence quoted in a note
_SAME = 0.5  # parts that share more than this are one statement said twice


class SentenceSaid(NamedTuple):
    """One sentence as its author wrote it, with the label it was given."""

    text: str
    value: str | None
    rationale: str = ""
    excerpts: tuple[str, ...] = ()
    unit_id: str = ""
    confidence: float | None = None
    problem: str = ""


class Landing(NamedTuple):
    """A said sentence on one unit; `piece` is None when it is the unit itself."""

    said: int
    piece: Piece | None
    start: int  # the part of the unit that is meant, in characters of the field
    end: int


def bring_to_units(
    item: Item, criterion: Criterion, said: Sequence[SentenceSaid], *, complete: bool
) -> Reading:
    """Answers on the item's sentences; what the author said in other words is kept as Pieces.

    Args:
        item: the item whose sentences are the units.
        criterion: the question that was answered.
        said: the author's sentences in their own order.
        complete: a judge's reply speaks about all sentences, so a missing one is Unread; rows of
            a file may leave sentences out.
    """
    landings, lost = land(item, said)
    answers = []
    for unit in item.units_of(UnitKind.SENTENCE):
        here = landings.get(unit.id)
        if here:
            answers.append(answer_on(unit, criterion, said, here))
        elif complete:
            problem = "the reply says nothing about this sentence"
            answers.append(unread(unit.id, criterion.key, problem))
    return Reading(tuple(answers), tuple(nowhere(said[number]) for number in lost))


def land(item: Item, said: Sequence[SentenceSaid]) -> tuple[dict[str, list[Landing]], list[int]]:
    """For every unit the sentences that speak about it, and the numbers of those about none."""
    units = item.units_of(UnitKind.SENTENCE)
    landings: dict[str, list[Landing]] = {}
    unsure, lost = [], []
    for number, unit in enumerate(_exact_units(units, said)):
        if unit is None:
            unsure.append(number)
        else:
            landings.setdefault(unit.id, []).append(Landing(number, None, *_extent(unit)))
    if unsure:
        for number, unit_id, landing in _aligned(item, units, said, unsure):
            if landing is None:
                lost.append(number)
            else:
                landings.setdefault(unit_id, []).append(landing)
        for here in landings.values():
            here.sort(key=lambda each: each.said)
    return landings, lost


def answer_on(
    unit: Unit, criterion: Criterion, said: Sequence[SentenceSaid], here: Sequence[Landing]
) -> Answer:
    """One answer on a unit from all that was said about it, the most severe label if several."""
    if len(here) == 1:
        return _only_answer(unit, criterion, said, here)
    voices = [said[each.said] for each in here]
    problem = _problem(criterion, said, here)
    value = None if problem else _worst(criterion, voices)
    leading = next((each for each in voices if each.value == value), voices[0])
    return Answer(
        unit_id=unit.id,
        criterion=criterion.key,
        value=value,
        rationale="\n".join(_unique(each.rationale for each in voices)),
        excerpts=tuple(
            Excerpt(text=text)
            for text in _unique(text for each in voices for text in each.excerpts)
        ),
        confidence=leading.confidence,
        pieces=tuple(each.piece for each in here if each.piece is not None),
        problem=problem,
    )


def _only_answer(
    unit: Unit, criterion: Criterion, said: Sequence[SentenceSaid], here: Sequence[Landing]
) -> Answer:
    """The common case, one sentence for one unit, without the work of joining."""
    voice, piece = said[here[0].said], here[0].piece
    problem = _problem(criterion, said, here)
    return Answer(
        unit_id=unit.id,
        criterion=criterion.key,
        value=None if problem else voice.value,
        rationale=voice.rationale,
        excerpts=tuple([Excerpt(text=text) for text in voice.excerpts if text]),
        confidence=voice.confidence,
        pieces=() if piece is None else (piece,),
        problem=problem,
    )


def nowhere(said: SentenceSaid) -> str:
    """The note on a sentence that stands nowhere in the response."""
    text = fold_blanks(said.text)
    if not text:
        return "a sentence without text was left out"
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f"not in the response: “{shown}” ({said.value or said.problem or 'no label'})"


def _exact_units(units: Sequence[Unit], said: Sequence[SentenceSaid]) -> Iterator[Unit | None]:
    """The unit named by id, else the one with the same text, repeated texts taken in order."""
    by_id = {unit.id: unit for unit in units}
    by_text: dict[str, list[Unit]] = {}
    for unit in units:
        by_text.setdefault(fold_blanks(unit.text), []).append(unit)
    used: dict[str, int] = {}
    for each in said:
        named = by_id.get(each.unit_id) if each.unit_id else None
        if named is not None:
            yield named
            continue
        text = fold_blanks(each.text)
        twins = by_text.get(text)
        if not twins:
            yield None
            continue
        turn = used.get(text, 0)
        used[text] = turn + 1
        yield twins[min(turn, len(twins) - 1)]


def _extent(unit: Unit) -> tuple[int, int]:
    return (unit.span.start, unit.span.end) if unit.span else (0, len(unit.text))


def _aligned(
    item: Item, units: Sequence[Unit], said: Sequence[SentenceSaid], unsure: Sequence[int]
) -> Iterator[tuple[int, str, Landing | None]]:
    located = sorted(
        ((unit.span, unit) for unit in units if unit.span is not None), key=lambda each: each[0]
    )
    field = located[0][0].field if located else ""
    spans = [(span.start, span.end) for span, _ in located]
    # All are aligned, not only the unsure: where their neighbours stand decides between twins.
    matches = align([each.text for each in said], item.text_of(field), spans)
    for number in unsure:
        match = matches[number]
        if match is None:
            yield number, "", None
            continue
        each = said[number]
        whole = match.first == match.last and match.method == "equal"
        span = Span(field=field, start=match.start, end=match.end)
        piece = Piece(text=each.text, span=span, value=each.value, score=match.score)
        for start_end, (_, unit) in zip(
            spans[match.first : match.last + 1],
            located[match.first : match.last + 1],
            strict=True,
        ):
            start, end = max(start_end[0], match.start), min(start_end[1], match.end)
            yield number, unit.id, Landing(number, None if whole else piece, start, end)


def _unique(texts: Iterator[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]


def _problem(criterion: Criterion, said: Sequence[SentenceSaid], here: Sequence[Landing]) -> str:
    for each in here:
        voice = said[each.said]
        if voice.problem:
            return voice.problem
        if voice.value is None:
            if criterion.may_skip:
                continue
            return "the sentence has no label"
        if voice.value not in criterion.scale:
            expected = ", ".join(criterion.scale.values)
            return f"the label {voice.value!r} is not on the scale; expected {expected}"
    return _conflict(said, here) if len(here) > 1 else ""


def _conflict(said: Sequence[SentenceSaid], here: Sequence[Landing]) -> str:
    # A judge caught in a loop repeats one sentence thousands of times; pairs would take seconds.
    if len({said[each.said].value for each in here}) == 1:
        return ""
    for position, one in enumerate(here):
        for other in here[position + 1 :]:
            first, second = said[one.said].value, said[other.said].value
            if first != second and same_part(one, other):
                return f"the sentence is labelled twice: {first} and {second}"
    return ""


def same_part(one: Landing, other: Landing) -> bool:
    """Whether two are about the same words of a unit."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return shared > _SAME * shorter


def _worst(criterion: Criterion, voices: Sequence[SentenceSaid]) -> str | None:
    values = {each.value for each in voices if each.value is not None}
    if len(values) < 2:
        return next(iter(values), None)
    rank = dict(zip(criterion.scale.values, how_severe(criterion.scale), strict=True))
    return max(values, key=lambda value: rank[value])
