"""Data of the point cards in a meeting; names stay hidden until a point is decided."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from components.meetings.room.steps import key_of
from components.triage.card import build_card, parse_card_place
from components.ui.address import link
from components.ui.as_data import as_data
from components.ui.label_colors import get_answer_look
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.model.wording import format_confidence
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import Disagreement, Earlier
from faithfulness.review.guideline_notes import list_sections
from faithfulness.review.meeting import (
    AgendaPoint,
    Meeting,
    Point,
    PointState,
    assign_aliases,
    hide_names,
)

QUOTES = 8  # a team decides on the card alone, so it shows more than a queue does
READ = 12_000  # characters of all texts: names may be hidden, and then nobody can open the reader
LIKE_QUOTES = 2  # of each of the like cases, which may be many


@dataclass(frozen=True, kw_only=True, slots=True)
class PointCard:
    """A point of the agenda with everything its card tells."""

    place: AgendaPoint
    found: Disagreement
    earlier: Earlier
    protocol: Protocol
    baseline: Answer | None = None  # what the offline baseline says; it takes no side


def is_blind(meeting: Meeting, place: AgendaPoint) -> bool:
    """Whether nobody may know yet who said what on this point."""
    return meeting.hides_authors and place.state is not PointState.DECIDED


def build_point_card(meeting: Meeting, shown: PointCard) -> dict[str, Any]:
    """What the browser gets of a point; while it is blind, no name is in it."""
    place, found, earlier = shown.place, shown.found, shown.earlier
    blind = is_blind(meeting, place)
    before = {} if blind or not meeting.hides_authors else assign_aliases(found, meeting.began_at)
    if blind:
        found = hide_names(found, meeting.began_at)
        examples = tuple(replace(each, by="") for each in earlier.examples)
        earlier = replace(earlier, examples=examples)
        card = build_card(found, earlier, shown.protocol, named=False, most=QUOTES, read=READ)
        # A run may be called after its judge, and the reader names everybody.
        card |= {"where": [shown.protocol.title], "reader": ""}
    else:
        card = build_card(found, earlier, shown.protocol, most=QUOTES, read=READ)
    card["key"] = key_of(place.point)
    for each in card["voices"]:
        author = Author(kind=AuthorKind(each["kind"]), name=each["name"])
        each["was"] = before.get(author, "")
    hidden = {"names": "hidden"} if blind else {}
    here = replace(parse_card_place(card["key"]), criterion=place.point.criterion)
    again = link("rerun", here, meeting=meeting.id, **hidden)
    return card | {
        "blind": blind,
        "agreed": _explain_agreement(found),
        "sections": list(list_sections(shown.protocol)),
        "baseline": _build_baseline(shown),
        "rerun": again if card["rerun"] else "",
    }


def build_agenda(meeting: Meeting) -> list[dict[str, Any]]:
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


def build_similar_cases(
    place: Point,
    decided: Disagreement,
    like: Sequence[Disagreement],
    *,
    runs: Collection[str] = (),
    samples: Collection[str] = (),
) -> dict[str, Any] | None:
    """Like cases to look at before a decision is applied to them; nobody is named.

    A case outside the meeting's `runs` carries the name of its run: it is none of the meeting's
    business until somebody says so. `samples` are the runs that came with the program.
    """
    decision = decided.decided
    if decision is None:
        return None
    own = {*runs, decided.case.run_id}
    return {
        "key": key_of(place),
        "number": decision.number,
        "title": decided.criterion.scale.label(str(decision.value)).title,
        "cases": [
            _build_similar_case(each) | _describe_other_run(each, own, samples) for each in like
        ],
    }


def _build_similar_case(found: Disagreement) -> dict[str, Any]:
    """A case with enough around it to say yes or no."""
    nothing = Earlier(values={})
    protocol = PROTOCOLS[found.case.protocol]
    card = build_card(hide_names(found), nothing, protocol, named=False, most=LIKE_QUOTES, read=0)
    quotes = Counter(each["found"] for each in card["evidence"]["quotes"])
    told = [f"{count} {words.lower()}" for words, count in quotes.items()]
    if card["evidence"]["left"]:
        told.append(f"{card['evidence']['left']} more")
    return {
        "key": key_of(_build_point(found)),
        "seen": found.seen,
        "item": card["item"],
        "text": found.case.unit.text[:400],
        "whole": card["whole"],
        "evidence": card["evidence"],
        # The same order in every case: whoever compares many should not have to search.
        "voices": sorted(card["voices"], key=lambda each: (each["kind"], each["name"])),
        "found": f"Quotes: {', '.join(told)}" if told else "Nobody quotes any words",
    }


def _describe_other_run(
    found: Disagreement, own: Collection[str], samples: Collection[str]
) -> dict[str, Any]:
    run = found.case.run_id
    if run in own:
        return {"run": "", "sample": False}
    return {"run": found.case.run_name, "sample": run in samples}


def _build_point(found: Disagreement) -> Point:
    case = found.case
    return Point(case.run_id, case.item.id, case.unit.id, found.criterion.key)


def _build_baseline(shown: PointCard) -> dict[str, Any] | None:
    said = shown.baseline
    if said is None:
        return None
    look = as_data(get_answer_look(said, shown.found.criterion))
    return {
        "look": look,
        "why": said.rationale or said.problem,
        "unsure": format_confidence(said.confidence),
    }


def _explain_agreement(found: Disagreement) -> str:
    """What to say where nobody disagrees (any more); empty where somebody does."""
    if found.kinds:
        return ""
    many = len(found.said)
    if not many:
        return "Nobody has labelled this yet."
    return (
        "Nobody disagrees on this any more." if many > 1 else "Only one author has labelled this."
    )
