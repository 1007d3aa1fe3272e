"""Map sentences as segmented by an annotator to the sentence units of the item."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from faithfulness.model.protocol import Criterion, ReplyReading
from faithfulness.model.scale import rank_severity
from faithfulness.model.vocabulary import (
    Answer,
    Excerpt,
    Item,
    Piece,
    Span,
    Unit,
    UnitKind,
    make_unread_answer,
)
from faithfulness.text.alignment import align_sentences, is_whole_words
from faithfulness.text.canonical import strip_marks
from faithfulness.text.normalise import fold_blanks, reduce_text


class MatchedUnits(NamedTuple):
    """The units that one sentence of a reply is about, by their numbers in the item."""

    first: int
    last: int
    is_certain: bool  # known by its id or by its very words, not by similar ones

    @property
    def units(self) -> range:
        return range(self.first, self.last + 1)


def find_ambiguous(places: Sequence[MatchedUnits | None], unit_count: int) -> set[int]:
    """Find the similar sentences whose position in the reply does not confirm their place.

    A position confirms a place in two cases. Between two certain neighbours, the similar sentences
    are about exactly the units that lie between them, in the same order. Or a single unit is left
    that no certain sentence is about.

    Args:
        places: of the reply's sentences in their order; None for one that resembles no unit.
        unit_count: how many units the item has.
    """
    taken = {unit for place in places if place and place.is_certain for unit in place.units}
    left = [unit for unit in range(unit_count) if unit not in taken]
    ambiguous: set[int] = set()
    similar: list[tuple[int, MatchedUnits]] = []
    before = -1
    for number, place in enumerate([*places, MatchedUnits(unit_count, unit_count, True)]):
        if place is None:
            continue
        if not place.is_certain:
            similar.append((number, place))
            continue
        between = [unit for unit in left if before < unit < place.first]
        if not _is_filled(between, [place for _, place in similar]):
            ambiguous |= {number for number, each in similar if list(each.units) != left}
        similar, before = [], place.last
    return ambiguous


def _is_filled(gap: Sequence[int], places: Sequence[MatchedUnits]) -> bool:
    """Whether the places cover each unit of the gap and no other one, in order."""
    in_order = all(one.last <= other.first for one, other in pairwise(places))
    return in_order and {unit for place in places for unit in place.units} == set(gap)


_SHOWN = 80  # characters of a foreign sentence quoted in a note
_AMBIGUOUS = "in other words, and its position does not show which sentence is meant"
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
    start: int | None = None  # where the author says that the text stands in the response
    end: int | None = None


class Landing(NamedTuple):
    """A said sentence on one unit; `piece` is None when it is the unit itself."""

    said: int
    piece: Piece | None
    start: int  # the part of the unit that is meant, in characters of the field
    end: int


class Landed(NamedTuple):
    """Where sentences landed, which are about no unit, and what is uncertain about the others."""

    by_unit: dict[str, list[Landing]]
    lost: list[int]
    doubts: dict[int, str]  # by number of the sentence


NOTHING_SAID = "the reply says nothing about this sentence"


def map_to_units(
    item: Item,
    criterion: Criterion,
    said: Sequence[SentenceSaid],
    *,
    complete: bool,
    nothing_said: str = NOTHING_SAID,
) -> ReplyReading:
    """Answers on the item's sentences; what the author said in other words is kept as Pieces.

    Args:
        item: the item whose sentences are the units.
        criterion: the question that was answered.
        said: the author's sentences in their own order.
        complete: a judge's reply speaks about all sentences, so a missing one is Unread, and a
            sentence in other words counts only where its position is unambiguous; rows of a file
            may leave sentences out.
        nothing_said: the problem of a sentence that a reply does not speak about.
    """
    notes: list[str] = []
    problems: dict[str, str] = {}
    if complete:
        said = _mark_wrong_ids(item, said)
    landed = land_sentences(item, said)
    if complete:
        notes, problems = _settle_other_words(item, said, landed)
    answers = []
    for unit in item.units_of(UnitKind.SENTENCE):
        here = landed.by_unit.get(unit.id)
        if here:
            answers.append(build_answer(unit, criterion, said, here))
        elif complete:
            problem = problems.get(unit.id, nothing_said)
            answers.append(make_unread_answer(unit.id, criterion.key, problem))
    notes += [make_nowhere_note(item, said[number]) for number in landed.lost]
    return ReplyReading(tuple(answers), tuple(notes))


def has_same_words(one: str, other: str) -> bool:
    """Whether two sentences differ in nothing but letter case, blanks, quotes and end marks."""
    return one == other or strip_marks(reduce_text(one)) == strip_marks(reduce_text(other))


def _mark_wrong_ids(item: Item, said: Sequence[SentenceSaid]) -> list[SentenceSaid]:
    """The sentences; one with the id of a unit and the words of another gets a problem."""
    units = {unit.id: unit for unit in item.units_of(UnitKind.SENTENCE)}
    located = _list_located_units(item)
    spans = [(span.start, span.end) for span, _ in located]
    checked = []
    for each in said:
        unit = units.get(each.unit_id)
        match = None
        if unit is not None and each.text and not has_same_words(each.text, unit.text):
            (match,) = align_sentences([each.text], _get_reviewed_text(item), spans)
        if unit is not None and match is not None:
            meant = {located[number][1].id for number in range(match.first, match.last + 1)}
            if unit.id not in meant:
                problem = f"the reply gives the id {unit.id} to another sentence"
                each = each._replace(value=None, problem=each.problem or problem)
        checked.append(each)
    return checked


def _settle_other_words(
    item: Item, said: Sequence[SentenceSaid], landed: Landed
) -> tuple[list[str], dict[str, str]]:
    """Take sentences in other words off the units where their position is ambiguous.

    Answers the notes on all sentences in other words, and the problems of the units, by id, that
    only ambiguous ones may be about.
    """
    units = item.units_of(UnitKind.SENTENCE)
    numbers: dict[int, list[int]] = {}
    similar: set[int] = set()
    for number, unit in enumerate(units):
        for landing in landed.by_unit.get(unit.id, ()):
            numbers.setdefault(landing.said, []).append(number)
            if landing.piece is not None and (landing.piece.score or 0) < 100:
                similar.add(landing.said)
    places = {
        number: MatchedUnits(min(here), max(here), number not in similar)
        for number, here in numbers.items()
    }
    ambiguous = find_ambiguous([places.get(number) for number in range(len(said))], len(units))
    notes: list[str] = []
    problems: dict[str, str] = {}
    for number, here in sorted(numbers.items()):
        text = said[number].text
        if number in ambiguous:
            notes.append(f"{_AMBIGUOUS}: {_quote_text(text)}")
            problems |= {units[unit].id: f"{_AMBIGUOUS}: {_quote_text(text)}" for unit in here}
        elif number in similar or _has_id_of_other_words(said[number], units[here[0]]):
            meant = " ".join(units[unit].text for unit in here)
            notes.append(f"in other words: {_quote_text(text)} was taken for {_quote_text(meant)}")
    for unit_id, landings in landed.by_unit.items():
        landed.by_unit[unit_id] = [each for each in landings if each.said not in ambiguous]
    return notes, problems


def _has_id_of_other_words(said: SentenceSaid, unit: Unit) -> bool:
    named = said.unit_id == unit.id and said.text != "" and not said.problem
    return named and not has_same_words(said.text, unit.text)


def land_sentences(item: Item, said: Sequence[SentenceSaid]) -> Landed:
    """Find the units that each sentence is about.

    Offsets that hold the sentence's words come first, then units of the same text, then similar
    ones, and last the place where the words stand, however short they are.
    """
    units = item.units_of(UnitKind.SENTENCE)
    landed = Landed({}, [], {})
    unsure = []
    located = _Located(item, units)
    for number, (each, unit) in enumerate(zip(said, _match_exact_units(units, said), strict=True)):
        if located.has_at_offsets(each):
            _add_landings(landed, located.landings(number, each, each.start or 0, each.end or 0))
        elif unit is None:
            unsure.append(number)
        else:
            _add_landings(landed, [(unit.id, Landing(number, None, *_get_extent(unit)))])
    if unsure:
        _land_unsure(item, units, said, unsure, located, landed)
    for number, each in enumerate(said):
        if each.start is not None and not located.has_at_offsets(each):
            landed.doubts[number] = located.wrong_offsets(each)
    return landed


def _land_unsure(
    item: Item,
    units: Sequence[Unit],
    said: Sequence[SentenceSaid],
    unsure: Sequence[int],
    located: "_Located",
    landed: Landed,
) -> None:
    """Land sentences that are no unit's text: aligned, else where their words stand."""
    for number, unit_id, landing in _align_unsure(item, units, said, unsure):
        places = located.places_of(said[number].text)
        found = [] if landing is None else [(unit_id, landing)]
        if not found and places:
            found = located.landings(number, said[number], *places[0])
        _add_landings(landed, found)
        if not found:
            landed.lost.append(number)
        elif len(places) > 1:
            landed.doubts[number] = _make_ambiguity_note(said[number].text, len(places))
    for here in landed.by_unit.values():
        here.sort(key=lambda each: each.said)


