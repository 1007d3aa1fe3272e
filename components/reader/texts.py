"""The texts of an item as the reader shows them: reviewed texts with their units, and sources."""

from collections.abc import Mapping, Sequence
from typing import Any

from components.evidence.segments import TextMark, segments
from components.reader.annotation_view import Opinion, Opinions, judged_units, title
from components.reader.views import cut_name
from faithfulness.checks.figures import Figure
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import FIELD_KINDS, Field, Item, Span, Unit, UnitKind

Said = Mapping[str, Sequence[Opinion]]
NOUNS = {UnitKind.SENTENCE: "sentence", UnitKind.CLAIM: "claim", UnitKind.RESPONSE: "text"}


def reviewed_texts(
    item: Item,
    protocol: Protocol,
    opinions: Opinions,
    figures: Sequence[Figure] = (),
    noticed: Sequence[TextMark] = (),
    evidence: Sequence[tuple[str, Span]] = (),
) -> list[dict[str, Any]]:
    """Each reviewed field with its units; other marks are authors' own cuts, figures, findings.

    `evidence` are places that excerpts and findings point at. Two articles whose claims are checked
    in each other are both reviewed and quoted from.
    """
    judged = judged_units(item, protocol, opinions)
    return [
        _reviewed(
            field,
            [each for each in judged if each.field == name],
            _cuts(opinions, name),
            [*_figure_marks(figures), *noticed] if name == "response" else [],
            [TextMark(span.start, span.end, id_) for id_, span in evidence if span.field == name],
        )
        for name in protocol.checked_against
        for field in item.fields
        if field.name == name
    ]


def source_texts(
    item: Item, protocol: Protocol, evidence: Sequence[tuple[str, Span]]
) -> list[dict[str, Any]]:
    """Each source with the places that excerpts, figures and findings point at, by kind."""
    reviewed = set(protocol.checked_against)
    marks: dict[str, list[TextMark]] = {}
    for name, span in evidence:
        marks.setdefault(span.field, []).append(TextMark(span.start, span.end, name))
    order = list(FIELD_KINDS)
    fields = [each for each in item.sources if each.name not in reviewed]
    return [
        {
            "name": field.name,
            "kind": field.kind,
            "group": FIELD_KINDS.get(field.kind, field.kind),
            "title": title(field.name, field.kind),
            "characters": len(field.text),
            "segments": segments(field.text, marks.get(field.name, ())),
        }
        for field in sorted(fields, key=lambda each: order.index(each.kind))
    ]


def places_of_evidence(said: Said, figures: Sequence[Figure]) -> list[tuple[str, Span]]:
    """Where the excerpts and the figures were found, each by its name."""
    quotes = [quote for opinions in said.values() for each in opinions for quote in each.quotes]
    found = [(quote.id, span) for quote in quotes for span in quote.spans]
    found += [(f"figure {at}", span) for at, each in enumerate(figures) for span in each.found]
    return found


def _cuts(opinions: Opinions, field: str) -> list[TextMark]:
    return [
        TextMark(piece.span.start, piece.span.end, name)
        for each in opinions.annotations
        for piece in each.answer.pieces
        if piece.span is not None and piece.span.field == field
        if (name := cut_name(each.author, field, piece.span.start, piece.span.end))
    ]


def _figure_marks(figures: Sequence[Figure]) -> list[TextMark]:
    return [TextMark(each.start, each.end, f"figure {at}") for at, each in enumerate(figures)]


def _reviewed(
    field: Field,
    units: Sequence[Unit],
    cuts: Sequence[TextMark],
    more: Sequence[TextMark],
    evidence: Sequence[TextMark],
) -> dict[str, Any]:
    kind = units[0].kind if units else UnitKind.SENTENCE
    # The shortest first: where units lie inside each other, the inner one owns the words.
    placed = sorted(
        (each.span.end - each.span.start, each.span.start, each.span.end, each.id)
        for each in units
        if each.span is not None and kind is not UnitKind.RESPONSE
    )
    marks = [TextMark(start, end, name) for _, start, end, name in placed]
    # Claims stand under the sentences they came from; only evidence cuts those any further.
    marks += [*evidence] if kind is UnitKind.CLAIM else [*more, *evidence]
    rank = {mark.name: at for at, mark in enumerate(marks)}
    cut = segments(field.text, [*marks, *dict.fromkeys(cuts)])
    return {
        "name": field.name,
        "title": title(field.name, field.kind),
        "kind": NOUNS[kind],
        "segments": [
            (words, sorted(names, key=lambda name: rank.get(name, len(rank))))
            for words, names in cut
        ],
        "units": [
            {
                "id": unit.id,
                "number": at,
                "text": "" if kind is UnitKind.RESPONSE else unit.text,
                "placed": unit.span is not None,
            }
            for at, unit in enumerate(units, start=1)
        ],
    }
