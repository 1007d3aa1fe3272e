"""Draw the reader for one item and return the view that the user selected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from components.evidence.segments import TextMark, segments
from components.reader.annotation_view import (
    Opinion,
    Opinions,
    build_opinions,
    select_judged_units,
    title,
)
from components.reader.counting import counting
from components.reader.findings import noticed
from components.reader.views import build_author_views, looks, make_cut_name, voices
from components.ui.as_data import as_data
from components.ui.label_colors import look
from components.ui.mounted import mount_component
from components.ui.numbers import number
from faithfulness.checks.figures import Figure, match_figures
from faithfulness.judging.request_priority import mark_serving
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import FIELD_KINDS, Annotation, Field, Item, Span, Unit, UnitKind
from faithfulness.protocols import protocol as protocol_of

Said = Mapping[str, Sequence[Opinion]]
NOUNS = {UnitKind.SENTENCE: "sentence", UnitKind.CLAIM: "claim", UnitKind.RESPONSE: "text"}


def build_reviewed_texts(
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
    judged = select_judged_units(item, protocol, opinions)
    return [
        _build_reviewed(
            field,
            [each for each in judged if each.field == name],
            _list_cut_marks(opinions, name),
            [*_build_figure_marks(figures), *noticed] if name == "response" else [],
            [TextMark(span.start, span.end, id_) for id_, span in evidence if span.field == name],
        )
        for name in protocol.checked_against
        for field in item.fields
        if field.name == name
    ]


def build_source_texts(
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


def list_evidence_places(said: Said, figures: Sequence[Figure]) -> list[tuple[str, Span]]:
    """Where the excerpts and the figures were found, each by its name."""
    quotes = [quote for opinions in said.values() for each in opinions for quote in each.quotes]
    found = [(quote.id, span) for quote in quotes for span in quote.spans]
    found += [(f"figure {at}", span) for at, each in enumerate(figures) for span in each.found]
    return found


def _list_cut_marks(opinions: Opinions, field: str) -> list[TextMark]:
    return [
        TextMark(piece.span.start, piece.span.end, name)
        for each in opinions.annotations
        for piece in each.answer.pieces
        if piece.span is not None and piece.span.field == field
        if (name := make_cut_name(each.author, field, piece.span.start, piece.span.end))
    ]


def _build_figure_marks(figures: Sequence[Figure]) -> list[TextMark]:
    return [TextMark(each.start, each.end, f"figure {at}") for at, each in enumerate(figures)]


def _build_reviewed(
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


ACTS = ("meeting mark", "review tick")  # kinds of write, as the store names them
STYLES = ("reader.css", "response.css", "sources.css", "detail.css", "findings.css", "counting.css")
SCRIPTS = (
    *("head.js", "response.js", "claims.js", "sources.js", "search.js", "quotes.js", "detail.js"),
    *("findings.js", "counting.js", "keys.js", "selecting.js", "reader.js"),
)
FILES = (
    *("assets/text.css", "assets/text.js", "assets/marks.js"),
    *("assets/boxes.js", "assets/places.js"),
    *(f"reader/{name}" for name in ("reader.html", *STYLES, *SCRIPTS)),
)
_mount = mount_component("plumbline_reader", *FILES)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReaderView:
    """Where to begin, or where a person is: a unit, whose labels, which of them, what is marked."""

    unit: str = ""
    by: str = ""
    show: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    last_mark: str = ""  # the last press of `m` that is stored
    counts: Mapping[str, Any] = field(default_factory=dict)  # as `counting.build_counts` gives them
    may: tuple[str, ...] = ACTS  # what can be stored from here, of ACTS
    ask: str = ""  # words of the response whose nearest passages are wanted


@mark_serving()  # a fragment is drawn anew without its page
def reader(
    item: Item, protocol: Protocol, opinions: Opinions, *, start: ReaderView, key: str = "reader"
) -> ReaderView:
    """Show an item; the answer is the view a person has chosen by now.

    The data stay the same while units are chosen, so that a choice costs no transfer; `start` only
    says where to begin.
    """
    said = tuple(opinions.annotations)
    reasons, decided_in = tuple(opinions.reasons), tuple(opinions.decided_in)
    data = build_reader_data(item, protocol.key, said, reasons, decided_in)
    begin = {name: getattr(start, name) for name in ("unit", "by", "show", "marked", "counts")}
    given = [_format_given_number(*each) for each in opinions.given]
    result: Any = _mount(
        key=key,
        data=data
        | {"start": begin, "given": given, "lastMark": start.last_mark, "may": list(start.may)},
        on_unit_change=_do_nothing,
        on_action_change=_do_nothing,
        on_marks_change=_do_nothing,
        on_ticks_change=_do_nothing,
    )
    done = result.action or {}
    return ReaderView(
        unit=str(result.unit or start.unit),
        by=str(done.get("by") or start.by),
        show=tuple(map(str, done.get("show", start.show))),
        marked=start.marked,
        ask=str(done.get("ask") or "")[:2_000],
    )


@lru_cache(maxsize=8)
def build_reader_data(
    item: Item,
    protocol_key: str,
    annotations: tuple[Annotation, ...],
    reasons: tuple[tuple[int, str | None, str, str], ...] = (),
    decided_in: tuple[tuple[int, str], ...] = (),
) -> dict[str, Any]:
    """Everything the browser is told of an item; kept, because every choice asks for it again."""
    protocol = protocol_of(protocol_key)
    opinions = Opinions(annotations=annotations, reasons=reasons, decided_in=decided_in)
    said = build_opinions(item, protocol, opinions)
    found = (
        match_figures(item.text_of("response"), item.sources)
        if any(each.kind == "product" for each in item.sources)
        else ()
    )
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    checked = noticed(item, select_judged_units(item, protocol, opinions), titles)
    evidence = [*list_evidence_places(said, found), *checked.places]
    return {
        "item": item.id,
        "query": item.text_of("query") or item.text_of("topic"),
        "asked": "Query" if item.text_of("query") else "Topic",
        "protocol": protocol.key,
        "criteria": [_build_criterion(each) for each in protocol.criteria],
        "reviewed": build_reviewed_texts(item, protocol, opinions, found, checked.said, evidence),
        "sources": build_source_texts(item, protocol, evidence),
        "figures": [(each.kind, bool(each.found)) for each in found],
        "noticed": checked.units,
        "addressed": checked.addressed,
        "cannot": checked.cannot,
        "counting": counting(item),
        "looks": looks(protocol, said),
        "views": build_author_views(item, protocol, opinions, said),
        "voices": voices(protocol, annotations),
        "said": {unit: [each.as_data() for each in told] for unit, told in said.items()},
    }


def _format_given_number(
    kind: str, author: str, name: str, value: float | None
) -> tuple[str, str, str, str]:
    return kind, author, name, number(value)


def _build_criterion(criterion: Criterion) -> dict[str, Any]:
    return {
        "key": criterion.key,
        "question": criterion.question,
        "ordinal": criterion.scale.ordinal,
        "labels": [
            {"value": each.value, "meaning": each.meaning} | as_data(look(each, criterion.scale))
            for each in criterion.scale.labels
        ],
        "checklist": [as_data(each) for each in criterion.checklist],
    }


def _do_nothing() -> None:
    """Streamlit only reports a state that has a callback."""
