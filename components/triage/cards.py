"""Data of one page of triage cards: disagreements and inconsistencies, in queue order."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from components.inconsistencies.inconsistency_words import (
    SideText,
    describe_answer,
    describe_other_side,
    format_inconsistency,
    format_rule_reason,
    format_unit_name,
    format_units,
)
from components.triage.card import build_card, format_card_key
from components.ui.address import format_author_key, link
from components.ui.label_colors import look
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation
from faithfulness.model.wording import capitalize_first
from faithfulness.policies.inconsistencies import Claimed, Inconsistency, format_author
from faithfulness.policies.inconsistency_case import AuditCase, Screen
from faithfulness.policies.inconsistency_order import TITLE
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import Earlier
from faithfulness.review.meeting import Point

Unit = tuple[str, str, str]  # protocol, item and unit, as marks name them


def build_audit_card(
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
    shown = format_author_key((found.other or found.one).author)
    opens = Selection(runs=(found.run_id,), item=found.item_id, unit=found.unit_id)
    other = format_author(found.other.author) if found.other else ""
    return {
        "key": "\x1f".join(
            ("audit", found.rule.key, found.item_id, format_author(found.one.author), other)
        ),
        "item": first.external_id or found.item_id[:8],
        "unit": format_unit_name(found.unit_id),
        "text": case.cases[words].case.unit.text[:160],
        "between": _describe_sides(found),
        "where": [TITLE, *_list_runs(case)],
        "why": list(case.why),
        "sides": _build_sides(case),
        "rule": {"title": found.rule.title, "because": format_rule_reason(found.rule)},
        "left": _describe_remaining(case),
        "points": [_build_point(case, each, earlier[each], marked) for each in case.points],
        "decided": False,
        "marked": False,
        "reader": link("item", opens, shown=shown),
        "opens": [found.run_id, found.item_id, found.unit_id, shown],
    }


def _list_runs(case: AuditCase) -> list[str]:
    return list(dict.fromkeys(case.cases[each].case.run_name for each in case.points))


def _build_point(
    case: AuditCase, point: Point, earlier: Earlier, marked: Collection[Unit]
) -> dict[str, Any]:
    found = case.cases[point]
    protocol = PROTOCOLS[found.case.protocol]
    unit = (protocol.key, point.item_id, point.unit_id)
    return build_card(found, earlier, protocol) | {
        "settles": _describe_point(point, protocol.title),
        "marked": unit in marked,
    }


def _describe_point(point: Point, protocol: str) -> str:
    if point.unit_id == "response":
        return f"{point.criterion.capitalize()} of the whole response"
    return f"{format_unit_name(point.unit_id)} ({protocol.lower()})"


def _build_sides(case: AuditCase) -> list[dict[str, Any]]:
    found = case.found
    ruled_out = describe_answer(found.one.criterion, found.one.values[0])
    against = describe_other_side(found.rule.key, found.other.values if found.other else ())
    named = _list_side_names(found)
    scored = case.cases[case.points[0]].criterion.scale
    look_one = look(scored.label(found.one.values[0]), scored)
    return [
        _build_side(
            case, found.one, named[0], _build_vote(ruled_out, look_one.glyph, look_one.color)
        ),
        _build_side(case, found.other, named[1], _build_vote(against, "!", "gray")),
    ]


def _build_vote(side: SideText, glyph: str, color: str) -> dict[str, Any]:
    """A side as a vote of one; scores and faults have no symbol of their own in a sentence."""
    shown = {"glyph": side.glyph or glyph, "color": side.color or color}
    return {"title": side.text, "count": 1, "of": 1} | shown


def _list_side_names(found: Inconsistency) -> tuple[str, str]:
    one = format_author(found.one.author)
    if found.other is None:
        return one, "what the answer lacks"
    return one, "the same author" if found.is_by_one_author else format_author(found.other.author)


def _describe_sides(found: Inconsistency) -> str:
    """Who stands against whom, short enough for a row of the queue."""
    one = found.one.author.name
    if found.other is None:
        return one
    other = "themselves" if found.is_by_one_author else found.other.author.name
    return f"{one} against {other}"


def _build_side(
    case: AuditCase, side: Claimed | None, who: str, vote: dict[str, Any]
) -> dict[str, Any]:
    about = format_units(side.units) if side else ""
    own = [
        format_card_key(case.cases[each])
        for each in case.points
        if side and each.criterion == side.criterion and each.unit_id in side.units
    ]
    return {
        "who": capitalize_first(who),
        "votes": [vote],
        "about": capitalize_first(about),
        "points": own,
    }


def _describe_remaining(case: AuditCase) -> str:
    """What was decided and did not end it; empty where nothing was."""
    if not case.settled:
        return ""
    told = [_format_decision(each) for each in case.settled[-3:]]
    more = len(case.settled) - len(told)
    before = f"{more:,} earlier; " if more else ""
    left = format_inconsistency(case.found)
    return f"Decided already: {before}{'; '.join(told)}. Left: {left}."


def _format_decision(each: Annotation) -> str:
    answer = each.answer
    side = describe_answer(answer.criterion, str(answer.value))
    if answer.unit_id == "response":
        return f"{side.text} ({each.author.name})"
    return f"{format_unit_name(answer.unit_id)} is {side.text.lower()} ({each.author.name})"


def build_triage_cards(
    order: Sequence[bool], screen: Screen, marked: Collection[Unit]
) -> list[dict[str, Any]]:
    """The cards of a screen.

    Args:
        order: for each card whether it is of answers that cannot all be right.
        screen: what they show, each sort in its order; what is gone meanwhile is left out.
        marked: units that are marked for a meeting.
    """
    plain = (
        build_card(each, told, PROTOCOLS[each.case.protocol])
        | {"marked": (each.case.protocol, each.case.item.id, each.case.unit.id) in marked}
        for each, told in screen.disagreements
    )
    audits = (build_audit_card(each, screen.earlier, marked) for each in screen.audits)
    drawn = (next(audits if is_audit else plain, None) for is_audit in order)
    return [card for card in drawn if card is not None]