def _add_landings(landed: Landed, found: Sequence[tuple[str, Landing]]) -> None:
    for unit_id, landing in found:
        landed.by_unit.setdefault(unit_id, []).append(landing)


def build_answer(
    unit: Unit, criterion: Criterion, said: Sequence[SentenceSaid], here: Sequence[Landing]
) -> Answer:
    """One answer on a unit from all that was said about it, the most severe label if several."""
    if len(here) == 1:
        return _build_only_answer(unit, criterion, said, here)
    voices = [said[each.said] for each in here]
    problem = _find_problem(criterion, said, here)
    value = None if problem else _find_most_severe(criterion, voices)
    leading = next((each for each in voices if each.value == value), voices[0])
    return Answer(
        unit_id=unit.id,
        criterion=criterion.key,
        value=value,
        rationale="\n".join(_list_unique(each.rationale for each in voices)),
        excerpts=tuple(
            Excerpt(text=text)
            for text in _list_unique(text for each in voices for text in each.excerpts)
        ),
        confidence=leading.confidence,
        pieces=tuple(each.piece for each in here if each.piece is not None),
        problem=problem,
    )


def _build_only_answer(
    unit: Unit, criterion: Criterion, said: Sequence[SentenceSaid], here: Sequence[Landing]
) -> Answer:
    """The common case, one sentence for one unit, without the work of joining."""
    voice, piece = said[here[0].said], here[0].piece
    problem = _find_problem(criterion, said, here)
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


