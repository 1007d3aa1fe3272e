"""Data of one page of triage cards: disagreements and inconsistencies, in queue order."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from components.inconsistencies.inconsistency_words import (
    SideText,
    answer_side,
    in_a_sentence,
    other_side,
    reason_of,
    unit_name,
    units_named,
)
from components.triage.card import card_data, key_of
from components.ui.address import author_as_text, link
from components.ui.label_colors import look
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation
from faithfulness.model.wording import begun
from faithfulness.policies.inconsistencies import Claimed, Inconsistency, name_of
from faithfulness.policies.inconsistency_case import AuditCase, Screen
from faithfulness.policies.inconsistency_order import TITLE
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import Earlier
from faithfulness.review.meeting import Point

Unit = tuple[str, str, str]  # protocol, item and unit, as marks name them


def audit_data(
    case: AuditCase, earlier: Mapping[Point, Earlier], marked: Collection[Unit]
) -> dict[str, Any]:
    """Everything such a card shows: both sides, the rule, and a card for each point to settle.

    Args:
        case: the inconsistency.
        earlier: by point, how such labels were decided before.
        marked: units that are marked for a meeting.
    """
    found = case.found
    first = case.cases[case.points[0]].case
    words = next((each for each in case.points if each.unit_id == found.unit_id), case.points[-1])
    shown = author_as_text((found.other or found.one).author)
    opens = Selection(runs=(found.run_id,), item=found.item_id, unit=found.unit_id)
    other = name_of(found.other.author) if found.other else ""
    return {
        "key": "\x1f".join(
            ("audit", found.rule.key, found.item_id, name_of(found.one.author), other)
        ),
        "item": first.external_id or found.item_id[:8],
        "unit": unit_name(found.unit_id),
        "text": case.cases[words].case.unit.text[:160],
        "between": _between(found),
        "where": [TITLE, *_runs(case)],
        "why": list(case.why),
        "sides": _sides(case),
        "rule": {"title": found.rule.title, "because": reason_of(found.rule)},
        "left": _left(case),
        "points": [_point(case, each, earlier[each], marked) for each in case.points],
        "decided": False,
        "marked": False,
        "reader": link("item", opens, shown=shown),
        "opens": [found.run_id, found.item_id, found.unit_id, shown],
    }


def _runs(case: AuditCase) -> list[str]:
    return list(dict.fromkeys(case.cases[each].case.run_name for each in case.points))


def _point(
    case: AuditCase, point: Point, earlier: Earlier, marked: Collection[Unit]
) -> dict[str, Any]:
    found = case.cases[point]
    protocol = PROTOCOLS[found.case.protocol]
    unit = (protocol.key, point.item_id, point.unit_id)
    return card_data(found, earlier, protocol) | {
        "settles": _settles(point, protocol.title),
        "marked": unit in marked,
    }


def _settles(point: Point, protocol: str) -> str:
    if point.unit_id == "response":
        return f"{point.criterion.capitalize()} of the whole response"
    return f"{unit_name(point.unit_id)} ({protocol.lower()})"


def _sides(case: AuditCase) -> list[dict[str, Any]]:
    found = case.found
    ruled_out = answer_side(found.one.criterion, found.one.values[0])
    against = other_side(found.rule.key, found.other.values if found.other else ())
    named = _named(found)
    scored = case.cases[case.points[0]].criterion.scale
    look_one = look(scored.label(found.one.values[0]), scored)
    return [
        _side(case, found.one, named[0], _vote(ruled_out, look_one.glyph, look_one.color)),
        _side(case, found.other, named[1], _vote(against, "!", "gray")),
    ]


def _vote(side: SideText, glyph: str, color: str) -> dict[str, Any]:
    """A side as a vote of one; scores and faults have no symbol of their own in a sentence."""
    shown = {"glyph": side.glyph or glyph, "color": side.color or color}
    return {"title": side.text, "count": 1, "of": 1} | shown


def _named(found: Inconsistency) -> tuple[str, str]:
    one = name_of(found.one.author)
    if found.other is None:
        return one, "what the answer lacks"
    return one, "the same author" if found.is_by_one_author else name_of(found.other.author)


def _between(found: Inconsistency) -> str:
    """Who stands against whom, short enough for a row of the queue."""
    one = found.one.author.name
    if found.other is None:
        return one
    other = "themselves" if found.is_by_one_author else found.other.author.name
    return f"{one} against {other}"


def _side(case: AuditCase, side: Claimed | None, who: str, vote: dict[str, Any]) -> dict[str, Any]:
    about = units_named(side.units) if side else ""
    own = [
        key_of(case.cases[each])
        for each in case.points
        if side and each.criterion == side.criterion and each.unit_id in side.units
    ]
    return {
        "who": begun(who),
        "votes": [vote],
        "about": begun(about),
        "points": own,
    }


def _left(case: AuditCase) -> str:
    """What was decided and did not end it; empty where nothing was."""
    if not case.settled:
        return ""
    told = [_decided(each) for each in case.settled[-3:]]
    more = len(case.settled) - len(told)
    before = f"{more:,} earlier; " if more else ""
    left = in_a_sentence(case.found)
    return f"Decided already: {before}{'; '.join(told)}. Left: {left}."


def _decided(each: Annotation) -> str:
    answer = each.answer
    side = answer_side(answer.criterion, str(answer.value))
    if answer.unit_id == "response":
        return f"{side.text} ({each.author.name})"
    return f"{unit_name(answer.unit_id)} is {side.text.lower()} ({each.author.name})"


def triage_cards(
    order: Sequence[bool], screen: Screen, marked: Collection[Unit]
) -> list[dict[str, Any]]:
    """The cards of a screen.

    Args:
        order: for each card whether it is of answers that cannot all be right.
        screen: what they show, each sort in its order; what is gone meanwhile is left out.
        marked: units that are marked for a meeting.
    """
    plain = (
        card_data(each, told, PROTOCOLS[each.case.protocol])
        | {"marked": (each.case.protocol, each.case.item.id, each.case.unit.id) in marked}
        for each, told in screen.disagreements
    )
    audits = (audit_data(each, screen.earlier, marked) for each in screen.audits)
    drawn = (next(audits if is_audit else plain, None) for is_audit in order)
    return [card for card in drawn if card is not None]
