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


def answers_out(answers: Sequence[Answer]) -> list[Json]:
    return [_answer_out(each) for each in answers]


def answers_in(found: Sequence[Mapping[str, Any]]) -> list[Answer]:
    return [_answer(each) for each in found]


def author_out(author: Author) -> Json:
    return {"kind": author.kind.value, "name": author.name}


def author_in(found: Mapping[str, Any]) -> Author:
    return Author(kind=AuthorKind(found["kind"]), name=found["name"])


def reply_out(reply: Reply | None) -> Json | None:
    return None if reply is None else asdict(reply)


def reply_in(found: Mapping[str, Any] | None) -> Reply | None:
    return None if found is None else Reply(**found)


def secrets_out(question: JudgeQuestion) -> Json:
    """What one call alone knew: the mark its reply carries, and its traps."""
    return {"mark": question.mark, "traps": [_trap_out(each) for each in question.traps]}


def asked_with(question: JudgeQuestion, found: Mapping[str, Any] | None) -> JudgeQuestion:
    """The question as it was asked in an earlier call; itself where nothing is known of one."""
    if found is None:
        return question
    return replace(question, mark=found["mark"], traps=tuple(map(_trap, found["traps"])))


def prompt_out(prompt: Prompt | None) -> Json | None:
    return None if prompt is None else asdict(prompt)


def prompt_in(found: Mapping[str, Any] | None) -> Prompt | None:
    if found is None:
        return None
    changed = {"carrier": Carrier(found["carrier"]), "slots": tuple(found["slots"])}
    return Prompt(**{**found, **changed})


def _trap_out(trap: Trap) -> Json:
    return {**trap._asdict(), "unit": asdict(trap.unit)}


def _trap(found: Mapping[str, Any]) -> Trap:
    unit = Unit(**{**found["unit"], "kind": UnitKind(found["unit"]["kind"])})
    return Trap(**{**found, "unit": unit, "right": tuple(found["right"])})


def _answer_out(answer: Answer) -> Json:
    # The same as asdict of the whole, which copies every text of every field one by one.
    found = {name: getattr(answer, name) for name in _FIELDS}
    found["excerpts"] = tuple(map(_excerpt_out, answer.excerpts))
    found["pieces"] = tuple(asdict(each) for each in answer.pieces)
    return found


def _excerpt_out(excerpt: Excerpt) -> Json:
    placed = excerpt.placement
    if placed is None:
        return {"text": excerpt.text, "placement": None}
    spans = tuple(
        {"field": each.field, "start": each.start, "end": each.end} for each in placed.spans
    )
    placement = {"tier": placed.tier, "spans": spans, "coverage": placed.coverage}
    return {"text": excerpt.text, "placement": placement}


def _answer(found: Mapping[str, Any]) -> Answer:
    changed = {
        "excerpts": tuple(_excerpt(each) for each in found["excerpts"]),
        "pieces": tuple(_piece(each) for each in found["pieces"]),
        "links": tuple(found["links"]),
        "checks": tuple(found["checks"]),
    }
    return Answer(**{**found, **changed})


def _excerpt(found: Mapping[str, Any]) -> Excerpt:
    placement = found["placement"]
    if placement is None:
        return Excerpt(text=found["text"])
    spans = tuple(Span(**each) for each in placement["spans"])
    placed = Placement(tier=Tier(placement["tier"]), spans=spans, coverage=placement["coverage"])
    return Excerpt(text=found["text"], placement=placed)


def _piece(found: Mapping[str, Any]) -> Piece:
    span = None if found["span"] is None else Span(**found["span"])
    return Piece(text=found["text"], span=span, value=found["value"], score=found["score"])