def make_nowhere_note(item: Item, said: SentenceSaid) -> str:
    """The note on a sentence that is about none of the item's units."""
    text = fold_blanks(said.text)
    if not text:
        return "a sentence without text was left out"
    label = said.value or said.problem or "no label"
    text_reviewed = fold_blanks(_get_reviewed_text(item))
    if text not in text_reviewed:
        return f"not in the response: {_quote_text(text)} ({label})"
    if find_words(text, text_reviewed):
        return f"in the response, but in none of its sentences: {_quote_text(text)} ({label})"
    return f"in the response only inside a longer word: {_quote_text(text)} ({label})"


def _make_ambiguity_note(text: str, times: int) -> str:
    return (
        f"the response has {_quote_text(fold_blanks(text))} {times} times and the file does "
        "not say "
        "which is meant; add offsets where that matters"
    )


def _quote_text(text: str) -> str:
    return f"“{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}”"


def find_words(words: str, text: str) -> list[tuple[int, int]]:
    """Where words stand in a text, letter for letter and not inside a longer word."""
    if not words.split():
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    found = (match.span() for match in pattern.finditer(text))
    return [place for place in found if is_whole_words(text, *place)]


class _Located:
    """The sentences of a response that have a place in it, in the order of the text."""

    def __init__(self, item: Item, units: Sequence[Unit]) -> None:
        spans = ((unit.span, unit.id) for unit in units if unit.span is not None)
        self._spans = sorted(spans, key=lambda each: each[0])
        self._starts = [span.start for span, _ in self._spans]
        self._ends = [span.end for span, _ in self._spans]
        self._text = _get_reviewed_text(item)
        self._places: dict[str, list[tuple[int, int]]] = {}

    def has_at_offsets(self, said: SentenceSaid) -> bool:
        """Whether the author's offsets hold the author's words and touch a sentence."""
        start, end = said.start, said.end
        if start is None or end is None or not 0 <= start < end <= len(self._text):
            return False
        words = self._text[start:end]
        if words != said.text and fold_blanks(words) != fold_blanks(said.text):
            return False
        return bool(self.landings(0, said, start, end))

    def wrong_offsets(self, said: SentenceSaid) -> str:
        """The complaint about offsets that hold other words than the sentence."""
        words = self._text[max(said.start or 0, 0) : max(said.end or 0, 0)]
        holds = f"hold {_quote_text(words)}" if words else "hold nothing"
        return (
            f"the offsets {said.start} to {said.end} {holds}, not {_quote_text(said.text)}; "
            "the words "
            "were looked for instead"
        )

    def places_of(self, words: str) -> list[tuple[int, int]]:
        """Where these words stand; kept, as a judge in a loop says one thing thousands of times."""
        if words not in self._places:
            self._places[words] = find_words(words, self._text)
        return self._places[words]

    def landings(
        self, number: int, said: SentenceSaid, start: int, end: int
    ) -> list[tuple[str, Landing]]:
        """A range of the response on every sentence that it touches."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        touched = self._spans[first:last]
        if not touched:
            return []
        span = Span(field=touched[0][0].field, start=start, end=end)
        piece = Piece(text=said.text, span=span, value=said.value, score=100.0)
        return [
            (
                unit_id,
                Landing(
                    number,
                    None if span == other else piece,
                    max(start, other.start),
                    min(end, other.end),
                ),
            )
            for other, unit_id in touched
        ]


def _match_exact_units(
    units: Sequence[Unit], said: Sequence[SentenceSaid]
) -> Iterator[Unit | None]:
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


def _list_located_units(item: Item) -> list[tuple[Span, Unit]]:
    """The sentences that have a place in the response, in the order of the text."""
    units = item.units_of(UnitKind.SENTENCE)
    found = [(unit.span, unit) for unit in units if unit.span is not None]
    return sorted(found, key=lambda each: each[0])


def _get_reviewed_text(item: Item) -> str:
    """The text whose sentences are the item's units."""
    fields = (unit.field for unit in item.units_of(UnitKind.SENTENCE))
    return item.text_of(next(fields, "response"))


