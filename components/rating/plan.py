"""Data for the rating form: texts, units, criteria and hints from checks."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from components.contradictions.evidence import split_context
from components.evidence.segments import TextMark, segments
from components.reader.annotation_view import title
from components.reader.findings import noticed
from components.ui.as_data import as_data
from components.ui.label_colors import look
from faithfulness.intake import rating_path
from faithfulness.model.protocol import Criterion, EvidenceKind, Protocol
from faithfulness.model.vocabulary import Field, Item, Span, Unit, UnitKind
from faithfulness.protocols import protocol as protocol_of
from faithfulness.review import rating
from faithfulness.text.sentences import cut_sentences

NOUNS = {UnitKind.SENTENCE: "sentence", UnitKind.CLAIM: "claim", UnitKind.RESPONSE: "text"}
ARTICLES = {"response": "Prediction", "reference": "Reference"}


@lru_cache(maxsize=8)
def build_item_plan(item: Item, protocol_key: str) -> dict[str, Any]:
    """The part that is the same for every rater; kept, because every step asks for it again."""
    protocol = protocol_of(protocol_key)
    units = _build_units(item, protocol)
    asked = {
        each.key: each for found in rating.list_steps(item, protocol).values() for each in found
    }
    return {
        "item": item.id,
        "query": item.text_of("query") or item.text_of("topic"),
        "asked": "Query" if item.text_of("query") else "Topic",
        "units": units,
        "reviewed": [
            _build_reviewed(field, units, item, protocol)
            for name in protocol.checked_against
            for field in item.fields
            if field.name == name
        ],
        "sources": [_build_source(each, protocol, item) for each in _list_sources(item, protocol)],
        "criteria": {key: _build_criterion(each, protocol) for key, each in asked.items()},
        "needs": {
            "kind": protocol.evidence.kind.value,
            "required_for": sorted(protocol.evidence.required_for),
        },
        "hints": hints(item, protocol),
    }


def hints(item: Item, protocol: Protocol) -> dict[str, list[dict[str, Any]]]:
    """What the checks found on each unit; the form shows it once the unit is answered."""
    units = list(rating.list_units_to_rate(item, protocol))
    if protocol.key == rating.GUIDED:
        text = item.text_of("response")
        units = [
            Unit(
                id=name,
                kind=UnitKind.SENTENCE,
                field="response",
                text=text[start:end],
                span=Span(field="response", start=start, end=end),
            )
            for name, start, end in rating_path.list_statements(item)
        ]
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    found = noticed(item, units, titles).units
    return {each.id: found[each.id] for each in units if each.id in found}


def _build_units(item: Item, protocol: Protocol) -> list[dict[str, Any]]:
    if protocol.key == rating.GUIDED:
        return _build_path_units(item, protocol)
    units = rating.list_units_to_rate(item, protocol)
    sides = {field: [each for each in units if each.field == field] for field in ARTICLES}
    return [_build_unit(unit, sides.get(unit.field, list(units)), item, protocol) for unit in units]


def _build_unit(
    unit: Unit, beside: Sequence[Unit], item: Item, protocol: Protocol
) -> dict[str, Any]:
    noun = NOUNS[unit.kind]
    number = [each.id for each in beside].index(unit.id) + 1
    claim = unit.kind is UnitKind.CLAIM
    side = f" of the {ARTICLES[unit.field].lower()}" if claim and unit.field in ARTICLES else ""
    whole = unit.kind is UnitKind.RESPONSE
    return {
        "id": unit.id,
        "field": unit.field,
        "title": "Your answer" if whole else f"{noun.capitalize()} {number} of {len(beside)}{side}",
        "text": "" if whole else unit.text,
        # A claim is read in the sentence it was drawn from, and that among its neighbors.
        "origin": split_context(item, unit.span) if claim and unit.span else None,
        "row": claim or (unit.span is None and not whole),
        "wide": whole,
        "criteria": [each.key for each in protocol.criteria],
    }


def _build_path_units(item: Item, protocol: Protocol) -> list[dict[str, Any]]:
    """The guided path: what kind of query, each statement, and the answer they lead to."""
    text = item.text_of("response")
    parts = rating_path.list_statements(item)
    told = [
        {
            "id": name,
            "title": f"Statement {number} of {len(parts)}",
            "text": text[start:end],
            "row": False,
            "criteria": [rating_path.STATEMENT],
        }
        for number, (name, start, end) in enumerate(parts, start=1)
    ]
    first, query_type = protocol.criteria
    steps = [
        {
            "id": rating_path.START,
            "title": "First: where to look",
            "text": "What kind of query is it, and where did you look?",
            "row": True,
            "wide": True,
            "criteria": [query_type.key],
        },
        *told,
        {
            "id": "response",
            "title": "Last: the answer",
            "text": "Is the response consistent?",
            "row": True,
            "wide": True,
            "suggests": True,
            "criteria": [first.key],
        },
    ]
    return [{**each, "field": "response"} for each in steps]


def _build_reviewed(
    field: Field, units: Sequence[Mapping[str, Any]], item: Item, protocol: Protocol
) -> dict[str, Any]:
    claims = protocol.unit is UnitKind.CLAIM
    heading = f"Claims of the {ARTICLES.get(field.name, field.name).lower()}"
    other = " and ".join(each for name, each in ARTICLES.items() if name != field.name).lower()
    return {
        "name": field.name,
        "title": heading if claims else title(field.name, field.kind),
        "about": f"checked in the {other}" if claims else "",
        "kind": NOUNS[protocol.unit],
        "segments": [] if claims else segments(field.text, _build_marks(field, item, protocol)),
    }


def _build_marks(field: Field, item: Item, protocol: Protocol) -> list[TextMark]:
    if protocol.key == rating.GUIDED:
        return [
            TextMark(start, end, name) for name, start, end in rating_path.list_statements(item)
        ]
    return [
        TextMark(unit.span.start, unit.span.end, unit.id)
        for unit in item.units_of(UnitKind.SENTENCE)
        if unit.span is not None and unit.field == field.name
        if protocol.unit is UnitKind.SENTENCE
    ]


def _list_sources(item: Item, protocol: Protocol) -> list[Field]:
    found = {
        each.name: each
        for name in protocol.checked_against
        for each in rating.select_sources(item, protocol, name)
    }
    return list(found.values())


def _build_source(field: Field, protocol: Protocol, item: Item) -> dict[str, Any]:
    checks = [
        name
        for name in protocol.checked_against
        if field in rating.select_sources(item, protocol, name)
    ]
    claims = protocol.unit is UnitKind.CLAIM
    name = ARTICLES.get(field.name, "") if claims else ""
    return {
        "name": field.name,
        "title": name or title(field.name, field.kind),
        "kind": field.kind,
        "checks": checks,
        "pieces": pieces(field.text),
    }


def pieces(text: str) -> list[tuple[int, str, bool]]:
    """A text in sentences and what stands between them: where it begins, the words, which it is."""
    found: list[tuple[int, str, bool]] = []
    at = 0
    for start, end in cut_sentences(text):
        if start > at:
            found.append((at, text[at:start], False))
        found.append((start, text[start:end], True))
        at = end
    if at < len(text):
        found.append((at, text[at:], False))
    return found


def _build_criterion(criterion: Criterion, protocol: Protocol) -> dict[str, Any]:
    return {
        "key": criterion.key,
        "question": criterion.question,
        "ordinal": criterion.scale.ordinal,
        "may_skip": criterion.may_skip,
        "required": criterion.required,
        "labels": [
            {"value": each.value, "meaning": each.meaning} | as_data(look(each, criterion.scale))
            for each in criterion.scale.labels
        ],
        "checklist": [as_data(each) for each in criterion.checklist],
        "asks": _list_extra_inputs(criterion, protocol),
    }


def _list_extra_inputs(criterion: Criterion, protocol: Protocol) -> list[str]:
    """What goes with an answer beside its value."""
    if criterion.key == rating_path.STATEMENT:
        return ["excerpts"]
    if criterion is not protocol.criteria[0] and not criterion.required:
        return []
    evidence = {EvidenceKind.EXCERPT: ["excerpts"], EvidenceKind.LINKS: ["links", "comment"]}
    return [*evidence.get(protocol.evidence.kind, []), "rationale"]
