"""The texts of an item as the reader shows them: reviewed texts with their units, and sources."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from components.label_colors import NOT_JUDGED, Look, look_of
from components.reader.said import Opinion, Opinions, title
from components.reader.segments import Mark, segments
from faithfulness.protocol import Criterion, Protocol
from faithfulness.vocabulary import Field, Item, Unit, UnitKind

Said = Mapping[str, Sequence[Opinion]]
NOUNS = {UnitKind.SENTENCE: "sentence", UnitKind.CLAIM: "claim", UnitKind.RESPONSE: "text"}


def reviewed_texts(
    item: Item, protocol: Protocol, opinions: Opinions, said: Said
) -> list[dict[str, Any]]:
    """Each reviewed field with its units, coloured by the labels of the author who is shown."""
    looks = _looks(protocol.criteria[0], opinions)
    found = []
    for name in protocol.checked_against:
        for field in (each for each in item.fields if each.name == name):
            units = [
                unit for unit in item.units if unit.kind == protocol.unit and unit.field == name
            ]
            differing = {unit.id for unit in units if _differ(unit, protocol.criteria[0], said)}
            found.append(_reviewed(field, units, looks, differing))
    return found


def source_texts(item: Item, protocol: Protocol, said: Said) -> list[dict[str, Any]]:
    """Each source with the places that excerpts were found in."""
    reviewed = set(protocol.checked_against)
    marks: dict[str, list[Mark]] = {}
    for opinions in said.values():
        for quote in (quote for opinion in opinions for quote in opinion.quotes):
            for span in quote.spans:
                marks.setdefault(span.field, []).append(Mark(span.start, span.end, quote.id))
    return [
        {
            "name": field.name,
            "title": title(field.name, field.kind),
            "characters": len(field.text),
            "segments": segments(field.text, marks.get(field.name, ())),
        }
        for field in item.sources
        if field.name not in reviewed
    ]


def _looks(criterion: Criterion, opinions: Opinions) -> dict[str, Look]:
    return {
        each.answer.unit_id: look_of(each.answer, criterion)
        for each in opinions.annotations
        if each.author == opinions.shown and each.answer.criterion == criterion.key
    }


def _reviewed(
    field: Field, units: Sequence[Unit], looks: Mapping[str, Look], differing: set[str]
) -> dict[str, Any]:
    kind = units[0].kind if units else UnitKind.SENTENCE
    running = kind is UnitKind.SENTENCE
    spans = [
        Mark(unit.span.start, unit.span.end, unit.id)
        for unit in units
        if unit.span is not None and kind is not UnitKind.RESPONSE
    ]
    counts = Counter(looks.get(unit.id, NOT_JUDGED) for unit in units)
    return {
        "name": field.name,
        "title": title(field.name, field.kind),
        "kind": NOUNS[kind],
        "running": running,
        "segments": segments(field.text, spans),
        "units": [
            {
                "id": unit.id,
                "number": number,
                "text": "The whole text" if kind is UnitKind.RESPONSE else unit.text,
                "look": asdict(looks.get(unit.id, NOT_JUDGED)),
                "differ": unit.id in differing,
            }
            for number, unit in enumerate(units, start=1)
        ],
        "counts": [{**asdict(look), "count": count} for look, count in counts.most_common()],
    }


def _differ(unit: Unit, criterion: Criterion, said: Said) -> bool:
    """Whether people and judges read the unit differently; what is unread says nothing."""
    opinions = [each for each in said.get(unit.id, ()) if each.criterion == criterion.key]
    return len({each.look.title for each in opinions if not each.problem}) > 1