def _get_extent(unit: Unit) -> tuple[int, int]:
    return (unit.span.start, unit.span.end) if unit.span else (0, len(unit.text))


def _align_unsure(
    item: Item, units: Sequence[Unit], said: Sequence[SentenceSaid], unsure: Sequence[int]
) -> Iterator[tuple[int, str, Landing | None]]:
    located = _list_located_units(item)
    field = located[0][0].field if located else ""
    spans = [(span.start, span.end) for span, _ in located]
    # All are aligned, not only the unsure: where their neighbours stand decides between twins.
    matches = align_sentences([each.text for each in said], item.text_of(field), spans)
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


def _list_unique(texts: Iterator[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]


def _find_problem(
    criterion: Criterion, said: Sequence[SentenceSaid], here: Sequence[Landing]
) -> str:
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
    return _find_conflict(said, here) if len(here) > 1 else ""


def _find_conflict(said: Sequence[SentenceSaid], here: Sequence[Landing]) -> str:
    # A judge caught in a loop repeats one sentence thousands of times; pairs would take seconds.
    if len({said[each.said].value for each in here}) == 1:
        return ""
    for position, one in enumerate(here):
        for other in here[position + 1 :]:
            first, second = said[one.said].value, said[other.said].value
            if first != second and is_same_part(one, other):
                return f"the sentence is labelled twice: {first} and {second}"
    return ""


def is_same_part(one: Landing, other: Landing) -> bool:
    """Whether two are about the same words of a unit."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return shared > _SAME * shorter


def _find_most_severe(criterion: Criterion, voices: Sequence[SentenceSaid]) -> str | None:
    values = {each.value for each in voices if each.value is not None}
    if len(values) < 2:
        return next(iter(values), None)
    rank = dict(zip(criterion.scale.values, rank_severity(criterion.scale), strict=True))
    return max(values, key=lambda value: rank[value])
