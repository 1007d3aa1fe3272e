"""A point as the room shows it: without names until it is decided, then with them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from components.address import link
from components.label_colors import look_of
from components.meeting.steps import key_of
from components.triage.card import card_data, place_of
from faithfulness.disagreement import Disagreement, Earlier
from faithfulness.guideline_notes import sections
from faithfulness.meeting import (
    AgendaPoint,
    Meeting,
    Point,
    PointState,
    names_behind,
    without_names,
)
from faithfulness.protocol import Protocol
from faithfulness.vocabulary import Answer, AuthorKind

QUOTES = 8  # a team decides on the card alone, so it shows more than a queue does


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A point of the agenda with everything its card tells."""

    place: AgendaPoint
    found: Disagreement
    earlier: Earlier
    protocol: Protocol
    baseline: Answer | None = None  # what the offline baseline says; it takes no side


def is_blind(meeting: Meeting, place: AgendaPoint) -> bool:
    """Whether nobody may know yet who said what on this point."""
    return meeting.hides_authors and place.state is not PointState.DECIDED


def point_card(meeting: Meeting, shown: Shown) -> dict[str, Any]:
    """What the browser gets of a point; while it is blind, no name is in it."""
    place, found = shown.place, shown.found
    blind = is_blind(meeting, place)
    called = {} if blind or not meeting.hides_authors else _called_before(found)
    if blind:
        found = without_names(found)
        examples = tuple(replace(each, by="") for each in shown.earlier.examples)
        earlier = replace(shown.earlier, examples=examples)
        card = card_data(found, earlier, shown.protocol, named=False, most=QUOTES)
        # A run may be called after its judge, and the reader names everybody.
        card |= {"where": [shown.protocol.title], "reader": ""}
    else:
        card = card_data(found, shown.earlier, shown.protocol, most=QUOTES)
    card["key"] = key_of(place.point)
    for each in card["voices"]:
        each["was"] = called.get(each["name"], "")
    hidden = {"names": "hidden"} if blind else {}
    again = link("rerun", place_of(card["key"]), meeting=meeting.id, **hidden)
    return card | {
        "blind": blind,
        "agreed": _agreed(found),
        "sections": list(sections(shown.protocol)),
        "baseline": _baseline(shown),
        "rerun": again if card["rerun"] else "",
    }


def agenda_data(meeting: Meeting) -> list[dict[str, Any]]:
    """Every point with its state, for the strip above the card."""
    return [
        {
            "key": key_of(each.point),
            "state": each.state.value,
            "seconds": round(each.seconds),
            "before": each.decided_before,
            "reason": each.reason,
        }
        for each in meeting.agenda
    ]


def like_data(
    place: Point, decided: Disagreement, like: Sequence[Disagreement]
) -> dict[str, Any] | None:
    """Like cases to look at before a decision is applied to them; nobody is named."""
    decision = decided.decided
    if decision is None:
        return None
    return {
        "key": key_of(place),
        "number": decision.number,
        "title": decided.criterion.scale.label(str(decision.value)).title,
        "cases": [
            {
                "key": key_of(_point(each)),
                "seen": each.seen,
                "item": each.case.external_id or each.case.item.id[:8],
                "text": each.case.unit.text[:400],
            }
            for each in like
        ],
    }


def _point(found: Disagreement) -> Point:
    case = found.case
    return Point(case.run_id, case.item.id, case.unit.id, found.criterion.key)


def _called_before(named: Disagreement) -> Mapping[str, str]:
    """What each author was called while names were hidden."""
    kinds = {each.author.name: each.author.kind for each in named.case.annotations}
    numbers: Counter[AuthorKind] = Counter()
    found = {}
    for name in names_behind(named).values():
        numbers[kinds[name]] += 1
        found[name] = f"{kinds[name].value.capitalize()} {numbers[kinds[name]]}"
    return found


def _baseline(shown: Shown) -> dict[str, Any] | None:
    said = shown.baseline
    if said is None:
        return None
    look = asdict(look_of(said, shown.found.criterion))
    return {"look": look, "why": said.rationale or said.problem}


def _agreed(found: Disagreement) -> str:
    """What to say where nobody disagrees (any more); empty where somebody does."""
    if found.kinds:
        return ""
    many = len(found.said)
    if not many:
        return "Nobody has labelled this yet."
    return (
        "Nobody disagrees on this any more." if many > 1 else "Only one author has labelled this."
    )
