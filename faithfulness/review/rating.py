"""Convert a rater's sheet to Answers and back, and check it before submission."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from faithfulness.intake import rating_path
from faithfulness.intake.departures import find_departures
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import (
    Answer,
    Excerpt,
    Field,
    Item,
    Piece,
    Placement,
    Span,
    Tier,
    Unit,
)
from faithfulness.text.excerpts import place_excerpt, prepare_source

State = dict[str, Any]  # of one unit: by criterion, what was said
LONGEST = 10_000
MOST = 50
GUIDED = "response_consistency"


def list_units_to_rate(item: Item, protocol: Protocol) -> tuple[Unit, ...]:
    return item.units_of(protocol.unit)


def select_sources(item: Item, protocol: Protocol, field: str) -> tuple[Field, ...]:
    """The texts that a unit of this field is checked against."""
    kinds = protocol.checked_against.get(field, ())
    return tuple(each for each in item.fields if each.kind in kinds and each.name != field)


def list_steps(item: Item, protocol: Protocol) -> dict[str, tuple[Criterion, ...]]:
    """What is asked, in order: by unit or step of the guided path, its criteria."""
    if protocol.key != GUIDED:
        return {unit.id: protocol.criteria for unit in list_units_to_rate(item, protocol)}
    statement = Criterion(
        key=rating_path.STATEMENT,
        question="What do the sources say to this statement?",
        scale=rating_path.STATEMENTS,
        required=False,
    )
    first, query_type = protocol.criteria
    return {
        rating_path.START: (query_type,),
        **{name: (statement,) for name, _, _ in rating_path.list_statements(item)},
        "response": (first,),
    }


def clean_state(said: object, criteria: Sequence[Criterion], item: Item) -> State:
    """A state as it may be stored: known keys, values on the scale, no endless texts."""
    told = said if isinstance(said, Mapping) else {}
    return {
        each.key: _clean_criterion_state(found, each, item)
        for each in criteria
        if isinstance(found := told.get(each.key), Mapping)
    }


def _clean_criterion_state(said: Mapping[str, Any], criterion: Criterion, item: Item) -> State:
    value = said.get("value")
    known = {each.key for each in criterion.checklist}
    return {
        "value": value if value in criterion.scale else None,
        "skipped": said.get("skipped") is True and criterion.may_skip and value is None,
        "rationale": _clean_text(said.get("rationale")),
        "comment": _clean_text(said.get("comment")),
        "checks": [each for each in _clean_list(said.get("checks")) if each in known],
        "links": [
            _clean_text(each).strip()
            for each in _clean_list(said.get("links"))
            if _clean_text(each).strip()
        ],
        "excerpts": [_clean_quote(each, item) for each in _clean_list(said.get("excerpts"))],
    }


def _clean_text(said: object) -> str:
    return said[:LONGEST] if isinstance(said, str) else ""


def _clean_list(said: object) -> list[Any]:
    return said[:MOST] if isinstance(said, list) else []


def _clean_quote(said: object, item: Item) -> State:
    told = said if isinstance(said, Mapping) else {}
    start, end = told.get("start"), told.get("end")
    quote = {"field": _clean_text(told.get("field")), "text": _clean_text(told.get("text"))}
    whole = item.text_of(quote["field"])
    if isinstance(start, int) and isinstance(end, int) and whole[start:end] == quote["text"]:
        return {**quote, "start": start, "end": end}
    return quote


def build_answers(
    states: Mapping[str, State], item: Item, protocol: Protocol, signed: Sequence[Answer] = ()
) -> tuple[Answer, ...]:
    """The Answers that a sheet holds; what has no value and was not skipped is none.

    What was signed before and is empty now is an Answer without a value: nothing else would take
    the place of what was signed.
    """
    found = []
    for unit_id, criteria in list_steps(item, protocol).items():
        for criterion in criteria:
            told = states.get(unit_id, {}).get(criterion.key)
            if criterion.key == rating_path.STATEMENT or not told:
                continue
            if told["value"] is not None or told["skipped"]:
                found.append(_build_answer(told, unit_id, criterion.key, item, protocol))
    if protocol.key == GUIDED:
        found = [_add_statements(each, states, item) for each in found]
    held = {(each.unit_id, each.criterion) for each in found}
    emptied = (
        Answer(unit_id=each.unit_id, criterion=each.criterion, value=None)
        for each in signed
        if each.value is not None and (each.unit_id, each.criterion) not in held
    )
    return (*found, *emptied)


def _build_answer(
    told: State, unit_id: str, criterion: str, item: Item, protocol: Protocol
) -> Answer:
    unit_id = "response" if unit_id == rating_path.START else unit_id
    field = next((each.field for each in item.units if each.id == unit_id), "response")
    sources = select_sources(item, protocol, field)
    return Answer(
        unit_id=unit_id,
        criterion=criterion,
        value=told["value"],
        rationale=told["rationale"].strip(),
        excerpts=tuple(
            _build_excerpt(each, sources) for each in told["excerpts"] if each["text"].strip()
        ),
        links=tuple(told["links"]),
        checks=tuple(told["checks"]),
        comment=told["comment"].strip(),
    )


def _build_excerpt(quote: State, sources: Sequence[Field]) -> Excerpt:
    if "start" in quote and quote["field"] in {each.name for each in sources}:
        span = Span(field=quote["field"], start=quote["start"], end=quote["end"])
        placed = Placement(tier=Tier.VERBATIM, spans=(span,), coverage=1.0)
        return Excerpt(text=quote["text"], placement=placed)
    placed = place_excerpt(quote["text"], [prepare_source(each) for each in sources])
    return Excerpt(text=quote["text"], placement=placed)


def _add_statements(answer: Answer, states: Mapping[str, State], item: Item) -> Answer:
    """The answer of the guided path carries what was said of each statement, and its evidence."""
    if answer.criterion == "query_type":
        return answer
    text = item.text_of("response")
    pieces, excerpts = [], list(answer.excerpts)
    for name, start, end in rating_path.list_statements(item):
        told = states.get(name, {}).get(rating_path.STATEMENT)
        if not told or told["value"] is None:
            continue
        value = None if told["value"] == rating_path.UNVERIFIED else told["value"]
        span = Span(field="response", start=start, end=end)
        pieces.append(Piece(text=text[start:end], span=span, value=value, score=100.0))
        excerpts.extend(
            _build_excerpt(each, item.sources) for each in told["excerpts"] if each["text"]
        )
    changed = {"pieces": tuple(pieces), "excerpts": tuple(dict.fromkeys(excerpts))}
    return Answer(**{name: getattr(answer, name) for name in Answer.__slots__} | changed)


def build_states(answers: Sequence[Answer], protocol: Protocol) -> dict[str, State]:
    """A sheet that holds these answers, for a rater who corrects what they signed."""
    states: dict[str, State] = {}
    for each in answers:
        guided = protocol.key == GUIDED
        unit_id = rating_path.START if guided and each.criterion == "query_type" else each.unit_id
        states.setdefault(unit_id, {})[each.criterion] = {
            "value": each.value,
            "skipped": each.value is None and protocol.criterion(each.criterion).may_skip,
            "rationale": each.rationale,
            "comment": each.comment,
            "checks": list(each.checks),
            "links": list(each.links),
            "excerpts": [
                _build_quote_state(quote) for quote in each.excerpts if not (guided and each.pieces)
            ],
        }
    return states


def _build_quote_state(excerpt: Excerpt) -> State:
    placed = excerpt.placement
    if placed is None or len(placed.spans) != 1 or placed.tier is not Tier.VERBATIM:
        return {"field": "", "text": excerpt.text}
    (span,) = placed.spans
    return {"field": span.field, "text": excerpt.text, "start": span.start, "end": span.end}


def list_complaints(
    states: Mapping[str, State], item: Item, protocol: Protocol
) -> dict[str, list[str]]:
    """What keeps a sheet from being signed, by the unit it belongs to."""
    answers = build_answers(states, item, protocol)
    found: dict[str, list[str]] = {}
    for unit_id, criteria in list_steps(item, protocol).items():
        for criterion in criteria:
            told = states.get(unit_id, {}).get(criterion.key) or {}
            if criterion.required and told.get("value") is None and not told.get("skipped"):
                rest = ", or say that you did not judge it." if criterion.may_skip else "."
                found.setdefault(unit_id, []).append(f"Not answered yet: choose one{rest}")
    for unit_id in dict.fromkeys(each.unit_id for each in answers):
        own = [each for each in answers if each.unit_id == unit_id]
        for text in protocol.complaints(item, own):
            found.setdefault(unit_id, []).append(_format_complaint(text, protocol))
        missing = [each for each in find_departures(item, own) if not each.has_reason]
        found.setdefault(unit_id, []).extend(each.request for each in missing)
    return {unit_id: texts for unit_id, texts in found.items() if texts}


def _format_complaint(complaint: str, protocol: Protocol) -> str:
    """A complaint as it stands beside its unit: without the place, and with titles of labels."""
    words = complaint.partition(": ")[2] or complaint
    for criterion in protocol.criteria:
        for label in criterion.scale.labels:
            words = re.sub(rf"\b{label.value}\b", f"“{label.title}”", words)
    return words[0].upper() + words[1:] + "."


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    """What the rules make of a sheet.

    Attributes:
        suggestion: The answer that the statements lead to; None outside the guided path.
        reasons: By unit and criterion, why the answer needs a reason.
    """

    suggestion: rating_path.Suggestion | None = None
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def has_advice(protocol: Protocol) -> bool:
    """Whether the rules of a protocol can make anything of a sheet."""
    return protocol.key == GUIDED or any(
        each.scale.ordinal and each.checklist for each in protocol.criteria
    )


def give_advice(states: Mapping[str, State], item: Item, protocol: Protocol) -> Advice:
    """Return what the rules make of a sheet: a suggestion, and where a reason is needed."""
    if not has_advice(protocol):
        return Advice()
    reasons: dict[str, dict[str, str]] = {}
    for each in find_departures(item, build_answers(states, item, protocol)):
        told = reasons.setdefault(each.answer.unit_id, {})
        told[each.answer.criterion] = " ".join(
            filter(None, (told.get(each.answer.criterion), each.because))
        )
    return Advice(suggestion=suggest_answer(states, item, protocol), reasons=reasons)


def suggest_answer(
    states: Mapping[str, State], item: Item, protocol: Protocol
) -> rating_path.Suggestion | None:
    """What the rules make of the statements so far; None outside the guided path."""
    if protocol.key != GUIDED:
        return None
    text = item.text_of("response")
    texts = {name: text[start:end] for name, start, end in rating_path.list_statements(item)}
    verdicts = {
        name: states.get(name, {}).get(rating_path.STATEMENT, {}).get("value") or ""
        for name in texts
    }
    query_type = states.get(rating_path.START, {}).get("query_type", {}).get("value") or ""
    return rating_path.suggest_answer(query_type, verdicts, texts)
