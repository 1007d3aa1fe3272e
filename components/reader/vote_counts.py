"""How many authors give each label of a unit; a decision is no further voice and is told apart."""

from collections.abc import Sequence
from typing import Any

from components.ui.label_colors import look_of
from components.ui.numbers import counted
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import Annotation, AuthorKind


def voices(protocol: Protocol, annotations: Sequence[Annotation]) -> dict[str, dict[str, Any]]:
    """Of every unit how much was said in all, and about the first criterion behind each label.

    A label goes by its value; what could not be read goes by the title of its look.
    """
    first, asked = protocol.criteria[0], {each.key for each in protocol.criteria}
    units: dict[str, list[Annotation]] = {}
    for each in annotations:
        if each.answer.criterion in asked:
            units.setdefault(each.answer.unit_id, []).append(each)
    return {unit: {"all": _all(said), "of": _columns(first, said)} for unit, said in units.items()}


def _settles(said: Annotation) -> bool:
    return said.author.kind is AuthorKind.ADJUDICATOR


def _all(said: Sequence[Annotation]) -> str:
    decisions = sum(map(_settles, said))
    answers = len(said) - decisions
    told = ((answers, "answer"), (decisions, "decision"))
    return ", ".join(counted(count, noun) for count, noun in told if count)


def _columns(first: Criterion, said: Sequence[Annotation]) -> dict[str, str]:
    labels: dict[str, list[Annotation]] = {}
    for each in said:
        if each.answer.criterion == first.key:
            key = each.answer.value or look_of(each.answer, first).title
            labels.setdefault(key, []).append(each)
    own = [each for group in labels.values() for each in group]
    total = sum(not _settles(each) for each in own)
    last = max(filter(_settles, own), key=lambda each: each.number, default=None)
    return {
        key: _so(sum(not _settles(each) for each in group), total, decided=last in group)
        for key, group in labels.items()
        if len(own) > 1
    }


def _so(so: int, total: int, *, decided: bool) -> str:
    if not decided:
        return f"{so} of {counted(total, 'author')}"
    if not so:
        return f"the decision, none of {counted(total, 'author')}" if total else "the decision"
    return f"{so} of {counted(total, 'author')} and the decision"
