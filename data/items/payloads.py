"""Codec between answers, replies and prompts and the plain JSON of journal payloads."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from faithfulness.judging.judge import JudgeQuestion
from faithfulness.judging.traps import Trap
from faithfulness.model.prompt import Carrier, Prompt
from faithfulness.model.vocabulary import (
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Piece,
    Placement,
    Reply,
    Span,
    Tier,
    Unit,
    UnitKind,
)

Json = dict[str, Any]

_FIELDS = tuple(each.name for each in fields(Answer))


def encode_answers(answers: Sequence[Answer]) -> list[Json]:
    return [_encode_answer(each) for each in answers]


def decode_answers(found: Sequence[Mapping[str, Any]]) -> list[Answer]:
    return [_decode_answer(each) for each in found]


def encode_author(author: Author) -> Json:
    return {"kind": author.kind.value, "name": author.name}


def decode_author(found: Mapping[str, Any]) -> Author:
    return Author(kind=AuthorKind(found["kind"]), name=found["name"])


def encode_reply(reply: Reply | None) -> Json | None:
    return None if reply is None else asdict(reply)


def decode_reply(found: Mapping[str, Any] | None) -> Reply | None:
    return None if found is None else Reply(**found)


def encode_secrets(question: JudgeQuestion) -> Json:
    """What one call alone knew: the mark its reply carries, and its traps."""
    return {"mark": question.mark, "traps": [_encode_trap(each) for each in question.traps]}


def restore_question(question: JudgeQuestion, found: Mapping[str, Any] | None) -> JudgeQuestion:
    """The question as it was asked in an earlier call; itself where nothing is known of one."""
    if found is None:
        return question
    return replace(question, mark=found["mark"], traps=tuple(map(_decode_trap, found["traps"])))


def encode_prompt(prompt: Prompt | None) -> Json | None:
    return None if prompt is None else asdict(prompt)


def decode_prompt(found: Mapping[str, Any] | None) -> Prompt | None:
    if found is None:
        return None
    changed = {"carrier": Carrier(found["carrier"]), "slots": tuple(found["slots"])}
    return Prompt(**{**found, **changed})


def _encode_trap(trap: Trap) -> Json:
    return {**trap._asdict(), "unit": asdict(trap.unit)}


def _decode_trap(found: Mapping[str, Any]) -> Trap:
    unit = Unit(**{**found["unit"], "kind": UnitKind(found["unit"]["kind"])})
    return Trap(**{**found, "unit": unit, "right": tuple(found["right"])})


def _encode_answer(answer: Answer) -> Json:
    # The same as asdict of the whole, which copies every text of every field one by one.
    found = {name: getattr(answer, name) for name in _FIELDS}
    found["excerpts"] = tuple(map(_encode_excerpt, answer.excerpts))
    found["pieces"] = tuple(asdict(each) for each in answer.pieces)
    return found


def _encode_excerpt(excerpt: Excerpt) -> Json:
    placed = excerpt.placement
    if placed is None:
        return {"text": excerpt.text, "placement": None}
    spans = tuple(
        {"field": each.field, "start": each.start, "end": each.end} for each in placed.spans
    )
    placement = {"tier": placed.tier, "spans": spans, "coverage": placed.coverage}
    return {"text": excerpt.text, "placement": placement}


def _decode_answer(found: Mapping[str, Any]) -> Answer:
    changed = {
        "excerpts": tuple(_decode_excerpt(each) for each in found["excerpts"]),
        "pieces": tuple(_decode_piece(each) for each in found["pieces"]),
        "links": tuple(found["links"]),
        "checks": tuple(found["checks"]),
    }
    return Answer(**{**found, **changed})


def _decode_excerpt(found: Mapping[str, Any]) -> Excerpt:
    placement = found["placement"]
    if placement is None:
        return Excerpt(text=found["text"])
    spans = tuple(Span(**each) for each in placement["spans"])
    placed = Placement(tier=Tier(placement["tier"]), spans=spans, coverage=placement["coverage"])
    return Excerpt(text=found["text"], placement=placed)


def _decode_piece(found: Mapping[str, Any]) -> Piece:
    span = None if found["span"] is None else Span(**found["span"])
    return Piece(text=found["text"], span=span, value=found["value"], score=found["score"])
