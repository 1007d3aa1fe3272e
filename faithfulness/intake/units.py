"""Build the units of a draft's item: its sentences, its claims or the whole response."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from faithfulness.model.drafts import Draft, DraftAnswer, Stated
from faithfulness.model.vocabulary import (
    Field,
    Item,
    Span,
    Unit,
    UnitKind,
    compute_item_id,
    make_claim_id,
    make_response_unit,
)
from faithfulness.protocols import protocol
from faithfulness.text.alignment import align_sentences
from faithfulness.text.sentences import CUTTER, cut_sentences

FILE_CUT = "file"  # the cutter's name where the file brought its own sentences
_REVIEWED = "response"


class Built(NamedTuple):
    """An item with all units its draft speaks about."""

    item: Item
    unit_ids: dict[int, str]  # by position in draft.said, for labels on claims and the response


def build_item(draft: Draft, known: Item | None = None) -> Built:
    """The draft's item; a known one keeps its units, so that everybody answers about the same."""
    fields = known.fields if known is not None else draft.fields
    texts = {field.name: field.text for field in fields}
    if known is not None:
        units, cutter = list(known.units), known.cutter
    else:
        units = list(build_sentence_units(draft, texts.get(_REVIEWED, "")))
        cutter = CUTTER if draft.cut is None else FILE_CUT
    have = {unit.id for unit in units}
    unit_ids = _name_label_units(draft.said)
    if "response" not in have and _has_response_answers(draft, texts, unit_ids):
        units.append(make_response_unit(_REVIEWED, texts.get(_REVIEWED, "")))
    units.extend(_build_claim_units(draft, unit_ids, texts, have))
    return Built(
        Item(
            id=known.id if known is not None else compute_item_id(draft.fields, draft.occurrence),
            fields=tuple(fields),
            units=tuple(units),
            cutter=cutter,
        ),
        unit_ids,
    )


def _has_response_answers(
    draft: Draft, texts: Mapping[str, str], unit_ids: Mapping[int, str]
) -> bool:
    """An item without a response, such as a topic with claims, has no such unit by itself."""
    if _REVIEWED in texts or "response" in unit_ids.values():
        return True
    return bool(draft.replies) and protocol(draft.protocol).unit is UnitKind.RESPONSE


def locate_sentences(
    said: Sequence[str], text: str, language: str = "en"
) -> list[tuple[int, int] | None]:
    """Where sentences of somebody's own cut stand in the text, in order; None where they do not."""
    found: list[tuple[int, int] | None] = []
    cursor = 0
    for each in said:
        wanted = each.strip()
        start = text.find(wanted, cursor) if wanted else -1
        found.append((start, start + len(wanted)) if start >= 0 else None)
        cursor = start + len(wanted) if start >= 0 else cursor
    if None not in found:
        return found
    matches = align_sentences(said, text, cut_sentences(text, language))
    for position, match in enumerate(matches):
        if found[position] is None and match is not None:
            found[position] = _clip_to_gap(found, position, match.start, match.end)
    return found


def _clip_to_gap(
    found: Sequence[tuple[int, int] | None], position: int, start: int, end: int
) -> tuple[int, int] | None:
    """The part of a range that its neighbours leave free; None when they leave less than half."""
    taken = [each for index, each in enumerate(found) if each is not None and index != position]
    low = max((each[1] for each in taken if each[0] <= start), default=0)
    high = min((each[0] for each in taken if each[0] > start), default=end)
    free = max(start, low), min(end, high)
    return free if 2 * (free[1] - free[0]) > end - start else None


def build_sentence_units(draft: Draft, text: str) -> Iterator[Unit]:
    """The sentences of the reviewed text: the file's own, else as our cutter finds them."""
    language = draft.attributes.get("language", "en")
    if draft.cut is None:
        spans: Iterable[tuple[int, int] | None] = cut_sentences(text, language)
        said: Sequence[str] | None = None
    else:
        said = [each for each in draft.cut if each.strip()]
        spans = locate_sentences(said, text, language)
    for number, place in enumerate(spans):
        yield Unit(
            id=f"s{number + 1}",
            kind=UnitKind.SENTENCE,
            field=_REVIEWED,
            text=text[slice(*place)] if said is None and place else (said or [""])[number],
            span=Span(field=_REVIEWED, start=place[0], end=place[1]) if place else None,
        )


def _name_label_units(said: Sequence[DraftAnswer]) -> dict[int, str]:
    """The unit of every label on a claim or the response; the same claim twice is two claims."""
    seen: Counter[tuple[object, ...]] = Counter()
    unit_ids = {}
    for position, each in enumerate(said):
        if each.unit is UnitKind.CLAIM:
            key = (each.author, each.criterion, each.field, each.sentence, each.text)
            seen[key] += 1
            unit_ids[position] = make_claim_id(each.field, each.sentence, each.text, seen[key])
        elif each.unit is UnitKind.RESPONSE:
            unit_ids[position] = "response"
    return unit_ids


def _build_claim_units(
    draft: Draft, unit_ids: dict[int, str], texts: dict[str, str], have: set[str]
) -> list[Unit]:
    fresh: dict[str, DraftAnswer | Stated] = {}
    for position, each in enumerate(draft.said):
        if each.unit is UnitKind.CLAIM and unit_ids[position] not in have:
            fresh.setdefault(unit_ids[position], each)
    seen: Counter[Stated] = Counter()
    for claim in draft.claims:
        seen[claim] += 1
        unit_id = make_claim_id(claim.field, claim.sentence, claim.text, seen[claim])
        if unit_id not in have:
            fresh.setdefault(unit_id, claim)
    spans = _locate_claim_sentences(draft, fresh.values(), texts)
    return [
        Unit(
            id=unit_id,
            kind=UnitKind.CLAIM,
            field=source.field,
            text=source.text,
            span=spans.get((source.field, source.sentence)),
        )
        for unit_id, source in fresh.items()
    ]


def _locate_claim_sentences(
    draft: Draft, claims: Iterable[DraftAnswer | Stated], texts: dict[str, str]
) -> dict[tuple[str, str], Span]:
    """Where the sentences stand that claims came from."""
    by_field: dict[str, dict[str, None]] = {}
    for each in claims:
        if each.sentence.strip():
            by_field.setdefault(each.field, {})[each.sentence] = None
    spans = {}
    for field, sentences in by_field.items():
        places = _locate_each(list(sentences), texts.get(field, ""), draft)
        for sentence, place in zip(sentences, places, strict=True):
            if place is not None:
                spans[field, sentence] = Span(field=field, start=place[0], end=place[1])
    return spans


def _locate_each(sentences: list[str], text: str, draft: Draft) -> list[tuple[int, int] | None]:
    """Claims' sentences may come in any order and overlap, unlike a cut."""
    places: list[tuple[int, int] | None] = []
    for sentence in sentences:
        wanted = sentence.strip()
        start = text.find(wanted)
        places.append((start, start + len(wanted)) if start >= 0 else None)
    if None in places:
        canonical = cut_sentences(text, draft.attributes.get("language", "en"))
        for position, match in enumerate(align_sentences(sentences, text, canonical)):
            if places[position] is None and match is not None:
                places[position] = (match.start, match.end)
    return places


def select_sources(item: Item, kinds: Sequence[str], reviewed: str) -> tuple[Field, ...]:
    """The fields that a unit of `reviewed` may quote from: those its protocol names, else all.

    The text that is reviewed is no source of its own claims.
    """
    named = tuple(field for field in item.fields if field.kind in kinds)
    return tuple(field for field in named or item.sources if field.name != reviewed)
