"""Data of a disagreement card: both sides, the unit, the evidence and the reasons."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from components.contradictions.cards import NOUNS
from components.contradictions.evidence import MOST, collect_evidence
from components.triage.sources import build_initial_texts
from components.ui.address import PAGES, link
from components.ui.as_data import as_data
from components.ui.label_colors import get_answer_look, look
from components.ui.numbers import format_count, format_day
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, AuthorKind, UnitKind
from faithfulness.model.wording import (
    format_confidence,
    format_undo,
    format_unit,
    parse_undone_number,
)
from faithfulness.review.disagreement import (
    ERROR_CLASSES,
    KINDS,
    Decision,
    Disagreement,
    Earlier,
    count_votes,
    explain_order,
)

READ = 3_000  # characters of all texts that a card without a quote has open at once
_SIDES = ((AuthorKind.JUDGE, "judge"), (AuthorKind.RATER, "rater"))


def format_card_key(found: Disagreement) -> str:
    """Names a disagreement in the browser, whatever page it stands on."""
    case = found.case
    return "\x1f".join((case.run_id, case.item.id, case.unit.id, found.criterion.key))


def parse_card_place(key: str) -> Selection:
    """Where other pages find the unit of such a key."""
    run_id, item_id, unit_id, _ = key.split("\x1f")
    return Selection(runs=(run_id,), item=item_id, unit=unit_id)


def build_card(
    found: Disagreement,
    earlier: Earlier,
    protocol: Protocol,
    *,
    named: bool = True,
    most: int = MOST,
    read: int = READ,
) -> dict[str, Any]:
    """Everything one card shows at once, with `most` quotes at most.

    Where nobody quotes any words the item's texts stand open, if they have at most `read`
    characters; else they are sent when they are opened: `sources.send_texts`.

    Without `named` authors are told apart but not known.
    """
    case, criterion = found.case, found.criterion
    called = _assign_names(case.annotations, named=named)
    noun = NOUNS[case.unit.kind]
    here = parse_card_place(format_card_key(found))
    shown = as_data(collect_evidence(case.item, case.unit, case.annotations, most=most))
    return {
        "key": format_card_key(found),
        "seen": found.seen,
        "item": case.external_id or case.item.id[:8],
        "unit": noun if case.of == 1 else f"{noun} {case.number} of {case.of}",
        "text": case.unit.text[:160],
        "whole": case.unit.kind is UnitKind.RESPONSE,
        "where": [case.run_name, protocol.title],
        "question": criterion.question,
        "several": len(protocol.criteria) > 1,
        "why": list(explain_order(found)),
        "kinds": [KINDS[each] for each in found.kinds],
        "sides": _build_sides(found, called),
        "evidence": shown
        | {"quotes": [_rename_quote_authors(each, called) for each in shown["quotes"]]},
        "texts": build_initial_texts(case, 0 if shown["quotes"] else read),
        "voices": [_build_voice(each, criterion, called) for each in case.annotations],
        "samples": _build_samples(found, called),
        "labels": [
            {"value": each.value, "meaning": each.meaning} | as_data(look(each, criterion.scale))
            for each in criterion.scale.labels
        ],
        "decisions": [
            _build_decision(each, criterion, found.decisions) for each in found.decisions
        ],
        "decided": bool(found.decided),
        "earlier": _build_earlier(earlier, criterion),
        "reader": link("item", here),
        "rerun": link("rerun", here) if (PAGES / "rerun.py").is_file() else "",
    }


def _assign_names(said: Sequence[Annotation], *, named: bool) -> Mapping[str, str]:
    if named:
        return {each.author.name: each.author.name for each in said}
    numbers: Counter[AuthorKind] = Counter()
    found = {}
    for each in said:
        numbers[each.author.kind] += 1
        kind = each.author.kind.value.capitalize()
        found[each.author.name] = f"{kind} {numbers[each.author.kind]}"
    return found


def _build_sides(found: Disagreement, called: Mapping[str, str]) -> list[dict[str, Any]]:
    sides = []
    for kind, one in _SIDES:
        counts = count_votes(found.said, kind)
        total = sum(counts.values())
        if not total:
            continue
        alone = next(each.author.name for each in found.said if each.author.kind is kind)
        sides.append(
            {
                "who": called[alone] if total == 1 else format_count(total, one),
                "votes": [
                    as_data(look(found.criterion.scale.label(value), found.criterion.scale))
                    | {"count": count, "of": total}
                    for value, count in counts.most_common()
                ],
            }
        )
    return sides


def _rename_quote_authors(quote: dict[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    return quote | {"by": [called.get(name, name) for name in quote["by"]]}


def _build_voice(
    said: Annotation, criterion: Criterion, called: Mapping[str, str]
) -> dict[str, Any]:
    answer = said.answer
    return {
        "name": called[said.author.name],
        "kind": said.author.kind.value,
        "value": answer.value,
        "look": as_data(get_answer_look(answer, criterion)),
        "why": answer.rationale or answer.comment or answer.problem,
        "sure": answer.confidence,
        "unsure": format_confidence(answer.confidence),
    }


def _build_samples(found: Disagreement, called: Mapping[str, str]) -> list[dict[str, Any]]:
    scale = found.criterion.scale
    return [
        {
            "name": called.get(name, name),
            "looks": [as_data(look(scale.label(each), scale)) for each in values if each in scale],
        }
        for name, values in found.samples
    ]


def _build_decision(
    decision: Decision, criterion: Criterion, known_ones: Sequence[Decision] = ()
) -> dict[str, Any]:
    scale = criterion.scale
    known = decision.value in scale if decision.value else False
    shown = as_data(look(scale.label(str(decision.value)), scale)) if known else None
    return {
        "look": shown,
        "by": decision.by,
        "reason": _format_reason(decision, criterion, known_ones),
        "class": ERROR_CLASSES.get(decision.error_class, decision.error_class),
        "when": format_day(decision.decided_at),
        "current": decision.is_current,
        "of": _format_case(decision.of),
    }


def _format_reason(decision: Decision, criterion: Criterion, known_ones: Sequence[Decision]) -> str:
    """Where one was taken back, which; not under what number it is stored."""
    number, scale = parse_undone_number(decision.reason), criterion.scale
    if not number:
        return decision.reason
    gone = next((each for each in known_ones if each.number == number), None)
    if gone is None or gone.value is None or gone.value not in scale:
        return format_undo("", "")
    return format_undo(scale.label(gone.value).title, gone.reason)


def _build_earlier(earlier: Earlier, criterion: Criterion) -> dict[str, Any]:
    scale = criterion.scale
    return {
        "total": sum(earlier.values.values()),
        "values": [
            as_data(look(scale.label(value), scale)) | {"count": count}
            for value, count in earlier.values.items()
        ],
        "examples": [_build_decision(each, criterion) for each in earlier.examples],
        "like": earlier.like,
        "here": earlier.like_here,
        "runs": earlier.like_runs,
    }


def _format_case(of: str) -> str:
    """An item and its unit, as people call them."""
    item, _, unit = of.rpartition(" · ")
    return f"{item} · {format_unit(unit)}" if item else of
