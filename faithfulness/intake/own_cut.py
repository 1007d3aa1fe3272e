"""A file's own sentences brought to an item whose sentences are stored already, cut differently."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from faithfulness.intake.units import sentence_units
from faithfulness.model.drafts import Draft, Said
from faithfulness.model.vocabulary import Item, Unit, UnitKind
from faithfulness.replies.matching import SentenceSaid, land
from faithfulness.text.normalise import fold_blanks
from faithfulness.text.sentences import CUTTER


class Fitted(NamedTuple):
    """A draft that speaks about the stored sentences of its item."""

    draft: Draft
    item: Item  # with the sentences that it gains
    is_cut_differently: bool  # whether the file has a sentence that is not stored as one
    gained: int


def fit_to(draft: Draft, known: Item) -> Fitted:
    """Bring a draft's own sentences to the stored ones; those on none of them are added."""
    stored = known.units_of(UnitKind.SENTENCE)
    own = _own_sentences(draft, known)
    if _have_same_places(own, stored[: len(own)]):
        return Fitted(draft, known, False, 0)
    sentences = [SentenceSaid(unit.text, None, start=_start(unit), end=_end(unit)) for unit in own]
    gained = [own[number] for number in land(known, sentences).lost]
    added = tuple(
        replace(unit, id=f"s{number}") for number, unit in enumerate(gained, start=len(stored) + 1)
    )
    item = replace(known, units=(*known.units, *added))
    places = {(unit.text, unit.span) for unit in stored}
    differs = any((unit.text, unit.span) not in places for unit in own)
    said = _with_offsets(draft.said, own, item)
    return Fitted(draft._replace(said=said), item, differs, len(added))


def _own_sentences(draft: Draft, known: Item) -> Sequence[Unit]:
    """The sentences that the file would have brought; none where they must be the stored ones."""
    if draft.cut is None and known.cutter in (CUTTER, ""):
        return ()
    return tuple(sentence_units(draft, known.text_of("response")))


def _have_same_places(own: Sequence[Unit], stored: Sequence[Unit]) -> bool:
    return [(each.text, each.span) for each in own] == [(each.text, each.span) for each in stored]


def _with_offsets(said: Sequence[Said], own: Sequence[Unit], item: Item) -> list[Said]:
    """The labels with the places of their sentences; the file's numbers of sentences go.

    A sentence that stands twice is found by its number, else in the order in which one author
    answers one question about it.
    """
    by_id = {unit.id: unit for unit in own}
    by_text: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in own:
        by_text[fold_blanks(unit.text)].append(unit)
    turns: Counter[tuple[object, ...]] = Counter()
    placed = []
    for each in said:
        if each.unit is not UnitKind.SENTENCE:
            placed.append(each)
            continue
        meant = by_id.get(each.unit_id) if each.unit_id else None
        if meant is None and (twins := by_text.get(fold_blanks(each.text))):
            key = (each.author, each.criterion, fold_blanks(each.text))
            meant = twins[min(turns[key], len(twins) - 1)]
            turns[key] += 1
        placed.append(_at_place_of(each, meant, item))
    return placed


def _at_place_of(said: Said, unit: Unit | None, item: Item) -> Said:
    if unit is None:
        return said._replace(unit_id="")
    said = said._replace(text=said.text or unit.text, unit_id="")
    if unit.span is None or said.start is not None:
        return said
    words = item.text_of(unit.field)[unit.span.start : unit.span.end]
    if fold_blanks(words) != fold_blanks(said.text):
        return said
    return said._replace(start=unit.span.start, end=unit.span.end)


def _start(unit: Unit) -> int | None:
    return unit.span.start if unit.span else None


def _end(unit: Unit) -> int | None:
    return unit.span.end if unit.span else None
